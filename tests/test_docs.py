"""The docs say what the code does: generated pages are up to date, the reference is complete, links work."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from docs.generate.datasheets import SPEED, without_speed
from docs.generate.drawings import draw_all, drawn
from docs.generate.protocol import protocol

import laguna
from tests.drawings import FOLDER, SAMPLES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
REFERENCE = {"laguna": "laguna.md", "laguna.bots": "bots.md", "laguna.client": "client.md"}
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]


def test_the_protocol_is_up_to_date() -> None:
    assert (DOCS / "protocol.md").read_text(encoding="utf-8") == protocol(), "run `make references`"


@pytest.mark.parametrize("game", list(laguna.games()))
def test_the_data_sheet_is_up_to_date(game: str) -> None:
    written, _, speed = (DOCS / "datasheets" / f"{game}.md").read_text(encoding="utf-8").partition(SPEED)
    assert written == without_speed(game) + "\n", "run `make references`"
    assert "decisions a second" in speed


def test_the_boards_in_the_rules_are_up_to_date() -> None:
    for file in (DOCS / "rules" / "drawings").glob("*.json"):
        assert (DOCS / "rules" / f"{file.stem}.svg").read_text(encoding="utf-8") == drawn(file), (
            "run `make references`"
        )


def test_boards_are_drawn_from_files(tmp_path: Path) -> None:
    draw_all(FOLDER, tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == [sample.name for sample in SAMPLES]
    for sample in SAMPLES:
        assert (tmp_path / f"{sample.name}.svg").read_text(encoding="utf-8") == sample.svg() + "\n"


@pytest.mark.parametrize("module", REFERENCE)
def test_the_reference_has_every_public_name(module: str) -> None:
    page = (DOCS / "reference" / REFERENCE[module]).read_text(encoding="utf-8")
    listed = re.findall(r"^\.\. auto\w+:: (\S+)$", page, re.MULTILINE)
    names = [f"{module}.{name}" for name in import_module(module).__all__]
    assert sorted(each for each in listed if each != module) == sorted(names)


@pytest.mark.parametrize("module", REFERENCE)
def test_every_public_name_has_a_docstring(module: str) -> None:
    found = import_module(module)
    public = {name: getattr(found, name) for name in found.__all__}
    things = {
        name: thing for name, thing in public.items() if inspect.isclass(thing) or inspect.isfunction(thing)
    }
    assert things
    missing = [name for name, thing in things.items() if not _documented(thing)]
    missing += [f"{name}.{part}" for name, thing in things.items() for part in _undocumented(thing)]
    assert not missing


def _undocumented(thing: Any) -> Iterator[str]:
    """The public methods and properties of a class that have no docstring."""
    if inspect.isclass(thing):
        for name, part in vars(thing).items():
            called = inspect.isfunction(part) or isinstance(part, property | classmethod | staticmethod)
            if called and not name.startswith("_") and not _documented(part):
                yield name


def _documented(thing: Any) -> bool:
    """It says something of its own; what dataclasses generate is only a signature."""
    text = (getattr(thing, "__doc__", None) or "").strip()
    return bool(text) and not re.fullmatch(rf"{getattr(thing, '__name__', '')}\(.*\)", text, re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Also where a forge shows the files: links are relative to the file that they are in."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
    files = [link.partition("#")[0] for link in links if "://" not in link]
    assert [file for file in files if file and not (page.parent / file).exists()] == []
