"""A game in progress: the engine's public API.

>>> import laguna
>>> game = laguna.new("neptune-vesta", seed=7)
>>> entry = game.play(game.legal()[0])
>>> print(game.undo())
1Ra1
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, NamedTuple, SupportsIndex, TypeVar

import msgspec
import numpy as np

from laguna.errors import (
    BadOption,
    BadPosition,
    IllegalAction,
    LagunaError,
    as_int,
    either,
    impossible,
    keyed_reason,
    plain_reason,
    quoted,
    short,
    whole_number,
)
from laguna.fair import Deal, deal_key, first_head, heads, key_streams, terms
from laguna.games import Rulebook, find
from laguna.games.contract import Action, Event, GameView, Meta, Options, Rules
from laguna.kernel import calls
from laguna.kernel.chance import KEYED_BEFORE, SEEDS
from laguna.kernel.records import alone, blank, plain

__all__ = ["Action", "Entry", "Game", "from_position", "from_position_live", "new", "set_up", "set_up_live"]

# Its code (numpy's integers are SupportsIndex too), its notation, or its structured value, also as JSON.
ActionForm = Action | msgspec.Struct | SupportsIndex | str | Mapping[str, Any]

Answer = TypeVar("Answer")

MAX_NAME = 40  # characters of a player's name
WORLDS = 3  # imagined for a preview
MAX_ADVICE = 3  # things to look at
to_json = msgspec.json.Encoder().encode
HALF = "half a character (a lone surrogate) is not valid text"


@dataclass(frozen=True)
class Entry:
    """An entry of the log: who did what, and what happened as a result. Number 0 is the setup."""

    number: int | None  # None while a choice is set aside and not yet in the log
    seat: int | None
    action: Action | None
    events: tuple[Event, ...]
    public: bool = True  # may other seats see the action?

    @cached_property
    def redacted(self) -> Entry:
        """The entry for a seat that may not see the action."""
        return replace(self, action=None)

    def as_json(self) -> dict[str, Any]:
        """As `Game.log_for` returns it."""
        return {
            "number": self.number,
            "seat": self.seat,
            "action": self.action and self.action.notation,
            "events": [event.as_json() for event in self.events],
        }


class Preview(NamedTuple):
    """What is certain to happen after an action, and whether the same seat then decides again."""

    events: list[Event]
    goes_on: bool


class _Standing(NamedTuple):
    """What the rules say about a position."""

    seat: int | None
    legal: list[int]  # codes
    scores: list[int]
    winners: list[int]


class _once(Generic[Answer]):  # noqa: N801 - a decorator
    """`functools.cached_property` without its lock, which takes longer than many of the answers."""

    def __init__(self, answer: Callable[[Any], Answer]) -> None:
        self.answer = answer

    def __get__(self, now: Any, owner: Any) -> Answer:
        answer = now.__dict__[self.answer.__name__] = self.answer(now)
        return answer


class _Now:
    """A record until the next change; each question about it is answered once, when first asked.

    It is given as bytes or as an array of just this record, and the other form is made when it is needed.
    """

    def __init__(self, book: Rulebook, players: int, data: bytes | None = None, records: Any = None) -> None:
        self.book = book
        self.players = players
        if data is not None:
            self.__dict__["data"] = data
        if records is not None:
            self.__dict__["records"] = records

    @_once
    def data(self) -> bytes:
        """The record's bytes."""
        data: bytes = self.records.tobytes()
        return data

    @_once
    def records(self) -> Any:
        """An array of just this record, see `laguna.kernel.calls`."""
        return alone(self.book.rules.STATE, self.data)

    @_once
    def plain(self) -> Any:
        """The record as a game's actions, refusals, events and views read it."""
        return plain(self.records[0], self.data)

    @_once
    def standing(self) -> _Standing:
        out = np.empty(self.book.rules.MAX_LEGAL, np.int16)
        points = np.empty(self.players, np.int64)
        seat, won, count = calls.standing(self.records, out, points)
        winners = [each for each in range(self.players) if won >> each & 1] if won else []
        return _Standing(None if seat < 0 else int(seat), out[:count].tolist(), points.tolist(), winners)

    @_once
    def early(self) -> list[list[int]]:
        """The codes that each seat may already choose although others decide before it."""
        if not self.book.chooses_early:
            return [[]] * self.players
        out = np.zeros(self.book.rules.MAX_LEGAL, np.int16)
        return [out[: calls.choices(self.records, seat, out)].tolist() for seat in range(self.players)]

    @_once
    def actions(self) -> Sequence[Any]:
        """What each code means here; None where it names something that nobody has."""
        same_everywhere: Sequence[Any] | None = getattr(self.book.actions, "ACTIONS", None)
        return same_everywhere or self.book.actions.actions(self.plain)


class _Structs(Sequence[Any]):
    """Actions as structs, made for those readers who look at them."""

    def __init__(self, codes: list[int], actions: Sequence[Action]) -> None:
        self._codes = codes
        self._actions = actions

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, number: Any) -> Any:
        return self._actions[self._codes[number]].struct

    def __iter__(self) -> Iterator[Any]:
        actions = self._actions
        return (actions[code].struct for code in self._codes)


class Game:
    """A game and everything that happened in it. Made by `laguna.new`, `loads` or `from_position`.

    Two games are equal if they are the same game with the same options in the same position, including
    hidden information and future random events; names, log and choices set aside do not count. A game
    changes as it is played, so it is not hashable; `position_hash` identifies its current position. It can
    be copied and pickled (to pass it to another process; to pass it to another version, use a file).
    """

    def __init__(
        self,
        book: Rulebook,
        players: int,
        options: Options,
        state: Any,
        *,
        seed: int | None,
        seats: list[str],
        start: Mapping[str, Any] | None = None,
        secret: bytes | None = None,
        deal: Deal | None = None,
    ) -> None:
        self._book = book
        # Replaced whenever the record changes.
        self._now = _Now(book, players, state.tobytes())
        self._before: list[bytes] = []  # the record before each action
        self._aside: dict[int, Action] = {}  # choices of seats whose turn to choose has not come yet
        opening = book.events.events(self._now.plain) if start is None else []
        self._log = [Entry(0, None, None, tuple(opening))]
        self.players = players
        self.options = options
        self.seed = seed
        self.secret = secret  # of a live game, instead of a seed
        self.deal = deal  # what else a live game's deal follows from; None: from the secret alone
        self.seats = seats
        self.start = start  # the position it started from, if not the setup

    # -------------------------------------------------------------- what is

    @property
    def meta(self) -> Meta:
        """The game's names, player counts and options."""
        return self._book.meta

    @property
    def rules(self) -> Rules:
        """The compiled rules, for code that works on records (bots, simulations)."""
        return self._book.rules

    @property
    def state(self) -> Any:
        """The record itself; never modify it, copy it first."""
        records = self._now.records
        self._now.__dict__.pop("data", None)  # read anew, in case somebody does
        return records[0]

    @property
    def records(self) -> Any:
        """The record alone in an array, as `laguna.kernel.calls` takes it; never modify it."""
        return self._now.records

    @property
    def seat(self) -> int | None:
        """The seat that decides next; None when the game is over."""
        return self._now.standing.seat

    @property
    def deciders(self) -> list[int]:
        """The seats that have yet to decide now: one, or several if everyone chooses at once."""
        mover = self.seat
        if not self._book.chooses_early:
            return [] if mover is None else [mover]
        seats = [seat for seat in range(self.players) if seat not in self._aside]
        return [seat for seat in seats if seat == mover or self._now.early[seat]]

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide."""
        return self.seat is None

    @property
    def scores(self) -> list[int]:
        """The current score of every seat."""
        return list(self._now.standing.scores)

    @property
    def winners(self) -> list[int]:
        """The seats that won: empty before the end, several if the win is shared."""
        return list(self._now.standing.winners)

    @property
    def log(self) -> list[Entry]:
        """Everything that happened; entry 0 is the setup."""
        return list(self._log)

    def log_after(self, played: int) -> list[Entry]:
        """What came after the first `played` actions."""
        return self._log[played + 1 :]

    def log_for(self, seat: SupportsIndex | None) -> list[dict[str, Any]]:
        """The log as that seat may see it (None: a spectator), as JSON-safe data."""
        if seat is not None:
            seat = self._check_seat(seat)
        return [entry.as_json() for entry in self.entries_for(seat)]

    def entries_for(self, seat: int | None) -> list[Entry]:
        """The log as that seat may read it (None: a spectator): without what others chose in secret."""
        return [entry if entry.public or entry.seat == seat else entry.redacted for entry in self._log]

    @property
    def played(self) -> int:
        """How many actions have been played."""
        return len(self._log) - 1

    @property
    def actions(self) -> list[Action]:
        """The actions played so far; an imagined game leaves out those that its seat may not see."""
        return [entry.action for entry in self._log if entry.action is not None]

    def state_bytes(self) -> bytes:
        """The bytes of the record; if they are equal, the games are equal from here on."""
        return self._now.data

    def position_hash(self) -> str:
        """64 hexadecimal digits, the same for equal games in every process and on every machine.

        It is the SHA-256 of the game, its rules and options, and the record, including hidden information:
        do not show it to anyone who may not know that information.
        """
        return hashlib.sha256(self._standing_bytes()).hexdigest()

    def _standing_bytes(self) -> bytes:
        """What equal games have in common. Events of the last action, also in the record, are left out."""
        head = [self.meta.id, self.meta.rules_version, self.players, self.options]
        record = self._now.records.astype(self._book.rules.STATE.newbyteorder("<"))
        record["event_count"] = 0
        record["events"] = 0
        standing: bytes = json.dumps(head, sort_keys=True).encode() + record.tobytes()
        return standing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._standing_bytes() == other._standing_bytes()

    def __repr__(self) -> str:
        turn = "over" if self.over else f"{self.meta.seat_name(self.seat or 0)} to move"
        return f"<laguna {self.meta.id}, {self.played} actions, {turn}>"

    # -------------------------------------------------------------- actions

    def legal(self, seat: SupportsIndex | None = None) -> list[Action]:
        """Every legal action of the seat to move; empty when the game is over.

        If everyone chooses at once, pass a `seat` to get its choices; empty if it has already chosen.
        """
        actions = self._now.actions
        return [actions[code] for code in self._legal(None if seat is None else self._check_seat(seat))]

    def _legal(self, seat: int | None) -> list[int]:
        """The codes of these actions."""
        if seat is None or seat == self.seat:
            return self._now.standing.legal
        return [] if seat in self._aside else self._now.early[seat]

    def _action(self, code: int) -> Action:
        action: Action | None = self._now.actions[code]
        if action is None:
            raise self._book.refusals.refusal(self._now.plain, code)
        return action

    def action(self, form: ActionForm, seat: SupportsIndex | None = None) -> Action:
        """An action from any of its forms, legal or not (for `seat`, or else the seat to move)."""
        if seat is not None:
            seat = self._check_seat(seat)
        return self._action(self._code(form, seat))

    def _code(self, form: ActionForm, seat: int | None) -> int:
        actions = self._book.actions
        code: int | None = None
        if isinstance(form, Action):
            if form.code < len(meanings := self._now.actions) and form is meanings[form.code]:
                code = form.code  # one of `legal`
            elif isinstance(form.struct, actions.ACTION):
                code = actions.encode(self._now.plain, form.struct)
        elif isinstance(form, dict):
            code = self._from_json(form, seat)
        elif isinstance(form, msgspec.Struct):
            if isinstance(form, actions.ACTION):
                code = actions.encode(self._now.plain, form)
        elif isinstance(form, Mapping):
            code = self._from_json(dict(form), seat)
        elif isinstance(form, str):
            code = actions.parse(self._now.plain, form)
        else:
            number = as_int(form)
            code = number if number is not None and 0 <= number < self._book.rules.CODES else None
        if code is None:
            raise self._unreadable(form, seat)
        return code

    def _from_json(self, form: dict[str, Any], seat: int | None) -> int:
        """The code of a structured action, as JSON."""
        try:
            return self._book.actions.encode(
                self._now.plain, msgspec.convert(form, self._book.actions.ACTION)
            )
        except msgspec.ValidationError as error:
            field, reason = field_and_reason(error)
            text = f"{field}: {reason}" if field else reason
            raise self._unreadable(form, seat, text) from None
        except UnicodeEncodeError:
            raise self._unreadable(form, seat, HALF) from None

    def _unreadable(self, form: Any, seat: int | None, detail: str = "") -> IllegalAction:
        form = str(form) if isinstance(form, Action) else form
        text = quoted(form, 60) + (f" ({detail})" if detail else "")
        legal = self.legal(seat)
        whose = self._whose() if seat is None else self.meta.seat_name(seat)
        may = f"; {whose} may play {either(legal[:3])} among others." if legal else "."
        return IllegalAction(
            "unreadable",
            f"{text} is not an action of {self.meta.title}: write {self._book.actions.HOW_TO_WRITE}{may}",
            form=quoted(form, 60),
            legal=[str(action) for action in legal],
        )

    def _whose(self) -> str:
        return self.meta.seat_name(self.seat or 0)

    def play(self, action: ActionForm, seat: SupportsIndex | None = None) -> Entry:
        """Play one action and return its log entry; raises IllegalAction, changing nothing, if not allowed.

        Pass the acting `seat` to have its turn checked, as a server does. If everyone chooses at once,
        seats may choose in any order: a choice that comes before its turn is set aside (its entry has
        no number yet) and played when its turn comes, so record, log and file are the same in any order;
        until then it is not part of any position or file.
        """
        mover = self.seat
        if mover is None:
            raise _is_over(self.meta)
        if seat is not None and seat is not mover and self._check_seat(seat) != mover:
            return self._choose_early(action, self._check_seat(seat))
        entry = self._apply(mover, self.check(action))
        while self._aside and self.seat in self._aside:
            self._apply(self.seat, self._aside.pop(self.seat))
        return entry

    def check(self, action: ActionForm) -> Action:
        """The action that the seat to move would play; raises IllegalAction if it is not allowed."""
        if self.over:
            raise _is_over(self.meta)
        chosen = self.action(action)
        if chosen.code not in self._now.standing.legal:
            raise self._book.refusals.refusal(self._now.plain, chosen.code)
        return chosen

    def _apply(self, mover: int, chosen: Action) -> Entry:
        """Apply a legal action of the seat to move."""
        book, now = self._book, self._now
        self._before.append(now.data)
        calls.act(now.records, chosen.code)
        self._now = now = _Now(book, self.players, records=now.records)
        events = tuple(book.events.events(now.plain))
        public = book.actions.is_public(chosen.struct)
        entry = Entry(len(self._log), mover, chosen, events, public)
        self._log.append(entry)
        return entry

    def _choose_early(self, action: ActionForm, seat: int) -> Entry:
        """Set aside a choice that comes before its turn, if everyone chooses at once.

        In a game with `early`, `refusal` also takes the seat: why not, and what this seat may do.
        """
        if seat not in self.deciders:
            raise IllegalAction(
                "not-your-turn",
                f"It is {self._whose()}'s turn (seat {self.seat}), not seat {seat}'s.",
                seat=seat,
                turn=self.seat,
            )
        chosen = self.action(action, seat)
        if chosen.code not in self._now.early[seat]:
            raise self._book.refusals.refusal(self._now.plain, chosen.code, seat)
        self._aside[seat] = chosen
        return Entry(None, seat, chosen, (), self._book.actions.is_public(chosen.struct))

    def undo(self) -> Action:
        """Undo the last action; choices set aside for later are dropped."""
        if not self._before:
            raise LagunaError("nothing-to-undo", "There is no action to undo.")
        self._aside.clear()
        self._now = _Now(self._book, self.players, self._before.pop())
        undone = self._log.pop().action
        assert undone is not None
        return undone

    def back_to(self, played: SupportsIndex) -> None:
        """Undo all but the first `played` actions, and drop every choice set aside."""
        first = self.played - len(self._before)  # where an imagined game starts
        played = whole_number(played, "The number of actions to go back to", first, self.played)
        self._aside.clear()
        while self.played > played:
            self.undo()

    def preview(self, action: ActionForm, seat: SupportsIndex | None = None) -> Preview:
        """What an action of this seat (by default the one to move) is certain to do, as far as it can know.

        Imagines several worlds that the seat cannot tell apart, and reports what happens in all of them.
        """
        seat = self.seat if seat is None else self._check_seat(seat)
        if seat is None:
            raise _is_over(self.meta)
        worlds = [self.imagine(seat, seed) for seed in range(WORLDS)]
        first, *others = [world.play(action, seat).events for world in worlds]
        certain = [event for event in first if all(event in each for each in others)]
        return Preview(certain, all(seat in world.deciders for world in worlds))

    def advice(self, seat: SupportsIndex | None = None) -> list[Event]:
        """What this seat (by default the one to move) should look at before it decides, as a beginner.

        At most three things, the most important first. It rests on what the seat may know; some games have
        none.
        """
        seat = self.seat if seat is None else self._check_seat(seat)
        book = self._book.advice
        if seat is None or seat not in self.deciders or book is None:
            return []
        found = book.advice(self.typed_view(seat), lambda action: self.preview(action, seat).events)
        return found[:MAX_ADVICE]

    # -------------------------------------------------------------- copies

    def copy(self) -> Game:
        """An independent game that continues from here."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._now = _Now(self._book, self.players, self._now.data)
        other._before = list(self._before)
        other._aside = dict(self._aside)
        other._log = list(self._log)
        other.seats = list(self.seats)
        other.options = dict(self.options)
        return other

    def __copy__(self) -> Game:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_book": self.meta.id, "_now": self.state_bytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._book = find(kept["_book"])
        self._now = _Now(self._book, self.players, kept["_now"])

    def imagine(self, seat: SupportsIndex, seed: SupportsIndex) -> Game:
        """A copy in which everything that `seat` cannot know is dealt again, future random events included.

        It starts here: it has no seed and no past to undo, so nothing hidden is left in it; its log is
        what the seat may see. Of the choices set aside it keeps only the seat's own; the others have yet
        to choose again.
        """
        seat, seed = self._check_seat(seat), check_seed(seed)
        records = self.records.copy()
        calls.deal_again(records, seat, seed)
        names, options = list(self.seats), dict(self.options)
        imagined = Game(self._book, self.players, options, records[0], seed=None, seats=names, start={})
        imagined._log = self.entries_for(seat)
        imagined._aside = {each: action for each, action in self._aside.items() if each == seat}
        return imagined

    def _check_seat(self, seat: Any) -> int:
        number = as_int(seat)
        if number is None or not 0 <= number < self.players:
            seats = either(range(self.players))
            text = f"There is no seat {quoted(seat, 40)}; the seats are {seats}."
            raise BadOption("seat", text, choices=seats)
        return number

    # -------------------------------------------------------------- what others see

    def view(self, seat: SupportsIndex | None = None) -> dict[str, Any]:
        """What that seat may know (None: a spectator), and nothing else, as JSON-safe data.

        Games in which everyone chooses at once also say who has yet to choose (`deciders`), and show a seat
        its own choice while it is set aside (`chosen`).
        """
        view: dict[str, Any] = msgspec.to_builtins(self.typed_view(seat))
        return view

    def typed_view(self, seat: SupportsIndex | None = None) -> GameView:
        """The same as a struct, whose type is the game's own: `laguna.games.atlantis.views.AtlantisView`."""
        if seat is not None:
            seat = self._check_seat(seat)
        return self._book.views.VIEW(**self.public_view(), **self.own_view(seat))

    def public_view(self) -> dict[str, Any]:
        """The fields of a view that are the same for all readers."""
        mover = self.seat
        choosing = {"deciders": self.deciders} if self._book.chooses_early else {}
        return self._book.views.public(
            self._now.plain,
            game=self.meta.id,
            players=self.players,
            options=dict(self.options),
            seats=list(self.seats),
            turn=mover,
            over=mover is None,
            actions=self.played,
            scores=self.scores,
            winners=self.winners,
            **choosing,
        )

    def own_view(self, seat: int | None) -> dict[str, Any]:
        """The other fields of a view: what this seat (None: a spectator) sees differently."""
        actions = self._now.actions
        legal = [] if seat is None else [actions[code].struct for code in self._legal(seat)]
        return self._own_view(seat, legal)

    def own_view_json(self, seat: int | None) -> bytes:
        """The same as JSON, without encoding the actions anew where they are the same in every position."""
        codes = [] if seat is None else self._legal(seat)
        encoded = self._book.actions_json
        if encoded is None or not codes:
            return to_json(self.own_view(seat))
        own = self._own_view(seat, _Structs(codes, self._now.actions))
        own["legal"] = msgspec.Raw(b"[%b]" % b",".join([encoded[code] for code in codes]))
        return to_json(own)

    def _own_view(self, seat: int | None, legal: Sequence[msgspec.Struct]) -> dict[str, Any]:
        choosing: dict[str, Any] = {}
        if self._book.chooses_early:
            chosen = None if seat is None else self._aside.get(seat)
            choosing = {"chosen": None if chosen is None else chosen.struct}
        return self._book.views.own(self._now.plain, seat=seat, legal=legal, **choosing)

    def svg(
        self,
        seat: SupportsIndex | None = None,
        mark: Iterable[str] = (),
        size: tuple[int, int] | None = None,
        language: str = "en",
    ) -> str:
        """The board as that seat sees it (None: a spectator), as an SVG that needs nothing else.

        `mark` names spots to draw a ring around, such as "cell:Rc3"; `size` is the width and the height in
        pixels, by default what suits the game; `language` is "en", "ru" or "it". It needs the extra `svg`.
        """
        from laguna import drawing

        return drawing.draw(self.meta.title, self.view(seat), mark, size, language)

    def png(
        self,
        seat: SupportsIndex | None = None,
        mark: Iterable[str] = (),
        size: tuple[int, int] | None = None,
        language: str = "en",
    ) -> bytes:
        """The same picture in pixels, as a PNG file."""
        from laguna import drawing

        return drawing.as_png(self.svg(seat, mark, size, language))

    def _repr_svg_(self) -> str | None:
        """How a notebook shows the game; as text where boards cannot be drawn."""
        try:
            return self.svg()
        except LagunaError:
            return None

    def position(self, *, undrawn: bool = True) -> dict[str, Any]:
        """The full position, hidden information included, as JSON-safe data for `laguna.from_position`.

        Without `undrawn` it leaves out what nobody holds and nobody has seen, such as the order of a deck:
        a game from such a position goes on differently each time.
        """
        written, positions = self._book.positions.write(self.state), self._book.positions
        if not undrawn and hasattr(positions, "without_undrawn"):
            written = positions.without_undrawn(written)
        return _position_fields(self._book, self.players, self.options, written)

    @property
    def heads(self) -> list[str]:
        """The hash chain over the actions of a live game: its head before the first and after each action.

        Empty if the game was not dealt from shares. Like the secret, for those who may know everything.
        """
        if self.secret is None or self.deal is None:
            return []
        first = first_head(self.secret, self._terms(self.secret, self.deal), self.deal.shares)
        return heads(self.secret, first, map(str, self.actions))

    @property
    def terms(self) -> str | None:
        """What was fixed before the shares were opened, in one digest; None without shares."""
        if self.secret is None or self.deal is None:
            return None
        return self._terms(self.secret, self.deal).hex()

    def _terms(self, secret: bytes, deal: Deal) -> bytes:
        meta = self.meta
        return terms(secret, deal, meta.id, meta.rules_version, self.options, self.start)

    def dumps(self) -> str:
        """The game as the text of a game file."""
        from laguna.files import dumps

        return dumps(self)


def _is_over(meta: Meta) -> IllegalAction:
    return IllegalAction("over", f"This game of {meta.title} is over; no more actions can be played.")


# ------------------------------------------------------------------ ways to make a game


def new(
    game: str,
    *,
    players: SupportsIndex | None = None,
    seed: SupportsIndex | None = None,
    seats: list[str] | None = None,
    **options: Any,
) -> Game:
    """A new game: `laguna.new("neptune-vesta", seed=7, rounds=1)`. Without a seed, a random one is used."""
    return set_up(game, players, secrets.randbelow(SEEDS) if seed is None else seed, seats, options)


def set_up(
    game: str,
    players: SupportsIndex | None,
    seed: SupportsIndex,
    seats: list[str] | None,
    options: Mapping[str, Any],
) -> Game:
    """A new game, with the options as a mapping (from user input, so they may have any names)."""
    book = find(game)
    count, chosen = book.meta.resolve(players, options)
    seed = check_seed(seed)
    names = seat_list(book.meta, count, seats)
    state = _dealt(book, count, chosen, seed)
    return Game(book, count, chosen, state, seed=seed, seats=names)


def set_up_live(
    game: str,
    players: int | None,
    secret: bytes,
    seats: list[str] | None,
    options: Mapping[str, Any],
    deal: Deal | None = None,
) -> Game:
    """A new game whose randomness comes from 256 secret bits and the players' shares; see `laguna.fair`."""
    book = find(game)
    count, chosen = book.meta.resolve(players, options)
    names = seat_list(book.meta, count, seats)
    key = _deal_key(book, secret, deal, chosen, None)
    state = _dealt(book, count, chosen, KEYED_BEFORE, key)
    return Game(book, count, chosen, state, seed=None, seats=names, secret=secret, deal=deal)


def _deal_key(book: Rulebook, secret: bytes, deal: Deal | None, options: Options, start: Any) -> bytes:
    """What a live game is dealt from: before there were shares it was the secret itself."""
    if deal is None:
        return secret
    fixed = terms(secret, deal, book.meta.id, book.meta.rules_version, options, start)
    return deal_key(secret, fixed, deal.shares)


def _dealt(book: Rulebook, players: int, options: Options, seed: int, secret: bytes | None = None) -> Any:
    state = blank(book.rules.STATE)
    if secret is not None:
        key_streams(state.chance, secret)
    book.rules.setup(state, np.array(book.meta.encode(players, options), np.int64), seed)
    return state


def from_position(game: str, position: Mapping[str, Any], *, seed: SupportsIndex = 0) -> Game:
    """A game in the given position; `seed` shuffles what the position leaves open."""
    book = find(game)
    seed = check_seed(seed)
    count, options, read = _read_position(book, position)
    state = blank(book.rules.STATE)
    book.positions.read(state, np.array(book.meta.encode(count, options), np.int64), read, seed)
    names = seat_list(book.meta, count, None)
    made = Game(book, count, options, state, seed=seed, seats=names, start={})
    made.start = made.position()
    return made


def from_position_live(
    game: str,
    position: Mapping[str, Any],
    secret: bytes,
    seats: list[str] | None = None,
    deal: Deal | None = None,
) -> Game:
    """A live game in the given position; what it leaves open, and all later chance, is dealt as always.

    So the position fixes what it names, except generators: those of a live game are always new.
    """
    book = find(game)
    count, options, read = _read_position(book, position)
    names = seat_list(book.meta, count, seats)
    state = blank(book.rules.STATE)
    start = _position_fields(book, count, options, read)
    key = _deal_key(book, secret, deal, options, start)
    key_streams(state.chance, key)
    book.positions.read(state, np.array(book.meta.encode(count, options), np.int64), read, KEYED_BEFORE)
    key_streams(state.chance, key, b"laguna stream after a position")
    return Game(book, count, options, state, seed=None, seats=names, start=start, secret=secret, deal=deal)


def _position_fields(book: Rulebook, players: int, options: Options, position: Any) -> dict[str, Any]:
    """The fields of a position file."""
    return {
        "game": book.meta.id,
        "rules": book.meta.rules_version,
        "players": players,
        "options": dict(options),
        **msgspec.json.decode(msgspec.json.encode(position)),
    }


def _read_position(book: Rulebook, position: Any) -> tuple[int, Options, Any]:
    """Players, options and the game's own part of a position; BadPosition if it is not one of this game."""
    game = book.meta.id
    if not isinstance(position, Mapping):
        raise BadPosition("no-object", "A position must be an object with named fields.")
    fields = dict(position)
    if fields.pop("game", game) != game:
        raise impossible("other-game", "game", f"this is not a position of {game}", title=book.meta.title)
    version = fields.pop("rules", book.meta.rules_version)
    if version != book.meta.rules_version:
        known, plays = quoted(version, 20), book.meta.rules_version
        text = f"{known} is not supported; this version plays rules {plays}"
        raise impossible("rules-version", "rules", text, version=known, plays=plays)
    given = fields.pop("options", {})
    if not isinstance(given, Mapping):
        raise impossible("options", "options", "must be an object with named options")
    count, options = book.meta.resolve(fields.pop("players", None), given)
    try:
        return count, options, msgspec.convert(fields, book.positions.Position)
    except msgspec.ValidationError as error:
        raise _unfit(error) from None
    except UnicodeEncodeError:
        raise impossible("half", "position", HALF) from None


def _unfit(error: msgspec.ValidationError) -> BadPosition:
    """A position with a field of another form."""
    field, reason = field_and_reason(error)
    what, _, place = str(error).partition(" - at ")
    key, arguments = keyed_reason(what)
    about = "name" if "key in " in place else "value"
    return impossible(f"form-{key}".rstrip("-"), field or "position", reason, about=about, **arguments)


def field_and_reason(error: msgspec.ValidationError) -> tuple[str, str]:
    """Which field of a document is wrong (empty: the document itself), and why: "must be at most 15"."""
    what, _, place = str(error).partition(" - at ")
    place, reason = place.replace("`", ""), plain_reason(what)
    if place.startswith("key in ") and reason.startswith("must "):
        reason = f"each name in it {reason}"
    field = place.removeprefix("key in ").removeprefix("$").removeprefix(".")
    return short(field), short(reason, 80)


def check_seed(seed: Any) -> int:
    return whole_number(seed, "A seed", 0, SEEDS - 1, key="seed")


def seat_list(meta: Meta, players: int, names: Any) -> list[str]:
    """The players' names, one for each seat."""
    if names is None:
        return [meta.seat_name(seat) for seat in range(players)]
    if not isinstance(names, list) or len(names) != players or not all(map(_is_name, names)):
        raise BadOption(
            "seats", f"seats: must be a list of {players} names of 1 to {MAX_NAME} printable characters."
        )
    return list(names)


def short_name(name: str) -> str:
    """A name that fits a seat; only the end of a longer one."""
    return name if len(name) <= MAX_NAME else f"…{name[1 - MAX_NAME :]}"


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable()
