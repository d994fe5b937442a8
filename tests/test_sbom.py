"""The bill of materials lists exactly what is locked, and the same locks give the same bytes."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "requirements" / "sbom.py"


def document() -> dict[str, Any]:
    made: dict[str, Any] = runpy.run_path(str(SCRIPT))["document"]()
    return made


def test_everything_locked_is_listed_with_its_hashes() -> None:
    listed = {each["purl"]: each for each in document()["components"]}
    pinned = {
        f"pkg:pypi/{name}@{version}": scope
        for scope, file in (("excluded", "dev.txt"), ("required", "run.txt"))
        for name, version in re.findall(
            r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements" / file).read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    assert len(pinned) > 100
    assert {purl: each["scope"] for purl, each in listed.items() if "pypi" in purl} == pinned
    locked = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    of_page = {
        (place.rpartition("node_modules/")[2], about["version"]) for place, about in locked.items() if place
    }
    assert {(each["name"], each["version"]) for purl, each in listed.items() if "npm" in purl} == of_page
    assert all(each["hashes"] for each in listed.values())
    assert listed[next(purl for purl in listed if "/vite@" in purl)]["licenses"] == [{"expression": "MIT"}]


def test_everything_is_there_because_something_needs_it() -> None:
    made = document()
    needs = {each["ref"]: each["dependsOn"] for each in made["dependencies"]}
    assert needs.keys() == {
        made["metadata"]["component"]["bom-ref"],
        *(c["bom-ref"] for c in made["components"]),
    }
    reached: set[str] = set()
    waiting = [made["metadata"]["component"]["bom-ref"]]
    while waiting:
        if (ref := waiting.pop()) not in reached:
            reached.add(ref)
            waiting += needs[ref]
    assert reached == needs.keys()


def test_the_same_bytes_every_time_and_no_addresses(tmp_path: Path) -> None:
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        subprocess.run([sys.executable, str(SCRIPT), str(path)], check=True)
    text = paths[0].read_bytes()
    assert text == paths[1].read_bytes() and b"://" not in text
