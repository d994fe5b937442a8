"""The notebooks run from beginning to end, and show what is stored in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from docs.generate.notebooks import page

from tests import notebooks, size

# In the short form, with as little as possible: how well something plays is seen in the stored outputs.
FEW = {
    "balance-study": "games = 8\nsample = 2",
    "play-and-look": "iterations = 100",
    "train-an-agent": "lanes = 16\ngenerations = 2\ngames = 20",
    "write-a-bot": "games = 4\ntries = 2",
}
DOCS = Path(__file__).parents[1] / "docs" / "notebooks"
MAX_SIZE = 300_000  # bytes, so that a forge shows it
LONG = {"balance-study"}  # reports have tests of their own


def kinds(notebook: Any) -> list[list[str]]:
    """What each code cell shows: texts, pictures, results."""
    return [sorted({kind for each in cell.outputs for kind in of(each)}) for cell in code_cells(notebook)]


def of(output: Any) -> list[str]:
    return list(output.data) if "data" in output else [output.output_type]


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def with_few(notebook: Any, name: str) -> Any:
    """The same with other parameters, which follow upon its own."""
    parameters = next(cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ()))
    parameters.source += "\n" + FEW[name]
    return notebook


def chosen(path: Path) -> Any:
    return pytest.param(path, marks=[pytest.mark.proof] if path.stem in LONG else [], id=path.stem)


@pytest.mark.parametrize("path", [*map(chosen, notebooks.PATHS)])
def test_a_notebook_shows_what_is_stored_in_it(path: Path) -> None:
    stored, run = notebooks.read(path), notebooks.read(path)
    notebooks.execute(run if size.proof else with_few(run, path.stem))
    assert kinds(run) == kinds(stored), "run `make notebooks`"


@pytest.mark.parametrize("path", notebooks.PATHS, ids=lambda path: path.stem)
def test_a_stored_notebook_is_complete_and_small(path: Path) -> None:
    notebook = notebooks.read(path)
    nbformat.validate(notebook)
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "run `make notebooks`"
    assert path.stat().st_size < MAX_SIZE


@pytest.mark.parametrize("path", notebooks.PATHS, ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    texts = [cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"]
    links = re.findall(r"\]\(([^)\s]+)\)", "\n".join(texts))
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", notebooks.PATHS, ids=lambda path: path.stem)
def test_the_docs_site_has_a_page_of_it(path: Path) -> None:
    assert (DOCS / f"{path.stem}.md").exists()
    written = page(path.stem)
    pictures = sum("image/svg+xml" in kind for kind in kinds(notebooks.read(path)))
    assert written.count("data:image/svg+xml") == pictures
    assert all(cell.source in written for cell in code_cells(notebooks.read(path)))
    links = re.findall(r"\]\(([^)\s]+)\)", written)
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_there_are_notebooks() -> None:
    assert [path.stem for path in notebooks.PATHS] == sorted(FEW)
