"""Results of many games: one row per game, as numpy columns, and the files that hold them.

A results file is Parquet, Arrow, CSV or JSON, by its suffix; `results_files.py` writes and reads each. Its
head says which game was played, with which options, and by whom. Whatever is read or put together is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import numpy.typing as npt

import laguna
from laguna.errors import BadFile, BadOption, LagunaError, counted
from laguna.game import field_and_reason
from laguna.games import Rulebook, find
from laguna.kernel.chance import SEEDS

FORMAT = "laguna results"
VERSION = 1
PIECE = 1 << 17  # games that are written or read at once

# A bot's name; that of another program is a command, which may have spaces.
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=400, pattern=r"^[^\x00-\x1f\x7f]+$")]
Array = npt.NDArray[Any]


class Head(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What all games of a file have in common."""

    format: str
    version: int  # of the format
    game: str
    rules: int  # the version of the game's rules
    players: int
    options: dict[str, int | str]
    bots: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=1000)]  # each named once
    seed: Annotated[int, msgspec.Meta(ge=0, lt=SEEDS)]  # the lowest one that was asked for
    program: str  # the version of Laguna that played

    @property
    def book(self) -> Rulebook:
        return find(self.game)


def make_head(game: str, players: int, options: dict[str, Any], bots: Iterable[str], seed: int = 0) -> Head:
    """The head for results of this version of Laguna, with the options as `Meta.resolve` completes them."""
    rules = find(game).meta.rules_version
    named = tuple(dict.fromkeys(bots))
    return Head(FORMAT, VERSION, game, rules, players, options, named, seed, laguna.__version__)


@dataclass(frozen=True)
class Lists:
    """Lists of different lengths, one after the other: list i is `flat[starts[i]:starts[i + 1]]`."""

    flat: Array
    starts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, flat: Array, lengths: Array) -> Lists:
        starts = np.zeros(len(lengths) + 1, np.int64)
        np.cumsum(lengths, out=starts[1:])
        return cls(flat, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> Array:
        part: Array = self.flat[self.starts[number] : self.starts[number + 1]]
        return part

    def __iter__(self) -> Iterator[Array]:
        return (self[number] for number in range(len(self)))

    @property
    def lengths(self) -> Array:
        return np.diff(self.starts)

    def take(self, numbers: Array) -> Lists:
        """These lists, in this order."""
        return Lists.of(self.flat[self.places(numbers)], self.lengths[numbers])

    def places(self, numbers: Array) -> Array:
        """Where in `flat` the entries of these lists are."""
        lengths = self.lengths[numbers]
        begin = np.repeat(self.starts[:-1][numbers] - np.cumsum(lengths) + lengths, lengths)
        return begin + np.arange(len(begin))


def join(parts: Sequence[Lists]) -> Lists:
    """All lists of the parts."""
    lengths = np.concatenate([part.lengths for part in parts])
    return Lists.of(np.concatenate([part.flat for part in parts]), lengths)


@dataclass(frozen=True)
class Results:
    """Games, one row each: every array has an entry for each game."""

    head: Head
    seed: npt.NDArray[np.int64]
    rotation: npt.NDArray[np.int8]  # by how many seats the bots have moved on; games of one seed differ in it
    bots: npt.NDArray[np.int16]  # by seat: the number of the bot in `head.bots`
    scores: npt.NDArray[np.int16]  # by seat
    winners: npt.NDArray[np.bool_]  # by seat
    actions: npt.NDArray[np.int32]  # how many
    choices: npt.NDArray[np.int64]  # the numbers of legal actions, added up over all decisions
    codes: Lists | None = None  # the actions themselves
    visits: Lists | None = None  # a list for each action: how often the search visited each legal one
    values: npt.NDArray[np.float32] | None = (
        None  # for each action: its seat's chance to win; NaN if not searched
    )

    def __len__(self) -> int:
        return len(self.seed)

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The share of the win that each seat has, by game and seat; the shares of a game add up to 1."""
        shares: npt.NDArray[np.float64] = self.winners / self.winners.sum(axis=1, keepdims=True)
        return shares

    def table(self) -> Any:
        """The same as a pyarrow table, with lists by seat; bots by name."""
        from laguna.lab.results_files import table

        return table(self)

    def table_rows(self) -> Iterator[Any]:
        """The games one by one, as plain Python values: `row.seed`, `row.bots`, `row.scores` and so on."""
        from laguna.lab.results_files import rows

        return rows(self)

    @property
    def columns(self) -> dict[str, Array]:
        """The columns with one entry, or one for each seat, per game; bots by name."""
        names = np.array(self.head.bots)
        plain = {name: getattr(self, name) for name in ("seed", "rotation", "scores", "winners")}
        return {**plain, "bots": names[self.bots], "actions": self.actions, "choices": self.choices}

    def where(self, chosen: Any) -> Results:
        """Only the chosen games: by a mask, a slice or numbers."""
        numbers = np.arange(len(self))[chosen]
        changed: dict[str, Any] = {name: getattr(self, name)[numbers] for name in _BY_GAME}
        if self.codes is not None:
            decisions = self.codes.places(numbers)
            changed["codes"] = self.codes.take(numbers)
            changed["visits"] = None if self.visits is None else self.visits.take(decisions)
            changed["values"] = None if self.values is None else self.values[decisions]
        return replace(self, **changed)

    def sorted(self) -> Results:
        """By seed, then by rotation."""
        return self.where(np.lexsort((self.rotation, self.seed)))


_BY_GAME = ("seed", "rotation", "bots", "scores", "winners", "actions", "choices")


def no_results(head: Head, codes: bool = False) -> Results:
    """Results of no games."""
    seats = (0, head.players)
    none = Lists(np.zeros(0, np.int16), np.zeros(1, np.int64)) if codes else None
    return Results(
        head,
        np.zeros(0, np.int64),
        np.zeros(0, np.int8),
        np.zeros(seats, np.int16),
        np.zeros(seats, np.int16),
        np.zeros(seats, np.bool_),
        np.zeros(0, np.int32),
        np.zeros(0, np.int64),
        none,
    )


# ------------------------------------------------------------------ several together


def concat(parts: Sequence[Results]) -> Results:
    """All games of the parts, which must have been played in the same way; the bots may differ.

    Columns that only some parts have are left out. A game that several parts have is refused: it would count
    twice.
    """
    if not parts:
        raise BadOption("results", "There are no results to put together.")
    first = parts[0].head
    for part in parts[1:]:
        _check_same(first, part.head)
    found = together(parts)
    if len(parts) > 1:
        _check_no_game_twice(found)
    return found


def together(parts: Sequence[Results]) -> Results:
    """The same for parts that are known to belong together."""
    first = parts[0].head
    names = tuple(dict.fromkeys(name for part in parts for name in part.head.bots))
    seed = min(part.head.seed for part in parts)
    head = msgspec.structs.replace(first, bots=names, seed=seed)
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in _BY_GAME
    }
    renumbered = [np.array([names.index(bot) for bot in part.head.bots], np.int16) for part in parts]
    columns["bots"] = np.concatenate(
        [numbers[part.bots] for numbers, part in zip(renumbered, parts, strict=True)]
    )
    return Results(head, **columns, **_joined(parts))


def _joined(parts: Sequence[Results]) -> dict[str, Any]:
    """The columns about single actions that all parts have."""
    joined: dict[str, Any] = {}
    for name in ("codes", "visits"):
        lists = [getattr(part, name) for part in parts]
        if all(each is not None for each in lists):
            joined[name] = join(lists)
    values = [part.values for part in parts if part.values is not None]
    if len(values) == len(parts):
        joined["values"] = np.concatenate(values)
    return joined


def _check_same(one: Head, other: Head) -> None:
    for name in ("game", "rules", "players", "options"):
        ours, theirs = getattr(one, name), getattr(other, name)
        if ours != theirs:
            text = f"These results do not belong together: the {name} of one are {ours}, of another {theirs}."
            raise BadFile("mixed-results", text)


def _check_no_game_twice(found: Results) -> None:
    rows = np.column_stack([found.seed, found.rotation, found.bots]).astype(np.int64)
    _, first, times = np.unique(rows, axis=0, return_index=True, return_counts=True)
    if (times > 1).any():
        row = first[np.argmax(times > 1)]
        bots = ", ".join(found.columns["bots"][row])
        text = f"The game of seed {found.seed[row]} with {bots} is in these results twice."
        raise BadFile("game-twice", text)


# ------------------------------------------------------------------ checks


def read_head(text: str | bytes, where: str) -> Head:
    """The head of a results file from its JSON, for a game that this version plays."""
    try:
        plain = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("results", f"{where} is damaged: its head is not valid JSON.") from None
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise BadFile("results", f"{where} does not hold results of Laguna.")
    if plain.get("version") != VERSION:
        text = f"{where} has version {plain.get('version')!r:.20} of the format; this Laguna reads {VERSION}."
        raise BadFile("results-version", text)
    try:
        head = msgspec.convert(plain, Head)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        named = f"{field}: " if field else ""
        raise BadFile("results", f"The head of {where} is damaged: {named}{reason}.") from None
    _check_head(head, where)
    return head


def _check_head(head: Head, where: str) -> None:
    try:
        meta = head.book.meta
        resolved = meta.resolve(head.players, head.options)
    except LagunaError as error:
        raise BadFile("results", f"The head of {where} is impossible: {error}") from None
    if head.rules != meta.rules_version:
        text = f"{where} follows rules {head.rules} of {meta.title}; this version plays {meta.rules_version}."
        raise BadFile("rules-version", text)
    if resolved != (head.players, head.options):
        raise BadFile("results", f"The head of {where} is damaged: its options are incomplete.")
    if len(set(head.bots)) != len(head.bots):
        raise BadFile("results", f"The head of {where} is damaged: it names a bot twice.")


def checked(found: Results, where: str) -> Results:
    """The same results if such games can have been played; otherwise BadFile says what is impossible."""
    head, rules = found.head, found.head.book.rules
    wrong = [
        (found.seed, (found.seed < 0) | (found.seed >= SEEDS), f"a seed is from 0 to {SEEDS - 1}"),
        (found.rotation, (found.rotation < 0) | (found.rotation >= head.players),
         f"a rotation is from 0 to {head.players - 1}"),
        (found.winners, ~found.winners.any(axis=1), "somebody wins every game"),
        (found.actions, (found.actions < 1) | (found.actions > rules.MAX_ACTIONS),
         f"a game has 1 to {rules.MAX_ACTIONS} actions"),
        (found.choices,
         (found.choices < found.actions) | (found.choices > found.actions.astype(np.int64) * rules.MAX_LEGAL),
         f"every decision has 1 to {rules.MAX_LEGAL} legal actions"),
    ]  # fmt: skip
    for _, mask, sentence in wrong:
        if mask.any():
            raise BadFile("results", f"{where} is impossible in row {int(np.argmax(mask)) + 1}: {sentence}.")
    _check_actions(found, where)
    return found


def _check_actions(found: Results, where: str) -> None:
    """The columns about single actions fit each other."""
    codes, visits, values = found.codes, found.visits, found.values
    if codes is None:
        if visits is not None or values is not None:
            raise BadFile("results", f"{where} is damaged: it has visits or values, but no codes.")
        return
    different = codes.lengths != found.actions
    if different.any():
        row = int(np.argmax(different))
        text = f"{counted(int(codes.lengths[row]), 'code')} for {counted(int(found.actions[row]), 'action')}"
        raise BadFile("results", f"{where} is damaged: row {row + 1} has {text}.")
    most = found.head.book.rules.CODES - 1
    if len(codes.flat) and not 0 <= codes.flat.min() <= codes.flat.max() <= most:
        raise BadFile("results", f"{where} is damaged: codes are from 0 to {most}.")
    if visits is not None and (
        len(visits) != len(codes.flat) or bool((visits.lengths > found.head.book.rules.MAX_LEGAL).any())
    ):
        raise BadFile("results", f"{where} is damaged: its visits do not fit its actions.")
    if visits is not None and len(visits.flat) and visits.flat.min() < 0:
        raise BadFile("results", f"{where} is damaged: an action was visited less than never.")
    if values is not None and (
        len(values) != len(codes.flat) or not ((values >= 0) & (values <= 1) | np.isnan(values)).all()
    ):
        raise BadFile("results", f"{where} is damaged: the values of its actions are not chances.")


# ------------------------------------------------------------------ files


def read(*paths: str | Path) -> Results:
    """The results of one file, or of several together (see `concat`)."""
    from laguna.lab.results_files import read_file

    return concat([checked(read_file(Path(path)), repr(str(path))) for path in paths])


def write(path: str | Path, found: Results) -> None:
    """Write a new results file, completely or not at all; an existing one is never replaced."""
    from laguna.lab.results_files import writer

    with writer(Path(path), found.head) as file:
        for start in range(0, max(len(found), 1), PIECE):
            file.add(found.where(slice(start, start + PIECE)))
