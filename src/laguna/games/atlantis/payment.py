"""Atlantis: a payment that a player may want to make (A12 leaves the choice of pieces to the player)."""

from __future__ import annotations

from typing import Any

from laguna.games.atlantis.actions import Pay
from laguna.games.atlantis.components import CARD_VALUE, VALUE_OF, VALUES
from laguna.games.atlantis.names import cards_of, tile_of


def proposal(s: Any) -> list[Pay]:
    """The pieces that pay what is due with the least loss: tiles rather than cards, and few of them.

    Only a payment without cards can exceed what is due, by less than its smallest tile. Once the first piece
    is paid, the rest of the pieces are what is proposed next.
    """
    cards = [item for item, count in cards_of(s.hand[s.turn]).items() for _ in range(count)]
    tiles = _fewest_tiles(s.tiles[s.turn], s.due)
    exact = range(s.due, max(s.due - len(cards) * CARD_VALUE, 0) - 1, -1)
    total = next(total for total in (*exact, *range(s.due + 1, s.due + VALUES)) if total in tiles)
    paid_with_cards = max(s.due - total, 0) // CARD_VALUE
    pieces = [Pay(tile=tile_of(code)) for code in tiles[total]]
    return pieces + [Pay(card=item) for item in cards[:paid_with_cards]]


def _fewest_tiles(counts: list[int], due: int) -> dict[int, tuple[int, ...]]:
    """The sums that tiles can make, from 0 until what is due is covered, each with the fewest tiles (codes).

    Among equally few the first by code, so that the rest of a choice is the choice for the rest.
    """
    best: dict[int, tuple[int, ...]] = {0: ()}
    for code in [code for code, count in enumerate(counts) for _ in range(count)]:
        for total, tiles in list(best.items()):
            if total < due:
                made, more = total + (code & VALUE_OF), (*tiles, code)
                known = best.get(made)
                if known is None or (len(more), more) < (len(known), known):
                    best[made] = more
    return best
