"""Who may request what. Each function is named after a request, and refuses it with a sentence.

These functions change nothing; `kinds` lists the requests that a person may make now.
"""

from __future__ import annotations

from collections.abc import Callable

from laguna.bots import BOTS, current_name
from laguna.errors import Refusal, either
from laguna.fair import seal_of
from laguna.table.entries import Milliseconds
from laguna.table.state import State
from laguna.table.undo import Step

MAX_DEVICES = 8  # identities that may hold one seat


def check_seat(table: State, seat: int) -> None:
    if not 0 <= seat < len(table.chairs):
        seats = either(range(len(table.chairs)))
        raise Refusal("seat", f"There is no seat {seat}; the seats are {seats}.", seat=seat)


def check_level(level: str) -> str:
    """The bot's present name; refuses a name that no bot has or had."""
    level = current_name(level)
    if level not in BOTS:
        raise Refusal(
            "unknown-bot", f"There is no bot {level!r:.40}; the bots are {either(BOTS)}.", choices=list(BOTS)
        )
    return level


def check_version(table: State, seat: int, version: int | None) -> None:
    """Refuse a stale request: the game changed in a way that the player had not seen."""
    if version is not None and not table.news[seat] <= version <= table.version:
        raise Refusal("stale", "The game has moved on; please look again.", version=table.version)


def check_head(table: State, head: str | None) -> None:
    """Refuse a request about a game that went otherwise than this one."""
    if head is not None and head not in table.heads:
        raise Refusal("head", "The game that you saw went otherwise than it does here.")


# ------------------------------------------------------------------ before the start


def _open(table: State) -> None:
    if table.status != "open":
        raise Refusal("started", "The game has started, so seats can no longer change.")
    if table.dealing is not None:
        raise Refusal("dealing", "The game is being dealt, so seats can no longer change.")


def _host(table: State, person_id: str) -> None:
    if person_id != table.host.id:
        raise Refusal("not-host", f"Only the host, {table.host.name}, can do that.")


def sit(table: State, person_id: str, now: Milliseconds, seat: int | None = None) -> int:
    """The seat to take; any open one if none is named."""
    _open(table)
    if table.settings.rated and table.seats_of(person_id):
        raise Refusal("rated-seat", "In a rated game everybody plays one seat.")
    free = [each for each, chair in enumerate(table.chairs) if chair.kind == "open"]
    if seat is not None:
        check_seat(table, seat)
    if not free or seat not in (None, *free):
        raise Refusal("taken", "That seat is taken." if free else "All seats are taken.", free=free)
    return free[0] if seat is None else seat


def stand(table: State, person_id: str, now: Milliseconds, seat: int | None = None) -> int:
    _open(table)
    host = person_id == table.host.id
    may = [
        each
        for each, chair in enumerate(table.chairs)
        if chair.is_of(person_id) or (host and chair.kind != "open")
    ]
    if seat is not None:
        check_seat(table, seat)
    if not may or seat not in (None, *may):
        raise Refusal("not-your-seat", "That seat is not yours to leave.", seats=may)
    return may[0] if seat is None else seat


def put_bot(table: State, person_id: str, now: Milliseconds, seat: int | None = None) -> int:
    _open(table)
    _host(table, person_id)
    if table.settings.rated:
        raise Refusal("rated-bot", "Bots do not take part in rated games.")
    free = [each for each, chair in enumerate(table.chairs) if chair.kind != "person"]
    if seat is not None:
        check_seat(table, seat)
    if not free or seat not in (None, *free):
        raise Refusal("taken", "A person sits there.", free=free)
    return free[0] if seat is None else seat


def start(table: State, person_id: str, now: Milliseconds) -> None:
    _open(table)
    _host(table, person_id)
    free = [seat for seat, chair in enumerate(table.chairs) if chair.kind == "open"]
    if free:
        raise Refusal("open-seats", f"Nobody has taken seat {either(free, 'and')} yet.", free=free)


def seal(table: State, person_id: str, now: Milliseconds) -> list[int]:
    """The seats that get the seal: a share that was sealed cannot be replaced."""
    _open(table)
    mine = _seated(table, person_id)
    return [seat for seat in mine if table.seals[seat] is None]


def share(table: State, person_id: str, share: str, now: Milliseconds) -> list[int]:
    """The seats whose share this is."""
    mine = _seated(table, person_id)
    if table.dealing is None:
        raise Refusal("not-dealing", "Shares are opened only while the game is being dealt.")
    found = [
        seat for seat in mine if seat in table.awaited and table.seals[seat] == seal_of(bytes.fromhex(share))
    ]
    if not found:
        raise Refusal("share", "No share that fits this seal is awaited from you.")
    return found


def _seated(table: State, person_id: str) -> list[int]:
    mine = table.seats_of(person_id)
    if not mine:
        raise Refusal("no-seat", "You do not sit at this table.")
    return mine


# ------------------------------------------------------------------ the game


def _playing(table: State) -> None:
    if table.status != "playing":
        text = "The game has not started." if table.status == "open" else "The game is over."
        raise Refusal("not-playing", text)


def _mine(table: State, person_id: str) -> list[int]:
    """The seats that a person plays and has not resigned."""
    mine = _seated(table, person_id)
    if not table.gave_up:
        return mine
    playing = [seat for seat in mine if not table.chairs[seat].resigned]
    if not playing:
        raise Refusal("resigned", "You have resigned this game.")
    return playing


def act(table: State, person_id: str, now: Milliseconds, seat: int | None = None) -> int:
    """The seat that acts; if none is named, the person's seat that has to decide."""
    _playing(table)
    mine = _mine(table, person_id)
    if seat is None:
        seat = mine[0] if len(mine) == 1 else next((each for each in mine if each in table.deciders), mine[0])
    elif seat not in mine:
        raise Refusal("not-your-seat", "That seat is not yours.", seats=mine)
    _decides(table, seat)
    clocks = table.clocks
    if clocks.limited and clocks.left(seat, now) == 0 and clocks.is_running(seat):
        raise Refusal("out-of-time", "Your time has run out.")
    return seat


def act_as_bot(table: State, seat: int) -> None:
    _playing(table)
    check_seat(table, seat)
    if table.chairs[seat].level is None:
        raise Refusal("no-bot", f"No bot plays seat {seat}.", seat=seat)
    _decides(table, seat)


def _decides(table: State, seat: int) -> None:
    if seat not in table.deciders:
        raise Refusal("not-your-turn", "It is not your turn.", seat=seat, turn=table.deciders)


def hint(table: State, person_id: str, now: Milliseconds) -> int:
    """The seat to think for."""
    _hints(table, person_id, now)
    return act(table, person_id, now)


def _hints(table: State, person_id: str, now: Milliseconds) -> None:
    if not table.settings.hints:
        raise Refusal("no-hints", "Hints are turned off at this table.")


def advise(table: State, person_id: str, now: Milliseconds) -> int:
    """The seat to advise: a teacher sits only at tables where everybody else is a bot."""
    _teacher(table, person_id, now)
    return act(table, person_id, now)


def _teacher(table: State, person_id: str, now: Milliseconds) -> None:
    if any(chair.people and not chair.is_of(person_id) for chair in table.chairs):
        raise Refusal("other-people", "There is no teacher at a table with other people.")
    _hints(table, person_id, now)


def take_back(table: State, person_id: str, now: Milliseconds, whole_turn: bool = False) -> list[Step]:
    """The steps to undo, the latest first."""
    _playing(table)
    mine = [seat for seat in _mine(table, person_id) if table.chairs[seat].level is None]
    game, past = table.started, table.past
    last = past.last(game, mine)
    if last is None:
        raise Refusal("nothing-to-take-back", "You have nothing to undo, or others have acted since.")
    if past.reveals(game, last):
        raise Refusal("revealed", "You cannot undo this: it revealed hidden information.")
    steps = past.turn(game, last) if whole_turn else [last]
    left = table.clocks.left_without(last.seat, [step.left for step in steps], now)
    if left is not None and left <= 0:
        raise Refusal("out-of-time", "You do not have enough time left to undo this.")
    return steps


def resign(table: State, person_id: str, now: Milliseconds, seat: int | None = None) -> int:
    _playing(table)
    mine = _mine(table, person_id)
    if seat is None and len(mine) > 1:
        shown = table.shown_seat(person_id)
        seat = shown if shown in mine else mine[0]
    if seat not in (None, *mine):
        raise Refusal("not-your-seat", "That seat is not yours.", seats=mine)
    return mine[0] if seat is None else seat


def leave(table: State, person_id: str, now: Milliseconds) -> list[int]:
    """The seats to leave."""
    if table.status == "over":
        raise Refusal("not-playing", "The game is over.")
    seats = [seat for seat in table.seats_of(person_id) if table.chairs[seat].left_at is None]
    if not seats:
        raise Refusal("no-seat", "You do not sit at this table.")
    return seats


def take_over(table: State, person_id: str, now: Milliseconds, seat: int | None = None) -> int:
    """The seat that a bot may take over."""
    _playing(table)
    mine = table.seats_of(person_id)
    if not mine and person_id != table.host.id:
        raise Refusal("no-seat", "You do not sit at this table.")
    may = [each for each in range(len(table.chairs)) if each not in mine and _is_long_gone(table, each, now)]
    if seat is not None:
        check_seat(table, seat)
    if not may or seat not in (None, *may):
        grace = table.settings.grace
        raise Refusal(
            "not-gone",
            f"A bot can fill in only for a player who has been gone for {grace} seconds.",
            seats=may,
        )
    return may[0] if seat is None else seat


def _is_long_gone(table: State, seat: int, now: Milliseconds) -> bool:
    chair = table.chairs[seat]
    if chair.left_at is None or chair.level is not None:
        return False
    return now >= chair.left_at + table.settings.grace * 1000


# ------------------------------------------------------------------ around it


def say(table: State, person_id: str, now: Milliseconds) -> None:
    """Everyone may do this."""


def sees(table: State, person_id: str | None, seat: int) -> bool:
    """May this person see the game as that seat does?

    One's own seat always, and every seat once the game is over. Until then others only if the table allows
    it, and never for a person who holds a seat.
    """
    mine = table.seats_of(person_id)
    return seat in mine or table.status == "over" or (table.settings.open_hands and not mine)


def watch(table: State, person_id: str, seat: int) -> None:
    """Refuse to show the game as this seat sees it, if the person may not see that."""
    check_seat(table, seat)
    if sees(table, person_id, seat):
        return
    if mine := table.seats_of(person_id):
        raise Refusal("own-seat", "You have a seat here, so you see the game from your own seat.", seats=mine)
    raise Refusal("closed-hands", "At this table spectators see only what all players can see.")


def rematch(table: State, person_id: str, now: Milliseconds) -> None:
    if table.status != "over":
        raise Refusal("not-over", "The game is not over yet.")
    if not table.seats_of(person_id) and person_id != table.host.id:
        raise Refusal("no-seat", "You do not sit at this table.")
    if table.next is not None:
        raise Refusal("rematched", "The next table is already open.", table=table.next)


# ------------------------------------------------------------------ all of it

Check = Callable[[State, str, Milliseconds], object]
CHECKS: dict[str, dict[str, Check]] = {
    "open": {"sit": sit, "stand": stand, "put-bot": put_bot, "start": start, "leave": leave, "say": say},
    "playing": {
        "act": act,
        "take-back": take_back,
        "resign": resign,
        "leave": leave,
        "take-over": take_over,
        "hint": _hints,
        "advise": _teacher,
        "say": say,
    },
    "over": {"rematch": rematch, "say": say},
}
FOR_ACTORS = ("hint", "advise")  # only for someone who may act


def kinds(table: State, person_id: str | None, now: Milliseconds) -> list[str]:
    """The requests that this person may make now; none for an unknown person."""
    if person_id is None:
        return []
    obvious = _obvious(table, table.seats_of(person_id)) if table.status == "playing" else {}
    found: list[str] = []
    for kind, check in CHECKS[table.status].items():
        if kind in FOR_ACTORS and "act" not in found:
            continue
        may = obvious.get(kind)
        if _allows(check, table, person_id, now) if may is None else may:
            found.append(kind)
    return found


def steady(table: State, person_id: str | None) -> tuple[int, ...] | None:
    """All that `kinds` depends on while nothing but actions follows; None if time may change it, too."""
    if table.status != "playing":
        return ()
    if not table.is_steady:
        return None
    mine, past = table.seats_of(person_id), table.past
    last = past.last(table.started, mine) if mine and past.acted_last(mine) else None
    return (last is not None and not past.reveals(table.started, last), *table.deciders)


def _obvious(table: State, mine: list[int]) -> dict[str, bool]:
    """What someone with these seats clearly may and may not do: quick answers, without sentences."""
    chairs = table.chairs
    found = {"say": True}
    if not mine:
        found |= {"act": False, "take-back": False, "resign": False, "leave": False}
    else:
        found["resign"] = any(not chairs[seat].resigned for seat in mine)
        found["leave"] = any(chairs[seat].left_at is None for seat in mine)
        if not any(seat in mine for seat in table.deciders):
            found["act"] = False
        elif any(seat not in mine for seats in table.held.values() for seat in seats):
            found["advise"] = False
        if not table.past.acted_last(mine):
            found["take-back"] = False
    if all(chair.left_at is None for chair in chairs):
        found["take-over"] = False
    return found


def _allows(check: Check, table: State, person_id: str, now: Milliseconds) -> bool:
    try:
        check(table, person_id, now)
    except Refusal:
        return False
    return True
