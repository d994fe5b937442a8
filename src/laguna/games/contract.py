"""What a game says about itself, as data: used by the API, the command line, the page and the docs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import msgspec

from laguna.errors import BadOption, as_int, either, quoted

Texts = Mapping[str, str]  # language ("en", "ru", "it") -> text
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
        """The number that stands for a choice inside the record."""
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
    """A name for the values of several options at once; an option that is named itself beats it.

    It is no option: a game knows and writes down only what its options came to be.
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
    """A game: its names, who made it, how many play, what can be chosen."""

    id: str
    titles: Texts
    author: str
    players: tuple[int, ...]
    usual_players: int
    seat_names: tuple[Texts, ...] = ()  # where the game itself names its sides
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    rules_version: int = 1
    about: Texts = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The English title."""
        return self.titles["en"]

    @property
    def choosable(self) -> list[Option | Preset]:
        """All that can be named when a game is made."""
        return [*self.presets, *self.options]

    def seat_name(self, seat: int, language: str = "en") -> str:
        """What the game calls a seat, or its number where the game names none."""
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
        """What `rules.setup` takes: the number of players, then every option's code."""
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
    """Actions whose codes count up from the first."""
    return tuple(Action(code, notation(struct), struct) for code, struct in enumerate(structs, first))


@dataclass(frozen=True)
class Event:
    """Something the rules did: under which clause, and the arguments of its sentence."""

    clause: str
    key: str
    arguments: Mapping[str, Any]
    sentence: str

    def as_json(self) -> dict[str, Any]:
        """As it stands in logs and messages."""
        return {
            "clause": self.clause,
            "key": self.key,
            "arguments": dict(self.arguments),
            "sentence": self.sentence,
        }
