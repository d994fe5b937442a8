"""Steps a second of batches with masks and observations, beside other libraries in the same run.

`python -m benchmarks.batches` measures every game on two processor cores; then, if they are installed
(the extra `peers`), Pgx (jitted, vectorized, with auto-reset), OpenSpiel and PettingZoo (through Python).
Everywhere a random legal action is chosen for each game and played, after which the mask and the observation
of the next player are there. Of several rounds the fastest counts, for everyone, since a busy machine slows
some of them down. The exit code is 1 if a game is slower than promised on two cores.

`python -m benchmarks.batches --device cuda` first compares the GPU with the processor: every game with every
number of players, byte for byte, over actions, resets, new deals, looks of other seats, playouts and saved
batches; and, if they are installed, what PyTorch, JAX and CuPy read in the same memory. It runs from a
checkout without installing.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import numpy as np

import laguna
from laguna.games import rulebooks
from laguna.kernel import gpu

PROMISED = {"neptune-vesta": 3e6}  # steps a second on two cores, with masks and observations
PROMISED_OTHERS = 1e6
ROUNDS = 30
WARM_UP = 100  # steps, so that the games are at different points
PEER_GAMES = 1024  # in a batch of Pgx
SAME_GAMES, SAME_STEPS = 512, 300
ARRAYS = ("masks", "seats", "rewards", "scores", "done", "seeds")


class Player(NamedTuple):
    """Something that plays this many games at once: choose a legal action in each, then play those."""

    name: str
    games: int
    choose: Callable[[], Any]
    step: Callable[[Any], None]


class Rate(NamedTuple):
    """Steps a second, each in its fastest round."""

    step: float
    with_choosing: float
    core: float  # in a second of one core's time, which hardly depends on what else runs

    def __str__(self) -> str:
        return "".join(f"{rate:14,.0f}" for rate in self)


def measure(player: Player, seconds: float) -> Rate:
    """Play at random for so many seconds in several rounds."""
    for _ in range(WARM_UP):
        player.step(player.choose())
    rates = []
    for _ in range(ROUNDS):
        played, choosing, stepping, worked = 0, 0.0, 0.0, 0.0
        while choosing + stepping < seconds / ROUNDS:
            start = time.perf_counter()
            actions = player.choose()
            chosen, before = time.perf_counter(), time.process_time()
            player.step(actions)
            worked += time.process_time() - before
            stepping += time.perf_counter() - chosen
            choosing += chosen - start
            played += player.games
        rates.append((played / stepping, played / (choosing + stepping), played / worked))
    return Rate(*(max(each) for each in zip(*rates, strict=True)))


def ours(game: str, n: int, device: Any, threads: int | None, players: int | None = None) -> Player:
    batch = laguna.batch(game, players=players, n=n, seed=1, device=device, threads=threads)
    seeds = iter(range(1 << 40))

    def wait() -> None:
        if device == "cuda":
            from numba import cuda

            cuda.synchronize()

    def choose() -> Any:
        actions = batch.random_actions(next(seeds))
        wait()
        return actions

    def step(actions: Any) -> None:
        batch.step(actions)
        wait()

    return Player(f"{game}, {batch.players} players", n, choose, step)


# ------------------------------------------------------------------ others


def pgx(game: str = "backgammon") -> Player:
    """All games of a batch in one call that XLA has compiled, on the processor."""
    import jax
    import jax.numpy as jnp
    from pgx import make
    from pgx.experimental.wrappers import auto_reset

    environment: Any = make(game)
    begin = jax.jit(jax.vmap(environment.init))
    play = jax.jit(jax.vmap(auto_reset(environment.step, environment.init)))
    pick = jax.jit(lambda key, masks: jax.random.categorical(key, jnp.where(masks, 0.0, -jnp.inf), axis=1))
    split = jax.jit(lambda key: jax.random.split(key, PEER_GAMES))
    now: dict[str, Any] = {"key": jax.random.PRNGKey(0)}
    now["state"] = begin(split(now["key"]))

    def choose() -> Any:
        now["key"], key = jax.random.split(now["key"])
        return jax.block_until_ready((pick(key, now["state"].legal_action_mask), split(key)))

    def step(chosen: Any) -> None:
        now["state"] = jax.block_until_ready(play(now["state"], *chosen))

    return Player(f"Pgx {game}, batch of {PEER_GAMES:,}", PEER_GAMES, choose, step)


def openspiel(game: str = "backgammon") -> Player:
    """One game in C++, driven from Python."""
    import pyspiel

    chance, kind = random.Random(0), pyspiel.load_game(game)
    now: dict[str, Any] = {}

    def deal_and_look() -> None:
        if "state" not in now or now["state"].is_terminal():
            now["state"] = kind.new_initial_state()
        state = now["state"]
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        now["mask"] = state.legal_actions_mask()
        now["seen"] = state.observation_tensor()

    def step(action: int) -> None:
        now["state"].apply_action(action)
        deal_and_look()

    deal_and_look()
    return Player(
        f"OpenSpiel {game} from Python", 1, lambda: chance.choice(now["state"].legal_actions()), step
    )


def pettingzoo(game: str = "connect_four_v3") -> Player:
    """One game through its agent-environment cycle."""
    from importlib import import_module

    environment = import_module(f"pettingzoo.classic.{game}").env()
    environment.reset(seed=0)
    chance, now = random.Random(0), {"seen": environment.last()[0]}

    def choose() -> Any:
        return chance.choice(np.flatnonzero(now["seen"]["action_mask"]))

    def step(action: Any) -> None:
        environment.step(action)
        now["seen"], _reward, ended, cut, _info = environment.last()
        if ended or cut:
            environment.reset()
            now["seen"] = environment.last()[0]

    return Player(f"PettingZoo {game}", 1, choose, step)


def peers() -> Iterator[Player]:
    """Those that are installed."""
    for make in (pgx, openspiel, pettingzoo):
        try:
            player = make()
        except ModuleNotFoundError as error:
            print(f"{make.__name__}: the module {error.name} is not installed (see the extra peers).")
        else:
            yield player


# ------------------------------------------------------------------ a GPU beside the processor


def differing(one: laguna.Batch, other: laguna.Batch) -> list[str]:
    """Which arrays of a batch on the processor and of one on the GPU are not the same."""
    wrong = [name for name in ARRAYS if getattr(one, name).tobytes() != _host(getattr(other, name))]
    if one.records.tobytes() != other.records.copy_to_host().tobytes():
        wrong.append("records")
    if one.meta.id in OBSERVED and one.observations.tobytes() != _host(other.observations):
        wrong.append("observations")
    return wrong


def _host(array: Any) -> bytes:
    copied: bytes = array.numpy().tobytes()
    return copied


OBSERVED = {game for game, book in rulebooks().items() if book.observations}


def differences(game: str, players: int) -> Iterator[str]:
    """Play the same on both, and tell what differs."""
    one, other = (
        laguna.batch(game, players=players, n=SAME_GAMES, seed=5, device=device) for device in ("cpu", "cuda")
    )
    yield from (f"{name} at first" for name in differing(one, other))
    for k in range(SAME_STEPS):
        actions, same = one.random_actions(k), other.random_actions(k)
        if actions.tobytes() != _host(same):
            yield f"random actions at step {k}"
            return
        one.step(actions)
        other.step(same)
        if k % 50 == 20:
            for each in (one, other):
                each.redeal(np.where(np.arange(SAME_GAMES) % 3, one.seats, -1), k)
        if wrong := differing(one, other):
            yield f"{', '.join(wrong)} after step {k}"
            return
    for seat in range(players) if game in OBSERVED else ():
        if one.observe(seat).tobytes() != _host(other.observe(seat)):
            yield f"what seat {seat} observes"
    for name, mine, theirs in zip(
        ("shares", "scores", "lengths"), one.playout(7), other.playout(7), strict=True
    ):
        if mine.tobytes() != _host(theirs):
            yield f"{name} of playouts"
    if wrong := differing(one, laguna.Batch.load(one.save(), device="cuda")):
        yield f"{', '.join(wrong)} after saving and loading"
    one.set(3, one.state(4))
    other.set(3, other.state(4))
    yield from (f"{name} after set" for name in differing(one, other))
    spoilt = one.random_actions(0)
    spoilt[SAME_GAMES // 2] = -1
    for each in (one, other):
        try:
            each.step(spoilt)
            yield f"an illegal action is played on {each.device}"
        except laguna.IllegalAction as error:
            if f"Lane {SAME_GAMES // 2}:" not in str(error):
                yield f"the wrong lane is named on {each.device}: {error}"
    yield from (f"{name} after an illegal action" for name in differing(one, other))


def misread() -> Iterator[str]:
    """What other libraries read in the memory of a batch, and whether a batch plays what they choose."""
    game = "neptune-vesta"
    one, other = (laguna.batch(game, n=64, seed=5, device=device) for device in ("cpu", "cuda"))
    for library, read, write in readers():
        for name in (*ARRAYS, "observations"):
            if not np.array_equal(read(getattr(other, name)), getattr(one, name)):
                yield f"{library} reads other {name}"
        if library != "JAX":  # it takes only whole arrays
            for name, field in other.fields.items():
                if not np.array_equal(read(field), one.fields[name]):
                    yield f"{library} reads another field {name}"
        actions = one.random_actions(11)
        one.step(actions)
        other.step(write(actions))
        if wrong := differing(one, other):
            yield f"{', '.join(wrong)} after the actions of {library}"
        print(f"{library}: arrays read without copying, and its actions played")


def readers() -> Iterator[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
    """For each library here: how it reads an array of ours, and how it makes one."""
    if find_spec("torch"):
        import torch

        yield (
            "PyTorch by DLPack",
            lambda a: torch.from_dlpack(a).cpu().numpy(),
            lambda a: torch.tensor(a).cuda(),
        )
        yield (
            "PyTorch by its array interface",
            lambda a: torch.as_tensor(a, device="cuda").cpu().numpy(),
            lambda a: torch.tensor(a).cuda().int(),
        )
    if find_spec("jax"):
        import jax

        if any(device.platform == "gpu" for device in jax.devices()):
            yield "JAX", lambda a: np.asarray(jax.numpy.from_dlpack(a)), lambda a: jax.numpy.asarray(a)
        else:
            print("JAX is installed without a GPU.")
    if find_spec("cupy"):
        import cupy

        yield "CuPy", lambda a: cupy.from_dlpack(a).get(), lambda a: cupy.asarray(a)


def compare_devices() -> bool:
    """Is the GPU the same as the processor?"""
    wrong = 0
    for book in rulebooks().values():
        for players in book.meta.players:
            found = list(differences(book.meta.id, players))
            wrong += len(found)
            told = "; ".join(found) if found else f"the same, {SAME_GAMES} games, {SAME_STEPS} steps"
            print(f"{book.meta.id}, {players} players: {told}", flush=True)
    for text in misread():
        wrong += 1
        print(text)
    return wrong == 0


# ------------------------------------------------------------------ the report


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure batches of games, beside other libraries.")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--games", type=int, help="games in a batch (1,024; on a GPU 65,536)")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each measurement")
    parser.add_argument("--threads", type=int, default=2, help="processor cores (2)")
    parser.add_argument("--no-peers", action="store_true", help="only our own games")
    given = parser.parse_args()
    on_gpu = given.device == "cuda"
    if on_gpu and not gpu.available():
        print("numba-cuda found no GPU that it can use.")
        return 2
    same = compare_devices() if on_gpu else True
    n = given.games or (1 << 16 if on_gpu else 1024)
    slow, slowest = 0, float("inf")
    print(f"\n{n:,} games at once on {given.device}, steps/s with masks and observations:")
    print(f"{'':32}{'step':>14}{'choose, step':>14}{'a core, step':>14}")
    for book in rulebooks().values():
        for players in book.meta.players:
            player = ours(book.meta.id, n, given.device, given.threads, players)
            rate = measure(player, given.seconds)
            slow += rate.step < PROMISED.get(book.meta.id, PROMISED_OTHERS)
            slowest = min(slowest, rate.with_choosing)
            print(f"{player.name:32} {rate}", flush=True)
    if not given.no_peers and not on_gpu:
        for player in peers():
            rate = measure(player, given.seconds)
            ratio = f"ours, at least: {slowest / rate.with_choosing:,.1f} times"
            print(f"{player.name:32} {rate}   {ratio}", flush=True)
    return 1 if slow or not same else 0


if __name__ == "__main__":
    sys.exit(main())
