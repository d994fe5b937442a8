"""What a game is made of: what it says about itself, its actions, events and views, and its modules.

A game is a package with the modules of `Modules` below; `docs/architecture.md` says what each must do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Protocol, SupportsIndex

import msgspec

from laguna.errors import BadOption, IllegalAction, as_int, either, quoted
from laguna.kernel import MAX_SEATS

if TYPE_CHECKING:
    import numpy as np
    from rich.console import RenderableType

LANGUAGES = ("en", "ru", "it")
Texts = Mapping[str, str]  # language -> text
Choice = int | str
Options = dict[str, Choice]


@dataclass(frozen=True)
class Option:
    """A way to play that the players choose before the game."""

    name: str
    clause: str
    default: Choice
    choices: Mapping[Choice, Texts]  # each with a line about what it means
    about: Texts

    def code(self, choice: Choice) -> int:
        """The number that represents a choice in the record."""
        return choice if isinstance(choice, int) else list(self.choices).index(choice)

    def as_json(self) -> dict[str, Any]:
        """With all its choices, for the page and the command line."""
        choices = [{"value": value, "about": dict(texts)} for value, texts in self.choices.items()]
        return {
            "name": self.name,
            "clause": self.clause,
            "default": self.default,
            "about": dict(self.about),
            "choices": choices,
        }


@dataclass(frozen=True)
class Preset:
    """A name for the values of several options at once; an option that is given explicitly wins.

    It is not an option itself: a game stores only the resulting options.
    """

    name: str
    clause: str
    default: str
    choices: Mapping[str, Texts]
    sets: Mapping[str, Options]  # each choice: the values of the options it decides
    about: Texts

    def as_json(self) -> dict[str, Any]:
        """With all its choices and what they set, for the page and the command line."""
        choices = [
            {"value": value, "about": dict(texts), "sets": dict(self.sets[value])}
            for value, texts in self.choices.items()
        ]
        return {
            "name": self.name,
            "clause": self.clause,
            "default": self.default,
            "about": dict(self.about),
            "choices": choices,
        }


@dataclass(frozen=True)
class Meta:
    """A game: its names, author, player counts and options."""

    id: str
    titles: Texts
    author: str
    players: tuple[int, ...]
    usual_players: int
    seat_names: tuple[Texts, ...] = ()  # if the game itself names its sides
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    rules_version: int = 1
    about: Texts = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= min(self.players) <= max(self.players) <= MAX_SEATS:
            raise ValueError(f"{self.id} is for 1 to {MAX_SEATS} players, not {self.players}")

    @property
    def title(self) -> str:
        """The English title."""
        return self.titles["en"]

    @property
    def choosable(self) -> list[Option | Preset]:
        """Everything that can be set when a game is created."""
        return [*self.presets, *self.options]

    def seat_name(self, seat: int, language: str = "en") -> str:
        """What the game calls a seat, or its number if the game has no names for seats."""
        return self.seat_names[seat][language] if self.seat_names else f"Player {seat + 1}"

    def as_json(self) -> dict[str, Any]:
        """Everything, for the page and the command line."""
        return {
            "id": self.id,
            "titles": dict(self.titles),
            "author": self.author,
            "players": list(self.players),
            "usual_players": self.usual_players,
            "seat_names": [dict(texts) for texts in self.seat_names],
            "about": dict(self.about),
            "rules": self.rules_version,
            "options": [option.as_json() for option in self.options],
            "presets": [preset.as_json() for preset in self.presets],
        }

    def resolve(self, players: SupportsIndex | None, given: Mapping[str, Any]) -> tuple[int, Options]:
        """The number of players and every option's value, presets applied and defaults filled in."""
        count = self.usual_players if players is None else as_int(players)
        if count is None or count not in self.players:
            raise BadOption(
                "players",
                f"{self.title} is for {either(self.players)} players, not {quoted(players)}.",
                players=quoted(players),
                choices=list(self.players),
            )
        names = [choosable.name for choosable in self.choosable]
        for name in given:
            if name not in names:
                raise BadOption(
                    "unknown-option",
                    f"{self.title} has no option {name!r:.80}; "
                    + (f"its options are {either(names, 'and')}." if names else "it has none."),
                    option=str(name)[:80],
                    choices=names,
                )
        named: dict[str, Any] = {}
        for preset in self.presets:
            named |= preset.sets[str(self._choice(preset, given))]
        named |= given
        return count, {option.name: self._choice(option, named) for option in self.options}

    def _choice(self, option: Option | Preset, given: Mapping[str, Any]) -> Choice:
        choice = given.get(option.name, option.default)
        number = as_int(choice)
        choice = choice if number is None else number
        if not _is_one_of(choice, tuple(option.choices)):
            raise BadOption(
                "option-value",
                f"The option {option.name} of {self.title} is {either(map(repr, option.choices))}, "
                f"not {quoted(choice)} ({option.clause}).",
                clause=option.clause,
                option=option.name,
                choices=list(option.choices),
            )
        chosen: Choice = choice
        return chosen

    def encode(self, players: int, options: Options) -> list[int]:
        """The argument of `rules.setup`: the number of players, then every option's code."""
        return [players, *(option.code(options[option.name]) for option in self.options)]


def _is_one_of(value: Any, choices: tuple[Choice, ...]) -> bool:
    """Equal and of the same type: True is not 1, and 3.0 is not 3."""
    return any(type(value) is type(choice) and value == choice for choice in choices)


@dataclass(frozen=True)
class Action:
    """One decision, in three forms: `code` (a small integer), `value` (structured), `str()` (notation)."""

    code: int
    notation: str
    struct: msgspec.Struct

    @property
    def value(self) -> dict[str, Any]:
        """Structured, as JSON-safe data."""
        value: dict[str, Any] = msgspec.to_builtins(self.struct)
        return value

    def __str__(self) -> str:
        return self.notation


def in_order(structs: Iterable[Any], notation: Callable[[Any], str], first: int = 0) -> tuple[Action, ...]:
    """Actions with consecutive codes, counting up from the first."""
    return tuple(Action(code, notation(struct), struct) for code, struct in enumerate(structs, first))


class Fields(msgspec.Struct, frozen=True, eq=False):
    """A struct that can also be read, and compared, like its JSON: `view["hand"]`, `dict(view)`.

    Fields that are UNSET are absent.
    """

    def __getitem__(self, name: str) -> Any:
        names = self.__struct_encode_fields__
        value = getattr(self, self.__struct_fields__[names.index(name)]) if name in names else msgspec.UNSET
        if value is msgspec.UNSET:
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            return dict(self) == other
        return type(self) is type(other) and dict(self) == dict(other)

    def keys(self) -> tuple[str, ...]:
        fields = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        return tuple(name for name, field in fields if getattr(self, field) is not msgspec.UNSET)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self.keys() else default


class Facts(Fields, frozen=True):
    """The facts of an event, by name. Each kind of event is a subclass with the `key` of its sentence."""

    key: ClassVar[str]


class Event(Fields, frozen=True):
    """Something that happened in the game: its clause, its kind, the facts, and an English sentence.

    A page can describe it in any language from its `key` and its `arguments`.
    """

    clause: str
    key: str
    arguments: Annotated[Any, msgspec.Meta(extra_json_schema={"type": "object"})]  # the facts, see `Facts`
    sentence: str

    def as_json(self) -> dict[str, Any]:
        """As it appears in logs and messages."""
        event: dict[str, Any] = msgspec.to_builtins(self)
        return event


def event(clause: str, facts: Facts, sentence: str) -> Event:
    return Event(clause, facts.key, facts, sentence)


class GameAction(msgspec.Struct, frozen=True):
    """What every structured action has: what it does. Each kind of action adds its own fields."""

    do: str


if TYPE_CHECKING:
    AnyAction = Any
else:
    AnyAction = Annotated[Any, msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/GameAction"})]


class GameView(Fields, frozen=True, kw_only=True):
    """What every game's view has; each game adds its own fields."""

    game: str
    players: int
    options: dict[str, Choice]
    seats: list[str]
    seat: int | None  # through whose eyes; None: a spectator
    turn: int | None  # who is to move; None when it is over
    over: bool
    actions: int  # played so far
    scores: list[int]
    winners: list[int]
    legal: list[AnyAction]  # what `seat` may choose now; each game names the type of its actions


class Hidden(NamedTuple):
    """What a record holds that not everyone can see, by the names of its fields."""

    piles: tuple[str, ...]  # nobody sees these; `chance` is one of them
    hand: str | None = None  # a row for each seat, seen by that seat only; its view has it as `hand`


@dataclass(frozen=True)
class Field:
    """One of the named parts of an observation, an array of whole numbers from `low` to `high`."""

    name: str
    shape: tuple[int, ...]  # () is a single number; a board has planes, rows and columns
    low: int
    high: int
    about: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def starts(fields: Iterable[Field]) -> tuple[int, ...]:
    """Where each field begins in an observation, and at last how many numbers an observation has."""
    return tuple(accumulate((each.size for each in fields), initial=0))


def by_name(fields: Sequence[Field], observed: Any) -> dict[str, Any]:
    """The fields of an observation, or of an array of observations, by name: views into the same memory."""
    places = zip(fields, pairwise(starts(fields)), strict=True)
    return {
        each.name: observed[..., start:end].reshape(observed.shape[:-1] + each.shape)
        for each, (start, end) in places
    }


# ------------------------------------------------------------------ the modules of a game


class Rules(Protocol):
    """`rules.py`: compiled. It may also have `random_action`, `mark_legal`, `secret`, `held` and `early`.

    See the docs.
    """

    STATE: np.dtype[Any]  # the record
    HIDDEN: Hidden
    CODES: int  # actions are the codes 0 … CODES - 1
    MAX_LEGAL: int
    MAX_ACTIONS: int
    KINDS: int  # of pieces, for `census`
    setup: Callable[..., Any]
    to_move: Callable[..., Any]
    legal: Callable[..., Any]
    apply: Callable[..., Any]
    scores: Callable[..., Any]
    winners: Callable[..., Any]
    redeal: Callable[..., Any]
    census: Callable[..., Any]


class Evaluation(Protocol):
    """`evaluation.py`: compiled; what bots need to know. It may also have `glance`, a quicker `evaluate`."""

    SCALE: Any  # of a lead that is a good one
    CERTAINTY: Any
    PLAYOUT: int
    CARE: int
    HALVING: bool
    evaluate: Callable[..., Any]


class Inputs(Protocol):
    """`inputs.py`, optional: compiled; what a network is told about a position, see `bots/network.py`."""

    VERSION: int  # a network trained for another does not fit
    POINTS_UNIT: float  # what the points still to be scored are divided by
    OWN_VIEW: bool  # in a search, a seat's chance is what it sees, not made to add up with others' chances
    SLOTS: int  # rows that are summed
    ROWS: int  # different ones; row 0 is empty
    COUNTS: np.ndarray[Any, Any]  # what each count is divided by, so that most are from -2 to 2
    inputs: Callable[..., Any]


class Observations(Protocol):
    """`observations.py`, optional: compiled; what a seat may know as numbers, for learning and analysis.

    `observe(s, seat, out)` writes all fields into the flat `out` (int16), one after the other, each row by
    row. Seats are told clockwise from the one that looks, up to the most players that the game allows:
    those that are not taken are zeros.
    """

    FIELDS: tuple[Field, ...]
    SIZE: int  # how many numbers they have together
    observe: Callable[..., Any]


class Actions(Protocol):
    """`actions.py`: codes as structs and as notation, and back. `s` is a record as `kernel.records.plain`.

    If codes mean the same in every position it may also have `ACTIONS`, all of them in a tuple.
    """

    ACTION: Any  # the struct of an action, or the union of them
    HOW_TO_WRITE: str

    def actions(self, s: Any) -> Sequence[Action | None]: ...
    def encode(self, s: Any, action: Any) -> int: ...
    def parse(self, s: Any, text: str) -> int | None: ...
    def is_public(self, action: Any) -> bool: ...


class Refusals(Protocol):
    """`refusals.py`: why an action is not allowed. A game with `early` takes the seat as well."""

    @property
    def refusal(self) -> Callable[..., IllegalAction]: ...


class Events(Protocol):
    """`events.py`: what the rules did, in words. `FACTS` are all kinds of events there are."""

    @property
    def FACTS(self) -> tuple[type[Facts], ...]: ...  # noqa: N802
    def events(self, s: Any) -> list[Event]: ...
    def scoring(self, s: Any, log: Iterable[Event]) -> list[Event]:
        """Where the scores come from: events with `seat` and `points` that add up to them."""
        ...


class Views(Protocol):
    """`views.py`: what may be known. Both functions get some fields of `GameView` and add the game's own.

    `public` says what everyone may know, and `own` what one seat (None: a spectator) sees differently: it
    gets `seat` and `legal`. Together they are all fields of `VIEW`.
    """

    @property
    def VIEW(self) -> type[GameView]: ...  # noqa: N802
    def public(self, s: Any, **common: Any) -> dict[str, Any]: ...
    def own(self, s: Any, *, seat: int | None, **common: Any) -> dict[str, Any]: ...


class Positions(Protocol):
    """`positions.py`: any position as JSON.

    It may also have `without_undrawn`: a written position without what nobody holds and nobody has seen,
    such as the order of a deck, which `read` then deals.
    """

    @property
    def Position(self) -> type[msgspec.Struct]: ...  # noqa: N802
    def read(self, record: Any, options: Any, position: Any, seed: int) -> None: ...
    def write(self, record: Any) -> Any: ...


class Terminal(Protocol):
    """`terminal.py`: a view drawn as text."""

    def draw(self, view: dict[str, Any]) -> RenderableType: ...


class AdviceFor(Protocol):
    """`advice.py`, optional: what a beginner should look at before deciding, the most important first.

    It knows only the seat's view, and what an action is certain to do (`preview`). `FACTS` are all kinds.
    """

    @property
    def FACTS(self) -> tuple[type[Facts], ...]: ...  # noqa: N802
    def advice(self, view: Any, preview: Callable[[Any], Sequence[Event]]) -> list[Event]: ...


@dataclass(frozen=True)
class Modules:
    """All modules of a game but `meta` and `components`: mypy checks those of each game against this."""

    rules: Rules
    evaluation: Evaluation
    actions: Actions
    refusals: Refusals
    events: Events
    views: Views
    positions: Positions
    terminal: Terminal
    advice: AdviceFor | None = None
