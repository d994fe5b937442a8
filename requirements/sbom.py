"""The bill of materials: `python requirements/sbom.py FILE` writes every locked package as CycloneDX JSON.

Python's packages come from the lock files here, the page's from `web/package-lock.json`. What a server or
the page is made of is `required`; what only builds and tests them is `excluded`. The same locks give the
same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ;[^\\]*)?(?: \\)?")
VERSION = re.compile(r'__version__ = "(.+)"')
NAME = "laguna-table"
NEEDS = ("dependencies", "optionalDependencies", "devDependencies")  # those for development: only of our page


class Package(NamedTuple):
    """A locked package. `needed_by` are names as its lock file writes them."""

    purl: str
    name: str
    version: str
    hashes: tuple[tuple[str, str], ...]  # algorithm and hexadecimal digits
    license: str | None
    needed_by: tuple[str, ...]


def python_packages(path: Path) -> list[Package]:
    """The packages of a file that `uv pip compile --generate-hashes` wrote."""
    found = []
    for block in re.split(r"\n(?=[^\s#])", path.read_text(encoding="utf-8")):
        pinned = PINNED.match(block)
        if pinned:
            name, version = pinned.groups()
            hashes = tuple(("SHA-256", each) for each in re.findall(r"--hash=sha256:([0-9a-f]{64})", block))
            comments = re.findall(r"^    #(?: via)?(?:  )? (.+)$", block, re.MULTILINE)
            needed_by = tuple(each.split()[0] for each in comments if not each.startswith(("-c ", "via")))
            found.append(Package(f"pkg:pypi/{name}@{version}", name, version, hashes, None, needed_by))
    return found


def page_packages(path: Path, dev: bool) -> list[Package]:
    """The packages of an npm lock file: those of the page, or those that only its tests need."""
    locked: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["packages"]
    needed_by: dict[str, list[str]] = {}
    for place, about in locked.items():
        for name in (name for kind in NEEDS for name in about.get(kind, {})):
            if found := _resolved(locked, place, name):
                needed_by.setdefault(found, []).append(_npm(place, about) if place else NAME)
    return [
        Package(
            _npm(place, about),
            _name(place),
            about["version"],
            (_hash(about["integrity"]),),
            about.get("license"),
            tuple(sorted(needed_by.get(place, ()))),
        )
        for place, about in locked.items()
        if place and bool(about.get("dev") or about.get("devOptional")) == dev
    ]


def _resolved(locked: dict[str, Any], place: str, name: str) -> str | None:
    """Where npm finds a package that the one at `place` needs: beside it, or further out."""
    while True:
        found = f"{place}/node_modules/{name}".lstrip("/")
        if found in locked:
            return found
        if not place:
            return None
        place = place.rpartition("node_modules/")[0].rstrip("/")


def _name(place: str) -> str:
    return place.rpartition("node_modules/")[2]


def _npm(place: str, about: dict[str, Any]) -> str:
    return f"pkg:npm/{quote(_name(place), safe='/')}@{about['version']}"


def _hash(integrity: str) -> tuple[str, str]:
    """An npm hash such as `sha512-…` in the words of CycloneDX."""
    algorithm, _, digest = integrity.partition("-")
    return algorithm.upper().replace("SHA", "SHA-"), base64.b64decode(digest).hex()


# ------------------------------------------------------------------ the document


def document() -> dict[str, Any]:
    version = VERSION.search((ROOT / "src/laguna/__init__.py").read_text(encoding="utf-8"))
    assert version
    own = f"pkg:pypi/{NAME}@{version[1]}"
    lock = ROOT / "web/package-lock.json"
    run, dev = python_packages(HERE / "run.txt"), python_packages(HERE / "dev.txt")
    needed = {each.purl: each for each in [*run, *page_packages(lock, dev=False)]}
    tools = {each.purl: each for each in [*dev, *page_packages(lock, dev=True)] if each.purl not in needed}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": own, "purl": own, "name": NAME, "version": version[1],
            }
        },
        "components": [
            _component(each, scope)
            for scope, packages in (("required", needed), ("excluded", tools))
            for _, each in sorted(packages.items())
        ],
        "dependencies": _dependencies(own, {**tools, **needed}),
    }  # fmt: skip


def _component(package: Package, scope: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "scope": scope,
        "purl": package.purl,
        "hashes": [{"alg": algorithm, "content": digits} for algorithm, digits in package.hashes],
    }
    if package.license:
        found["licenses"] = [{"expression": package.license}]
    return found


def _dependencies(own: str, packages: dict[str, Package]) -> list[dict[str, Any]]:
    """What each package needs, from what each is needed by."""
    by_name = {each.name: each.purl for each in packages.values() if each.purl.startswith("pkg:pypi/")}
    needs: dict[str, set[str]] = {own: set(), **{purl: set() for purl in packages}}
    for package in packages.values():
        for name in package.needed_by:
            by = own if name == NAME else name if name in packages else by_name.get(name)
            if by:
                needs[by].add(package.purl)
    return [{"ref": purl, "dependsOn": sorted(found)} for purl, found in sorted(needs.items())]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
