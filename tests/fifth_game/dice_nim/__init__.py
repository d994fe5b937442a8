"""Dice Nim: the smallest game that has everything a game of Laguna has."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dice_nim import actions, evaluation, events, positions, refusals, rules, terminal, views
    from laguna.games.contract import Modules

    Modules(rules, evaluation, actions, refusals, events, views, positions, terminal)
