"""Atlantis, by Leo Colovini."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laguna.games.atlantis import (
        actions,
        advice,
        evaluation,
        events,
        positions,
        refusals,
        rules,
        terminal,
        views,
    )
    from laguna.games.contract import Modules

    Modules(rules, evaluation, actions, refusals, events, views, positions, terminal, advice)
