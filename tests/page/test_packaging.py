"""The page is part of the installed package, and no lock file contains an address."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.page.browser import WEB

ROOT = WEB.parent


def build(kind: str, source: Path, target: Path) -> Path:
    """Build with the backend itself, as pip does after it has installed the build requirements."""
    call = f"from hatchling.build import build_{kind} as build; print(build({str(target)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=source, check=True, capture_output=True, text=True
    )
    return target / done.stdout.strip().splitlines()[-1]


def names(archive: Path) -> list[str]:
    if archive.suffix == ".whl":
        return zipfile.ZipFile(archive).namelist()
    with tarfile.open(archive) as opened:
        return opened.getnames()


@pytest.mark.proof
def test_wheel_and_source_archive_hold_the_page(tmp_path: Path) -> None:
    archive = build("sdist", ROOT, tmp_path)
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    unpacked = tmp_path / archive.name.removesuffix(".tar.gz")
    assert not (unpacked / "web" / "node_modules").exists()
    for wheel in (build("wheel", ROOT, tmp_path), build("wheel", unpacked, tmp_path / "again")):
        held = names(wheel)
        assert "laguna/page/index.html" in held
        assert any(name.startswith("laguna/page/assets/") for name in held)
        assert "laguna/rules/atlantis.en.md" in held
        assert "laguna/drawing/boards.js" in held


@pytest.mark.proof
def test_the_page_is_built_where_it_is_missing(tmp_path: Path) -> None:
    """A clean clone has no page: the build makes it, here with npm packages that are already installed."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", str(clone)], check=True)
    (clone / "web" / "node_modules").symlink_to(WEB / "node_modules")
    assert "laguna/page/index.html" in names(build("wheel", clone, tmp_path))


def test_no_lock_file_names_an_address() -> None:
    """npm adds some (`funding`); they have to be removed."""
    locks = [WEB / "package-lock.json", *ROOT.glob("benchmarks/peers/*/package-lock.json")]
    for path in [*locks, *ROOT.glob("requirements/*.txt")]:
        assert re.findall(r"\w+://\S+", path.read_text(encoding="utf-8")) == [], path.name
