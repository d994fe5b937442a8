"""Atlantis: what a seat may know, as named numbers (A22).

Spaces are told from Atlantis to the mainland, items in the order amphora, wreath, olive, coins, weapon, lyre,
sickle.
"""

from __future__ import annotations

import numpy as np

from laguna.games.atlantis.components import (
    CARDS,
    COPIES,
    ITEM_SHIFT,
    ITEMS,
    MAINLAND,
    MAX_PLAYERS,
    OVER,
    PAWNS,
    SPACES,
    TILE_CODES,
    TILES,
    VALUE_OF,
    VALUES,
)
from laguna.games.atlantis.rules import GONE, MAX_GAPS, gaps, land_behind, score, to_move, winners
from laguna.games.contract import Field, starts
from laguna.kernel.jit import rule
from laguna.kernel.seats import clockwise

SEATS = (MAX_PLAYERS,)
ITEM = (ITEMS,)
TILE = (ITEMS, VALUES)
PATH = (SPACES,)
PLACES = MAINLAND + 1
PHASES = OVER + 1
TILES_IN_ALL = np.bincount(TILES.reshape(-1), minlength=TILE_CODES)  # A2: of each code
MOST_ALIKE = int(TILES_IN_ALL.max())
MOST_WORTH = int((TILES & VALUE_OF).sum())  # of all tiles together
MOST_TOLL = MAX_GAPS * VALUES  # of a pawn's way
MOST_LOST = PAWNS * MOST_TOLL  # A20

FIELDS = (
    Field("players", (), 2, MAX_PLAYERS, "how many play"),
    Field("phase", (PHASES,), 0, 1, "1 for what is decided: turn, chain, pay, after, over"),
    Field("turn", SEATS, 0, 1, "1 for who decides now; none when the game is over"),
    Field("winners", SEATS, 0, 1, "1 for who has won"),
    Field("scores", SEATS, -MOST_LOST, MOST_WORTH + CARDS, "points of each seat's tiles and cards"),
    Field("items", (ITEMS, SPACES), 0, 1, "1 for spaces 1-52 whose top tile shows this item; none is water"),
    Field("values", PATH, 0, VALUES, "value of the top tile on spaces 1-52; 0 is water"),
    Field("heights", PATH, 0, 2, "tiles on spaces 1-52"),
    Field("gaps", PATH, 0, 1, "1 for spaces 1-52 with a gap behind them"),
    Field("tolls", PATH, 0, VALUES, "what it costs now to cross that gap"),
    Field("bridges", (MAX_PLAYERS, SPACES), 0, 1, "1 for the space that a seat named its bridge by"),
    Field(
        "pawns", (MAX_PLAYERS, PLACES), 0, PAWNS, "pawns of each seat: in Atlantis, on 1-52, on the mainland"
    ),
    Field("tiles", (MAX_PLAYERS, *TILE), 0, MOST_ALIKE, "tiles of each seat, by item and value 1-7"),
    Field("tiles_worth", SEATS, 0, MOST_WORTH, "points of each seat's tiles"),
    Field("hand", ITEM, 0, COPIES, "cards of each item in your hand"),
    Field("hand_sizes", SEATS, 0, CARDS, "cards in each hand"),
    Field("shown", (MAX_PLAYERS, ITEMS), 0, COPIES, "cards that a seat has shown to all and still holds"),
    Field("deck_size", (), 0, CARDS, "cards in the deck"),
    Field("discards", ITEM, 0, COPIES, "cards of each item that have been discarded"),
    Field("gone_cards", ITEM, 0, COPIES, "cards of each item that have left the game"),
    Field("gone_tiles", TILE, 0, MOST_ALIKE, "tiles that have left the game, by item and value 1-7"),
    Field("unseen", ITEM, 0, COPIES, "cards of each item in the deck or in other hands"),
    Field("unseen_tiles", TILE, 0, MOST_ALIKE, "lower tiles that nobody has seen, by item and value 1-7"),
    Field("start", (), 0, SPACES, "the place where the move began that is not finished; 0 between moves"),
    Field("at", (), 0, MAINLAND, "the place where its pawn stands now; 0 between moves"),
    Field("due", (), 0, MOST_TOLL, "what is still to be paid for it"),
    Field("least", (), 0, VALUES, "the smallest piece paid for it; 0 before the first"),
    Field("bought", (), 0, 1, "1 if cards were bought in this turn"),
    Field("bridged", (), 0, 1, "1 if a bridge was built in this turn"),
    Field("idle_turns", (), 0, MAX_PLAYERS, "turns in a row that brought nothing; one of each seat ends it"),
    Field("losses", SEATS, 0, MOST_LOST, "what each seat lost at the end"),
)
(
    PLAYERS, PHASE, TURN, WINNERS, SCORES, TOP_ITEMS, TOP_VALUES, HEIGHTS, GAPS, TOLLS, BRIDGES, OWN_PAWNS,
    OWN_TILES, TILES_WORTH, HAND, HAND_SIZES, SHOWN, DECK_SIZE, DISCARDS, GONE_CARDS, GONE_TILES, UNSEEN,
    UNSEEN_TILES, START, AT, DUE, LEAST, BOUGHT, BRIDGED, IDLE_TURNS, LOSSES, SIZE,
) = starts(FIELDS)  # fmt: skip


@rule
def observe(s, seat, out):
    """Write every field as the seat sees it."""
    out[:SIZE] = 0
    out[PLAYERS] = s.players
    out[PHASE + s.phase] = 1
    out[DECK_SIZE] = s.deck_size
    out[START] = s.start
    out[AT] = s.at
    out[DUE] = s.due
    out[LEAST] = s.least
    out[BOUGHT] = s.bought
    out[BRIDGED] = s.bridged
    out[IDLE_TURNS] = s.idle_turns
    won = winners(s)
    for steps in range(s.players):
        other = clockwise(s, seat, steps)
        out[TURN + steps] = to_move(s) == other
        out[WINNERS + steps] = won >> other & 1
        out[SCORES + steps] = score(s, other)
        out[TILES_WORTH + steps] = s.purse[other]
        out[HAND_SIZES + steps] = s.hand_size[other]
        out[LOSSES + steps] = s.losses[other]
        observe_seat(s, other, steps, out)
    observe_path(s, out)
    observe_cards(s, seat, out)
    observe_tiles(s, seat, out)


@rule
def observe_seat(s, other, steps, out):
    """A3: pawns and bridge of a player, and the cards it has shown."""
    for i in range(PAWNS):
        out[OWN_PAWNS + steps * PLACES + np.int64(s.pawns[other, i])] += 1
    if s.bridges[other] > 0:
        out[BRIDGES + steps * SPACES + np.int64(s.bridges[other]) - 1] = 1
    for item in range(ITEMS):
        out[SHOWN + steps * ITEMS + item] = s.known[other, item]


@rule
def observe_path(s, out):
    """A4, A11: the top tiles, how many lie there, and the gaps."""
    found = gaps(s.land)
    for i in range(SPACES):
        space = i + 1
        tile = np.int64(s.top[space])
        if tile > 0:
            out[TOP_ITEMS + (tile >> ITEM_SHIFT) * SPACES + i] = 1
            out[TOP_VALUES + i] = tile & VALUE_OF
            out[HEIGHTS + i] = 2 if s.below[space] > 0 else 1
        if found >> space & 1:
            out[GAPS + i] = 1
            out[TOLLS + i] = np.int64(s.toll[land_behind(s.land, space)]) - s.toll[space]


@rule
def observe_cards(s, seat, out):
    """A14: the own hand, the cards that lie open, and those that the seat does not see."""
    for item in range(ITEMS):
        held = np.int64(s.hand[seat, item])
        out[HAND + item] = held
        out[DISCARDS + item] = s.discards[item]
        out[GONE_CARDS + item] = s.gone_cards[item]
        out[UNSEEN + item] = COPIES - held - s.discards[item] - s.gone_cards[item]


@rule
def observe_tiles(s, seat, out):
    """A2, A22: everybody's tiles, those that have left the game, and those that still lie below others."""
    for item in range(ITEMS):
        for value in range(1, VALUES + 1):
            code = item << ITEM_SHIFT | value
            i = item * VALUES + value - 1
            left = TILES_IN_ALL[code] - s.tiles[GONE, code]
            out[GONE_TILES + i] = s.tiles[GONE, code]
            for steps in range(s.players):
                own = np.int64(s.tiles[clockwise(s, seat, steps), code])
                out[OWN_TILES + steps * ITEMS * VALUES + i] = own
                left -= own
            out[UNSEEN_TILES + i] = left
    for space in range(1, MAINLAND):
        tile = np.int64(s.top[space])
        if tile > 0:
            out[UNSEEN_TILES + (tile >> ITEM_SHIFT) * VALUES + (tile & VALUE_OF) - 1] -= 1
