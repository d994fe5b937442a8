"""Sample drawings as in `docs/rules/drawings`: a position, who sees it, and what is marked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import laguna

FOLDER = Path(__file__).parent / "files" / "drawings"


@dataclass(frozen=True)
class Sample:
    """A sample by the name of its file."""

    name: str

    @property
    def seat(self) -> int | None:
        seat: int | None = self._read()["seat"]
        return seat

    @property
    def mark(self) -> list[str]:
        return list(self._read()["mark"])

    def game(self) -> laguna.Game:
        position = self._read()["position"]
        return laguna.from_position(position["game"], position)

    def svg(self) -> str:
        return self.game().svg(self.seat, self.mark)

    def _read(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads((FOLDER / f"{self.name}.json").read_text(encoding="utf-8"))
        return read


SAMPLES = [Sample(path.stem) for path in sorted(FOLDER.glob("*.json"))]
