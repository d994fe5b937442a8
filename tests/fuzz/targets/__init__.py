"""Everything that reads what comes from outside."""

from __future__ import annotations

from tests.fuzz.targets import files, games, http, lines, sockets
from tests.fuzz.targets.target import Target

TARGETS: dict[str, Target] = {
    target.name: target for part in (games, sockets, lines, files, http) for target in part.targets()
}
