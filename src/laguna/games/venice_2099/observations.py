"""Venice 2099: what a seat may know, as named numbers (V23).

Squares are told in the order of the actions' codes: rows 1-8, columns a-h. On a small board the last two of
both are empty. Colors are in the order black, brown, azure, red, violet, green.
"""

from __future__ import annotations

import numpy as np

from laguna.games.contract import Field, starts
from laguna.games.venice_2099.components import (
    CARDS,
    CARDS_EACH,
    COLOR_COUNT,
    FIRST_CARD,
    GONDOLAS_EACH,
    MAX_PAWNS,
    MAX_PLAYERS,
    OVER,
    PLATFORM,
    POINTS,
    QUARTERS,
    RESCUING,
    SIDE,
    SQUARES,
    TREASURES,
    VALUE_COUNT,
    WALK,
    WORTH,
)
from laguna.games.venice_2099.rules import (
    card_count,
    highest_played,
    lowest_value,
    price,
    quarter_points,
    quarters_of,
    to_move,
    winners,
)
from laguna.kernel.jit import rule
from laguna.kernel.seats import clockwise

BOARD = (SIDE, SIDE)
SEATS = (MAX_PLAYERS,)
CARD_VALUES = VALUE_COUNT - 1  # V2: there is no card for a 2
PHASES = OVER + 1
MOST_CARDS = int(CARDS_EACH.max())  # in a hand, so also turns of a player
MOST_COINS = MOST_CARDS + 1
MOST_ON_A_QUARTER = 15  # V11: nobody can pay the 16 coins of a fifth treasure
MOST_PAWN_POINTS = 2 * int(POINTS.sum())  # V19: on an X
MOST_WORTH = int(WORTH.max())
MOST_POINTS = MOST_CARDS * MOST_WORTH + MAX_PAWNS * MOST_PAWN_POINTS + MOST_COINS

FIELDS = (
    Field("players", (), 2, MAX_PLAYERS, "how many play"),
    Field("moves", (), 0, WALK, "the option: pawns walk like a queen (0), like a rook (1), on foot (2)"),
    Field("rescue", (), 0, 1, "the option: a fallen pawn is rescued to any free tile (0), to a quarter (1)"),
    Field("x_scores", (), 0, 1, "the option: an X scores by the number of quarters (0), by their values (1)"),
    Field("tie_break", (), 0, 1, "the option: a tie goes to more points from pawns (0), to more pawns (1)"),
    Field("phase", (PHASES,), 0, 1, "1 for what is decided: place, turn, moved, bought, rescue, over"),
    Field("turn", SEATS, 0, 1, "1 for who decides now; none when the game is over"),
    Field("active", SEATS, 0, 1, "1 for whose turn it is, even while another decides about a fallen pawn"),
    Field("winners", SEATS, 0, 1, "1 for who has won"),
    Field("scores", SEATS, 0, MOST_POINTS, "points, if the game ended now"),
    Field("values", (VALUE_COUNT, *BOARD), 0, 1, "1 for quarters of this value: 2, 3, 4, 5, 6, 7, 8, X"),
    Field("colors", (COLOR_COUNT, *BOARD), 0, 1, "1 for quarters of this color"),
    Field("platforms", BOARD, 0, 1, "1 for platforms"),
    Field("water", BOARD, 0, 1, "1 where a quarter has sunk; its value and its color are still told"),
    Field("coins_on", BOARD, 0, MOST_ON_A_QUARTER, "coins that lie on the quarter"),
    Field("pawns", (MAX_PLAYERS, *BOARD), 0, 1, "1 where a pawn of this seat stands"),
    Field("fallen_from", BOARD, 0, 1, "1 where the pawn stood that may be rescued now"),
    Field("prices", BOARD, 0, MOST_ON_A_QUARTER + 1, "coins that a treasure costs; 0 where none is sold"),
    Field("pawn_points", BOARD, 0, MOST_PAWN_POINTS, "points of a pawn here, if the game ended now"),
    Field("fallen", SEATS, 0, 1, "1 for whose pawn may be rescued now"),
    Field("coins", SEATS, 0, MOST_COINS, "coins of each seat"),
    Field("gondolas", SEATS, 0, GONDOLAS_EACH, "gondolas left to each seat"),
    Field("treasures", (MAX_PLAYERS, COLOR_COUNT), 0, TREASURES, "treasures of each seat, by color"),
    Field("stock", (COLOR_COUNT,), 0, TREASURES, "treasures left to buy, by color; 0 if not in play"),
    Field("quarters", (COLOR_COUNT,), 0, VALUE_COUNT, "quarters above water, by color"),
    Field("worth", (COLOR_COUNT,), 0, MOST_WORTH, "points of a treasure, by color, if the game ended now"),
    Field("hand", (CARD_VALUES, COLOR_COUNT), 0, 1, "1 for your cards: values 3-8 and X, by color"),
    Field("lowest", (), 0, CARD_VALUES, "the value you may play: 1 for a 3 … 7 for an X; 0: no cards"),
    Field("hand_sizes", SEATS, 0, MOST_CARDS, "cards in each hand"),
    Field("at_least", SEATS, 0, CARD_VALUES, "no card in this hand is lower: 1 for a 3 … 7 for an X"),
    Field("played", (MAX_PLAYERS, CARD_VALUES, COLOR_COUNT), 0, 1, "1 for the cards each seat has played"),
    Field("unseen", (CARD_VALUES, COLOR_COUNT), 0, 1, "1 for the cards in other hands or put away"),
    Field("put_away", (), 0, CARDS, "cards that nobody has seen and nobody will play"),
)
(
    PLAYERS, MOVES, RESCUE, X_SCORES, TIE_BREAK, PHASE, TURN, ACTIVE, WINNERS, SCORES, VALUES, COLORS,
    PLATFORMS, WATER, COINS_ON, PAWNS, FALLEN_FROM, PRICES, PAWN_POINTS, FALLEN, COINS, GONDOLAS,
    OWN_TREASURES, STOCK, QUARTERS_LEFT, TREASURE_WORTH, HAND, LOWEST, HAND_SIZES, AT_LEAST, PLAYED, UNSEEN,
    PUT_AWAY, SIZE,
) = starts(FIELDS)  # fmt: skip


@rule
def observe(s, seat, out):
    """Write every field as the seat sees it."""
    out[:SIZE] = 0
    out[PLAYERS] = s.players
    out[MOVES] = s.moves
    out[RESCUE] = s.rescue
    out[X_SCORES] = s.x_scores
    out[TIE_BREAK] = s.tie_break
    out[PHASE + s.phase] = 1
    observe_board(s, out)
    for color in range(COLOR_COUNT):
        if s.square_of[color] >= 0:
            quarters = quarters_of(s.above, color)
            out[STOCK + color] = s.stock[color]
            out[QUARTERS_LEFT + color] = quarters
            out[TREASURE_WORTH + color] = WORTH[quarters]
    won = winners(s)
    for steps in range(s.players):
        other = clockwise(s, seat, steps)
        out[TURN + steps] = to_move(s) == other
        out[ACTIVE + steps] = s.turn == other
        out[WINNERS + steps] = won >> other & 1
        observe_seat(s, other, steps, out)
    observe_cards(s, seat, out)


@rule
def observe_board(s, out):
    """V4: the tiles, the water, and what they are worth."""
    for square in range(SQUARES):
        out[PLATFORMS + square] = s.tile[square] == PLATFORM
    for tile in range(QUARTERS):
        square = np.int64(s.square_of[tile])
        if square >= 0:
            color = tile % COLOR_COUNT
            above = s.above >> tile & 1
            coins = np.int64(s.coins_on[square])
            out[VALUES + tile // COLOR_COUNT * SQUARES + square] = 1
            out[COLORS + color * SQUARES + square] = 1
            out[COINS_ON + square] = coins
            out[WATER + square] = 1 - above
            out[PAWN_POINTS + square] = above * quarter_points(tile, s.above, s.x_scores)
            out[PRICES + square] = above * (s.stock[color] > 0) * price(coins)
    if s.phase == RESCUING:
        out[FALLEN_FROM + s.fallen_from] = 1


@rule
def observe_seat(s, other, steps, out):
    """V6: what lies before a player, so many steps clockwise from the seat that looks.

    What it is worth (V22a) is added up from what was written about the board and the treasures.
    """
    points = np.int64(s.coins[other])
    for i in range(MAX_PAWNS):
        square = np.int64(s.pawns[other, i])
        if square < SQUARES:
            out[PAWNS + steps * SQUARES + square] = 1
            points += out[PAWN_POINTS + square]
    out[FALLEN + steps] = s.phase == RESCUING and s.fallen == other
    out[COINS + steps] = s.coins[other]
    out[GONDOLAS + steps] = s.gondolas[other]
    for color in range(COLOR_COUNT):
        treasures = np.int64(s.treasures[other, color])
        out[OWN_TREASURES + steps * COLOR_COUNT + color] = treasures
        points += treasures * out[TREASURE_WORTH + color]
    out[SCORES + steps] = points
    out[HAND_SIZES + steps] = card_count(s.hand[other])
    out[AT_LEAST + steps] = max(highest_played(s, other), 1)
    observe_set(s.played[other], PLAYED + steps * CARDS, out)


@rule
def observe_cards(s, seat, out):
    """V5, V12: the own hand, and the cards that are neither in it nor played."""
    hand = s.hand[seat]
    observe_set(hand, HAND, out)
    if hand != 0:
        out[LOWEST] = lowest_value(hand)
    unseen = s.above & ~hand
    observe_set(unseen >> FIRST_CARD << FIRST_CARD, UNSEEN, out)
    out[PUT_AWAY] = card_count(s.away)


@rule
def observe_set(cards, first, out):
    """Write 1 for each card of a set."""
    for card in range(FIRST_CARD, QUARTERS):
        out[first + card - FIRST_CARD] = cards >> card & 1
