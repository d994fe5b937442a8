"""The golden playthroughs still play as they are written."""

from __future__ import annotations

import pytest

from tests import golden
from tests.every import Kind, main_kinds


@pytest.mark.parametrize("kind", main_kinds(), ids=str)
def test_golden_playthrough(kind: Kind) -> None:
    assert golden.playthrough(kind) == golden.path(kind).read_text(encoding="utf-8"), "see `make golden`"


def test_no_playthrough_is_left_over() -> None:
    assert sorted(golden.FOLDER.glob("*.txt")) == sorted(map(golden.path, main_kinds()))
