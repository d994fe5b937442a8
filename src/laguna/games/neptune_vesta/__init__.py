"""Neptune & Vesta, by Reiner Knizia."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laguna.games.contract import Modules
    from laguna.games.neptune_vesta import (
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
