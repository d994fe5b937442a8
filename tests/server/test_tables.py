"""Live tables: durable before shown, one change after the other, bots and clocks on their own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from laguna import messages
from laguna.bots import BOTS
from laguna.errors import IllegalAction, LagunaError, Refusal
from laguna.game import Action, Game
from laguna.messages import NewTable, SeatWish
from laguna.server.live import loading, presence, work
from laguna.server.live.loading import CannotCompile
from laguna.server.live.requests import Tables
from laguna.server.live.table_cache import NoTable
from laguna.server.live.work import Busy, Closing
from laguna.server.storage import Stale, Unavailable
from laguna.table.entries import Clock, Said, Settings
from tests.server.serving import (
    ADA,
    BEN,
    CLEO,
    HOT_SEAT,
    MovedClock,
    play_one,
    sqlite,
    tables_at,
    two_players,
)

pytestmark = pytest.mark.anyio

NEPTUNE = Settings("neptune-vesta", players=2)


async def test_an_action_is_stored_when_it_is_done(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        version = await play_one(tables, table)
        stored = await tables._storage.load(table)
        assert stored is not None
        assert len(stored.entries) == version == 5
    async with tables_at(sqlite(tmp_path)) as again:
        assert (await again.view(table, ADA)).version == version
        assert await play_one(again, table) == version + 1


async def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        before = (await tables.look(CLEO, table)).lines
        refused: list[Any] = [
            (CLEO, messages.Act(0, table, 4, "1Ra1")),
            (ADA, messages.Act(0, table, 4, "nonsense")),
            (ADA, messages.Act(0, table, 2, "1Ra1")),
            (BEN, messages.Start(0, table)),
            (CLEO, messages.Resign(0, table)),
            (CLEO, messages.Rematch(0, table)),
            (CLEO, messages.Hint(0, table)),
            (ADA, messages.TakeOver(0, table, 1)),
        ]
        for person, asked in refused:
            with pytest.raises((Refusal, IllegalAction)):
                await tables.request(person, asked)
        assert (await tables.look(CLEO, table)).lines == before
        stored = await tables._storage.load(table)
        assert stored is not None
        assert len(stored.entries) == 4


async def test_a_table_that_does_not_exist(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        with pytest.raises(NoTable):
            await tables.view("x" * 22, ADA)
        assert len(tables) == 0


async def test_when_the_storage_fails_nothing_is_shown_and_everything_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)

        async def away(*_: object) -> None:
            raise Unavailable

        monkeypatch.setattr(tables._storage, "append", away)
        with pytest.raises(Unavailable):
            await play_one(tables, table)
        assert (await tables.view(table, ADA)).version == 4
        monkeypatch.undo()
        assert await play_one(tables, table) == 5


async def test_a_caller_that_gives_up_waiting_leaves_no_half_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        slow_down(monkeypatch, tables, 30)
        impatient = asyncio.create_task(play_one(tables, table))
        await asyncio.sleep(0.05)
        impatient.cancel()
        with pytest.raises(asyncio.CancelledError):
            await impatient
        monkeypatch.undo()
        assert (await tables.view(table, ADA)).version == 4
        assert await play_one(tables, table) == 5


async def test_what_is_too_much_is_refused_at_once_and_the_rest_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        monkeypatch.setattr(work, "MAX_REQUESTS", 5)
        slow_down(monkeypatch, tables, 0.1)
        says = [tables.request(ADA, messages.Say(number, table, f"{number}")) for number in range(20)]
        answers = await asyncio.gather(*says, return_exceptions=True)
        assert [isinstance(answer, messages.Done) for answer in answers] == [True] * 5 + [False] * 15
        assert all(isinstance(answer, Busy) for answer in answers[5:])
        with pytest.raises(Busy):
            waiting = [asyncio.create_task(tables.request(ADA, messages.Say(0, table, "hi"))) for _ in says]
            await asyncio.sleep(0)
            await tables.open(ADA, NewTable(Settings("neptune-vesta")))
        await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(await tables.request(ADA, messages.Say(0, table, "again")), messages.Done)
        assert (await tables.view(table, ADA)).version == 4 + 5 + 5 + 1


async def test_a_change_is_tried_again_when_another_server_was_first(tmp_path: Path) -> None:
    """Two servers, one database, no bus: each notices the other by being too late."""
    async with tables_at(sqlite(tmp_path)) as one, tables_at(sqlite(tmp_path)) as two:
        table = await two_players(one)
        await two.view(table, ADA)
        await one.request(ADA, messages.Say(0, table, "from one"))
        done = await two.request(BEN, messages.Say(0, table, "from two"))
        assert isinstance(done, messages.Done)
        assert done.version == 6
        stored = await one._storage.load(table)
        assert stored is not None
        assert [entry.text for entry in stored.entries if isinstance(entry, Said)] == [
            "from one",
            "from two",
        ]
        mover = ADA if (await two.view(table, ADA)).deciders == [0] else BEN
        view = await two.view(table, mover)
        assert view.game is not None
        await play_one(one, table)
        with pytest.raises(Refusal) as late:
            await two.request(mover, messages.Act(0, table, 6, view.game["legal"][1]))
        assert late.value.key == "not-your-turn"
        assert (await two.view(table, mover)).version == 7


async def test_many_at_once_get_one_version_each(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        lines = [tables.request(CLEO, messages.Say(0, table, f"line {n}")) for n in range(50)]
        done = await asyncio.gather(*lines)
        assert [each.version for each in done if isinstance(each, messages.Done)] == list(range(5, 55))


async def test_seats_as_wished(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        alone = await tables.open(ADA, NewTable(NEPTUNE))
        assert [(seat.kind, seat.name) for seat in alone.seats] == [("person", "Ada"), ("open", None)]
        hot = await tables.open(ADA, NewTable(NEPTUNE, HOT_SEAT, start=True))
        assert [seat.name for seat in hot.seats] == ["Ada", "Guest"]
        assert hot.status == "playing"
        assert hot.mine == [0, 1]
        bots = await tables.open(ADA, NewTable(NEPTUNE, [SeatWish("bot", "heron"), SeatWish("open")]))
        assert [seat.level for seat in bots.seats] == ["heron", None]
        with pytest.raises(Refusal):
            await tables.open(ADA, NewTable(NEPTUNE, start=True))
        with pytest.raises(LagunaError):
            await tables.open(ADA, NewTable(NEPTUNE, [SeatWish("me")] * 3))
        with pytest.raises(LagunaError):
            await tables.open(ADA, NewTable(Settings("chess")))


@pytest.mark.parametrize("game", ["atlantis", "mille-fiori", "neptune-vesta", "venice-2099"])
async def test_bots_alone_play_a_game_to_its_end(game: str, tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        seats = [SeatWish("bot", "heron"), SeatWish("bot", "turtle")]
        view = await tables.open(ADA, NewTable(Settings(game, players=2), seats, start=True))
        while view.status != "over":
            await asyncio.sleep(0.05)
            view = await tables.view(view.table, ADA)
        assert view.result is not None
        assert view.result.winners
        assert view.secret is not None
        assert "laguna" in await tables.game_file(view.table)


async def test_a_bot_answers_a_person_and_a_broken_one_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(game: Game, seed: int) -> Action:
        raise RuntimeError("lost")

    monkeypatch.setitem(BOTS, "kraken", broken)
    async with tables_at(sqlite(tmp_path)) as tables:
        seats = [SeatWish("me"), SeatWish("bot", "kraken")]
        view = await tables.open(ADA, NewTable(NEPTUNE, seats, start=True))
        for _ in range(3):
            while view.deciders != [0]:
                await asyncio.sleep(0.02)
                view = await tables.view(view.table, ADA)
            assert view.game is not None
            await tables.request(ADA, messages.Act(0, view.table, view.version, view.game["legal"][0]))
            view = await tables.view(view.table, ADA)
        kinds = [line.bot for line in (await tables.look(ADA, view.table)).lines if line.kind == "acted"]
        assert True in kinds


async def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        tables._scheduler.close()  # as if it died before its bots could move
        seats = [SeatWish("bot", "heron"), SeatWish("bot", "heron")]
        view = await tables.open(ADA, NewTable(NEPTUNE, seats, start=True))
        await asyncio.sleep(0.2)
        assert (await tables.view(view.table, ADA)).version == view.version
    async with tables_at(sqlite(tmp_path)) as again:
        while (await again.view(view.table, ADA)).version < view.version + 5:
            await asyncio.sleep(0.02)


async def test_a_sweep_finds_the_bots_of_a_server_that_died(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as dead:
        dead._scheduler.close()
        seats = [SeatWish("bot", "heron"), SeatWish("bot", "heron")]
        view = await dead.open(ADA, NewTable(NEPTUNE, seats, start=True))
    clock = MovedClock()
    clock.passed = 60.0
    async with tables_at(sqlite(tmp_path), clock=clock) as tables:  # nobody asks for the table
        while (await tables._storage.versions([view.table]))[view.table] < view.version + 5:
            await asyncio.sleep(0.02)


async def test_a_clock_that_runs_out_ends_the_game(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables, clock=Clock("move", 1))
        await asyncio.sleep(0.5)
        await play_one(tables, table)  # the timer must look again
        while (view := await tables.view(table, ADA)).status != "over":
            await asyncio.sleep(0.05)
        assert view.result is not None
        assert view.result.how == "out-of-time"
        assert view.at - (await tables.look(ADA, table)).lines[-2].at >= 1000


async def test_a_player_who_never_comes_has_left_and_a_bot_may_take_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ABSENT", 0.1)
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables, grace=0)
    async with tables_at(sqlite(tmp_path)) as tables:
        while (view := await tables.view(table, ADA)).version < 6:
            await asyncio.sleep(0.02)
        assert [seat.left_at is not None for seat in view.seats] == [True, True]
        await tables.request(ADA, messages.TakeOver(0, table, 1, "heron"))
        assert (await tables.view(table, ADA)).seats[1].level == "heron"


async def test_rematch(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        await tables.request(BEN, messages.Resign(0, table))
        done = await tables.request(BEN, messages.Rematch(7, table))
        assert isinstance(done, messages.Done)
        assert done.table is not None
        old, new = await tables.view(table, ADA), await tables.view(done.table, ADA)
        assert (old.next, new.previous) == (new.table, old.table)
        assert [seat.name for seat in new.seats] == ["Ada", "Ben"]
        assert (new.mine, new.status, new.commitment == old.commitment) == ([0], "open", False)
        with pytest.raises(Refusal):
            await tables.request(ADA, messages.Rematch(0, table))
        hot = await tables.open(ADA, NewTable(NEPTUNE, HOT_SEAT, start=True))
        await tables.request(ADA, messages.Resign(0, hot.table, 0))
        done = await tables.request(ADA, messages.Rematch(0, hot.table))
        assert isinstance(done, messages.Done)
        assert (await tables.view(str(done.table), ADA)).status == "playing"


async def test_hints(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        mover, other = (ADA, BEN) if (await tables.view(table, ADA)).deciders == [0] else (BEN, ADA)
        given = await tables.request(mover, messages.Hint(3, table, 0.05))
        assert isinstance(given, messages.HintGiven)
        assert given.id == 3
        assert given.version == 4
        view = await tables.view(table, mover)
        assert view.game is not None
        assert given.choices[0].value in msgspec.to_builtins(view.game["legal"])
        for choice in given.choices:
            shown = await tables.request(mover, messages.Preview(4, table, choice.action))
            assert isinstance(shown, messages.Previewed)
            assert choice.events == shown.events
        with pytest.raises(Refusal):
            await tables.request(other, messages.Hint(3, table, 0.05))
        silent = await two_players(tables, hints=False)
        with pytest.raises(Refusal):
            await tables.request(ADA, messages.Hint(3, silent, 0.05))


async def test_a_preview_answers_and_changes_nothing(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        view = await tables.view(table, ADA)
        mover, other = (ADA, BEN) if view.deciders == [0] else (BEN, ADA)
        own = await tables.view(table, mover)
        assert own.game is not None
        found = await tables.request(mover, messages.Preview(3, table, own.game["legal"][0]))
        assert found == messages.Previewed(3, table, own.version, [], goes_on=False)
        taken = f"{own.game['legal'][0].tile}Rz9"
        for person, action in [(mover, taken), (other, own.game["legal"][0])]:
            with pytest.raises((Refusal, IllegalAction)):
                await tables.request(person, messages.Preview(3, table, action))
        after = await tables.view(table, mover)
        assert (after.version, after.game) == (own.version, own.game)


async def test_lines_say_how_many_actions_had_been_played(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        for _ in range(3):
            mover = ADA if (await tables.view(table, ADA)).deciders == [0] else BEN
            view = await tables.view(table, mover)
            assert view.game is not None
            await tables.request(mover, messages.Act(1, table, view.version, view.game["legal"][0]))
        found = await tables.look(ADA, table)
        assert [line.number for line in found.lines if line.kind == "acted"] == [1, 2, 3]


async def test_links_files_and_games_for_others(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        await tables.check_holds(ADA, table, 0)
        with pytest.raises(Refusal):
            await tables.check_holds(CLEO, table, 0)
        await tables.link(CLEO, table, 0)
        assert (await tables.view(table, CLEO)).mine == [0]
        await tables.unlink(ADA, table, 0)
        assert (await tables.view(table, CLEO)).mine == []
        with pytest.raises(Refusal):
            await tables.game_file(table)
        with pytest.raises(Refusal):
            await tables.game_for(CLEO, table, 0)
        game, result = await tables.game_for(ADA, table, 0)
        assert (game.meta.id, result) == ("neptune-vesta", None)
        await tables.request(ADA, messages.Resign(0, table))
        game, result = await tables.game_for(CLEO, table, 1)
        assert result is not None
        assert await tables.game_file(table)


async def test_an_action_that_ends_the_turn_is_played_only_after_a_yes_if_requested(tmp_path: Path) -> None:
    """In Venice placing a pawn ends the turn; after walking one may still buy."""
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables, "venice-2099")
        answers: list[type] = []
        while messages.Done not in answers:
            view = await tables.view(table, ADA)
            mover = ADA if view.deciders == [0] else BEN
            view = await tables.view(table, mover)
            assert view.game is not None
            legal = msgspec.to_builtins(view.game["legal"])
            action = next(each for each in legal if each["do"] in ("place", "walk"))
            act = messages.Act(7, table, view.version, action, if_goes_on=True)
            answer = await tables.request(mover, act)
            answers.append(type(answer))
            after = await tables.view(table, mover)
            if isinstance(answer, messages.Previewed):
                assert (answer.id, answer.version, answer.goes_on) == (7, view.version, False)
                assert (after.version, after.game) == (view.version, view.game)
                await tables.request(mover, messages.Act(0, table, view.version, action))
            else:
                assert (after.version, after.deciders) == (view.version + 1, view.deciders)
        assert messages.Previewed in answers
        illegal = messages.Act(0, table, after.version, {"do": "place", "at": "z9"}, if_goes_on=True)
        with pytest.raises(IllegalAction):
            await tables.request(mover, illegal)


async def test_idle_tables_are_dropped_and_come_back(tmp_path: Path) -> None:
    async with tables_at(sqlite(tmp_path), live_tables=3) as tables:
        opened = [await two_players(tables) for _ in range(8)]
        tables._cache.drop_idle()
        assert len(tables) == 3
        assert [await play_one(tables, table) for table in opened] == [5] * 8


def never_compiled(monkeypatch: pytest.MonkeyPatch, released: asyncio.Event) -> None:
    """Atlantis is not compiled here, and compiling it takes until `released`."""

    async def child(*_: object, **__: object) -> Any:
        async def wait() -> int:
            await released.wait()
            return 0

        return SimpleNamespace(wait=wait, kill=released.set, stdout=None)

    monkeypatch.setattr(loading, "is_warm", lambda book, part: book.meta.id != "atlantis")
    monkeypatch.setattr(asyncio, "create_subprocess_exec", child)


def slow_down(monkeypatch: pytest.MonkeyPatch, tables: Tables, seconds: float) -> None:
    """The storage takes this long for every append."""
    append = tables._storage.append

    async def slow(*arguments: Any) -> None:
        await asyncio.sleep(seconds)
        await append(*arguments)

    monkeypatch.setattr(tables._storage, "append", slow)


async def test_a_caller_waiting_for_a_game_is_told_when_the_server_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        never_compiled(monkeypatch, asyncio.Event())
        waiting = asyncio.create_task(tables.open(ADA, NewTable(Settings("atlantis"))))
        await asyncio.sleep(0.1)
        await tables.close(0.1)
        with pytest.raises(CannotCompile, match="closing"):
            await waiting


async def test_a_table_waits_for_its_game_while_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = asyncio.Event()
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        never_compiled(monkeypatch, released)
        waiting = asyncio.create_task(tables.open(ADA, NewTable(Settings("atlantis"))))
        await asyncio.sleep(0.1)
        assert tables.loading == ["atlantis"]
        assert not waiting.done()
        await play_one(tables, table)
        released.set()
        assert (await waiting).settings.game == "atlantis"
        assert tables.loading == []


async def test_closing_finishes_what_is_in_progress_and_accepts_nothing_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)
        slow_down(monkeypatch, tables, 0.3)
        under_way = asyncio.create_task(tables.request(ADA, messages.Say(1, table, "last words")))
        await asyncio.sleep(0.05)
        closing = asyncio.create_task(tables.close())
        await asyncio.sleep(0.05)
        with pytest.raises(Closing):
            await tables.view(table, ADA)
        done = await under_way
        await closing
        assert isinstance(done, messages.Done)
        assert (await tables._storage.versions([table]))[table] == done.version


async def test_stale_is_raised_when_other_servers_keep_getting_there_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tables_at(sqlite(tmp_path)) as tables:
        table = await two_players(tables)

        async def late(*_: object) -> None:
            raise Stale

        monkeypatch.setattr(tables._storage, "append", late)
        with pytest.raises(Stale):
            await tables.request(ADA, messages.Say(1, table, "too late"))
        monkeypatch.undo()
        assert (await tables.view(table, ADA)).version == 4
