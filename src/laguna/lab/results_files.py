"""Results files: Parquet and Arrow (with the extra `lab`), CSV, JSON.

All hold the same columns; in CSV, lists are numbers with spaces between them, names as a shell writes them.
The head is in the metadata of Parquet and Arrow under `laguna`, in the first line of CSV after `# `, in JSON
beside the games. The last line of CSV counts the games, so that a file that was cut off is noticed.
"""

from __future__ import annotations

import csv
import gzip
import os
import shlex
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Protocol, TextIO, cast

import msgspec
import numpy as np

from laguna.errors import BadFile, BadOption, LagunaError, counted, either
from laguna.game import field_and_reason
from laguna.lab.results import Array, Head, Lists, Results, read_head, together

KEY = b"laguna"  # of the head among the metadata
BETWEEN = "|"  # the visits of one action and the next, in CSV
BY_SEAT = {"bots": np.int16, "scores": np.int16, "winners": np.int8}
SINGLE = {"seed": np.int64, "rotation": np.int8, "actions": np.int32, "choices": np.int64}
REQUIRED = ("seed", "rotation", "bots", "scores", "winners", "actions", "choices")
OPTIONAL = ("codes", "visits", "values")


class Writer(Protocol):
    """An open results file; results are added in pieces."""

    def add(self, found: Results) -> None:
        """All pieces have the same columns."""

    def close(self) -> None: ...


def check_suffix(path: Path) -> None:
    """Can a results file have this name, and be written with what is installed?"""
    _format_of(path)


@contextmanager
def writer(path: Path, head: Head) -> Iterator[Writer]:
    """Write a new file, completely or not at all; an existing one is never replaced."""
    open_draft, _ = _format_of(path)
    if path.exists():
        raise BadFile("exists", f"{str(path)!r} already exists; choose another name.")
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        file = open_draft(draft, head)
        try:
            yield file
        finally:
            file.close()
        draft.rename(path)
    except OSError as error:
        raise BadFile("no-file", f"{str(path)!r} cannot be written: {error.strerror or error}.") from None
    finally:
        draft.unlink(missing_ok=True)


def read_file(path: Path) -> Results:
    """The results in a file; what they say is not checked yet."""
    _, read = _format_of(path)
    where = repr(str(path))
    if not path.is_file():
        raise BadFile("no-file", f"There is no file {where}.")
    try:
        return read(path, where)
    except LagunaError:
        raise
    except MemoryError:
        raise BadFile("results", f"{where} is too large for this machine's memory.") from None
    except OSError as error:
        text = f"{where} cannot be read: {error.strerror or 'it is damaged or incomplete'}."
        raise BadFile("results", text) from None
    except (ValueError, TypeError, LookupError, EOFError, zlib.error, csv.Error, NotImplementedError):
        raise BadFile("results", f"{where} cannot be read: it is damaged or incomplete.") from None


def _format_of(path: Path) -> tuple[Callable[[Path, Head], Writer], Callable[[Path, str], Results]]:
    for suffix, (opened, read) in FORMATS.items():
        if path.name.endswith(suffix):
            if suffix in (".parquet", ".arrow"):
                _arrow()
            return opened, read
    raise BadOption("suffix", f"A results file ends with {either(FORMATS)}, not {path.name!r:.80}.")


def _head_json(head: Head) -> str:
    return msgspec.json.encode(head).decode()


def _winners(found: Results) -> Lists:
    games, seats = np.nonzero(found.winners)
    return Lists.of(seats.astype(np.int8), np.bincount(games, minlength=len(found)))


def _result(head: Head, where: str, columns: dict[str, Any]) -> Results:
    """Results from columns: those by seat as `Lists`, bots as numbers."""
    games = len(columns["seed"])
    for name, seats in (("bots", head.players), ("scores", head.players)):
        wrong = columns[name].lengths != seats
        if wrong.any():
            row = int(np.argmax(wrong))
            text = f"{columns[name].lengths[row]} {name} instead of {seats}"
            raise BadFile("results", f"{where} is damaged: row {row + 1} has {text}.")
    won: Lists = columns["winners"]
    if len(won.flat) and not 0 <= won.flat.min() <= won.flat.max() < head.players:
        raise BadFile("results", f"{where} is damaged: winners are seats from 0 to {head.players - 1}.")
    winners = np.zeros((games, head.players), np.bool_)
    winners[np.repeat(np.arange(games), won.lengths), won.flat] = True
    return Results(
        head,
        columns["seed"],
        columns["rotation"],
        columns["bots"].flat.reshape(games, head.players),
        columns["scores"].flat.reshape(games, head.players),
        winners,
        columns["actions"],
        columns["choices"],
        **{name: columns.get(name) for name in OPTIONAL},
    )


# ------------------------------------------------------------------ Parquet and Arrow


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        text = 'Parquet and Arrow files need pyarrow: pip install "laguna-table[lab]".'
        raise BadOption("lab", text) from None
    return pyarrow


def table(found: Results) -> Any:
    """The results as a pyarrow table, as a Parquet or Arrow file holds them."""
    pa = _arrow()
    lists = pa.ListArray.from_arrays
    starts = np.arange(len(found) + 1) * found.head.players

    def listed(values: Lists, kind: Any) -> Any:
        return lists(pa.array(values.starts, pa.int32()), pa.array(values.flat, kind))

    columns = {
        "seed": pa.array(found.seed),
        "rotation": pa.array(found.rotation),
        "bots": lists(
            pa.array(starts, pa.int32()),
            pa.DictionaryArray.from_arrays(pa.array(found.bots.ravel()), pa.array(found.head.bots)),
        ),
        "scores": listed(Lists(found.scores.ravel(), starts), pa.int16()),
        "winners": listed(_winners(found), pa.int8()),
        "actions": pa.array(found.actions),
        "choices": pa.array(found.choices),
    }
    if found.codes is not None:
        columns["codes"] = listed(found.codes, pa.int16())
        of_games = pa.array(found.codes.starts, pa.int32())
        if found.visits is not None:
            columns["visits"] = lists(of_games, listed(found.visits, pa.int32()))
        if found.values is not None:
            columns["values"] = lists(of_games, pa.array(found.values, pa.float32()))
    return pa.table(columns).replace_schema_metadata({KEY: _head_json(found.head)})


class _ArrowWriter:
    """Parquet or Arrow; the file's schema is that of the first piece."""

    def __init__(self, open_writer: Callable[[Any], Any], plain_names: bool = False) -> None:
        self._open = open_writer
        self._plain_names = plain_names
        self._writer: Any = None

    def add(self, found: Results) -> None:
        piece = table(found)
        if self._plain_names:
            names = piece["bots"].cast(_arrow().list_(_arrow().string()))
            piece = piece.set_column(piece.column_names.index("bots"), "bots", names)
        if self._writer is None:
            self._writer = self._open(piece.schema)
        self._writer.write_table(piece)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def _write_parquet(path: Path, head: Head) -> Writer:
    _arrow()
    import pyarrow.parquet as parquet

    # Parquet numbers repeated names by itself; lists of numbered names could not be read in several pieces.
    return _ArrowWriter(
        lambda schema: parquet.ParquetWriter(path, schema, compression="zstd"), plain_names=True
    )


def _write_arrow(path: Path, head: Head) -> Writer:
    pa = _arrow()
    return _ArrowWriter(lambda schema: pa.ipc.new_file(path, schema))


def _read_parquet(path: Path, where: str) -> Results:
    _arrow()
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path) as file:
        if not file.num_row_groups:
            return _from_table(file.read(), where)
        pieces = (file.read_row_group(number) for number in range(file.num_row_groups))
        return together([_from_table(piece, where) for piece in pieces])


def _read_arrow(path: Path, where: str) -> Results:
    pa = _arrow()
    with pa.OSFile(str(path)) as file:
        return _from_table(pa.ipc.open_file(file).read_all(), where)


def _from_table(found: Any, where: str) -> Results:
    pa = _arrow()
    found.validate(full=True)
    metadata = found.schema.metadata or {}
    if KEY not in metadata:
        raise BadFile("results", f"{where} does not hold results of Laguna.")
    head = read_head(metadata[KEY], where)
    _check_names(found.column_names, where)
    plain = {name: _numbers(found[name], kind, name, where) for name, kind in SINGLE.items()}
    lists = {name: _lists(found[name], kind, name, where) for name, kind in BY_SEAT.items() if name != "bots"}
    columns = {**plain, **lists, "bots": _bots(found["bots"], head, where)}
    if "codes" in found.column_names:
        columns["codes"] = _lists(found["codes"], np.int16, "codes", where)
    if "visits" in found.column_names:
        compute = _compute()
        if not pa.types.is_list(found["visits"].type) or found["visits"].null_count:
            raise BadFile("results", f"{where} is damaged: its column visits holds something else.")
        _check_lengths(columns, "visits", compute.list_value_length(found["visits"]).to_numpy(), where)
        columns["visits"] = _lists(compute.list_flatten(found["visits"]), np.int32, "visits", where)
    if "values" in found.column_names:
        values = _lists(found["values"], np.float32, "values", where)
        _check_lengths(columns, "values", values.lengths, where)
        columns["values"] = values.flat
    return _result(head, where, columns)


def _check_lengths(columns: dict[str, Any], name: str, lengths: Array, where: str) -> None:
    """Visits and values have an entry for each action."""
    if "codes" not in columns or not np.array_equal(columns["codes"].lengths, lengths):
        raise BadFile("results", f"{where} is damaged: its {name} do not fit its codes.")


def _compute() -> Any:
    import pyarrow.compute as compute

    return compute


def _check_names(names: list[str], where: str) -> None:
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise BadFile("results", f"{where} has no column {either(missing, 'and')}.")


def _numbers(column: Any, kind: Any, name: str, where: str) -> Array:
    """A column of plain numbers of this kind, nothing missing."""
    pa = _arrow()
    is_number = pa.types.is_integer(column.type) or (
        pa.types.is_floating(column.type) and np.issubdtype(kind, np.floating)
    )
    if column.null_count or not is_number:
        raise BadFile("results", f"{where} is damaged: its column {name} holds something else than numbers.")
    try:
        return cast(Array, column.cast(pa.from_numpy_dtype(kind)).to_numpy())
    except pa.ArrowInvalid:
        raise BadFile("results", f"{where} is damaged: a number in its column {name} is too large.") from None


def _lists(column: Any, kind: Any, name: str, where: str) -> Lists:
    lengths, flat = _lengths_and_flat(column, name, where)
    return Lists.of(_numbers(flat, kind, name, where), lengths)


def _lengths_and_flat(column: Any, name: str, where: str) -> tuple[Array, Any]:
    pa, compute = _arrow(), _compute()
    types = pa.types
    is_list = types.is_list(column.type) or types.is_large_list(column.type)
    if not is_list or column.null_count:
        raise BadFile("results", f"{where} is damaged: its column {name} holds something else than lists.")
    return compute.list_value_length(column).to_numpy(), compute.list_flatten(column)


def _bots(column: Any, head: Head, where: str) -> Lists:
    """Bots by name as their numbers in the head."""
    pa, compute = _arrow(), _compute()
    lengths, flat = _lengths_and_flat(column, "bots", where)
    if pa.types.is_dictionary(flat.type):
        flat = flat.cast(flat.type.value_type)
    if not pa.types.is_string(flat.type) and not pa.types.is_large_string(flat.type):
        raise BadFile("results", f"{where} is damaged: its column bots holds something else than names.")
    numbers = compute.index_in(flat, value_set=pa.array(head.bots, flat.type))
    if numbers.null_count:
        raise BadFile("results", f"{where} is damaged: a bot is not named in its head.")
    return Lists.of(numbers.to_numpy().astype(np.int16), lengths)


# ------------------------------------------------------------------ JSON


class Row(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One game in JSON."""

    seed: int
    rotation: int
    bots: list[str]
    scores: list[Annotated[int, msgspec.Meta(ge=-(2**15), lt=2**15)]]
    winners: list[Annotated[int, msgspec.Meta(ge=0, lt=100)]]
    actions: int
    choices: int
    codes: list[Annotated[int, msgspec.Meta(ge=0, lt=2**15)]] | None = None
    visits: list[list[Annotated[int, msgspec.Meta(ge=0, lt=2**31)]]] | None = None
    values: list[float | None] | None = None  # None: not searched


class Document(msgspec.Struct, forbid_unknown_fields=True):
    head: msgspec.Raw
    games: list[Row]


class _TextWriter:
    """A text file, compressed if its name ends with .gz; the same results give the same bytes."""

    def __init__(self, path: Path, compressed: bool) -> None:
        self._raw = path.open("wb")
        zipped = gzip.GzipFile("", "wb", 6, self._raw, mtime=0) if compressed else self._raw
        self.file: TextIO = _text(zipped)

    def close(self) -> None:
        self.file.close()
        self._raw.close()


def _text(binary: Any) -> TextIO:
    from io import TextIOWrapper

    return TextIOWrapper(binary, encoding="utf-8", newline="")


def _opened(path: Path, compressed: bool) -> TextIO:
    return _text(gzip.open(path)) if compressed else path.open(encoding="utf-8", newline="")


class _JsonWriter(_TextWriter):
    def __init__(self, path: Path, head: Head, compressed: bool) -> None:
        super().__init__(path, compressed)
        self._encode = msgspec.json.Encoder().encode
        self._between = "\n"
        self.file.write('{"head": ' + _head_json(head) + ', "games": [')

    def add(self, found: Results) -> None:
        for row in rows(found):
            self.file.write(self._between + self._encode(row).decode())
            self._between = ",\n"

    def close(self) -> None:
        if not self.file.closed:
            self.file.write("\n]}\n")
        super().close()


def rows(found: Results) -> Iterator[Row]:
    """The games one by one, as plain Python values."""
    names = found.head.bots
    for game in range(len(found)):
        row = Row(
            int(found.seed[game]),
            int(found.rotation[game]),
            [names[bot] for bot in found.bots[game]],
            found.scores[game].tolist(),
            np.flatnonzero(found.winners[game]).tolist(),
            int(found.actions[game]),
            int(found.choices[game]),
        )
        if found.codes is not None:
            row.codes = found.codes[game].tolist()
            decisions = range(int(found.codes.starts[game]), int(found.codes.starts[game + 1]))
            if found.visits is not None:
                row.visits = [found.visits[decision].tolist() for decision in decisions]
            if found.values is not None:
                values = found.values[decisions.start : decisions.stop].tolist()
                row.values = [None if value != value else value for value in values]
        yield row


def _read_json(path: Path, where: str, compressed: bool) -> Results:
    with gzip.open(path) if compressed else path.open("rb") as file:
        data = file.read()
    try:
        document = msgspec.json.decode(data, type=Document)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(error)
        text = f"{field}: {reason}" if field else reason
        raise BadFile("results", f"{where} is damaged: {text}.") from None
    except (msgspec.DecodeError, RecursionError):
        raise BadFile("results", f"{where} cannot be read: it is damaged or incomplete.") from None
    return from_rows(read_head(bytes(document.head), where), document.games, where)


def from_rows(head: Head, games: list[Row], where: str) -> Results:
    """Results from games one by one."""
    number = {name: each for each, name in enumerate(head.bots)}
    try:
        bots = [[number[name] for name in row.bots] for row in games]
    except KeyError as error:
        raise BadFile("results", f"{where} is damaged: its head does not name the bot {error}.") from None
    columns: dict[str, Any] = {
        name: _fitting([getattr(row, name) for row in games], kind, name, where)
        for name, kind in SINGLE.items()
    }
    columns["bots"] = _of_lists(bots, np.int16)
    columns["scores"] = _of_lists([row.scores for row in games], np.int16)
    columns["winners"] = _of_lists([row.winners for row in games], np.int8)
    for name in OPTIONAL:
        given = [getattr(row, name) for row in games]
        if any(each is not None for each in given):
            if any(each is None for each in given):
                raise BadFile("results", f"{where} is damaged: not every game has {name}.")
            if name != "codes":
                _check_lengths(columns, name, np.array([len(each) for each in given]), where)
            columns[name] = _READ_LISTS[name](given)
    return _result(head, where, columns)


def _fitting(values: list[int], kind: Any, name: str, where: str) -> Array:
    try:
        return np.array(values, kind)
    except OverflowError:
        raise BadFile("results", f"{where} is damaged: a number in its column {name} is too large.") from None


def _of_lists(values: list[Any], kind: Any) -> Lists:
    lengths = np.array([len(each) for each in values], np.int64)
    return Lists.of(np.array([each for some in values for each in some], kind), lengths)


_READ_LISTS: dict[str, Callable[[list[Any]], Any]] = {
    "codes": lambda given: _of_lists(given, np.int16),
    "visits": lambda given: _of_lists([each for game in given for each in game], np.int32),
    "values": lambda given: np.array(
        [np.nan if each is None else each for game in given for each in game], np.float32
    ),
}


# ------------------------------------------------------------------ CSV


class _CsvWriter(_TextWriter):
    def __init__(self, path: Path, head: Head) -> None:
        super().__init__(path, compressed=False)
        self.file.write(f"# {_head_json(head)}\n")
        self._rows = csv.writer(self.file, lineterminator="\n")
        self._names: tuple[str, ...] = ()
        self._games = 0

    def add(self, found: Results) -> None:
        if not self._names:
            self._names = (*REQUIRED, *(name for name in OPTIONAL if getattr(found, name) is not None))
            self._rows.writerow(self._names)
        for row in rows(found):
            self._rows.writerow(_cell(name, getattr(row, name)) for name in self._names)
        self._games += len(found)

    def close(self) -> None:
        if not self.file.closed:
            self.file.write(_last_line(self._games))
        super().close()


def _last_line(games: int) -> str:
    return f"# {counted(games, 'game')}\n"


def _cell(name: str, value: Any) -> Any:
    if name == "visits":
        return BETWEEN.join(" ".join(map(str, visits)) for visits in value)
    if name == "values":
        return " ".join("-" if each is None else f"{each:.9g}" for each in value)
    if name == "bots":
        return shlex.join(value)
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _read_csv(path: Path, where: str) -> Results:
    csv.field_size_limit(2**31 - 1)  # a game's visits are longer than what Python allows otherwise
    with _opened(path, compressed=False) as file:
        first = file.readline()
        if not first.startswith("# "):
            raise BadFile("results", f"{where} does not hold results of Laguna.")
        head = read_head(first[2:], where)
        *lines, last = file
    names, *cells = csv.reader(lines, strict=True)
    _check_names(names, where)
    if last != _last_line(len(cells)):
        raise BadFile("results", f"{where} is incomplete: its last line does not count its games.")
    games = [_row(names, line, number, where) for number, line in enumerate(cells, 1)]
    return from_rows(head, games, where)


def _row(names: list[str], line: list[str], number: int, where: str) -> Row:
    try:
        cells = dict(zip(names, line, strict=True))
        row = {name: _value(name, cells[name]) for name in (*REQUIRED, *OPTIONAL) if name in cells}
        return msgspec.convert(row, Row)
    except ValueError:
        raise BadFile("results", f"{where} is damaged: row {number} cannot be read.") from None


def _value(name: str, cell: str) -> Any:
    if name in SINGLE:
        return int(cell)
    if name == "bots":
        return shlex.split(cell)
    if name == "visits":
        return [list(map(int, each.split())) for each in cell.split(BETWEEN)]
    if name == "values":
        return [None if each == "-" else float(each) for each in cell.split()]
    return list(map(int, cell.split()))


FORMATS: dict[str, tuple[Callable[[Path, Head], Writer], Callable[[Path, str], Results]]] = {
    ".parquet": (_write_parquet, _read_parquet),
    ".arrow": (_write_arrow, _read_arrow),
    ".csv": (_CsvWriter, _read_csv),
    ".json": (
        lambda path, head: _JsonWriter(path, head, compressed=False),
        lambda path, where: _read_json(path, where, compressed=False),
    ),
    ".json.gz": (
        lambda path, head: _JsonWriter(path, head, compressed=True),
        lambda path, where: _read_json(path, where, compressed=True),
    ),
}
