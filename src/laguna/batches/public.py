"""`Batch`: many games of one kind, played at the same time by compiled code.

>>> import laguna
>>> batch = laguna.batch("neptune-vesta", n=256, seed=7)
>>> batch.masks.shape, batch.seats.shape, batch.rewards.shape
((256, 500), (256,), (256, 2))
>>> batch.game(3) == laguna.new("neptune-vesta", seed=10)
True
>>> batch.step(batch.random_actions(seed=0))
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, SupportsIndex, get_args

import numpy as np

from laguna.batches import cpu
from laguna.batches.loops import Lanes
from laguna.errors import BadFile, BadOption, IllegalAction, LagunaError, as_int, either, quoted, whole_number
from laguna.game import Game, check_seed, seat_list
from laguna.games import Rulebook, find
from laguna.games.contract import Meta, Options
from laguna.kernel.chance import SEEDS
from laguna.kernel.records import alone, blanks
from laguna.state import State

Device = Literal["cpu", "cuda"]
MAX_GAMES = 1 << 24
FORMAT = 1


class Playouts(NamedTuple):
    """How the games of a batch ended when they were played out: a row for each game."""

    shares: Any  # of the win, a column for each seat: 1 for the winner, equal parts where the win is shared
    scores: Any  # a column for each seat
    lengths: Any  # how many actions it took


class Batch:
    """Many games of one kind, in lanes; where a game ends, the next one begins at once.

    `laguna.batch` and `Batch.of` make one. Its arrays have a row for each lane: numpy arrays, or with
    `device="cuda"` arrays in the memory of the GPU. They stay the same and are overwritten by every call that
    changes games: copy what you keep, and write nothing into them. A batch is for one thread at a time.
    """

    masks: Any  #: bool, a column for each code: may this action be played now?
    seats: Any  #: int8: the seat that decides
    rewards: Any  #: float32, a column for each seat: see `step`
    scores: Any  #: int32, a column for each seat: the points now; where `done`, those at the end
    done: Any  #: bool: did the last step end a game here?
    seeds: Any  #: int64: the seed of the game here; the next one has this plus the number of lanes
    records: Any  #: the games themselves, as records, for code that Numba compiles

    def __init__(
        self, book: Rulebook, players: int, options: Options, n: int, device: Device, threads: int
    ) -> None:
        self._book = book
        self.players = players
        self.options = options
        self.device = device
        self.threads = threads
        self._run = _processor(book, device, threads)
        make, rules = self._run.array, book.rules
        size = book.observations.SIZE if book.observations else 0
        self._games = make(blanks(rules.STATE, n))
        self._setup = make(np.array(book.meta.encode(players, options), np.int64))
        self._lanes = Lanes(
            seeds=make(np.zeros(n, np.int64)),
            masks=make(np.zeros((n, rules.CODES), np.bool_)),
            seats=make(np.zeros(n, np.int8)),
            observations=make(np.zeros((n, size), np.int16)),
            rewards=make(np.zeros((n, players), np.float32)),
            scores=make(np.zeros((n, players), np.int32)),
            done=make(np.zeros(n, np.bool_)),
        )
        for name in ("seeds", "masks", "seats", "rewards", "scores", "done"):
            setattr(self, name, self._run.public(getattr(self._lanes, name)))
        self.records = self._games

    # -------------------------------------------------------------- ways to make one

    @classmethod
    def of(
        cls,
        start: Game | State | Iterable[Game | State],
        n: SupportsIndex | None = None,
        *,
        seed: SupportsIndex = 0,
        device: Device = "cpu",
        threads: SupportsIndex | None = None,
    ) -> Batch:
        """A batch that starts from these positions, one in each lane; or from one position, in `n` lanes.

        Later games in a lane begin with the setup: lane i continues with seed + n + i, as if its position
        belonged to a game of the seed seed + i.
        """
        if isinstance(start, Game | State):
            starts = [_as_game(start)] * (1 if n is None else _count(n))
        else:
            starts = [_as_game(each) for each in start]
            if n is not None and _count(n) != len(starts):
                text = f"There should be a position for each of {quoted(n, 40)} games, not {len(starts)}."
                raise BadOption("n", text)
        if not starts:
            raise BadOption("n", "A batch needs at least one position to start from.")
        first = starts[0]
        made = cls(
            find(first.meta.id), first.players, dict(first.options), len(starts), *_where(device, threads)
        )
        made._begin(check_seed(seed))
        made._put(0, starts)
        return made

    def copy(self) -> Batch:
        """An independent batch that continues from here."""
        other = Batch(self._book, self.players, dict(self.options), len(self), self.device, self.threads)
        other._fill({name: self._run.fetch(array).copy() for name, array in self._kept().items()})
        return other

    # -------------------------------------------------------------- what is

    @property
    def meta(self) -> Meta:
        """The game's names, player counts and options."""
        return self._book.meta

    def __len__(self) -> int:
        return int(self._games.shape[0])

    def __repr__(self) -> str:
        return f"<laguna.Batch of {len(self)} {self.meta.id}, {self.players} players, on {self.device}>"

    @property
    def observations(self) -> Any:
        """int16: what the seat to move knows, all fields one after the other; the same array always."""
        self._check_observed()
        return self._run.public(self._lanes.observations)

    @property
    def fields(self) -> dict[str, Any]:
        """The same by name, each shaped (lanes, …): views into `observations`."""
        return self.named(self.observations)

    def named(self, observations: Any) -> dict[str, Any]:
        """The fields of an array such as `observe` makes, by name: views into it."""
        named: dict[str, Any] = self._run.named(self._check_observed().FIELDS, observations)
        return named

    def observe(self, seat: Any) -> Any:
        """What a seat knows, whoever is to move, in a new array. `seat` may be an array, one a lane."""
        size = self._check_observed().SIZE
        seats = self._run.array(self._seats(seat, 0))
        observed = self._run.array(np.zeros((len(self), size), np.int16))
        self._run.run("observe_seat", self._games, seats, observed)
        return self._run.public(observed)

    def _check_observed(self) -> Any:
        if self._book.observations is None:
            raise LagunaError("no-observations", f"{self.meta.title} has no observations.")
        return self._book.observations

    def game(self, lane: SupportsIndex) -> Game:
        """The game in this lane: it starts in the position of now, without a past to undo."""
        place = self._lane(lane)
        records = self._run.fetch(self._games[place : place + 1])
        names = seat_list(self.meta, self.players, None)
        return Game(
            self._book, self.players, dict(self.options), records[0], seed=None, seats=names, start={}
        )

    def state(self, lane: SupportsIndex) -> State:
        """The position in this lane."""
        return State(self.game(lane))

    # -------------------------------------------------------------- what changes

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Set up a new game in each lane: lane i gets seed + i; without a seed, the one that it has next."""
        if seed is None:
            self._begin_with(self._run.fetch(self._lanes.seeds) + len(self))
        else:
            self._begin(check_seed(seed))

    def _begin(self, seed: int) -> None:
        self._begin_with(seed + np.arange(len(self)))

    def _begin_with(self, seeds: np.ndarray[Any, Any]) -> None:
        self._write(self._lanes.seeds, seeds % SEEDS)
        self._run.run("deal", self._games, self._lanes, self._setup)

    def step(self, actions: Any, check: bool = True) -> None:
        """Play an action in each lane, given as an array of codes.

        Where that ends a game, `done` is true, `scores` has its points and `rewards` each seat's share of
        the win less 1 / players (so they add up to 0); elsewhere rewards are 0. The next game has begun
        there, with a seed larger by the number of lanes: `masks`, `seats` and `observations` are about it.

        If an action is illegal, nothing is played anywhere. Without `check`, an illegal one spoils its game
        and may end the process.
        """
        codes = self._given(actions)
        if codes is None or codes.shape != (len(self),) or np.dtype(codes.dtype).kind not in "iu":
            raise BadOption(
                "actions", f"The actions must be whole numbers, one for each of {len(self)} games."
            )
        codes = self._run.codes(codes)
        if check and (lane := self._run.first_illegal(self._games, self._lanes.masks, codes)) >= 0:
            code = int(self._run.fetch(codes[lane : lane + 1])[0])
            text = f"Lane {lane}: the action {code} is not legal there now; nothing was played."
            raise IllegalAction("batch-action", text, lane=lane, action=code)
        self._run.run("step", self._games, self._lanes, self._setup, codes)

    def redeal(self, seat: Any, seed: Any) -> None:
        """Deal again what a seat cannot know, later random events included.

        Either may be an array, one for each lane: a seat of −1 leaves its game as it is, and a lane's own
        seed deals what `State.redeal` would. From a single seed, every lane draws one of its own.
        """
        seats = self._run.array(self._seats(seat, -1))
        seeds = self._run.array(self._seeds(seed))
        self._run.run("deal_again", self._games, self._lanes, seats, seeds)

    def set(self, lane: SupportsIndex, start: Game | State) -> None:
        """Put a position into a lane; later games there begin with the setup, as they would have anyway."""
        self._put(self._lane(lane), [_as_game(start)])

    # -------------------------------------------------------------- at random

    def random_actions(self, seed: SupportsIndex) -> Any:
        """A uniformly random legal action for each lane, the same for the same seed and positions."""
        actions = self._run.array(np.zeros(len(self), np.int64))
        self._run.run("choose", self._games, check_seed(seed), actions)
        return self._run.public(actions)

    def playout(self, seed: SupportsIndex) -> Playouts:
        """Play each game from where it is to its end with random actions, in copies: nothing here changes.

        Returns `shares` of the win and `scores`, with a column for each seat, and `lengths` in actions.
        Cards fall as the game has them; `redeal` a copy first to play with what a seat cannot know.
        """
        make, n = self._run.array, len(self)
        told = (
            make(np.zeros((n, self.players), np.float32)),
            make(np.zeros((n, self.players), np.int32)),
            make(np.zeros(n, np.int32)),
        )
        self._run.run("play_out", self._games, check_seed(seed), *told)
        return Playouts(*map(self._run.public, told))

    # -------------------------------------------------------------- as bytes

    def save(self) -> bytes:
        """Everything, as an npz file, for `Batch.load`."""
        parts = {name: self._run.fetch(array) for name, array in self._kept().items()}
        file = io.BytesIO()
        header = np.frombuffer(_header(self._book, self.players, self.options).encode(), np.uint8)
        parts["records"] = parts["records"].view(np.uint8).reshape(len(self), -1)
        digest = np.frombuffer(_digest(header, parts), np.uint8)
        np.savez_compressed(file, allow_pickle=False, header=header, digest=digest, **parts)
        return file.getvalue()

    @classmethod
    def load(cls, data: bytes, *, device: Device = "cpu", threads: SupportsIndex | None = None) -> Batch:
        """A batch that was saved with the same rules.

        Damage is found by a checksum, but records are taken as they are: load only what you trust.
        """
        where = _where(device, threads)
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                parts = {name: file[name] for name in file.files}
            header, digest = parts.pop("header"), parts.pop("digest")
            told = json.loads(header.tobytes())
            intact = digest.tobytes() == _digest(header, parts)
        except Exception:  # numpy, zip and JSON each have their own ways to say it
            raise BadFile("batch", "This is not a saved batch, or it is damaged.") from None
        if not intact or not isinstance(told, dict):
            raise BadFile("batch", "This saved batch is damaged: its checksum does not fit.")
        if told.get("laguna") != FORMAT:
            raise BadFile(
                "batch", f"This batch has the format {quoted(told.get('laguna'), 20)}, not {FORMAT}."
            )
        book, given = find(told.get("game")), told.get("options")
        players, options = book.meta.resolve(told.get("players"), given if isinstance(given, dict) else {})
        if json.loads(_header(book, players, options)) != told:
            raise BadFile("batch", f"This batch was saved with other rules of {book.meta.title}.")
        n = parts["seeds"].size if "seeds" in parts else 0
        shapes = {name: (each.dtype, each.shape) for name, each in parts.items()}
        if not 1 <= n <= MAX_GAMES or shapes != _shapes(book, players, n):
            raise BadFile("batch", "This is not a saved batch: its arrays do not fit each other.")
        parts["records"] = parts["records"].view(book.rules.STATE).reshape(-1)
        made = cls(book, players, options, n, *where)
        made._fill(parts)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.save(), self.device, self.threads)

    # -------------------------------------------------------------- memory

    def _kept(self) -> dict[str, Any]:
        """What cannot be worked out from the rest."""
        lanes = self._lanes
        return {
            "records": self._games,
            "seeds": lanes.seeds,
            "rewards": lanes.rewards,
            "scores": lanes.scores,
            "done": lanes.done,
        }

    def _fill(self, parts: Mapping[str, Any]) -> None:
        for name, array in self._kept().items():
            self._write(array, parts[name])
        self._run.run("look", self._games, self._lanes)

    def _write(self, array: Any, values: np.ndarray[Any, Any]) -> None:
        self._run.write(array, values)

    def _put(self, first: int, starts: list[Game]) -> None:
        """Put games into this lane and those after it."""
        for each in starts:
            kind = (each.meta.id, each.players, each.options)
            if kind != (self.meta.id, self.players, self.options):
                text = f"A batch has one game with one number of players and the same options: {self!r}."
                raise BadOption("batch-position", text)
            if each.over:
                raise BadOption("batch-position", "A game that is over cannot be put into a batch.")
        data = b"".join(each.state_bytes() for each in starts)
        place = slice(first, first + len(starts))
        games, lanes = self._games[place], Lanes(*(each[place] for each in self._lanes))
        self._write(games, alone(self._book.rules.STATE, data))
        self._run.run("show", games, lanes)

    # -------------------------------------------------------------- arguments

    def _lane(self, lane: Any) -> int:
        return whole_number(lane, "A lane", 0, len(self) - 1, "lane")

    def _given(self, array: Any) -> Any:
        """What a user gave as an array, in memory of this device; None if it is none."""
        try:
            return self._run.given(array)
        except (TypeError, ValueError, OverflowError):
            return None

    def _seats(self, seat: Any, low: int) -> np.ndarray[Any, Any]:
        """A seat for each lane, from one seat or an array."""
        return self._numbers(seat, "A seat", low, self.players - 1, "seat")

    def _seeds(self, seed: Any) -> np.ndarray[Any, Any]:
        """A seed for each lane; from a single one they are drawn, so that two have nothing in common."""
        if as_int(seed) is None:
            return self._numbers(seed, "A seed", 0, SEEDS - 1, "seed")
        drawn = np.random.SeedSequence(check_seed(seed)).generate_state(len(self), np.uint64)
        return (drawn % np.uint64(SEEDS)).astype(np.int64)

    def _numbers(self, given: Any, what: str, low: int, high: int, key: str) -> np.ndarray[Any, Any]:
        if as_int(given) is not None or not hasattr(given, "__len__"):
            return np.full(len(self), whole_number(given, what, low, high, key), np.int64)
        array = self._given(given)
        numbers = np.array([]) if array is None else self._run.fetch(array)
        if numbers.shape != (len(self),) or numbers.dtype.kind not in "iu":
            text = f"{what} of each game is a whole number, so {len(self)} of them are needed."
            raise BadOption(key, text)
        if numbers.min() < low or numbers.max() > high:
            wrong = numbers[(numbers < low) | (numbers > high)][0]
            whole_number(int(wrong), what, low, high, key)
        return numbers.astype(np.int64)


def batch(
    game: str,
    *,
    players: SupportsIndex | None = None,
    n: SupportsIndex = 1024,
    seed: SupportsIndex = 0,
    device: Device = "cpu",
    threads: SupportsIndex | None = None,
    **options: Any,
) -> Batch:
    """Many games at once: `laguna.batch("atlantis", players=3, n=4096, seed=7)`.

    Lane i starts with the game `laguna.new(…, seed=seed + i)`, and each next game there has a seed larger by
    n; so no game is played twice, and the number of threads changes nothing. Batches whose seeds lie close
    together share games: leave room between them.

    `threads` is how many cores work on it (by default all); `device="cuda"` keeps and plays the games on a
    GPU.
    """
    book = find(game)
    count, chosen = book.meta.resolve(players, options)
    made = Batch(book, count, chosen, _count(n), *_where(device, threads))
    made._begin(check_seed(seed))
    return made


def _processor(book: Rulebook, device: Device, threads: int) -> Any:
    if device == "cpu":
        return cpu.Processor(book, threads)
    from laguna.batches import gpu

    return gpu.Gpu(book)


def _where(device: Any, threads: Any) -> tuple[Device, int]:
    """The device and the number of threads, checked."""
    if device not in get_args(Device):
        raise BadOption(
            "device", f"A batch is on {either(map(repr, get_args(Device)))}, not {quoted(device)}."
        )
    if device == "cuda":
        from laguna.kernel import gpu

        if not gpu.available():
            raise LagunaError("device", "There is no GPU that numba-cuda (the extra gpu) can use.")
    return device, cpu.cores() if threads is None else whole_number(threads, "threads", 1, 1024, "threads")


def _count(n: Any) -> int:
    return whole_number(n, "The number of games", 1, MAX_GAMES, "n")


def _as_game(start: Any) -> Game:
    """A position as a game, which also tells its players and options."""
    if isinstance(start, State):
        return start.game()
    if isinstance(start, Game):
        return start
    raise BadOption("batch-position", f"A batch starts from a Game or a State, not from {quoted(start, 40)}.")


def _header(book: Rulebook, players: int, options: Options) -> str:
    """What a saved batch must have in common with a new one; a record's layout is part of the rules."""
    told = {
        "laguna": FORMAT,
        "game": book.meta.id,
        "rules": book.meta.rules_version,
        "layout": hashlib.sha256(repr(book.rules.STATE.descr).encode()).hexdigest(),
        "players": players,
        "options": options,
    }
    return json.dumps(told)


def _shapes(book: Rulebook, players: int, n: int) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """The arrays of a saved batch of so many games."""
    return {
        "records": (np.dtype(np.uint8), (n, book.rules.STATE.itemsize)),
        "seeds": (np.dtype(np.int64), (n,)),
        "rewards": (np.dtype(np.float32), (n, players)),
        "scores": (np.dtype(np.int32), (n, players)),
        "done": (np.dtype(np.bool_), (n,)),
    }


def _digest(header: Any, parts: Mapping[str, Any]) -> bytes:
    """The SHA-256 of everything in a saved batch."""
    digest = hashlib.sha256(header.tobytes())
    for name in sorted(parts):
        each = parts[name]
        digest.update(f"{name} {each.dtype.str} {each.shape}".encode() + each.tobytes())
    return digest.digest()


def _restored(data: bytes, device: Device, threads: int) -> Batch:
    return Batch.load(data, device=device, threads=threads)
