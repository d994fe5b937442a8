"""The tables and the drawing in the rules text of Mille Fiori say what the components say."""

from __future__ import annotations

import io
from xml.etree import ElementTree

from rich.console import Console
from rich.markdown import Markdown

from laguna.games.mille_fiori import components as box
from laguna.games.mille_fiori.names import CELL_NAMES, CELL_NUMBERS
from laguna.rulebook import PLACES, rules_text

ID = "mille-fiori"
SVG = "{http://www.w3.org/2000/svg}"


def tables(first_heading: str) -> list[list[list[str]]]:
    """The tables that begin with this word, row by row; the first row is the heading."""
    found = []
    for part in rules_text(ID).split("\n\n"):
        if part.startswith(f"| {first_heading} |"):
            lines = [line for line in part.splitlines() if not line.startswith("|---")]
            found.append([[cell.strip() for cell in line.strip("|").split("|")] for line in lines])
    return found


def listed(cell: str) -> list[str]:
    return cell.split(", ")


def shown_on(cell: str) -> str:
    return str(box.TYPES[box.CELL_TYPE[CELL_NUMBERS[cell]]])


def test_m1_the_table_of_wheels() -> None:
    [(_, *rows)] = tables("type")
    assert {kind: tuple(map(int, listed(wheels))) for kind, _, _, wheels in rows} == box.WHEELS
    for kind, area, count, wheels in rows:
        assert area == box.AREAS[box.AREA_OF_TYPE[box.TYPES.index(kind)]]
        assert int(count) == len(listed(wheels))


def test_m14_the_table_of_workshops() -> None:
    [(_, *rows)] = tables("workshop")
    assert [row[0] for row in rows] == [f"W{cell}" for cell in range(30)]
    for cell, (name, material, touches, around) in enumerate(rows):
        assert material == shown_on(name)
        assert listed(touches) == [f"W{other}" for other in box.NEIGHBORS[cell]]
        [triple] = [triple for triple in box.TRIPLES if cell in triple]
        assert listed(around) == [f"W{other}" for other in triple if other != cell]


def test_m18_the_tables_of_residences() -> None:
    columns = [column for head, numbers in tables("residence") for column in zip(head, numbers, strict=True)]
    shown = {name: int(number) for name, number in columns if name != "residence"}
    assert list(shown) == [f"R{cell}" for cell in range(20)]
    assert list(shown.values()) == box.RESIDENCE_NUMBERS.tolist()


def test_m22_the_table_of_the_pyramids() -> None:
    [(_, *rows)] = tables("level")
    assert [row[0] for row in rows] == ["top", "middle", "bottom"]
    shown: dict[str, str] = {}
    for _, points, *pyramids in rows:
        for cell in (each for pyramid in pyramids for each in listed(pyramid)):
            name, symbol = cell.split()
            shown[name] = symbol
            place = (CELL_NUMBERS[name] - box.FIRST[box.NOBLES]) % box.PYRAMID
            assert int(points) == box.LEVEL_POINTS[place]
    assert shown == {name: shown_on(name) for name in CELL_NAMES if name[0] in "NC"}


def test_m32_the_table_of_fleets() -> None:
    [(goods, points)] = tables("filled goods in the row")
    assert list(map(int, goods[1:])) == list(range(5))
    assert list(map(int, points[1:])) == box.FLEET_POINTS.tolist()


def test_m34_the_tables_of_the_sea_route() -> None:
    columns = [column for rows in tables("space") for column in zip(*rows, strict=True)]
    shown = {int(space): (int(points), extra) for space, points, extra in columns if space != "space"}
    assert list(shown) == list(range(1, box.SEA_END + 1))
    assert [0, *(points for points, _ in shown.values())] == box.SEA_POINTS.tolist()
    assert tuple(space for space, (_, extra) in shown.items() if extra == "yes") == box.SEA_EXTRA_CARDS


def test_the_drawing_shows_every_cell() -> None:
    [folder] = [place for place in PLACES if (place / f"{ID}.svg").is_file()]
    assert f"]({ID}.svg)" in rules_text(ID)
    drawing = ElementTree.parse(folder / f"{ID}.svg").getroot()
    shown = {
        group.get("id"): [text.text for text in group.iter(f"{SVG}text")] for group in drawing.iter(f"{SVG}g")
    }
    numbers = {f"R{cell}": str(number) for cell, number in enumerate(box.RESIDENCE_NUMBERS.tolist())}
    for name in CELL_NAMES:
        shows = "ship" if name[0] == "H" else numbers.get(name, shown_on(name))
        assert shown.pop(name) == [shows, name]
    for space, points in enumerate(box.SEA_POINTS.tolist()):
        assert shown.pop(f"S{space}") == ["start" if space == 0 else str(points), str(space)]
    assert shown == {}


def test_the_text_is_readable_in_a_terminal() -> None:
    """A terminal names the drawing in words and draws the tables."""
    printed = io.StringIO()
    Console(file=printed, width=100, force_terminal=True).print(Markdown(rules_text(ID)))
    lines = printed.getvalue()
    assert "The board, drawn as a plan" in lines and "![" not in lines
    assert "|---" not in lines and "W13, W14" in lines
