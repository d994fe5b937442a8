"""The generic names of a rulebook: the record's type decides which game's function runs.

Generic code (playouts, search, environments) calls `legal(s, out)`, `apply(s, action)`, … Compiled,
the call resolves at compile time to the game's own function, through Numba's `overload` by record
type, so it specializes per game and is cached on disk (a factory closing over the game's functions would be
recompiled in every process). Interpreted, the record's dtype is looked up.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from laguna.kernel.chance import draw
from laguna.kernel.jit import JIT, rule

# What every game's `rules` and `evaluation` define; docs/architecture.md says what each must do.
CONTRACT = {
    "setup": ("s", "options", "seed"),
    "to_move": ("s",),
    "legal": ("s", "out"),
    "apply": ("s", "action"),
    "scores": ("s", "out"),
    "winners": ("s",),
    "redeal": ("s", "seat", "seed"),
    "census": ("s", "out"),
    "evaluate": ("s", "seat"),
}

_BY_TYPE: dict[Any, SimpleNamespace] = {}


def register(rules: Any, evaluation: Any, inputs: Any = None, observations: Any = None) -> None:
    """Let the generic names find a game's functions by its record type, `rules.STATE`."""
    own = SimpleNamespace(
        random_action=getattr(rules, "random_action", random_from_list),
        mark_legal=getattr(rules, "mark_legal", mark_list),
        phase=getattr(rules, "phase", only_phase),
        phases=getattr(rules, "phases", one_phase),
        secret=getattr(rules, "secret", never_secret),
        held=getattr(rules, "held", nothing_held),
        early=getattr(rules, "early", never_early),
        glance=getattr(evaluation, "glance", evaluation.evaluate),
        inputs=getattr(inputs, "inputs", no_inputs),
        observe=getattr(observations, "observe", no_observation),
    )
    for name in CONTRACT:
        setattr(own, name, getattr(evaluation if name == "evaluate" else rules, name))
    _BY_TYPE[rules.STATE] = own
    if JIT:
        import numba

        from laguna.kernel.numba_cache import GAMES

        record = numba.from_dtype(rules.STATE)
        _BY_TYPE[record] = own
        GAMES[record] = Path(str(rules.__file__)).resolve().parent


def _generic(name: str, arguments: tuple[str, ...]) -> Callable[..., Any]:
    """A function called `name` that passes its arguments on to the record's own game."""
    listed = ", ".join(arguments)
    scope: dict[str, Any] = {"by_type": _BY_TYPE}
    exec(f"def {name}({listed}): return by_type[s.dtype].{name}({listed})", scope)
    function: Callable[..., Any] = scope[name]
    if JIT:
        from numba.extending import overload

        exec(
            f"def resolve({listed}):\n"
            f"    own = by_type[s].{name}\n"
            f"    return lambda {listed}: own({listed})\n",
            scope,
        )
        overload(function)(scope["resolve"])
    return function


setup = _generic("setup", CONTRACT["setup"])
to_move = _generic("to_move", CONTRACT["to_move"])
legal = _generic("legal", CONTRACT["legal"])
apply = _generic("apply", CONTRACT["apply"])
scores = _generic("scores", CONTRACT["scores"])
winners = _generic("winners", CONTRACT["winners"])
redeal = _generic("redeal", CONTRACT["redeal"])
census = _generic("census", CONTRACT["census"])
evaluate = _generic("evaluate", CONTRACT["evaluate"])
glance = _generic("glance", CONTRACT["evaluate"])
inputs = _generic("inputs", ("s", "seat", "rows", "counts"))
observe = _generic("observe", ("s", "seat", "out"))
random_action = _generic("random_action", ("s", "stream", "out"))
mark_legal = _generic("mark_legal", ("s", "out", "mask"))
phase = _generic("phase", ("s",))
phases = _generic("phases", ("s",))
secret = _generic("secret", ("s",))
held = _generic("held", ("s", "seat"))
early = _generic("early", ("s", "seat", "out"))


@rule
def random_from_list(s, stream, out):
    """A uniformly random legal action, for games that have no faster way than listing them all."""
    return np.int64(out[draw(stream, legal(s, out))])


@rule
def mark_list(s, out, mask):
    """True for every legal action in a row of all codes, for games that have no faster way than the list."""
    mask[:] = False
    for k in range(legal(s, out)):
        mask[out[k]] = True


@rule
def only_phase(s):
    """For games whose decisions are all of one kind: 0, and 1 when the game is over."""
    return 0 if to_move(s) >= 0 else 1


@rule
def one_phase(s):
    """For games whose decisions are all of one kind."""
    return 1


@rule
def never_secret(s):
    """For games in which everybody sees what everybody does."""
    return False


@rule
def nothing_held(s, seat):
    """For games without hidden hands."""
    return 0


@rule
def never_early(s, seat, out):
    """For games in which one seat decides at a time."""
    return 0


@rule
def no_inputs(s, seat, rows, counts):
    """For games that no network plays."""


@rule
def no_observation(s, seat, out):
    """For games without observations."""
