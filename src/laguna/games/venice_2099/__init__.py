"""Venice 2099, by Leo Colovini."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laguna.games.contract import Modules
    from laguna.games.venice_2099 import (
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
