"""A small network that judges positions: compiled, and updated by what an action changed.

Each game says in `inputs.py` what the network is told. The first layer is a sum of rows, one for each slot,
and of the counts times their rows; most stay the same from one action to the next, so the sums are carried
along and only what differs is added and subtracted. Two small layers follow. The outputs are for the seat
that looks: its chance to win as a logit, and the points that it will still score.
"""

from __future__ import annotations

import json
import math
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from laguna.errors import LagunaError
from laguna.games import Rulebook, find
from laguna.kernel import MAX_SEATS
from laguna.kernel.dispatch import inputs, winners
from laguna.kernel.jit import rule
from laguna.kernel.records import blanks, record_type

WIDTH = 64  # of the first layer
HIDDEN = 32  # of the second
OUTPUTS = 2
CERTAIN = 12.0  # the logit of a game that is won
MAGIC = b"laguna network\n"
FOLDER = "LAGUNA_NETWORKS"  # the environment variable that names the folder of further networks
LAYERS = ("rows", "counts", "sums", "hidden", "hidden_bias", "last", "last_bias")  # in a file, in this order


def network_type(module: Any) -> np.dtype[Any]:
    """The weights of a network for a game with these inputs; for a game without any, as few as possible."""
    rows, counts = (module.ROWS, len(module.COUNTS)) if module else (1, 1)
    return record_type(
        [
            ("rows", np.float32, (rows, WIDTH)),
            ("counts", np.float32, (padded(counts), WIDTH)),
            ("sums", np.float32, WIDTH),  # where they begin
            ("hidden", np.float32, (WIDTH, HIDDEN)),
            ("hidden_bias", np.float32, HIDDEN),
            ("last", np.float32, (OUTPUTS, HIDDEN)),
            ("last_bias", np.float32, OUTPUTS),
            ("scale", np.float32),  # of the points still to be scored
            ("certainty", np.float32, MAX_SEATS + 1),  # by players: factors that make chances fit the wins
        ]
    )


def accumulator_type(module: Any) -> np.dtype[Any]:
    """What a network was told about a position, and the sums of its first layer.

    Rows and counts are padded to a multiple of four with rows that are empty and counts of nothing.
    """
    slots, counts = (module.SLOTS, len(module.COUNTS)) if module else (1, 1)
    return record_type(
        [
            ("sums", np.float32, WIDTH),
            ("hidden", np.float32, HIDDEN),
            ("logit", np.float32),
            ("to_come", np.float32),  # points
            ("rows", np.int16, padded(slots)),
            ("listed", np.int16, padded(slots)),  # those that are not empty
            ("counts", np.int16, padded(counts)),
        ]
    )


def padded(size: int) -> int:
    """To a multiple of four."""
    return -(-size // 4) * 4


@rule
def refresh(net, accumulator, s, seat):
    """Tell the network about a position as this seat sees it, and let it judge."""
    inputs(s, seat, accumulator.rows, accumulator.counts)
    sums = accumulator.sums
    for k in range(WIDTH):
        sums[k] = net.sums[k]
    add_rows(net, sums, accumulator.rows, accumulator.listed)
    add_counts(net, sums, accumulator.counts)
    forward(net, accumulator)


@rule
def add_rows(net, sums, rows, listed):
    """Four at a time, so that the sums are read and written less often; empty rows are left out."""
    listed[:] = 0
    count = 0
    for slot in range(len(rows)):
        if rows[slot] != 0:
            listed[count] = rows[slot]
            count += 1
    for first in range(0, count, 4):
        a = net.rows[listed[first]]
        b = net.rows[listed[first + 1]]
        c = net.rows[listed[first + 2]]
        d = net.rows[listed[first + 3]]
        for k in range(WIDTH):
            sums[k] += (a[k] + b[k]) + (c[k] + d[k])


@rule
def add_counts(net, sums, counts):
    """Four at a time, so that the sums are read and written less often."""
    for number in range(0, len(counts), 4):
        add_four(
            sums,
            net.counts[number : number + 4],
            np.float32(counts[number]),
            np.float32(counts[number + 1]),
            np.float32(counts[number + 2]),
            np.float32(counts[number + 3]),
        )


@rule
def add_four(sums, rows, a, b, c, d):
    if a != 0 or b != 0 or c != 0 or d != 0:
        for k in range(WIDTH):
            sums[k] += (a * rows[0, k] + b * rows[1, k]) + (c * rows[2, k] + d * rows[3, k])


@rule
def update(net, before, accumulator, s, seat):
    """The same for a position that differs little from the one seen in `before`."""
    inputs(s, seat, accumulator.rows, accumulator.counts)
    sums = accumulator.sums
    for k in range(WIDTH):
        sums[k] = before.sums[k]
    for slot in range(len(accumulator.rows)):
        new = accumulator.rows[slot]
        old = before.rows[slot]
        if new != old:
            coming = net.rows[new]
            going = net.rows[old]
            for k in range(WIDTH):
                sums[k] += coming[k] - going[k]
    new_counts = accumulator.counts
    old_counts = before.counts
    for number in range(0, len(new_counts), 4):
        add_four(
            sums,
            net.counts[number : number + 4],
            np.float32(new_counts[number] - old_counts[number]),
            np.float32(new_counts[number + 1] - old_counts[number + 1]),
            np.float32(new_counts[number + 2] - old_counts[number + 2]),
            np.float32(new_counts[number + 3] - old_counts[number + 3]),
        )
    forward(net, accumulator)


@rule
def forward(net, accumulator):
    """The layers above the sums. Eight inputs at a time, so that what they add to stays in registers."""
    none = np.float32(0)
    sums = accumulator.sums
    hidden = accumulator.hidden
    weights = net.hidden
    for j in range(HIDDEN):
        hidden[j] = net.hidden_bias[j]
    for k in range(0, WIDTH, 8):
        a = max(sums[k], none)
        b = max(sums[k + 1], none)
        c = max(sums[k + 2], none)
        d = max(sums[k + 3], none)
        e = max(sums[k + 4], none)
        f = max(sums[k + 5], none)
        g = max(sums[k + 6], none)
        h = max(sums[k + 7], none)
        for j in range(HIDDEN):
            hidden[j] += (
                (a * weights[k, j] + b * weights[k + 1, j]) + (c * weights[k + 2, j] + d * weights[k + 3, j])
            ) + (
                (e * weights[k + 4, j] + f * weights[k + 5, j])
                + (g * weights[k + 6, j] + h * weights[k + 7, j])
            )
    for j in range(HIDDEN):
        hidden[j] = max(hidden[j], none)
    accumulator.logit = net.last_bias[0] + output(hidden, net.last[0])
    accumulator.to_come = (net.last_bias[1] + output(hidden, net.last[1])) * net.scale


@rule
def output(hidden, weights):
    """Their product, in four sums that do not wait for each other."""
    a = np.float32(0)
    b = np.float32(0)
    c = np.float32(0)
    d = np.float32(0)
    for j in range(0, HIDDEN, 4):
        a += hidden[j] * weights[j]
        b += hidden[j + 1] * weights[j + 1]
        c += hidden[j + 2] * weights[j + 2]
        d += hidden[j + 3] * weights[j + 3]
    return (a + b) + (c + d)


@rule
def chance_to_win(net, accumulator, players):
    """What the network has told, as a chance that fits how often such positions are won."""
    logit = np.float64(accumulator.logit) * net.certainty[players]
    return 1.0 / (1.0 + math.exp(-min(max(logit, -30.0), 30.0)))


@rule
def share_of_win(s, seat):
    """Of a finished game: 1 for the winner, equal parts where the win is shared."""
    won = winners(s)
    sharing = 0
    for other in range(MAX_SEATS):
        sharing += (won >> other) & 1
    return ((won >> seat) & 1) / sharing


@rule
def final_logit(s, seat):
    """What a network would say if it were certain how a finished game ended."""
    return CERTAIN * (2.0 * share_of_win(s, seat) - 1.0)


# ------------------------------------------------------------------ files


def save(
    path: Path,
    book: Rulebook,
    weights: dict[str, Any],
    scale: float,
    trained: dict[str, Any],
    certainty: dict[int, float],
) -> None:
    """Write a network: a line of JSON that says what it fits, then the weights as 16-bit numbers."""
    assert book.inputs is not None
    factors = {str(players): round(factor, 3) for players, factor in certainty.items()}
    header = {"game": book.meta.id, **_fits(book), "scale": scale, "certainty": factors, "trained": trained}
    net = blanks(network_type(book.inputs), 1)[0]
    for name in LAYERS:
        net[name][: len(weights[name])] = weights[name]
    layers = b"".join(net[name].astype(np.float16).tobytes() for name in LAYERS)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(MAGIC + json.dumps(header).encode() + b"\n" + layers)


def _fits(book: Rulebook) -> dict[str, Any]:
    """What a network must have been trained for to be used with this game."""
    module: Any = book.inputs
    shape = {"slots": module.SLOTS, "rows": module.ROWS, "counts": len(module.COUNTS)}
    return {
        "rules": book.meta.rules_version,
        "inputs": module.VERSION,
        **shape,
        "width": WIDTH,
        "hidden": HIDDEN,
    }


def load(path: Path, book: Rulebook) -> Any:
    """Read a network for a game; refused with a sentence if it was trained for something else."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LagunaError("network", f"The network {path} cannot be read: {error.strerror}.") from None
    if not data.startswith(MAGIC) or b"\n" not in data[len(MAGIC) :]:
        raise LagunaError("network", f"{path} is not a network of Laguna.")
    line, _, layers = data[len(MAGIC) :].partition(b"\n")
    try:
        header = json.loads(line)
        scale = float(header["scale"])
        factors = {int(players): float(factor) for players, factor in header["certainty"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LagunaError("network", f"The first line of the network {path} is damaged.") from None
    wanted = {"game": book.meta.id, **_fits(book)}
    for name, value in wanted.items():
        if header.get(name) != value:
            text = f"The network {path} does not fit: its {name} is {header.get(name)!r:.40}, not {value!r}."
            raise LagunaError("network", text)
    net = _unpack(path, network_type(book.inputs), layers)
    net["scale"] = scale
    for players in book.meta.players:
        net["certainty"][players] = factors.get(players, 1.0)
    return net


def _unpack(path: Path, kind: np.dtype[Any], layers: bytes) -> Any:
    net = blanks(kind, 1)[0]
    start = 0
    for name in LAYERS:
        size = 2 * net[name].size
        found = np.frombuffer(layers[start : start + size], np.float16)
        if len(found) * 2 != size or not np.isfinite(found).all():
            raise LagunaError("network", f"The weights in the network {path} are incomplete or damaged.")
        net[name] = found.reshape(net[name].shape)
        start += size
    if start != len(layers):
        raise LagunaError("network", f"The network {path} is longer than its weights.")
    return net


def network_path(book: Rulebook, name: str = "champion") -> Path:
    """Where a network of a game is: the champion in the package, others where LAGUNA_NETWORKS says."""
    folder = os.environ.get(FOLDER)
    if name == "champion":
        return book.path / "network.bin"
    if not folder:
        text = f"To use the network {name!r:.40}, set {FOLDER} to the folder that holds it."
        raise LagunaError("network", text)
    return Path(folder) / book.meta.id / f"{name}.bin"


@cache
def no_network(game: str) -> Any:
    """What compiled code is given where no network judges: one of zeros."""
    return blanks(network_type(find(game).inputs), 1)[0]


@cache
def find_network(game: str, name: str = "champion") -> Any:
    """A game's network by name; None if the game has none."""
    book = find(game)
    if book.inputs is None:
        return None
    path = network_path(book, name)
    if name == "champion" and not path.exists():
        return None
    return load(path, book)
