"""Mutants of the rules: one small mistake each, and whether the tests notice it.

`python -m tests.mutants [GAME…] [--count 30] [--seed 0] [--jobs N]` makes that many mutants of each game's
`rules.py`, and runs for each the tests that `make test` runs for the game: golden playthroughs, the referee,
clauses, conformance. Each is compiled as in `make test`; with `--interpreted` it is not, and fewer random
games are played. The status is 1 if under 97 % of those that play differently are killed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from laguna.games import rulebooks

ROOT = Path(__file__).parent.parent
ENOUGH = 0.97
NEEDED = ("src/laguna", "tests", "docs/rules", "pyproject.toml")
NOT_NEEDED = shutil.ignore_patterns("__pycache__", "page", "server", "client", "table", "files")
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
SEATS = ("seat", "player", "owner", "s.turn")
# Mutants that play exactly like the original, each with the reason. No test can notice them.
SAME = {
    "best = max(best, s.points[((seat + 1) % s.players)])": "the maximum of all seats in another order",
    "most = max(most, on_good(s, good, ((seat + 1) % s.players)))": "the same",
    "for value in range(VALUE_COUNT - 1, (-1) - 1, -1):": "no card has the value -1",
    "say(s, PAID_TILE, s.turn, tile, 1, 0)": "nobody reads the second number of this event",
}


class Mutant(NamedTuple):
    """One changed place of a game's rules."""

    game: str
    kind: str
    line: int
    start: int  # offsets in the source as bytes
    end: int
    text: str  # what replaces it

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]

    def lines(self, source: bytes) -> tuple[str, str]:
        """The line before and after."""
        before, after = (text.split(b"\n") for text in (source, self.applied(source)))
        lost = len(before) - len(after)
        old = b" ".join(line.strip() for line in before[self.line - 1 : self.line + lost])
        return old.decode(), after[self.line - 1].strip().decode()


class Outcome(NamedTuple):
    mutant: Mutant
    killed_by: str  # empty: it survived
    seconds: float


# ------------------------------------------------------------------ making them


class Finder(ast.NodeVisitor):
    """Every mutant of the functions of a module."""

    def __init__(self, game: str, source: bytes) -> None:
        self.game, self.source = game, source
        self.found: list[Mutant] = []
        self._line_starts = [0]
        for line in source.split(b"\n"):
            self._line_starts.append(self._line_starts[-1] + len(line) + 1)
        self._others = "s.players" if b'"players"' in source else "SEATS"
        self._in_function = False

    def _offsets(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self._line_starts[node.lineno - 1] + node.col_offset
        return start, self._line_starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._offsets(node)
        return self.source[start:end].decode()

    def _change(self, kind: str, node: ast.expr | ast.stmt, text: str) -> None:
        if self._in_function:
            self.found.append(Mutant(self.game, kind, node.lineno, *self._offsets(node), text))

    def _change_between(self, kind: str, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Change what is between two nodes: an operator."""
        start, end = self._offsets(left)[1], self._offsets(right)[0]
        between = self.source[start:end].decode()
        if self._in_function and between.count(old) == 1:
            line = left.end_lineno or left.lineno
            self.found.append(Mutant(self.game, kind, line, start, end, between.replace(old, new)))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._in_function = True
        for each in node.body:
            if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):  # no docstring
                self.visit(each)
        self._in_function = False

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, node.comparators, strict=False):
            if type(operator) in COMPARISONS:
                self._change_between("comparison", left, right, *COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._change_between("and/or", left, right, f"{old} ", f"{new} ")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add | ast.Sub):
            old, new = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
            self._change_between("plus/minus", node.left, node.right, old, new)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._change("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            self._change("constant", node, str(node.value + 1))
            if node.value > 0:
                self._change("constant", node, str(node.value - 1))

    def visit_Call(self, node: ast.Call) -> None:
        name = self._text(node.func)
        if name == "range":
            for change in ("- 1", "+ 1"):
                stop = node.args[-1] if len(node.args) < 3 else node.args[1]
                self._change("range", stop, f"({self._text(stop)}) {change}")
        elif name in ("min", "max"):
            self._change("min/max", node.func, "max" if name == "min" else "min")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._change("not", node, f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._wrong_seat(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._wrong_seat(node)

    def _wrong_seat(self, node: ast.Name | ast.Attribute) -> None:
        if isinstance(node.ctx, ast.Load) and self._text(node) in SEATS:
            self._change("wrong seat", node, f"(({self._text(node)} + 1) % {self._others})")

    def visit_If(self, node: ast.If) -> None:
        self._change("condition", node.test, f"not ({self._text(node.test)})")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Add | ast.Sub):
            old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
            self._change_between("plus/minus", node.target, node.value, old, new)
        self._drop(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not isinstance(node.targets[0], ast.Name):  # a local variable would be missed at once
            self._drop(node)
        else:
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        self._drop(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._drop(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self._drop(node)

    def _drop(self, node: ast.stmt) -> None:
        self._change("dropped statement", node, "pass")
        self.generic_visit(node)


def mutants(game: str, source: bytes, count: int, seed: int) -> list[Mutant]:
    """This many, of every kind in turn; the same seed gives the same ones."""
    finder = Finder(game, source)
    finder.visit(ast.parse(source))
    kinds: dict[str, list[Mutant]] = defaultdict(list)
    for each in finder.found:
        kinds[each.kind].append(each)
    chance = random.Random(seed)
    queues = [chance.sample(each, len(each)) for _, each in sorted(kinds.items())]
    taken: list[Mutant] = []
    while len(taken) < count and any(queues):
        taken += [queue.pop() for queue in queues if queue][: count - len(taken)]
    return taken


# ------------------------------------------------------------------ running the tests


def checkout(folder: Path) -> None:
    """A copy of what the tests of the rules need."""
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=NOT_NEEDED)
        else:
            shutil.copy(source, target)


def tests_of(game: str) -> list[list[str]]:
    """What `make test` runs for the rules of a game; the fastest and most sensitive first."""
    folder = rulebooks()[game].folder
    return [
        ["tests/test_golden.py", "-k", game],
        [f"tests/games/test_{folder}.py", f"tests/games/test_{folder}_positions.py"],
        ["tests/oracle/test_lockstep.py", "tests/conformance/test_conformance.py", "-k", game],
        ["tests/conformance/test_conformance.py", "-k", "interpreted"],
    ]


def killer(game: str, folder: Path, patience: float) -> str:
    """The first test that fails in this checkout; empty if none does."""
    environment = os.environ | {
        "LAGUNA_CACHE": str(folder / "cache"),  # gone with the mutant
        "PYTHONPATH": str(folder / "src"),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
    for tests in tests_of(game):
        try:
            done = subprocess.run(
                [*pytest, *tests],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=patience,
            )
        except subprocess.TimeoutExpired:
            return "it does not come to an end"
        if done.returncode:
            failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
            return failed[0].split()[1] if failed else f"pytest: {(done.stdout + done.stderr).strip()[-300:]}"
    return ""


def tried(mutant: Mutant, source: bytes, patience: float) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="laguna-mutant-") as name:
        folder = Path(name)
        checkout(folder)
        rules = folder / rules_of(mutant.game).relative_to(ROOT)
        rules.write_bytes(mutant.applied(source))
        start = time.monotonic()
        return Outcome(mutant, killer(mutant.game, folder, patience), time.monotonic() - start)


def rules_of(game: str) -> Path:
    return ROOT / "src" / "laguna" / "games" / rulebooks()[game].folder / "rules.py"


def seconds_unchanged(game: str) -> float:
    """How long the tests take when nothing is wrong."""
    with tempfile.TemporaryDirectory(prefix="laguna-mutant-") as name:
        checkout(Path(name))
        start = time.monotonic()
        if failed := killer(game, Path(name), 3600):
            raise SystemExit(f"{game}: {failed} fails without any mutant")
        return time.monotonic() - start


def survey(games: list[str], count: int, seed: int, jobs: int) -> Iterator[Outcome]:
    """Of all games side by side, each as soon as it is known."""
    with ThreadPoolExecutor(jobs) as pool:
        patience = {}
        for game, seconds in zip(games, pool.map(seconds_unchanged, games), strict=True):
            print(f"{game}: the tests take {seconds:.0f} s unchanged", flush=True)
            patience[game] = 60 + 2 * seconds
        running = []
        for game in games:
            source = rules_of(game).read_bytes()
            for mutant in mutants(game, source, count, seed):
                running.append(pool.submit(tried, mutant, source, patience[game]))
        for done in as_completed(running):
            outcome = done.result()
            print(described(outcome.mutant))
            print(f"    {outcome.seconds:.0f} s, {outcome.killed_by or 'SURVIVED'}", flush=True)
            yield outcome


def described(mutant: Mutant) -> str:
    before, after = mutant.lines(rules_of(mutant.game).read_bytes())
    reason = f" ({SAME[after]})" if after in SAME else ""
    return f"{mutant.game} line {mutant.line}, {mutant.kind}: {before}  →  {after}{reason}"


def plays_the_same(mutant: Mutant) -> bool:
    return mutant.lines(rules_of(mutant.game).read_bytes())[1] in SAME


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all")
    parser.add_argument("--count", type=int, default=30, help="mutants of each game")
    parser.add_argument("--seed", type=int, default=0, help="which mutants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--interpreted", action="store_true", help="without compiling them")
    given = parser.parse_args()
    if given.interpreted:
        os.environ["LAGUNA_JIT"] = "0"
    outcomes = list(survey(given.games or list(rulebooks()), given.count, given.seed, given.jobs))
    survivors = [outcome.mutant for outcome in outcomes if not outcome.killed_by]
    same = sum(map(plays_the_same, survivors))
    print(f"{len(outcomes) - len(survivors)} of {len(outcomes)} mutants are killed, {same} play the same")
    for mutant in survivors:
        print("survived:", described(mutant))
    return int(len(survivors) - same > (1 - ENOUGH) * (len(outcomes) - same))


if __name__ == "__main__":
    sys.exit(main())
