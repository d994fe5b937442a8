"""A data sheet of a game: its codes, record, view and observations, how long and how wide it is, how fast.

Everything but the speeds depends only on the code: the games are played with fixed seeds.
"""

from __future__ import annotations

import inspect
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import laguna
from docs.generate.markdown import DO_NOT_EDIT, list_of, table
from docs.generate.source import field_comments, record_comments
from laguna.bots import analyse, ask, find_bot
from laguna.games import find
from laguna.games.contract import starts
from laguna.kernel import calls
from laguna.kernel.records import alone
from laguna.lab.bench import playouts

RANDOM_GAMES = 200  # for each number of players
GREEDY_GAMES = 10  # with the usual number of players
LOOKED_AT = 4  # random games whose positions are looked at for codes and views
MAX_EXAMPLE = 70  # characters of an example
MAX_FIELDS = 12  # of an object that are listed
SPEED = "## Speed"


class Width(NamedTuple):
    """What one game was like: how many actions could be chosen from at each decision."""

    choices: list[int]

    @property
    def length(self) -> int:
        return len(self.choices)


def datasheet(game: str) -> str:
    """The whole page."""
    return f"{without_speed(game)}\n{SPEED}\n\n{_speed(game)}\n"


def without_speed(game: str) -> str:
    """The part that is the same on every machine."""
    meta = laguna.games()[game]
    positions = list(_positions(game))
    parts = [
        DO_NOT_EDIT,
        f"# {meta.title}: data sheet",
        f"By {meta.author}. [The rules](../rules/{game}.en.md) explain every clause that is named here.",
        _at_a_glance(game),
        "## Options",
        _options(meta),
        "## Actions",
        "An action has a code, a structured value and a notation; `game.action` takes any of them. In one\n"
        "position a code means one action; what it means may depend on the position.",
        _actions(positions),
        "## Record",
        "The whole state: a flat numpy record without padding (`game.state`).",
        _record(positions[0]),
        "## View",
        "What `game.view(seat)` shows, and what the server sends as a table's `game`. The examples are from\n"
        "the middle of a game.",
        _view(positions),
        *_observation(game),
        "## Length, branching and sizes",
        _lengths(game),
        _sizes(positions),
    ]
    return "\n\n".join(parts) + "\n"


def _positions(game: str) -> Iterator[laguna.Game]:
    """Every position of a few random games with the usual number of players."""
    for seed in range(LOOKED_AT):
        chance, match = random.Random(seed), laguna.new(game, seed=seed)
        while not match.over:
            yield match.copy()
            match.play(chance.choice(match.legal()))
        yield match


# ------------------------------------------------------------------ what there is


def _at_a_glance(game: str) -> str:
    meta, rules = laguna.games()[game], find(game).rules
    rows = [
        ("id", f"`{game}`"),
        ("players", f"{', '.join(map(str, meta.players))}; usually {meta.usual_players}"),
        ("version of the rules", str(meta.rules_version)),
        ("codes of actions", f"0 to {rules.CODES - 1:,}"),
        ("legal actions at once", f"at most {rules.MAX_LEGAL:,}"),
        ("actions in a game", f"at most {rules.MAX_ACTIONS:,}"),
        ("record", f"{rules.STATE.itemsize:,} bytes"),
    ]
    return table(("", ""), rows)


def _options(meta: laguna.Meta) -> str:
    if not meta.choosable:
        return "It has none."
    rows = [
        (f"`{each.name}`", each.clause, each.about["en"], ", ".join(f"`{choice}`" for choice in choices))
        for each in meta.choosable
        for choices in [sorted(each.choices, key=lambda choice: choice != each.default)]
    ]
    return table(("option", "clause", "about", "choices, the default first"), rows)


def _actions(positions: list[laguna.Game]) -> str:
    """The kinds of actions with their codes, fields, notation and clause."""
    known: dict[int, laguna.Action] = {}
    for game in positions:
        known |= {action.code: action for action in game.legal()}
        known |= _readable(game, range(game.rules.CODES), known)
    codes = _filled(known, positions[0].rules.CODES)
    ranges: dict[type[Any], list[str]] = {}
    for kind, found in groupby(range(len(codes)), key=lambda code: codes[code]):
        if kind is not None:
            first, *others = list(found)
            ranges.setdefault(kind, []).append(f"{first}–{others[-1]}" if others else str(first))
    examples = {type(action.struct): action for action in known.values()}
    rows = [
        (
            ", ".join(spans),
            f"`{json.dumps(examples[kind].value)}`",
            f"`{examples[kind]}`",
            (kind.__doc__ or "").strip(),
        )
        for kind, spans in ranges.items()
    ]
    return table(("codes", "value", "notation", "meaning"), rows)


def _readable(
    game: laguna.Game, codes: range, known: Mapping[int, laguna.Action]
) -> dict[int, laguna.Action]:
    """The actions that codes mean here, other than those known already."""
    found = {}
    for code in codes:
        if code not in known:
            try:
                found[code] = game.action(code)
            except laguna.IllegalAction:  # it names what nobody has
                continue
    return found


def _filled(known: dict[int, laguna.Action], count: int) -> list[type[Any] | None]:
    """The kind of each code; a code that never meant anything belongs to the kind on both sides of it."""
    kinds: list[type[Any] | None] = [None] * count
    for code, action in known.items():
        kinds[code] = type(action.struct)
    for before, after in pairwise(sorted(known)):
        if kinds[before] is kinds[after]:
            kinds[before:after] = [kinds[before]] * (after - before)
    return kinds


def _record(game: laguna.Game) -> str:
    rules: Any = game.rules
    state, comments = rules.STATE, record_comments(rules)
    rows = []
    for name in state.names:
        field, offset = state.fields[name][:2]
        base, shape = field.subdtype or (field, ())
        kind = f"{base.name} × {' × '.join(map(str, shape))}" if shape else base.name
        rows.append((f"`{name}`", kind, str(offset), str(field.itemsize), comments.get(name, "")))
    return table(("field", "type", "offset", "bytes", "meaning"), rows, "llrr")


# ------------------------------------------------------------------ views


def _view(positions: list[laguna.Game]) -> str:
    """Each field of a view, with the types that its values had; what it means, where its class says so."""
    comments = field_comments(type(positions[0].typed_view()))
    views = [game.view(game.seat) for game in positions]
    middle = views[len(positions) // LOOKED_AT // 2]
    names = dict.fromkeys(name for view in views for name in view)
    rows = [
        (
            f"`{name}`",
            _kind([view[name] for view in views if name in view]),
            _example(middle.get(name)),
            comments.get(name, ""),
        )
        for name in names
    ]
    columns = 4 if comments else 3
    head = ("field", "type", "example", "meaning")
    return table(head[:columns], [row[:columns] for row in rows])


def _example(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"`{text if len(text) <= MAX_EXAMPLE else text[: MAX_EXAMPLE - 1] + '…'}`"


def _kind(values: list[Any]) -> str:
    """The types of some values, in words."""
    words = {
        "true or false": [each for each in values if isinstance(each, bool)],
        "number": [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)],
        "text": [each for each in values if isinstance(each, str)],
    }
    found = [word for word, those in words.items() if those]
    if lists := [each for each in values if isinstance(each, list)]:
        found.append(list_of(_kind([item for each in lists for item in each])))
    if objects := [each for each in values if isinstance(each, dict)]:
        found.append(_object(objects))
    return " or ".join([*found, *(["null"] if None in values else [])])


def _object(objects: list[dict[str, Any]]) -> str:
    """A few keys that are the same everywhere are fields; otherwise they are names of things."""
    if all(each.keys() == objects[0].keys() for each in objects) and 0 < len(objects[0]) <= MAX_FIELDS:
        return f"object with {', '.join(f'`{name}`' for name in objects[0])}"
    inner = _kind([value for each in objects for value in each.values()])
    return f"object from names to {inner}" if inner else "object"


# ------------------------------------------------------------------ observations


def _observation(game: str) -> list[str]:
    """The section about the named numbers of an observation, if the game has them."""
    observations = find(game).observations
    if observations is None:
        return []
    size = f"{observations.SIZE:,} numbers of type int16"
    intro = (
        "What a seat may know, as numbers: `observe(s, seat, out)` of `laguna.kernel.dispatch` writes these\n"
        f"fields into `out`, {size}, one after the other, each row by row.\n"
        "Seats are told clockwise, first the one that looks; those that are not taken are zeros."
    )
    order = inspect.getdoc(observations) or ""
    rows = [
        (
            f"`{field.name}`",
            " × ".join(map(str, field.shape)) or "one number",
            str(first),
            f"{field.low} to {field.high}",
            field.about,
        )
        for field, first in zip(observations.FIELDS, starts(observations.FIELDS), strict=False)
    ]
    return [
        "## Observation",
        intro,
        order.partition("\n\n")[2],
        table(("field", "shape", "first", "values", "meaning"), rows, "llr"),
    ]


# ------------------------------------------------------------------ measured by playing


def _lengths(game: str) -> str:
    meta = laguna.games()[game]
    rows = [
        _length_row(
            str(players), "random", [_random_game(game, players, seed) for seed in range(RANDOM_GAMES)]
        )
        for players in meta.players
    ]
    usual = meta.usual_players
    rows.append(
        _length_row(str(usual), "greedy", [_greedy_game(game, usual, seed) for seed in range(GREEDY_GAMES)])
    )
    note = (
        f"{RANDOM_GAMES} random games for each number of players, {GREEDY_GAMES} games of the bot `greedy`."
    )
    head = ("players", "play", "actions", "fewest–most", "legal actions", "at most", "only one")
    return f"{note}\n\n{table(head, rows, 'llrrrrr')}"


def _length_row(players: str, play: str, games: list[Width]) -> tuple[str, ...]:
    lengths = [game.length for game in games]
    choices = [count for game in games for count in game.choices]
    return (
        players,
        play,
        f"{statistics.fmean(lengths):.1f}",
        f"{min(lengths)}–{max(lengths)}",
        f"{statistics.fmean(choices):.1f}",
        str(max(choices)),
        f"{100 * choices.count(1) / len(choices):.0f} %",
    )


def _random_game(game: str, players: int, seed: int) -> Width:
    """A random game, played on the record itself, which is faster."""
    match, chance = laguna.new(game, players=players, seed=seed), random.Random(seed)
    records = alone(match.rules.STATE, match.state_bytes())
    out, points = np.zeros(match.rules.MAX_LEGAL, np.int16), np.zeros(players, np.int64)
    choices: list[int] = []
    while True:
        seat, _, count = calls.standing(records, out, points)
        if seat < 0:
            return Width(choices)
        choices.append(int(count))
        calls.act(records, int(out[chance.randrange(count)]))


def _greedy_game(game: str, players: int, seed: int) -> Width:
    match, bot = laguna.new(game, players=players, seed=seed), find_bot("greedy")
    choices: list[int] = []
    while not match.over:
        choices.append(len(match.legal()))
        match.play(ask(bot, match, seed=seed * 10_000 + len(choices)))
    return Width(choices)


def _sizes(positions: list[laguna.Game]) -> str:
    views = [len(msgspec.json.encode(game.view(game.seat))) for game in positions]
    files = [len(game.dumps().encode()) for game in positions if game.over]
    return (
        f"As JSON, the view of the seat to move has {statistics.fmean(views):,.0f} bytes on average and at "
        f"most {max(views):,}\nin {LOOKED_AT} random games; the file of a finished game has "
        f"{statistics.fmean(files):,.0f} bytes."
    )


# ------------------------------------------------------------------ speed


def _speed(game: str) -> str:
    """By processor time, so that it matters little what else the machine is doing."""
    book = find(game)
    players = book.meta.usual_players
    match = laguna.new(game, seed=0)
    to_the_end = match.rules.MAX_ACTIONS
    moves, took = _timed(lambda count: int(playouts(book, players, 0, count)[1]))
    looks, searched = _timed(
        lambda count: (
            analyse(match, iterations=count, seed=1, playout=to_the_end, care=1, forecast=False).iterations
        )
    )
    rows = [
        ("random playouts, decisions a second", _rounded(moves / took)),
        ("search, iterations a second, each played to the end", _rounded(looks / searched)),
    ]
    where = f"One core of {_processor()}, {players} players, measured by processor time."
    return f"{where}\n\n{table(('', 'one core'), rows, 'lr')}"


def _timed(work: Callable[[int], int]) -> tuple[int, float]:
    """Do more and more until it takes a second of the processor: what was done, and how long it took."""
    work(1)  # compile, or load what was compiled
    count = 1
    while True:
        began = time.process_time()
        done = work(count)
        took = time.process_time() - began
        if took >= 1:
            return done, took
        count *= 2


def _rounded(number: float) -> str:
    """Two digits: more would only be noise."""
    return f"{float(f'{number:.2g}'):,.0f}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{name} ({os.cpu_count()} cores)"
