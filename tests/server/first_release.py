"""The database of the first release, kept as `tests/files/first-release.db`: every later one must read it.

    python -m tests.server.first_release tests/files/first-release.db

wrote it, at revision 0001. It is not made again for a later revision: that would prove nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
import tempfile
from pathlib import Path

from laguna.game import Game, set_up_live
from laguna.games import find
from laguna.messages import SeatView
from laguna.server.storage import Storage, Stored, Summary, backup
from laguna.table.entries import (
    Acted,
    AnyEntry,
    BotSat,
    Clock,
    Opened,
    Person,
    Said,
    Sat,
    Settings,
    Started,
    TookBack,
)
from laguna.table.table import Table

ANN_TOKEN, LINK = hashlib.sha256(b"Ann's token").digest(), hashlib.sha256(b"a link").digest()
PASSWORD_HASH = "$argon2id$v=19$m=65536,t=3,p=4$c29tZSBzYWx0$aGFzaA"
SECRET = hashlib.sha256(b"the secret of a table").digest()
FINISHED, LISTED = "finishedfinishedfinish", "listedlistedlistedlist"
NOON = 1_767_268_800_000  # the first of January 2026


def settings(game: str, players: int, **others: object) -> Settings:
    options = find(game).meta.resolve(players, {})[1]
    return Settings(game, players, dict(options), **others)  # type: ignore[arg-type]


def replayed(stored: Stored) -> Game:
    """The game of a table, from its log."""
    return Table.from_log(FINISHED, stored.secret, stored.entries).started


def opening(ann: Person, settings: Settings) -> list[AnyEntry]:
    commitment = hashlib.sha256(SECRET).hexdigest()
    rules = find(settings.game).meta.rules_version
    return [Opened(NOON, settings, ann, commitment, rules), Sat(NOON, 0, ann)]


def finished_log(ann: Person) -> list[AnyEntry]:
    """A whole game: always the first legal action, one of them taken back and played again."""
    played = settings("neptune-vesta", 2, clock=Clock("bank", 600, 5))
    log = [*opening(ann, played), BotSat(NOON, 1, "heron"), Started(NOON), Said(NOON, ann, 0, "Good luck!")]
    game = set_up_live(played.game, played.players, SECRET, None, played.options)
    while not game.over:
        seat, action = game.seat or 0, str(game.legal()[0])
        log.append(Acted(NOON + 1000 * len(log), seat, action, bot=seat == 1))
        game.play(action)
        if len(game.actions) == 1:
            game.undo()
            log.append(TookBack(NOON + 1000 * len(log), seat, 0))
            game.play(action)
            log.append(Acted(NOON + 1000 * len(log), seat, action, bot=seat == 1))
    return log


async def write(url: str) -> None:
    storage = Storage(url)
    await storage.start()
    ann = await storage.new_person(ANN_TOKEN, "Ann")
    await storage.make_account(ann.id, "Ann", PASSWORD_HASH, ANN_TOKEN)

    anns, bots = SeatView(0, "first", "person", "Ann"), SeatView(1, "second", "bot", level="heron")
    over = Summary("over", "neptune-vesta", 2, [anns, bots], [[ann.id], []], clock=Clock("bank", 600, 5))
    await storage.open_table(FINISHED, SECRET, finished_log(ann), over)

    seats = [anns, SeatView(1, "second", "open"), SeatView(2, "third", "open")]
    waiting = Summary("open", "mille-fiori", 3, seats, [[ann.id], [], []], listed=True, due=NOON + 60_000)
    log = opening(ann, settings("mille-fiori", 3, listed=True))
    await storage.open_table(LISTED, SECRET, log, waiting)
    await storage.add_link(LINK, LISTED, 0)
    await storage.close()


def main(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/laguna.db"
        asyncio.run(write(url))
        backup(url, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
