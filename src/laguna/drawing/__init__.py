"""Boards as pictures, drawn by the page's own components.

`boards.js` beside this file is built from `web/src/still`, together with the page, and runs in V8, which the
extra `svg` brings along. It is given a view and nothing else, so no picture shows what is hidden.
"""

from __future__ import annotations

import atexit
import json
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, convert, field, to_builtins

from laguna.drawing.rasterize import pixels
from laguna.errors import BadOption, LagunaError, either, quoted, whole_number
from laguna.games.contract import LANGUAGES

if TYPE_CHECKING:
    import numpy as np

SCRIPT = Path(__file__).with_name("boards.js")
RASTERIZE = Path(__file__).with_name("rasterize.py")
MIN_SIZE, MAX_SIZE = 100, 4000  # pixels
MAX_NAMED = 5  # spots in a message
PATIENCE = 20  # seconds for a picture; one takes a few hundredths of a second


class _Artist:
    """The script in a V8 of its own, started with the first picture.

    A thread draws one picture after the other: V8 would attach itself to an event loop that runs where it is
    started, as in a notebook, and be lost with it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._engine: Any = None
        self._process = 0  # that has the thread and V8

    def draw(self, function: str, request: dict[str, Any]) -> dict[str, Any]:
        """What a function of the script answers."""
        if self._process not in (0, os.getpid()):
            sentence = "A forked process cannot draw boards if its parent has; start it with spawn instead."
            raise LagunaError("forked", sentence)
        with self._lock:
            if self._thread is None:
                self._thread, self._process = ThreadPoolExecutor(1), os.getpid()
        return self._thread.submit(self._draw, function, request).result()

    def _draw(self, function: str, request: dict[str, Any]) -> dict[str, Any]:
        if self._engine is None:
            self._engine = _start()
            atexit.register(self._stop)
        drawn = self._engine.eval(f"still.{function}({json.dumps(request)}).then(JSON.stringify)")
        answer: dict[str, Any] = json.loads(drawn.get(timeout=PATIENCE))
        return answer

    def _stop(self) -> None:
        """Left running, V8 would keep the process from ending."""
        if self._process == os.getpid():
            self._engine.close()


def _start() -> Any:
    try:
        from py_mini_racer import MiniRacer
    except ImportError:
        raise _not_installed() from None
    if not SCRIPT.exists():
        raise _not_built()
    engine = MiniRacer()
    engine.eval(SCRIPT.read_text(encoding="utf-8"))
    return engine


_artist = _Artist()


def draw(
    title: str, view: dict[str, Any], mark: Iterable[str], size: tuple[int, int] | None, language: str
) -> str:
    """The board of a view as a standalone SVG. The arguments are those of `Game.svg`."""
    marks = _marks(mark)
    if language not in LANGUAGES:
        sentence = f"Boards are labeled in {either(LANGUAGES)}, not in {quoted(language, 40)}."
        raise BadOption("language", sentence)
    pixels = None if size is None else _size(size)
    request = {"title": title, "view": view, "mark": marks, "size": pixels, "language": language}
    answer = _artist.draw("draw", request)
    if "missing" in answer:
        raise _no_spots(answer["missing"], answer["spots"])
    if "svg" not in answer:
        raise _no_face(title)
    return str(answer["svg"])


class Box(NamedTuple):
    """Where a spot is in the picture of its board."""

    x: float
    y: float
    width: float
    height: float


def spots(title: str, view: dict[str, Any]) -> dict[str, Box]:
    """The spots of a board by their names, such as "cell:a1", in the units of its picture."""
    answer = _artist.draw("spots", {"view": view})
    if "spots" not in answer:
        raise _no_face(title)
    return {name: Box(**box) for name, box in answer["spots"].items()}


class Moment(NamedTuple):
    """What somebody did, what came of it, and the view after it; all as JSON-safe data."""

    action: dict[str, Any]
    events: list[dict[str, Any]]
    view: dict[str, Any]


class Places(Struct, frozen=True):
    """Where an action took place, by the names of spots, as the page marks it; some are not on the board."""

    to: list[str]  # where a piece went, or what was chosen
    gone: list[str]  # what was taken away
    start: str | None = field(default=None, name="from")


def places(title: str, game: str, moments: list[Moment]) -> list[Places]:
    """Where each of these actions of a game took place."""
    answer = _artist.draw("places", {"game": game, "moments": [moment._asdict() for moment in moments]})
    if "places" not in answer:
        raise _no_face(title)
    return convert(answer["places"], list[Places])


class CardSeat(Struct, frozen=True):
    """A player on a card: a name, or a bot's level."""

    name: str
    level: str | None = None
    resigned: bool = False


class Card(Struct, frozen=True):
    """What a card shows. Without a result it shows only which game is played.

    `view` is the position at the end, as JSON; without it the game's own picture is drawn.
    """

    game: str
    title: str
    language: str
    view: str | None = None
    seats: tuple[CardSeat, ...] = ()
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


def check_possible() -> None:
    """Raises a LagunaError if this installation cannot draw."""
    if find_spec("py_mini_racer") is None or find_spec("resvg_py") is None:
        raise _not_installed()
    if not SCRIPT.exists():
        raise _not_built()


def draw_card(card: Card) -> str:
    """The card as a standalone SVG. Names that our typeface cannot spell stay text in it."""
    request = to_builtins(card)
    request["view"] = None if card.view is None else json.loads(card.view)
    return str(_artist.draw("card", request)["svg"])


def as_png(svg: str) -> bytes:
    """The picture in pixels, as large as the SVG says. Text in it needs a font of this machine."""
    try:
        return pixels(svg)
    except ImportError:
        raise _not_installed() from None


def as_array(svg: str) -> np.ndarray[Any, Any]:
    """The same on white, as rows of pixels of red, green and blue (uint8)."""
    import numpy as np

    try:
        from PIL import Image
    except ImportError:
        raise _not_installed() from None
    picture = Image.open(BytesIO(as_png(svg)))
    white = Image.new("RGBA", picture.size, "white")
    return np.array(Image.alpha_composite(white, picture).convert("RGB"))


def _marks(mark: Any) -> list[str]:
    if isinstance(mark, str) or not isinstance(mark, Iterable):
        raise BadOption("mark", f"Marks must be a list of spots such as 'cell:a1', not {quoted(mark, 40)}.")
    marks = list(mark)
    for each in marks:
        if not isinstance(each, str):
            raise BadOption("mark", f"A spot is named by text such as 'cell:a1', not {quoted(each, 40)}.")
    return marks


def _size(size: Any) -> tuple[int, int]:
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise BadOption("size", f"A size is a pair of width and height, not {quoted(size, 40)}.")
    width, height = (
        whole_number(pixels, f"The {name}", MIN_SIZE, MAX_SIZE, "size")
        for name, pixels in zip(("width", "height"), size, strict=True)
    )
    return width, height


def _no_spots(missing: list[str], spots: list[str]) -> BadOption:
    kinds = {spot.partition(":")[0]: spot for spot in spots}  # one of each kind
    known = either(list(kinds.values())[:MAX_NAMED])
    sentence = f"There is no spot {quoted(missing[0], 40)} on this board; spots are {known}, for example."
    return BadOption("mark", sentence)


def _no_face(title: str) -> LagunaError:
    sentence = f"There is no drawing of {title}: the page has no face for this game."
    return LagunaError("no-drawing", sentence)


def _not_installed() -> LagunaError:
    sentence = "Drawing boards needs more libraries: pip install 'laguna-table[svg]'."
    return LagunaError("no-svg", sentence)


def _not_built() -> LagunaError:
    sentence = "Boards are drawn by the page's script, which is not built; run `python hatch_build.py`."
    return LagunaError("not-built", sentence)
