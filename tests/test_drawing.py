"""Boards drawn from Python: `game.svg()`, `game.png()`."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

import laguna
from laguna import drawing
from laguna.games.contract import LANGUAGES
from tests.drawings import FOLDER, SAMPLES, Sample

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {
    "circle",
    "clipPath",
    "defs",
    "ellipse",
    "g",
    "linearGradient",
    "path",
    "pattern",
    "radialGradient",
    "rect",
}
ALLOWED = DRAWN | {"stop", "svg", "title", "use"}
MAX_BYTES = 70_000
MAX_SECONDS = 0.05  # of processor time, for every picture but the first
TRIES = 12

by_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


def game() -> laguna.Game:
    return laguna.new("neptune-vesta", seed=3)


@by_sample
def test_a_picture_needs_nothing_else(sample: Sample) -> None:
    svg = sample.svg()
    root = ElementTree.fromstring(svg)
    assert {each.tag for each in root.iter()} <= {SVG + tag for tag in ALLOWED}
    attributes = [(name, value) for each in root.iter() for name, value in each.attrib.items()]
    assert not [
        name for name, _ in attributes if name in ("class", "style") or name.startswith(("on", "data-"))
    ]
    assert not re.search(r"var\(|calc\(|url\((?!#)|NaN|undefined|://", svg.partition(">")[2])
    ids = [value for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert set(ids) == set(re.findall(r'(?:href="#|url\(#)(\w+)', svg))
    assert len(svg.encode()) < MAX_BYTES


@by_sample
def test_the_same_board_is_the_same_picture(sample: Sample) -> None:
    assert sample.svg() == sample.svg()
    unmarked = sample.game().svg(sample.seat)
    assert (sample.svg() == unmarked) == (not sample.mark)


def test_two_boards_on_one_page_have_no_id_in_common() -> None:
    first, second = (set(re.findall(r' id="(\w+)"', sample.svg())) for sample in SAMPLES[:2])
    assert first and second and not first & second


@by_sample
def test_a_picture_is_drawn_quickly(sample: Sample) -> None:
    sample.svg()
    current = sample.game()
    seconds = []
    for _ in range(TRIES):
        started = time.process_time()
        current.svg(sample.seat, sample.mark)
        seconds.append(time.process_time() - started)
    assert min(seconds) < MAX_SECONDS


@by_sample
def test_a_png_has_the_size_asked_for(sample: Sample) -> None:
    picture = Image.open(io.BytesIO(sample.game().png(sample.seat, size=(520, 340))))
    assert picture.format == "PNG" and picture.size == (520, 340)
    assert len(picture.convert("RGB").getcolors(520 * 340) or []) > 100, "there is nothing on it"


@pytest.mark.parametrize("name", laguna.games())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_and_shape(name: str, language: str) -> None:
    board = laguna.new(name, seed=1)
    for size in ((900, 500), (400, 800)):
        root = ElementTree.fromstring(board.svg(size=size, language=language))
        assert (root.get("width"), root.get("height")) == tuple(map(str, size))


@pytest.mark.parametrize("name", laguna.games())
def test_nothing_hidden_is_in_a_picture(name: str) -> None:
    """Worlds that a seat cannot tell apart look the same to it."""
    board = laguna.new(name, seed=5)
    for _ in range(12):
        board.play(board.legal()[-1])
    for seat in range(board.players):
        assert board.imagine(seat, seed=8).svg(seat) == board.svg(seat)


def test_marks_are_rings_around_their_spots() -> None:
    board = game()
    marked = board.svg(mark=["cell:Ra1", "lighthouse"])
    rings = re.findall(r'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"[^>]*/>', marked)
    plain = re.findall(r'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"[^>]*/>', board.svg())
    new = [tuple(map(float, ring)) for ring in rings if ring not in plain]
    assert len(new) == 4, "two rings, each with a halo"
    x, y, width, height = new[0]
    assert (x + width / 2, y + height / 2) == pytest.approx((91.5, 199.5), abs=1)
    assert width == pytest.approx(83, abs=1) and height == pytest.approx(83, abs=1)


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"mark": "cell:Ra1"}, "Marks must be a list of spots such as 'cell:a1', not 'cell:Ra1'."),
        ({"mark": 7}, "Marks must be a list of spots such as 'cell:a1', not 7."),
        ({"mark": [7]}, "A spot is named by text such as 'cell:a1', not 7."),
        ({"mark": ["cell:Ra1", "cell:z9"]},
         "There is no spot 'cell:z9' on this board; spots are corner:blue, lighthouse or cell:Be5, "
         "for example."),
        ({"size": ()}, "A size is a pair of width and height, not ()."),
        ({"size": 300}, "A size is a pair of width and height, not 300."),
        ({"size": (300, 20)}, "The height must be a whole number from 100 to 4000, not 20."),
        ({"size": (300.5, 200)}, "The width must be a whole number from 100 to 4000, not 300.5."),
        ({"language": "de"}, "Boards are labeled in en, ru or it, not in 'de'."),
        ({"seat": 2}, "There is no seat 2; the seats are 0 or 1."),
    ],
)  # fmt: skip
def test_bad_arguments(wishes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(laguna.BadOption) as refused:
        game().svg(**wishes)
    assert refused.value.sentence == sentence


def test_a_game_without_a_face_has_no_picture() -> None:
    path = os.pathsep.join([str(FOLDER.parents[1] / "fifth_game"), *sys.path])
    call = "import laguna; game = laguna.new('dice-nim'); print(game._repr_svg_()); game.svg()"
    environment = os.environ | {"PYTHONPATH": path, "LAGUNA_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", call], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.stdout == "None\n"
    sentence = "There is no drawing of Dice Nim: the page has no face for this game."
    assert done.stderr.splitlines()[-1] == f"laguna.errors.LagunaError: {sentence}"


def test_without_the_built_script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(drawing, "SCRIPT", tmp_path / "boards.js")
    monkeypatch.setattr(drawing, "_artist", drawing._Artist())
    with pytest.raises(laguna.LagunaError, match=r"which is not built; run `python hatch_build.py`"):
        game().svg()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = game().svg()
    needs = r"Drawing boards needs more libraries: pip install 'laguna-table\[svg\]'\."
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(drawing, "_artist", drawing._Artist())
    with pytest.raises(laguna.LagunaError, match=needs):
        game().svg()
    with pytest.raises(laguna.LagunaError, match=needs):
        drawing.as_png(svg)
    assert game()._repr_svg_() is None, "a notebook shows it as text"


def test_in_a_notebook_an_event_loop_is_running() -> None:
    async def shown() -> str | None:
        return game()._repr_svg_()

    assert asyncio.run(shown()) == asyncio.run(shown()) == game().svg()


def test_several_threads_draw() -> None:
    with ThreadPoolExecutor(4) as pool:
        pictures = list(pool.map(lambda _: game().svg(), range(8)))
    assert set(pictures) == {game().svg()}


def drawn_or_refused(_: int) -> str:
    try:
        return game().svg()
    except laguna.LagunaError as refused:
        return refused.sentence


def test_a_forked_process_is_told_why_it_cannot_draw() -> None:
    game().svg()
    with get_context("fork").Pool(1) as pool:
        assert pool.map(drawn_or_refused, [0])[0].startswith("A forked process cannot draw boards")


def test_a_process_that_has_drawn_ends() -> None:
    call = "import laguna; print(len(laguna.new('neptune-vesta', seed=1).svg()))"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "" and int(done.stdout) > 1000


@pytest.mark.proof
def test_show_draws_files(tmp_path: Path) -> None:
    file = FOLDER.parent / "neptune-vesta-match.laguna.json"
    paths = [tmp_path / "board.svg", tmp_path / "board.png"]
    words = ["show", str(file), "--at", "9", "--svg", str(paths[0]), "--png", str(paths[1])]
    call = [sys.executable, "-m", "laguna", *words]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    current = laguna.load(file)
    current.back_to(9)
    assert paths[0].read_text(encoding="utf-8") == current.svg()
    assert paths[1].read_bytes() == current.png()
    again = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert again.returncode == 2 and "already exists" in again.stderr
