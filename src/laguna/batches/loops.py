"""One step of many games at once: compiled, the same source for the processor and the GPU.

A *lane* is a place where games are played one after the other. The first functions are for one lane, and a
GPU calls them in a thread for each; those that end in `_all` go through the lanes of one processor core. All
of them begin with the same arguments, so `cpu.py` and `gpu.py` need not know what each does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from laguna.bots.network import share_of_win
from laguna.kernel.chance import SEEDS, seed_stream
from laguna.kernel.dispatch import apply, mark_legal, observe, random_action, redeal, scores, setup, to_move
from laguna.kernel.jit import rule
from laguna.kernel.playout import CHOICES


class Lanes(NamedTuple):
    """What is known of each lane, beside the record of its game; the same rows for all."""

    seeds: Any
    masks: Any
    seats: Any
    observations: Any
    rewards: Any
    scores: Any
    done: Any


class Scratch(NamedTuple):
    """Memory to work in, for one core or one thread of a GPU."""

    codes: Any  # of the legal actions
    trial: Any  # a record, alone in an array
    stream: Any


@rule
def look(scratch, games, lanes, lane):
    """Write who decides, what that seat may do and what it knows."""
    s = games[lane]
    seat = to_move(s)
    lanes.seats[lane] = seat
    mark_legal(s, scratch.codes, lanes.masks[lane])
    observe(s, seat, lanes.observations[lane])


@rule
def show(scratch, games, lanes, lane):
    """The same, with the scores, of a game that has just been put there: nothing has ended."""
    lanes.done[lane] = False
    lanes.rewards[lane, :] = 0
    scores(games[lane], lanes.scores[lane])
    look(scratch, games, lanes, lane)


@rule
def deal(scratch, games, lanes, options, lane):
    """Set up the game of the lane's seed."""
    setup(games[lane], options, lanes.seeds[lane])
    show(scratch, games, lanes, lane)


@rule
def step(scratch, games, lanes, options, actions, lane):
    """Play an action, and look at what there is then."""
    play(games, lanes, options, actions, lane)
    look(scratch, games, lanes, lane)


@rule
def play(games, lanes, options, actions, lane):
    """Play an action. If that ends the game, note how it ended and set up the next one."""
    s = games[lane]
    apply(s, np.int64(actions[lane]))
    scores(s, lanes.scores[lane])
    over = to_move(s) < 0
    lanes.done[lane] = over
    lanes.rewards[lane, :] = 0
    if over:
        players = options[0]
        for seat in range(players):
            lanes.rewards[lane, seat] = share_of_win(s, seat) - 1.0 / players
        lanes.seeds[lane] = (lanes.seeds[lane] + len(games)) & (SEEDS - 1)
        setup(s, options, lanes.seeds[lane])


@rule
def deal_again(scratch, games, lanes, seats, seeds, lane):
    """Deal again what a seat cannot know; nothing if the seat is -1."""
    if seats[lane] >= 0:
        redeal(games[lane], np.int64(seats[lane]), seeds[lane])
        look(scratch, games, lanes, lane)


@rule
def observe_seat(scratch, games, seats, observations, lane):
    """What this seat knows, whoever is to move."""
    observe(games[lane], np.int64(seats[lane]), observations[lane])


@rule
def choose(scratch, games, seed, actions, lane):
    """A legal action at random."""
    seed_stream(scratch.stream, seed, CHOICES + lane)
    actions[lane] = random_action(games[lane], scratch.stream, scratch.codes)


@rule
def play_out(scratch, games, seed, shares, points, lengths, lane):
    """Play a copy to its end at random: the shares of the win, the scores, and how many actions it took."""
    scratch.trial[0] = games[lane]
    s = scratch.trial[0]
    seed_stream(scratch.stream, seed, CHOICES + lane)
    length = 0
    while to_move(s) >= 0:
        apply(s, random_action(s, scratch.stream, scratch.codes))
        length += 1
    lengths[lane] = length
    scores(s, points[lane])
    for seat in range(points.shape[1]):
        shares[lane, seat] = share_of_win(s, seat)


@rule
def is_legal(masks, actions, lane):
    """May this action be played?"""
    return 0 <= actions[lane] < masks.shape[1] and masks[lane, actions[lane]]


# ------------------------------------------------------------------ one lane after the other


@rule
def first_illegal(games, masks, actions):
    """The first lane whose action may not be played; -1 if there is none."""
    for lane in range(len(games)):
        if not is_legal(masks, actions, lane):
            return lane
    return -1


@rule
def show_all(first, last, scratch, games, lanes):
    for lane in range(first, last):
        show(scratch, games, lanes, lane)


@rule
def look_all(first, last, scratch, games, lanes):
    """One thing after the other for all lanes: a processor is quicker in short loops."""
    seats, codes, masks, observations = lanes.seats, scratch.codes, lanes.masks, lanes.observations
    for lane in range(first, last):
        seats[lane] = to_move(games[lane])
    for lane in range(first, last):
        mark_legal(games[lane], codes, masks[lane])
    for lane in range(first, last):
        observe(games[lane], np.int64(seats[lane]), observations[lane])


@rule
def deal_all(first, last, scratch, games, lanes, options):
    for lane in range(first, last):
        deal(scratch, games, lanes, options, lane)


@rule
def step_all(first, last, scratch, games, lanes, options, actions):
    for lane in range(first, last):
        play(games, lanes, options, actions, lane)
    look_all(first, last, scratch, games, lanes)


@rule
def deal_again_all(first, last, scratch, games, lanes, seats, seeds):
    for lane in range(first, last):
        deal_again(scratch, games, lanes, seats, seeds, lane)


@rule
def observe_seat_all(first, last, scratch, games, seats, observations):
    for lane in range(first, last):
        observe_seat(scratch, games, seats, observations, lane)


@rule
def choose_all(first, last, scratch, games, seed, actions):
    for lane in range(first, last):
        choose(scratch, games, seed, actions, lane)


@rule
def play_out_all(first, last, scratch, games, seed, shares, points, lengths):
    for lane in range(first, last):
        play_out(scratch, games, seed, shares, points, lengths, lane)
