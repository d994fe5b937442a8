"""Whole games between bots that look at most one action ahead: compiled, one source for processor and GPU.

The bots choose exactly what those of the same name in `laguna.bots` choose: each decision has a number of its
own, by which the bot's world is imagined and its random stream begins (`decision_seed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from laguna.bots import BOTS, current_name, instinct, random
from laguna.bots.network import accumulator_type, find_network
from laguna.bots.one_ply import best_action, best_for_network, greedy, network, one_ply
from laguna.errors import BadOption
from laguna.games import Rulebook
from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import WORDS, draw, seed_stream
from laguna.kernel.dispatch import apply, legal, redeal, scores, setup, to_move, winners
from laguna.kernel.jit import rule
from laguna.kernel.records import blanks, record_type

AT_RANDOM, BY_EVALUATION, BY_NETWORK = range(3)
# How a bot chooses; see `best_action` and `best_for_network`.
POLICY = record_type(
    [("misjudge", np.float64), ("greed", np.float64), ("overlook", np.int64), ("kind", np.int64)]
)
# How a game went; the winners as bits.
OUTCOME = record_type(
    [("choices", np.int64), ("actions", np.int32), ("winners", np.int16), ("scores", np.int16, MAX_SEATS)]
)


@rule
def decision_seed(seed, played):
    """What a bot is asked with in the game of this seed when so many actions have been played."""
    return (seed % (1 << 31) * 1_000_003 + played) % (1 << 31)


@rule
def play_games(
    first, first_seed, rotations, s, options, policies, known, scratch, out, points, net, accumulator, stream,
    outcomes, codes,
):  # fmt: skip
    """Play the games from number `first` on, one for each outcome."""
    for row in range(len(outcomes)):
        play_game(
            first + row, first_seed, rotations, s, options, policies, known, scratch, out, points, net,
            accumulator, stream, outcomes[row], codes[row],
        )  # fmt: skip


@rule
def play_game(
    number, first_seed, rotations, s, options, policies, known, scratch, out, points, net, accumulator,
    stream, outcome, codes,
):  # fmt: skip
    """Play one game to its end; every seed is played with so many rotations of the seats.

    `codes` gets the actions if it has room for them. If no bot looks ahead, `known` is None; if no network
    plays, `net` is None: then the compiler leaves out what is not needed.
    """
    seed = first_seed + number // rotations
    rotation = number % rotations
    setup(s, options, seed)
    actions = 0
    choices = 0
    while True:
        seat = to_move(s)
        if seat < 0:
            break
        count = legal(s, out)
        policy = policies[(seat + rotation) % len(policies)]
        own = decision_seed(seed, actions)
        code = choose(s, count, policy, own, known, scratch, out, points, net, accumulator, stream)
        if actions < len(codes):
            codes[actions] = code
        apply(s, np.int64(code))
        choices += count
        actions += 1
    outcome.actions = actions
    outcome.choices = choices
    outcome.winners = winners(s)
    scores(s, points)
    for seat in range(len(policies)):
        outcome.scores[seat] = points[seat]


@rule
def choose(s, count, policy, seed, known, scratch, out, points, net, accumulator, stream):
    """What this bot chooses from the legal actions in `out`."""
    seed_stream(stream, seed, 0)
    # The compiler leaves a branch out if its whole condition is that something is None.
    if known is not None:  # noqa: SIM102
        if policy.kind != AT_RANDOM:
            known[0] = s
            redeal(known[0], to_move(s), seed)
            if net is not None:  # noqa: SIM102
                if policy.kind == BY_NETWORK:
                    return np.int64(
                        best_for_network(
                            known[0], scratch, out, points, net, accumulator, stream, policy.overlook,
                            policy.misjudge, policy.greed,
                        )
                    )  # fmt: skip
            return np.int64(best_action(known[0], scratch, out, stream, policy.overlook, policy.misjudge))
    return np.int64(out[draw(stream, count)])


# ------------------------------------------------------------------ which bots, and what they need


def policy_of(book: Rulebook, name: str) -> tuple[float, float, int, int] | None:
    """A bot's policy for this game, as in POLICY; None if it is not a quick bot."""
    bot: Any = BOTS.get(current_name(name))
    function, given = (bot.func, dict(bot.keywords)) if isinstance(bot, partial) else (bot, {})
    overlook, misjudge, greed = (given.get(each, 0) for each in ("overlook", "misjudge", "greed"))
    if function is random:
        return 0.0, 0.0, 0, AT_RANDOM
    has_network = find_network(book.meta.id) is not None
    if function is network and not has_network:
        raise BadOption("network", f"{book.meta.title} has no network.")
    if function in (network, instinct) and has_network:
        return misjudge, greed, overlook, BY_NETWORK
    if function is instinct:
        misjudge /= 4
    if function in (greedy, one_ply, instinct):
        return misjudge * float(book.evaluation.SCALE), 0.0, overlook, BY_EVALUATION
    return None


@dataclass(frozen=True)
class QuickGames:
    """Games of one kind between quick bots, seed after seed, each with so many rotations of the seats."""

    book: Rulebook
    options: Any  # what `rules.setup` takes
    policies: Any  # by seat, before any rotation
    first_seed: int
    rotations: int

    @property
    def looks_ahead(self) -> bool:
        return bool((self.policies["kind"] != AT_RANDOM).any())

    @property
    def uses_network(self) -> bool:
        return bool((self.policies["kind"] == BY_NETWORK).any())

    def play(self, first: int, count: int, room: int = 0) -> tuple[Any, Any]:
        """Play so many games from number `first` on: outcomes and, as far as there is room, actions."""
        rules = self.book.rules
        outcomes, codes = np.zeros(count, OUTCOME), np.zeros((count, room), np.int16)
        play_games(
            first,
            self.first_seed,
            self.rotations,
            blanks(rules.STATE, 1)[0],
            self.options,
            self.policies,
            blanks(rules.STATE, 1) if self.looks_ahead else None,
            blanks(rules.STATE, 1),
            np.zeros(rules.MAX_LEGAL, np.int16),
            np.zeros(MAX_SEATS),
            find_network(self.book.meta.id) if self.uses_network else None,
            blanks(accumulator_type(self.book.inputs), 1)[0] if self.uses_network else None,
            np.zeros(WORDS, np.uint32),
            outcomes,
            codes,
        )
        return outcomes, codes


def policies_of(book: Rulebook, bots: Sequence[str]) -> Any:
    """The policies of these bots by seat; None if one of them is not quick."""
    found = [policy_of(book, name) for name in bots]
    return None if None in found else np.array(found, POLICY)
