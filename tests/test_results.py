"""Results files: what is written is read again, in every format, and anything impossible is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import laguna
from laguna.errors import BadFile, LagunaError
from laguna.lab.results import Lists, Results, concat, make_head, no_results, read, write

SUFFIXES = (".parquet", ".arrow", ".csv", ".json", ".json.gz")
HEAD = make_head("neptune-vesta", 2, {"rounds": 1, "line_to": "majority"}, ["random", "search:40,care=2"], 7)


def results(codes: bool = True, searched: bool = True, games: int = 3, seed: int = 7) -> Results:
    """Made by hand: a game lasts 1, 2, 3 … actions."""
    actions = np.arange(1, games + 1, dtype=np.int32)
    decisions = int(actions.sum())
    visits = Lists.of(np.arange(2 * decisions, dtype=np.int32), np.full(decisions, 2))
    values = np.linspace(0, 1, decisions, dtype=np.float32)
    values[0] = np.nan
    return Results(
        HEAD,
        seed + np.arange(games) // 2,
        (np.arange(games) % 2).astype(np.int8),
        np.array([[0, 1], [1, 0]] * games, np.int16)[:games],
        np.arange(2 * games, dtype=np.int16).reshape(games, 2) - 1,
        np.array([[True, False], [True, True]] * games)[:games],
        actions,
        actions.astype(np.int64) * 5,
        Lists.of(np.arange(decisions, dtype=np.int16), actions) if codes else None,
        visits if searched else None,
        values if searched else None,
    )


def same(one: Results, other: Results) -> bool:
    def parts(found: Results) -> list[Any]:
        lists = [part for each in (found.codes, found.visits) if each for part in (each.flat, each.starts)]
        values = [] if found.values is None else [found.values]
        return [*found.columns.values(), *lists, *values]

    ours, theirs = parts(one), parts(other)
    return len(ours) == len(theirs) and all(map(same_array, ours, theirs))


def same_array(one: Any, other: Any) -> bool:
    return one.dtype == other.dtype and bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("codes", "searched"), [(False, False), (True, False), (True, True)])
def test_what_is_written_is_read_again(tmp_path: Path, suffix: str, codes: bool, searched: bool) -> None:
    made, path = results(codes, searched), tmp_path / f"some{suffix}"
    write(path, made)
    found = read(path)
    assert found.head == HEAD and same(found, made)
    with pytest.raises(BadFile, match="already exists; choose another name"):
        write(path, made)
    assert [each.name for each in tmp_path.iterdir()] == [path.name], "no draft is left behind"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_results_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    for name in ("one", "two"):
        write(tmp_path / f"{name}{suffix}", results())
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_results_of_no_games(tmp_path: Path, suffix: str) -> None:
    write(tmp_path / f"none{suffix}", no_results(HEAD))
    assert len(read(tmp_path / f"none{suffix}")) == 0


def test_other_programs_read_them(tmp_path: Path) -> None:
    """Parquet with pyarrow alone: names of bots, lists by seat, the head in the metadata."""
    import pyarrow.parquet

    write(tmp_path / "some.parquet", results())
    found = pyarrow.parquet.read_table(tmp_path / "some.parquet")
    assert found.column_names[:4] == ["seed", "rotation", "bots", "scores"]
    row = found.to_pylist()[2]
    assert (
        row["bots"] == ["random", "search:40,care=2"] and row["winners"] == [0] and row["codes"] == [3, 4, 5]
    )
    assert row["visits"] == [[6, 7], [8, 9], [10, 11]]
    assert json.loads(found.schema.metadata[b"laguna"])["game"] == "neptune-vesta"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_in_several_pieces(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laguna.lab.results.PIECE", 2)
    made = results(games=7)
    write(tmp_path / f"some{suffix}", made)
    assert same(read(tmp_path / f"some{suffix}"), made)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_bot_may_be_a_command_with_spaces_and_quotes(tmp_path: Path, suffix: str) -> None:
    bots = ("random", """engine:python3 mine.py --name "it's, mine" """.strip())
    made = Results(**{**vars(results()), "head": msgspec.structs.replace(HEAD, bots=bots)})
    write(tmp_path / f"some{suffix}", made)
    found = read(tmp_path / f"some{suffix}")
    assert found.head.bots == bots and same(found, made)


def test_columns_and_choosing_games() -> None:
    made = results()
    assert made.columns["bots"].tolist()[1] == ["search:40,care=2", "random"]
    assert made.shares.tolist() == [[1, 0], [0.5, 0.5], [1, 0]]
    last = made.where([2, 0])
    assert last.seed.tolist() == [8, 7] and last.actions.tolist() == [3, 1]
    assert last.codes is not None and [each.tolist() for each in last.codes] == [[3, 4, 5], [0]]
    assert last.visits is not None and last.visits[3].tolist() == [0, 1]
    assert same(last.sorted(), made.where([0, 2])) and len(made.where(made.actions > 1)) == 2


def test_several_files_together(tmp_path: Path) -> None:
    first, second = results(), results(seed=50, searched=False)
    write(tmp_path / "a.parquet", first)
    write(tmp_path / "b.json", second)
    both = read(tmp_path / "a.parquet", tmp_path / "b.json")
    assert len(both) == 6 and both.visits is None and both.codes is not None
    assert both.codes[5].tolist() == [3, 4, 5]
    other = msgspec.structs.replace(HEAD, bots=("greedy", "random"))
    mixed = concat([first, Results(**{**vars(second), "head": other})])
    assert mixed.head.bots == ("random", "search:40,care=2", "greedy")
    assert mixed.columns["bots"].tolist()[3] == ["greedy", "random"]
    with pytest.raises(BadFile, match=r"seed 7 with random, search:40,care=2 is in these results twice"):
        read(tmp_path / "a.parquet", tmp_path / "a.parquet")


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        (make_head("atlantis", 2, {}, ["random"]), "the game of one are neptune-vesta, of another atlantis"),
        (make_head("neptune-vesta", 2, {"rounds": 3, "line_to": "majority"}, ["random"]), "the options"),
    ],
)
def test_results_of_different_games_are_not_mixed(head: Any, sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence):
        concat([results(), no_results(head)])


def damaged(path: Path, change: Any) -> Path:
    write(path, results())
    path.write_bytes(change(path.read_bytes()))
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("keep", [0, 1, 60, -2, -20, -200])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, suffix: str, keep: int) -> None:
    path = damaged(tmp_path / f"cut{suffix}", lambda data: data[:keep])
    with pytest.raises(BadFile, match="cut"):
        read(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_something_else_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"else{suffix}"
    for data in (b"\0\xff" * 50, b"[]", b"{}", b"a,b\n1,2\n", b'# {"format": 1}\n', b"[" * 100_000):
        path.write_bytes(data)
        with pytest.raises(BadFile, match="else"):
            read(path)
    with pytest.raises(BadFile, match="There is no file"):
        read(tmp_path / f"nothing{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(BadFile, match="There is no file"):
        read(tmp_path / f"folder{suffix}")


def test_a_table_of_someone_else_is_refused(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"seed": [1]}), tmp_path / "other.parquet")
    with pytest.raises(BadFile, match="does not hold results of Laguna"):
        read(tmp_path / "other.parquet")
    made = results().table().drop_columns(["scores", "choices"])
    pyarrow.parquet.write_table(made, tmp_path / "less.parquet")
    with pytest.raises(BadFile, match="has no column scores and choices"):
        read(tmp_path / "less.parquet")


def test_other_names_are_refused(tmp_path: Path) -> None:
    for name in ("some.txt", "some", "parquet"):
        with pytest.raises(LagunaError, match=r"ends with \.parquet, \.arrow, \.csv, \.json or \.json\.gz"):
            write(tmp_path / name, results())


WRONG_HEADS = [
    ({"version": 2}, "has version 2 of the format"),
    ({"format": "parquet"}, "does not hold results"),
    ({"game": "chess"}, "no game 'chess'"),
    ({"rules": 99}, "follows rules 99 of Neptune & Vesta"),
    ({"players": 5}, "is for 2 players"),
    ({"options": {}}, "its options are incomplete"),
    ({"options": {"rounds": 9, "line_to": "majority"}}, "impossible"),
    ({"bots": []}, "bots: must have at least 1 entry"),
    ({"bots": ["random", "random"]}, "names a bot twice"),
    ({"bots": ["a\nb", "random"]}, "must match the pattern"),
    ({"seed": -1}, "seed: must be at least 0"),
    ({"more": 1}, "no field 'more'"),
]
WRONG_ROWS = [
    ({"seed": -1}, "impossible in row 2: a seed is"),
    ({"seed": 2**70}, "seed"),
    ({"rotation": 2}, "a rotation is from 0 to 1"),
    ({"bots": ["greedy", "random"]}, "does not name the bot 'greedy'"),
    ({"bots": ["random"]}, "row 2 has 1 bots instead of 2"),
    ({"scores": [1, 2, 3]}, "row 2 has 3 scores instead of 2"),
    ({"scores": [1, 2**20]}, "scores"),
    ({"winners": []}, "somebody wins every game"),
    ({"winners": [2]}, "winners are seats from 0 to 1"),
    ({"actions": 0}, "a game has 1 to"),
    ({"actions": 3}, "row 2 has 2 codes for 3 actions"),
    ({"choices": 1}, "every decision has 1 to"),
    ({"codes": [1, 20_000]}, "codes are from 0 to"),
    ({"codes": None}, "not every game has codes"),
    ({"visits": [[1, 2]]}, "its visits do not fit its codes"),
    ({"values": [0.5, 1.5]}, "not chances"),
    ({"values": [0.5]}, "its values do not fit its codes"),
    ({"values": ["high", 0]}, "must be a number or null, not text"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG_HEADS)
def test_impossible_heads(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    path = tmp_path / "some.json"
    write(path, results())
    document = json.loads(path.read_text())
    document["head"].update(change)
    path.write_text(json.dumps(document))
    with pytest.raises(BadFile, match=sentence):
        read(path)


@pytest.mark.parametrize(("change", "sentence"), WRONG_ROWS)
def test_impossible_games(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    path = tmp_path / "some.json"
    write(path, results())
    document = json.loads(path.read_text())
    document["games"][1].update(change)
    path.write_text(json.dumps(document))
    with pytest.raises(BadFile, match=sentence):
        read(path)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_wrong_columns_of_a_table(tmp_path: Path, suffix: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    made = results().table()
    wrong = {
        "seed": (["a", "b", "c"], "something else than numbers"),
        "actions": ([1, None, 3], "something else than numbers"),
        "rotation": ([0, 1000, 0], "too large"),
        "scores": ([[1, 2], None, [1, 2]], "something else than lists"),
        "bots": ([["random", "x"]] * 3, "a bot is not named"),
        "winners": ([1, 2, 3], "something else than lists"),
    }
    path = tmp_path / f"wrong{suffix}"
    for name, (values, sentence) in wrong.items():
        place = made.column_names.index(name)
        table = made.set_column(place, name, pa.array(values)).replace_schema_metadata(made.schema.metadata)
        if suffix == ".parquet":
            parquet.write_table(table, path)
        else:
            with pa.ipc.new_file(path, table.schema) as file:
                file.write_table(table)
        with pytest.raises(BadFile, match=sentence):
            read(path)


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        with pytest.raises(BadFile, match="cannot be written"):
            write(tmp_path / "nowhere" / f"some{suffix}", results())


def test_nothing_to_put_together() -> None:
    with pytest.raises(laguna.BadOption, match="no results to put together"):
        concat([])
