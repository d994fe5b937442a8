"""The notebooks, executed. `make notebooks` stores in each what its cells show."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
PATIENCE = 600  # seconds for a cell, or for a kernel to start on a busy machine


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def execute(notebook: Any) -> None:
    """Run all cells, in a kernel and a folder of their own; an exception in a cell is raised here."""
    with TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=PATIENCE,
            startup_timeout=PATIENCE,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        )
        client.execute(env={**os.environ, "IPYTHONDIR": folder})
    notebook.metadata.language_info = {"name": "python"}  # the version would change with every machine


def main() -> None:
    for path in PATHS:
        notebook = read(path)
        execute(notebook)
        nbformat.write(notebook, path)
        print(f"{path.name}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
