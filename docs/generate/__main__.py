"""Write the generated pages: `python -m docs.generate`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import laguna
from docs.generate.datasheets import datasheet
from docs.generate.drawings import draw_all
from docs.generate.protocol import protocol

DOCS = Path(__file__).parents[1]


def main() -> None:
    (DOCS / "protocol.md").write_text(protocol(), encoding="utf-8")
    # A process for each game: LLVM may crash at the exit of one that has loaded the playouts of several.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for game, page in zip(laguna.games(), pool.map(datasheet, laguna.games()), strict=True):
            (DOCS / "datasheets" / f"{game}.md").write_text(page, encoding="utf-8")
    draw_all(DOCS / "rules" / "drawings", DOCS / "rules")


if __name__ == "__main__":
    main()
