"""The page's types are those of the messages."""

from __future__ import annotations

from pathlib import Path

from laguna.server.typescript import wire

FILE = Path(__file__).parents[2] / "web" / "src" / "wire.ts"


def test_the_written_types_are_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == wire(), "run `make wire`"


def test_what_is_sent_may_leave_out_what_has_a_default() -> None:
    written = wire()
    given = written.split("export type SettingsGiven = {")[1].split("}")[0]
    received = written.split("export type Settings = {")[1].split("}")[0]
    assert "  game: string;" in given and "  clock?: ClockGiven;" in given
    assert "  clock: Clock;" in received and "?" not in received


def test_frames_are_told_apart_by_their_tag() -> None:
    assert 'export type Act = {\n  do: "act";\n  id: number;' in wire()
    assert "export type ClientFrame =\n  | Ping\n  | Follow" in wire()
