"""Writes src/still/letters.json: the outlines of the letters on the boards, so that a picture needs no typeface.

Run it after an update of the typeface: `pip install "fonttools[woff]"`, then `python web/letters.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

WEB = Path(__file__).resolve().parent
FILES = WEB / "node_modules" / "@fontsource-variable" / "commissioner" / "files"
OUT = WEB / "src" / "still" / "letters.json"
UNIT = 500  # of the outlines: a text of this size is not scaled
FLARE = 100  # as page.css has it for texts in drawings
WEIGHTS = (400, 600, 700)
LETTERS = {
    "latin": [*map(chr, range(0x20, 0x7F)), *"\xa0«»·×ÀÈÉÌÒÙàèéìòù–—’…−"],
    "cyrillic": [*map(chr, range(0x410, 0x450)), *"Ёё"],
}


class RelativePen(BasePen):  # type: ignore[misc]
    """The data of an SVG path, each point as seen from the last one: that takes the fewest characters."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.data = ""
        self.at = self.start = (0, 0)

    def _add(self, command: str, *points: tuple[float, float]) -> None:
        rounded = [(round(x), round(y)) for x, y in points]
        numbers = " ".join(f"{x - self.at[0]} {y - self.at[1]}" for x, y in rounded)
        self.data += command + numbers.replace(" -", "-")
        self.at = rounded[-1]

    def _moveTo(self, point: Any) -> None:  # noqa: N802
        self._add("m", point)
        self.start = self.at

    def _lineTo(self, point: Any) -> None:  # noqa: N802
        self._add("l", point)

    def _qCurveToOne(self, bend: Any, point: Any) -> None:  # noqa: N802
        self._add("q", bend, point)

    def _closePath(self) -> None:  # noqa: N802
        self.data += "z"
        self.at = self.start


def outlines(subset: str, weight: int) -> dict[str, tuple[int, str]]:
    """For each letter the distance to the next one, and its outline as the data of an SVG path."""
    font = TTFont(FILES / f"commissioner-{subset}-flar-normal.woff2")
    scale = UNIT / font["head"].unitsPerEm
    glyphs = font.getGlyphSet(location={"wght": weight, "FLAR": FLARE})
    names = font.getBestCmap()
    found = {}
    for letter in LETTERS[subset]:
        glyph = glyphs[names[ord(letter)]]
        pen = RelativePen(glyphs)
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        found[letter] = (round(glyph.width * scale), pen.data)
    return found


def main() -> None:
    letters = {
        weight: {letter: way for subset in LETTERS for letter, way in outlines(subset, weight).items()}
        for weight in WEIGHTS
    }
    text = json.dumps({"unit": UNIT, "letters": letters}, ensure_ascii=False, separators=(",", ":"))
    OUT.write_text(text.replace("},", "},\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
