"""`python -m tests.fuzz`: feed every parser nonsense, in processes of their own (docs/fuzzing.md)."""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import journal
from tests.fuzz.journal import Feeding
from tests.fuzz.shrinking import shrunk
from tests.fuzz.targets import TARGETS
from tests.fuzz.worker import FOUND, Note

FOUND_HERE = Path(__file__).with_name("found")
PIECE = 1_000_000  # inputs of one worker at most
STUCK = 60.0  # seconds in which a worker must feed at least one input
EVERY = 10.0  # seconds between two lines of progress


class Fed(NamedTuple):
    """What came of a worker."""

    feeding: Feeding
    error: str  # empty if there was none
    data: bytes  # the last input


def main() -> int:
    given = arguments()
    given.folder.mkdir(parents=True, exist_ok=True)
    totals, bad = given.folder / "totals.jsonl", 0
    for name in given.targets or TARGETS:
        left, seed = given.inputs, given.seed
        while left > 0:
            fed = feed(name, min(left, PIECE), seed, given.folder, given.plain)
            left, seed = left - fed.feeding.inputs, seed + 1
            if fed.error and not fed.feeding.inputs:
                sys.exit(f"{name} could not be fed: {fed.error}")
            if fed.error:
                fed.feeding.found = keep(name, fed).name
                bad += 1
            journal.add(totals, fed.feeding)
            if fed.error:
                break
    print(journal.table(journal.read(totals)))
    return min(bad, 1)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    about = ", ".join(TARGETS)
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help=f"which parsers, by default all: {about}"
    )
    parser.add_argument("--inputs", type=int, default=100_000, help="for each target (default: 100000)")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/fuzz"), help="of totals and corpora (default: build/fuzz)"
    )
    parser.add_argument("--plain", action="store_true", help="without coverage, as where atheris is missing")
    given = parser.parse_args()
    for name in given.targets:
        if name not in TARGETS:
            parser.error(f"there is no target {name!r}; there are {about}")
    if given.inputs < 1 or given.seed < 0:
        parser.error("--inputs is 1 or more, --seed 0 or more")
    if not importlib.util.find_spec("atheris") and not given.plain:
        print("atheris is not installed: inputs are not guided by coverage.", file=sys.stderr)
        given.plain = True
    return given


def feed(name: str, inputs: int, seed: int, folder: Path, plain: bool) -> Fed:
    """One worker; its last words are in the folder."""
    note, corpus, words = folder / f"{name}.note", folder / name, folder / f"{name}.log"
    note.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.worker", name, "--inputs", str(inputs), "--seed", str(seed)]
    command += ["--note", str(note)]
    if not plain:
        plant(name, corpus)
        command += ["--corpus", str(corpus)]
    before = os.times()
    with words.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        reader = Note(note)
        stuck = watch(name, process, reader)
    after, (count, data) = os.times(), reader.read()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    error = (
        "" if process.returncode == 0 and count >= inputs else last_words(words, process.returncode, stuck)
    )
    megabytes = round(reader.memory / 1e6)
    return Fed(Feeding(name, count, seed, not plain, round(seconds, 1), megabytes), error, data)


def plant(name: str, corpus: Path) -> None:
    """The seeds, for the first worker of a target; what it finds stays for the next."""
    if not corpus.is_dir():
        corpus.mkdir()
        for number, data in enumerate(TARGETS[name].seeds()):
            (corpus / f"seed-{number}").write_bytes(data)


def watch(name: str, process: subprocess.Popen[bytes], note: Note) -> bool:
    """Tell how far it is until it ends; True if it had to be ended because it did not go on."""
    begun = told = moved = time.monotonic()
    last = 0
    while process.poll() is None:
        time.sleep(0.05)
        now, count = time.monotonic(), note.read()[0]
        if count > last:
            last, moved = count, now
        elif now - moved > STUCK * (1 if last else 5):  # at first it has to compile
            process.kill()
            process.wait()
            return True
        if now - told > EVERY:
            told = now
            print(
                f"{name}: {count:,} inputs, {count / (now - begun):,.0f} a second",
                file=sys.stderr,
                flush=True,
            )
    return False


def last_words(log: Path, code: int, stuck: bool) -> str:
    if stuck:
        return f"It did not go on for {STUCK:.0f} seconds."
    text = log.read_text(errors="replace")
    return text[-4000:] if code == FOUND else f"It ended with code {code}.\n{text[-4000:]}"


def keep(name: str, fed: Fed) -> Path:
    """Save what failed, as short as can be, where the tests replay it."""
    data = fed.data
    if "TooSlow" not in fed.error and "Traceback" in fed.error:
        data = shrunk(TARGETS[name].prepare(), data)
    path = FOUND_HERE / f"{name}-{hashlib.sha256(data).hexdigest()[:8]}"
    path.write_bytes(data)
    print(f"{name}: {data!r:.400}\n{fed.error}\nIt is kept as {path}.", file=sys.stderr)
    return path


if __name__ == "__main__":
    sys.exit(main())
