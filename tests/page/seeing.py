"""What a picture looks like to somebody, and how different two pictures look to them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from playwright.sync_api import CDPSession

from tests.page.visitor import Visitor

VISIONS = ("none", "deuteranopia", "protanopia", "tritanopia", "achromatopsia")
SIDE = 48  # pixels: pictures are scaled to this size to be compared
EDGE = 0.08  # the share of a picture's side that shows what is around the piece
ASIDE = 3  # pixels by which the same piece may be shifted in its picture
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


class Eyes:
    """A visitor's page as people with this vision see it, simulated by the browser."""

    def __init__(self, visitor: Visitor) -> None:
        self._page = visitor.page
        self._protocol: CDPSession = visitor.context.new_cdp_session(visitor.page)

    def see(self, vision: str) -> Image.Image:
        self._protocol.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
        picture = Image.open(io.BytesIO(self._page.screenshot(animations="disabled")))
        self._protocol.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        return picture.convert("RGB")


def lab(picture: Image.Image) -> NDArray[np.float64]:
    """As CIE Lab, in which distances correspond roughly to the differences that people perceive."""
    width, height = picture.size
    inside = picture.crop(
        (int(width * EDGE), int(height * EDGE), int(width * (1 - EDGE)), int(height * (1 - EDGE)))
    )
    glance = inside.resize((SIDE, SIDE), Image.Resampling.LANCZOS).filter(ImageFilter.GaussianBlur(0.8))
    rgb = np.asarray(glance, np.float64) / 255
    linear = np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)
    xyz = linear @ TO_XYZ.T / WHITE
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    x, y, z = np.moveaxis(root, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def difference(one: Image.Image, other: Image.Image) -> float:
    """How different they look where they differ most, when they are aligned as well as possible."""
    first, second = lab(one), lab(other)
    middle = first[ASIDE:-ASIDE, ASIDE:-ASIDE]
    side = SIDE - 2 * ASIDE
    least = np.inf
    for down in range(2 * ASIDE + 1):
        for across in range(2 * ASIDE + 1):
            laid = second[down : down + side, across : across + side]
            distances = np.sort(np.linalg.norm(middle - laid, axis=-1).ravel())
            least = min(least, float(distances[-len(distances) // 10 :].mean()))
    return least


def crop(picture: Image.Image, box: dict[str, Any]) -> Image.Image:
    left, top = box["x"], box["y"]
    return picture.crop((round(left), round(top), round(left + box["width"]), round(top + box["height"])))
