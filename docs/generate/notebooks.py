"""Notebooks as pages of the docs site: cells and what they show, in Markdown."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "notebooks"


def page(name: str) -> str:
    """The notebook of that name, with links that lead from docs/notebooks."""
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        source = re.sub(r"\]\(([\w-]+)\.ipynb\)", r"](\1.md)", source)
        return [source.replace("](../docs/", "](../")]
    return [f"```python\n{source}\n```", *map(_shown, cell["outputs"])]


def _shown(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _text("".join(output["text"]))
    data = output["data"]
    if "image/svg+xml" not in data:
        return _text("".join(data["text/plain"]))
    svg = b64encode("".join(data["image/svg+xml"]).encode()).decode()  # several in one page would share ids
    picture = f'<img class="shown" alt="Drawn by the cell above." src="data:image/svg+xml;base64,{svg}">'
    return f"```{{raw}} html\n{picture}\n```"


def _text(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"
