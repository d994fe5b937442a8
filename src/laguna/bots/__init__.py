"""Players made of code. A bot is handed only what its seat may know.

A bot is a function from an imagined game and a seed to an action. The imagined game is the real one
with everything the seat cannot know dealt anew, so there is nothing in it to peek at.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from laguna.bots.greedy import greedy
from laguna.errors import BadOption, either
from laguna.game import Action, Game

Bot = Callable[[Game, int], Action]


def random(game: Game, seed: int) -> Action:
    """Any legal action, all equally likely."""
    return Random(seed).choice(game.legal())


BOTS: dict[str, Bot] = {"random": random, "greedy": greedy}


def find_bot(name: str) -> Bot:
    if name not in BOTS:
        raise BadOption("unknown-bot", f"There is no bot {name!r:.40}; the bots are {either(BOTS, 'and')}.")
    return BOTS[name]


def ask(bot: Bot, game: Game, seed: int) -> Action:
    """What the bot would do for the seat to move; the game is not touched."""
    seat = game.seat
    if seat is None:
        raise BadOption("over", "The game is over; there is nothing to choose.")
    return game.action(bot(game.imagine(seat, seed), seed).code)
