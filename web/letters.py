"""Writes src/still/letters.json: the outlines of letters, and which pairs stand closer than their widths say.

With them a picture needs no typeface. Run it after an update of the typeface:
`pip install "fonttools[woff]"`, then `python web/letters.py`.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

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
NAMES = 600  # the weight of people's names, for which there are more letters
MORE_LETTERS = {
    "latin": [*map(chr, range(0xA1, 0x100)), *"‐‘“”„•€"],
    "latin-ext": [*map(chr, range(0x100, 0x180)), *"ȘșȚțẞ"],
    "cyrillic": [*map(chr, [*range(0x400, 0x410), *range(0x450, 0x460)]), *"Ґґ"],
    "greek": [*map(chr, [*range(0x384, 0x38B), 0x38C, *range(0x38E, 0x3A2), *range(0x3A3, 0x3CF)])],
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


def pairs() -> set[str]:
    """The pairs of letters in the texts of the games, and all pairs of digits."""
    texts = [path.read_text(encoding="utf-8") for path in WEB.glob("src/games/*/words/*.json")]
    return {"".join(pair) for text in texts for pair in pairwise(text)} | {f"{n:02}" for n in range(100)}


def typeface(subset: str, weight: int) -> Any:
    font = TTFont(FILES / f"commissioner-{subset}-flar-normal.woff2")
    return instantiateVariableFont(font, {"wght": weight, "FLAR": FLARE})


def outlines(font: Any, letters: list[str]) -> dict[str, tuple[int, str]]:
    """For each letter its width, and its outline as the data of an SVG path."""
    scale = UNIT / font["head"].unitsPerEm
    glyphs = font.getGlyphSet()
    names = font.getBestCmap()
    found = {}
    for letter in letters:
        glyph = glyphs[names[ord(letter)]]
        pen = RelativePen(glyphs)
        glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        found[letter] = (round(glyph.width * scale), pen.data)
    return found


def kerning(font: Any, letters: list[str], wanted: set[str]) -> dict[str, int]:
    """For each wanted pair of these letters by how much more the second is apart, where it is not 0."""
    scale = UNIT / font["head"].unitsPerEm
    names = font.getBestCmap()
    table = font["GPOS"].table
    used = {
        at
        for each in table.FeatureList.FeatureRecord
        if each.FeatureTag == "kern"
        for at in each.Feature.LookupListIndex
    }
    lookups = [table.LookupList.Lookup[at].SubTable for at in sorted(used)]
    found = {}
    for pair in wanted:
        if set(pair) <= set(letters):
            one, other = (names[ord(letter)] for letter in pair)
            apart = sum(closeness(subtables, one, other) for subtables in lookups)
            if round(apart * scale):
                found[pair] = round(apart * scale)
    return found


def closeness(subtables: list[Any], one: str, other: str) -> int:
    """What the first subtable says that knows the pair."""
    for each in subtables:
        table = getattr(each, "ExtSubTable", each)
        if one not in table.Coverage.glyphs:
            continue
        if table.Format == 1:
            records = table.PairSet[table.Coverage.glyphs.index(one)].PairValueRecord
            values = [record.Value1 for record in records if record.SecondGlyph == other]
        else:
            first, second = (
                classes.classDefs.get(glyph, 0)
                for classes, glyph in ((table.ClassDef1, one), (table.ClassDef2, other))
            )
            values = [table.Class1Record[first].Class2Record[second].Value1]
        if values:
            return getattr(values[0], "XAdvance", 0) or 0
    return 0


def more_letters(known: dict[str, tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """The outlines of letters that only names need, as far as the typeface has them."""
    found: dict[str, tuple[int, str]] = {}
    for subset, letters in MORE_LETTERS.items():
        font = typeface(subset, NAMES)
        drawn = font.getBestCmap()
        found |= outlines(font, [each for each in letters if ord(each) in drawn and each not in known])
    return found


def main() -> None:
    wanted = pairs()
    data: dict[str, Any] = {"unit": UNIT, "letters": {}, "kerning": {}}
    for weight in WEIGHTS:
        fonts = [(typeface(subset, weight), letters) for subset, letters in LETTERS.items()]
        data["letters"][weight] = {
            k: v for font, letters in fonts for k, v in outlines(font, letters).items()
        }
        if weight == NAMES:
            data["letters"][weight] |= more_letters(data["letters"][weight])
        kerned = {k: v for font, letters in fonts for k, v in kerning(font, letters, wanted).items()}
        data["kerning"][weight] = dict(sorted(kerned.items()))
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    OUT.write_text(text.replace("},", "},\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
