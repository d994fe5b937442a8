"""A board drawn from Python is the board that the page shows."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, WebSocketRoute

from laguna.drawing import draw
from tests.drawings import SAMPLES, Sample
from tests.page.conftest import Visits
from tests.page.visitor import Visitor
from tests.size import scaled

# The board alone, in a box of the size of the picture.
ALONE = """([width, height, background]) => {
  const { style } = document.querySelector("#board");
  Object.assign(style, { position: "fixed", left: 0, top: 0, zIndex: 99, background });
  Object.assign(style, { width: `${width}px`, height: `${height}px` });
  document.querySelector("#board > .marks").style.display = "none";
}"""
PAPER = "#f7f2e8"
GRAIN = 6  # pixels: what is compared are means of squares of this side, so that soft edges need not be equal
ALIKE = 40  # of 255: by how much two of them may differ,
LAID_OUT_ANEW = (
    90  # and where the page has HTML that the picture lays out itself: the treasures of Venice 2099
)
CORNER = 12  # pixels: the page rounds the corners of its boards


def show(visitor: Visitor, sample: Sample, size: tuple[int, int]) -> None:
    """Open a table of the game and put the sample's view in the place of what the server sends."""
    game = sample.game()
    players = game.players
    table = visitor.open_table(game.meta.id, ["me", *["turtle"] * (players - 1)], dict(game.options))

    def hear(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            frame = json.loads(message)
            if frame["is"] in ("table", "changed"):
                frame["view"]["game"] = game.view(sample.seat) | {"legal": []}
                frame["view"]["may"] = []
            route.send(json.dumps(frame))

        server.on_message(pass_on)

    visitor.page.route_web_socket("**/api/socket", hear)
    visitor.sit_down(table)
    visitor.page.evaluate(ALONE, [*size, PAPER])
    visitor.page.mouse.move(size[0] + 1, size[1] + 1)
    visitor.page.wait_for_timeout(500)


def photograph(page: Any, size: tuple[int, int]) -> Image.Image:
    clip = {"x": 0, "y": 0, "width": size[0], "height": size[1]}
    return Image.open(io.BytesIO(page.screenshot(clip=clip, animations="disabled"))).convert("RGB")


def drawn(chrome: Browser, svg: str, size: tuple[int, int]) -> Image.Image:
    context = chrome.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.set_content(f'<body style="margin: 0; background: {PAPER}">{svg}</body>')
    picture = photograph(page, size)
    context.close()
    return picture


def difference(one: Image.Image, other: Image.Image) -> float:
    """By how much the squares differ that differ most; the corners are left out."""

    def grains(picture: Image.Image) -> Any:
        width, height = picture.size
        return np.asarray(picture.resize((width // GRAIN, height // GRAIN), Image.Resampling.BOX), np.float64)

    far = np.abs(grains(one) - grains(other)).max(axis=-1)
    round_corner = CORNER // GRAIN
    for down in (slice(None, round_corner), slice(-round_corner, None)):
        for across in (slice(None, round_corner), slice(-round_corner, None)):
            far[down, across] = 0
    return float(far.max())


def parts(picture: Image.Image, game: str) -> list[tuple[Image.Image, float]]:
    """What is compared, and how much it may differ."""
    if game != "venice-2099":
        return [(picture, ALIKE)]
    width, height = picture.size
    return [
        (picture.crop((0, 0, height, height)), ALIKE),
        (picture.crop((height, 0, width, height)), LAID_OUT_ANEW),
    ]


def alike(one: Image.Image, other: Image.Image, game: str) -> bool:
    pairs = zip(parts(one, game), parts(other, game), strict=True)
    return all(difference(first, second) < limit for (first, limit), (second, _) in pairs)


def without_a_piece(view: dict[str, Any]) -> dict[str, Any]:
    """The view with one pawn fewer; in games without pawns, with one tile or lozenge fewer on the board."""
    if "pawns" in view:
        return view | {"pawns": [view["pawns"][0][1:], *view["pawns"][1:]]}
    return view | {"board": dict(list(view["board"].items())[1:])}


def without_a_treasure(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [view | {"market": view["market"][:-1]}] if "market" in view else []


@pytest.mark.parametrize("sample", scaled(SAMPLES[:1], SAMPLES), ids=lambda sample: sample.name)
def test_a_board_drawn_from_python_is_the_one_on_the_page(
    visit: Visits, chrome: Browser, sample: Sample
) -> None:
    game = sample.game()
    svg = game.svg(sample.seat)
    width, height = map(int, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    size = (width, height)
    ada = visit()
    ada.page.set_viewport_size({"width": width + 20, "height": height + 20})
    show(ada, sample, size)
    page = photograph(ada.page, size)
    view = game.view(sample.seat)
    assert alike(page, drawn(chrome, svg, size), game.meta.id)
    for fewer in [without_a_piece(view), *without_a_treasure(view)]:
        picture = drawn(chrome, draw(game.meta.title, fewer, (), None, "en"), size)
        assert not alike(page, picture, game.meta.id), "something that is missing would not be noticed"
