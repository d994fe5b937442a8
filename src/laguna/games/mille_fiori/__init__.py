"""Mille Fiori, by Reiner Knizia."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laguna.games.contract import Modules
    from laguna.games.mille_fiori import (
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

    Modules(rules, evaluation, actions, refusals, events, views, positions, terminal, advice)
