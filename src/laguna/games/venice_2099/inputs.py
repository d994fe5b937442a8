"""Venice 2099: what a network is told about a position: only what the seat may know.

All that is hidden is which of the unseen cards lie in which hand (V23): `seat` knows the quarters above water
whose cards it does not hold, how many cards everybody has left, and that nobody holds a card lower than one
they have played. Small numbers by value or color are packed into one integer, as there is no scratch memory.
Whole numbers only, so that a GPU computes the very same.
"""

from __future__ import annotations

from math import comb

import numpy as np

from laguna.games.venice_2099.components import (
    BOUGHT,
    COLOR_COUNT,
    FIRST_CARD,
    HALF,
    MAX_PAWNS,
    MAX_PLAYERS,
    MOVED,
    OUT,
    PAWNS_EACH,
    PLATFORM,
    POINTS,
    QUARTERS,
    QUEEN,
    RAYS,
    RESCUING,
    SIDE,
    SQUARES,
    START,
    VALUE_COUNT,
    WALK,
    WORTH,
    X,
)
from laguna.games.venice_2099.rules import (
    hand_size,
    highest_played,
    lowest_value,
    quarter_points,
    size,
)
from laguna.kernel.jit import rule
from laguna.kernel.seats import clockwise

VERSION = 1  # of the inputs: a network trained for another does not fit
POINTS_UNIT = 12.0  # what the points still to be scored are divided by
OWN_VIEW = True  # in a search, what others see of their hands misleads

# What will become of a quarter, as far as the seat can tell. It sinks by the seat's own card, which is its
# next one, comes soon or late (V12); or others may hold its card, and play it now, next, soon or late.
GONE, STAYS, OWN_NEXT, OWN_SOON, OWN_LATE, NOW, NEXT, SOON, LATE = range(9)
FATES = 9
ON_PLATFORM = GONE  # for a pawn, which never stands on a sunk quarter

# ------------------------------------------------------------------ slots and rows

MANY_PAWNS = 15  # of all players together
SLOT_X = QUARTERS
SLOT_COLOR = SLOT_X + COLOR_COUNT
SLOT_TREASURES = SLOT_COLOR + COLOR_COUNT
SLOT_PAWN = SLOT_TREASURES + MAX_PLAYERS * COLOR_COUNT
SLOT_OFFER = SLOT_PAWN + MANY_PAWNS
SLOT_SEAT = SLOT_OFFER + MANY_PAWNS
SLOT_REACH = SLOT_SEAT + MAX_PLAYERS
SLOT_VALUE = SLOT_REACH + MAX_PLAYERS
SLOT_CARD = SLOT_VALUE + VALUE_COUNT - 1
SLOT_TURN = SLOT_CARD + 1
SLOT_FALLEN = SLOT_TURN + 1
SLOT_TIME = SLOT_FALLEN + 1
SLOT_OPTIONS = SLOT_TIME + 1
SLOTS = SLOT_OPTIONS + 1

WORTHS = 10  # steps of a treasure's expected worth
OWNED = 8  # treasures of a seat: 0, 1, … 7 and more
LEVELS = 8  # of what a move or a purchase would gain
TURNS = 13  # turns left: 0 … 12

# A quarter above water: (a 2, or value × fate) × who stands there (nobody; the seat, with a gondola or
# without; another, with or without) × coins on it (0, 1, 3, more).
ROW_QUARTER = 1
# The X of a color: fate × who stands there (nobody, the seat, another) × its points, if it stays (8 steps).
ROW_X = ROW_QUARTER + (1 + (FATES - 1) * (VALUE_COUNT - 1)) * 5 * 4
# A color: quarters that may stay (1 … 8) × of these, that surely will (1, 2, 3, more) × treasures in stock
# (0, 1 or 2, more) × the seat's treasures (0, 1, 2, more).
ROW_COLOR = ROW_X + FATES * 3 * 8
# A color's treasures of a seat: own or another's × expected worth × how many.
ROW_TREASURES = ROW_COLOR + 8 * 4 * 3 * 4
# A pawn: own or another's × fate of its quarter, or on a platform × free squares around (0, 1, more) × its
# owner's gondolas.
ROW_PAWN = ROW_TREASURES + 2 * WORTHS * OWNED
# What is sold where a pawn stands: own or another's × may be bought now × price (1, 2, 4, 8, none that its
# owner can pay) × expected worth.
ROW_OFFER = ROW_PAWN + 2 * FATES * 3 * 3
# A seat: own or another's × gondolas × pawns left × turns left (0, 1, 2 or 3, more).
ROW_SEAT = ROW_OFFER + 2 * 2 * 5 * WORTHS
# What a seat can do in its next turn: own or another's × when (now, next, later) × by how much a walk can
# improve its worst pawn × what the best purchase would gain, here or after a walk.
ROW_REACH = ROW_SEAT + 2 * 3 * 5 * 4
# Cards of a value: value × in the seat's hand (0, 1, 2, more) × unseen (0 … 6).
ROW_VALUE = ROW_REACH + 2 * 3 * LEVELS * LEVELS
# The cards that the seat may play next: how many (1, 2, more) × of these, that sink a pawn of another (0, 1,
# more) × one of its own (0, 1, more) × when (now, and may still move; now; later).
ROW_CARD = ROW_VALUE + (VALUE_COUNT - 1) * 4 * 7
# Players × phase × whose turn it is, from the seat on.
ROW_TURN = ROW_CARD + 3 * 3 * 3 * 3
# Whose pawn has fallen, from the seat on × its owner's gondolas (1, 2).
ROW_FALLEN = ROW_TURN + 4 * 6 * MAX_PLAYERS
# Players × turns that the seat has left.
ROW_TIME = ROW_FALLEN + MAX_PLAYERS * 2
# Players × the four options.
ROW_OPTIONS = ROW_TIME + 4 * TURNS
ROWS = ROW_OPTIONS + 4 * 3 * 2 * 2 * 2

# ------------------------------------------------------------------ counts

# By seat, own first; then by card value; then single ones.
SCORE = 0  # points as they stand
EXPECTED = SCORE + MAX_PLAYERS  # points at the end, × 10
ON_FOOT = EXPECTED + MAX_PLAYERS  # the part of it that pawns score, × 10
COINS = ON_FOOT + MAX_PLAYERS
GONDOLAS = COINS + MAX_PLAYERS
CARDS_LEFT = GONDOLAS + MAX_PLAYERS
AT_LEAST = CARDS_LEFT + MAX_PLAYERS  # the highest value played: no lower card is left in that hand
STAYING = AT_LEAST + MAX_PLAYERS  # chance of a quarter of each value to stay, × 1000
LOWEST = STAYING + VALUE_COUNT - 1  # value in the seat's hand
UNSEEN = LOWEST + 1  # cards in other hands or put away
TURNS_LEFT = UNSEEN + 1  # of all players together
BEST_LANDING = TURNS_LEFT + 1  # level of the free quarter that promises most to a pawn, as by gondola
BEST_OFFER = BEST_LANDING + 1  # level of the best purchase on a free quarter
LEAD = BEST_OFFER + 1  # expected points before (or behind) the best of the others, × 10
COUNTS = np.array(
    [30] * MAX_PLAYERS + [300] * MAX_PLAYERS + [150] * MAX_PLAYERS + [8] * MAX_PLAYERS + [2] * MAX_PLAYERS
    + [8] * MAX_PLAYERS + [7] * MAX_PLAYERS + [1000] * (VALUE_COUNT - 1) + [7, 30, 30, 7, 7, 100],
    np.float32,
)  # fmt: skip

# ------------------------------------------------------------------ steps

SURE = 6  # a chance is a number of 1 << SURE; by values, 7 bits each
ONE = 1 << SURE
EXACT = 12  # the same where chances are multiplied
FINE = 1 << EXACT
PER_COLOR = 10  # bits


def _steps(limits: list[int], last: int) -> np.ndarray:
    """For each number up to the last one: how many of the limits it reaches."""
    return np.array([sum(n >= limit for limit in limits) for n in range(last + 1)], np.int64)


WORTH_STEP = _steps([11, 13, 16, 20, 25, 30, 36, 42, 50], 60)  # by tenths of points
X_STEP = _steps([50, 70, 90, 110, 140, 200, 300], 719)
COIN_STEP = _steps([1, 3, 7], 127)
TURN_STEP = _steps([1, 2, 4], TURNS - 1)
STOCK_STEP = _steps([1, 3], 10)
LANDING_LEVEL = _steps([5, 15, 25, 38, 50, 62, 75], 719)  # by tenths of points
OFFER_LEVEL = _steps([4, 8, 14, 20, 28, 36, 44], 60)


def _around(directions: int) -> list[int]:
    """The squares beside each square, as bits."""
    bits = [sum(1 << int(ray[0]) for ray in RAYS[at, :directions] if ray[0] >= 0) for at in range(SQUARES)]
    return [each - (1 << 64) if each >> 63 else each for each in bits]


BESIDE = np.array([_around(8), _around(4)], np.int64)  # for a queen, for others (V9)
COLOR_OF = np.arange(QUARTERS + 1) % COLOR_COUNT  # looked up, as dividing takes longer
VALUE_OF = np.arange(QUARTERS + 1) // COLOR_COUNT
CARDS_OF = np.array([colors.bit_count() for colors in range(1 << COLOR_COUNT)])  # of one value
PLACES = [1 << (PER_COLOR * color) for color in range(COLOR_COUNT)]
LANES = np.array(
    [sum(place for color, place in enumerate(PLACES) if colors >> color & 1) for colors in range(64)]
)  # by a set of colors: 1 for each of them
# V19, by option: half of what each quarter adds to an X, by value, and what the X adds itself.
X_SURE = 4
ADDED = np.array([[1] * X + [0], [*POINTS[:X], 0]], np.int64)
X_ITSELF = np.array([1 << X_SURE, 0], np.int64)
CHANCE_STEP = 3  # chances are looked up in steps of 1 << 3 of them


def _expected_worth(sure: int, doubtful: int, step: int) -> int:
    """V17: of a treasure, × 10, when each of the doubtful quarters is equally likely to stay."""
    stay = min(1.0, (step + 0.5) * (1 << CHANCE_STEP) / ONE / doubtful) if doubtful else 0.0
    ways = [comb(doubtful, n) * stay**n * (1 - stay) ** (doubtful - n) for n in range(doubtful + 1)]
    return round(10 * sum(way * int(WORTH[min(sure + n, 4)]) for n, way in enumerate(ways)))


EXPECTED_WORTH = np.array(
    [
        [[_expected_worth(sure, doubtful, step) for step in range(VALUE_COUNT * ONE >> CHANCE_STEP)]
         for doubtful in range(VALUE_COUNT)]
        for sure in range(1, 5)
    ],
    np.int16,
)  # fmt: skip
NATURAL = 127  # changes nothing: an index that cannot be negative is looked up faster
NOT_COLUMN_A = ~0x0101010101010101
NOT_COLUMN_H = 0x7F7F7F7F7F7F7F7F
CARD_BITS = (1 << QUARTERS) - (1 << FIRST_CARD)


@rule
def inputs(s, seat, rows, counts):
    """Write a row for each slot, and the counts."""
    stays, fates = foresee(s, seat, rows, counts)
    worths, x_points, now = write_colors(s, seat, stays, rows)
    gains = gains_of(s, worths)
    mine, others, carried = standing(s, seat)
    landings, offers = write_quarters(s, seat, stays, fates, gains, x_points, mine, others, carried, rows)
    write_x(s, seat, fates, x_points, mine, others, rows)
    free = s.free[0] | s.free[1] << HALF
    counts[BEST_LANDING] = best_level(free, landings)
    counts[BEST_OFFER] = best_level(free, offers)
    for slot in range(SLOT_PAWN, SLOT_SEAT):
        rows[slot] = 0
    for k in range(s.players):
        other = clockwise(s, seat, k)
        worst, here = write_pawns(s, seat, k, free, stays, fates, worths, gains, x_points, rows, counts)
        write_seat(s, k, other, worths, now, rows, counts)
        write_reach(s, k, other, free, worst, here, landings, offers, rows)
    for k in range(s.players, MAX_PLAYERS):
        write_nobody(k, rows, counts)
    write_hand(s, seat, mine, others, rows, counts)
    write_table(s, seat, rows, counts)


# ------------------------------------------------------------------ what will sink


@rule
def foresee(s, seat, rows, counts):
    """V12, V23: how likely a quarter of each value is to stay (7 bits each), and its fate (4 bits each).

    Fates of quarters whose card is unseen come first, then, from bit 32 on, of those with cards in the hand.
    The chance is exact for a single card: a hand of n cards, each of R equally likely, leaves one alone with
    (R - n) / R; hands that may hold only higher cards have taken theirs before.
    """
    unseen = s.above & ~s.hand[seat] & CARD_BITS
    in_hands, dealt = write_sizes(s, seat, counts)
    at_least = size(unseen & 0xFFFFFFFF) + size(unseen >> 32)  # unseen cards of this value or higher
    counts[UNSEEN] = at_least
    stay = np.int64(FINE)
    before = np.int64(0)  # cards of lower values that others are expected to play, × FINE
    own_before = np.int64(0)
    stays = np.int64(ONE)
    fates = np.int64(STAYS)  # V2: of the 2s
    for value in range(VALUE_COUNT):
        hands = (in_hands >> (8 * value)) & 0xFF
        dealt -= hands
        if hands > 0:
            stay = stay * (at_least - dealt - hands) // (at_least - dealt)
        if value > 0:
            count = CARDS_OF[(unseen >> (value * COLOR_COUNT)) & 0b111111]
            own = CARDS_OF[(s.hand[seat] >> (value * COLOR_COUNT)) & 0b111111]
            counts[STAYING + value - 1] = stay * 1000 >> EXACT
            rows[SLOT_VALUE + value - 1] = value_row(value, own, count)
            stays |= (stay >> (EXACT - SURE)) << (7 * value)
            fates |= fate_of_unseen(stay, before, s.players - 1) << (4 * value)
            fates |= fate_of_own(own_before) << (32 + 4 * value)
            at_least -= count
            before += count * (FINE - stay)
            own_before += own
    return stays, fates


@rule
def write_sizes(s, seat, counts):
    """Cards left, highest values played; sizes of other hands by these values (8 bits each), and in all."""
    in_hands = np.int64(0)
    dealt = np.int64(0)
    left = hand_size(s, seat)
    counts[CARDS_LEFT] = left
    counts[AT_LEAST] = highest_played(s, seat)
    for k in range(1, s.players):
        other = clockwise(s, seat, k)
        cards = hand_size(s, other)
        value = highest_played(s, other)
        counts[CARDS_LEFT + k] = cards
        counts[AT_LEAST + k] = value
        in_hands += cards << (8 * value)
        dealt += cards
    counts[TURNS_LEFT] = left + dealt
    return in_hands, dealt


@rule
def value_row(value, own, unseen):
    if own + unseen == 0:
        return 0
    return ROW_VALUE + ((value - 1) * 4 + min(own, 3)) * 7 + unseen


@rule
def fate_of_unseen(stay, before, others):
    """Cards that come before, for each of the others: 0.5, 1.5 or 3 of them make a difference."""
    if stay == FINE:
        return STAYS
    twice = 2 * before
    return NOW + (twice >= FINE * others) + (twice >= 3 * FINE * others) + (twice >= 6 * FINE * others)


@rule
def fate_of_own(before):
    return OWN_NEXT + (before > 0) + (before > 2)


@rule
def chance_of(s, seat, tile, stays):
    """How likely a quarter above water is to stay; one whose card is in the seat's hand will not."""
    stay = (stays >> (7 * VALUE_OF[tile])) & 0x7F
    return stay * (1 - ((s.hand[seat] >> tile) & 1))


@rule
def fate_of(s, seat, tile, fates):
    return (fates >> (32 * ((s.hand[seat] >> tile) & 1) + 4 * VALUE_OF[tile])) & 0xF


# ------------------------------------------------------------------ colors


@rule
def write_colors(s, seat, stays, rows):
    """A row for each color; its treasures' expected worth and an X's points, × 10, and the worth now."""
    quarters, sure, chances, points, above = add_colors(s, s.above & ~s.hand[seat], stays)
    worths = np.int64(0)
    x_points = np.int64(0)
    now = np.int64(0)
    for color in range(COLOR_COUNT):
        may_stay = of_color(quarters, color)
        row = np.int64(0)
        if may_stay > 0:  # V4: not taken out
            surely = of_color(sure, color)
            doubtful = (of_color(chances, color) - surely * ONE) >> CHANCE_STEP
            worth = EXPECTED_WORTH[min(surely, 4) - 1, may_stay - surely, doubtful]
            worths |= np.int64(worth) << (PER_COLOR * color)
            added = of_color(points, color) + X_ITSELF[s.x_scores]
            x_points |= (20 * added >> X_SURE) << (PER_COLOR * color)
            now |= WORTH[of_color(above, color)] << (PER_COLOR * color)
            row = ((may_stay - 1) * 4 + min(surely, 4) - 1) * 3 + STOCK_STEP[s.stock[color]]
            row = ROW_COLOR + row * 4 + min(np.int64(s.treasures[seat, color]), 3)
        rows[SLOT_COLOR + color] = row
    return worths, x_points, now


@rule
def add_colors(s, may_stay, stays):
    """By color: quarters that may stay, that surely will, their chances, what they add to an X; quarters now.

    Six sums at a time. What is added to the X (V19) is a number of 1 << X_SURE.
    """
    quarters, sure, chances = np.int64(0), np.int64(0), np.int64(0)
    points, above = np.int64(0), np.int64(0)
    for value in range(VALUE_COUNT):
        stay = (stays >> (7 * value)) & 0x7F
        lanes = LANES[(may_stay >> (value * COLOR_COUNT)) & 0b111111]
        quarters += lanes
        sure += lanes * (stay >> SURE)
        chances += lanes * stay
        points += lanes * (stay * ADDED[s.x_scores, value] >> (SURE - X_SURE))
        above += LANES[(s.above >> (value * COLOR_COUNT)) & 0b111111]
    return quarters, sure, chances, points, above


@rule
def of_color(packed, color):
    return (packed >> (PER_COLOR * color)) & 0x3FF


@rule
def gains_of(s, worths):
    """V11: levels (3 bits each) of what a purchase for 1, 2 and 4 coins would gain, by color.

    For 8 coins there is nothing to gain, as no treasure is worth more than 6.
    """
    gains = np.int64(0)
    for color in range(COLOR_COUNT):
        if s.stock[color] > 0:
            worth = of_color(worths, color)
            levels = OFFER_LEVEL[max(0, worth - 10)]
            levels |= OFFER_LEVEL[max(0, worth - 20)] << 3
            levels |= OFFER_LEVEL[max(0, worth - 40)] << 6
            gains |= levels << (PER_COLOR * color)
    return gains


@rule
def gain_of(gains, color, coin_step):
    return ((of_color(gains, color) & 0x1FF) >> (3 * coin_step)) & 0x7


# ------------------------------------------------------------------ quarters


@rule
def standing(s, seat):
    """The quarters, as bits, on which the seat has pawns, others have; and any owner who has a gondola."""
    mine = np.int64(0)
    others = np.int64(0)
    carried = np.int64(0)
    for other in range(s.players):
        tiles = np.int64(0)
        for i in range(MAX_PAWNS):
            square = s.pawns[other, i]
            if square == OUT:
                break
            tiles |= np.int64(1) << np.int64(s.tile[square])
        if other == seat:
            mine = tiles
        else:
            others |= tiles
        if s.gondolas[other] > 0:
            carried |= tiles
    return mine, others, carried


@rule
def expected(tile, chance, x_points):
    """V18, V19: what a pawn on this quarter may expect to score, × 10."""
    value = VALUE_OF[tile]
    points = of_color(x_points, COLOR_OF[tile]) if value == X else 10 * POINTS[value]
    return points * chance >> SURE


@rule
def write_quarters(s, seat, stays, fates, gains, x_points, mine, others, carried, rows):
    """A row for each quarter; the levels of what they promise to a pawn and to a buyer, by squares.

    Levels are of three bits, and each bit has a set of squares.
    """
    high, mid, low = np.int64(0), np.int64(0), np.int64(0)
    dear, fair, poor = np.int64(0), np.int64(0), np.int64(0)
    tile = 0
    for value in range(VALUE_COUNT):
        stay = (stays >> (7 * value)) & 0x7F
        row_unseen = quarter_row(value, (fates >> (4 * value)) & 0xF)
        row_own = quarter_row(value, (fates >> (32 + 4 * value)) & 0xF)
        promising = np.int64(0)
        for color in range(COLOR_COUNT):
            row = 0
            if (s.above >> tile) & 1:
                square = np.int64(s.square_of[tile]) & NATURAL
                own = (s.hand[seat] >> tile) & 1
                coin_step = COIN_STEP[s.coins_on[square] & NATURAL]
                alone = 1 - ((carried >> tile) & 1)
                who = ((mine >> tile) & 1) * (1 + alone) + ((others >> tile) & 1) * (3 + alone)
                row = row_unseen + own * (row_own - row_unseen) + who * 4 + coin_step
                if value == X:
                    level = LANDING_LEVEL[of_color(x_points, color) * stay >> SURE] * (1 - own)
                    high |= (level >> 2) << square
                    mid |= ((level >> 1) & 1) << square
                    low |= (level & 1) << square
                promising |= (1 - own) << square
                gain = gain_of(gains, color, coin_step)
                dear |= (gain >> 2) << square
                fair |= ((gain >> 1) & 1) << square
                poor |= (gain & 1) << square
            rows[tile] = row
            tile += 1
        level = LANDING_LEVEL[10 * POINTS[value] * stay >> SURE]  # nothing for an X
        high |= promising * (level >> 2)
        mid |= promising * ((level >> 1) & 1)
        low |= promising * (level & 1)
    return (high, mid, low), (dear, fair, poor)


@rule
def quarter_row(value, fate):
    """The first row of a quarter of this value and fate."""
    kind = 0 if value == 0 else 1 + (fate - 1) * (VALUE_COUNT - 1) + value - 1
    return ROW_QUARTER + kind * 5 * 4


@rule
def best_level(squares, levels):
    """The highest level among these squares."""
    high, mid, low = levels
    in_high = squares & high
    squares = in_high if in_high != 0 else squares
    in_mid = squares & mid
    squares = in_mid if in_mid != 0 else squares
    return 4 * (in_high != 0) + 2 * (in_mid != 0) + (squares & low != 0)


@rule
def write_x(s, seat, fates, x_points, mine, others, rows):
    """V19: what the X of each color is worth."""
    for color in range(COLOR_COUNT):
        tile = X * COLOR_COUNT + color
        row = 0
        if (s.above >> tile) & 1:
            who = ((mine >> tile) & 1) + 2 * ((others >> tile) & 1)
            row = fate_of(s, seat, tile, fates) * 3 + who
            row = ROW_X + row * 8 + X_STEP[of_color(x_points, color)]
        rows[SLOT_X + color] = row


# ------------------------------------------------------------------ seats


@rule
def write_pawns(s, seat, k, free, stays, fates, worths, gains, x_points, rows, counts):
    """Rows and points of a seat's pawns; the level of the worst one, and of the best offer to any."""
    other = clockwise(s, seat, k)
    own_or_not = np.int64(k > 0)
    first_row = ROW_PAWN + own_or_not * FATES * 3 * 3 + s.gondolas[other]
    first_offer = ROW_OFFER + (own_or_not * 2 + is_active(s, other)) * 5 * WORTHS
    coins = s.coins[other]
    ways = 0 if s.moves == QUEEN else 1
    points = np.int64(0)
    points_now = np.int64(0)
    worst = np.int64(LEVELS - 1)
    best = np.int64(0)
    slot = SLOT_PAWN + k * PAWNS_EACH[s.players]
    for i in range(PAWNS_EACH[s.players]):
        square = np.int64(s.pawns[other, i]) & NATURAL
        if square == OUT:
            break
        tile = np.int64(s.tile[square]) & NATURAL
        fate = np.int64(ON_PLATFORM)
        level = np.int64(0)
        if tile != PLATFORM:
            fate = fate_of(s, seat, tile, fates)
            promised = expected(tile, chance_of(s, seat, tile, stays), x_points)
            level = LANDING_LEVEL[promised]
            points += promised
            points_now += quarter_points(tile, s.above, s.x_scores)
            color = COLOR_OF[tile]
            coins_on = s.coins_on[square] & NATURAL
            paid = np.int64(4)  # nothing to buy
            if coins_on < coins and s.stock[color] > 0:
                paid = COIN_STEP[coins_on]
                best = max(best, gain_of(gains, color, paid))
            rows[slot + MANY_PAWNS + i] = first_offer + paid * WORTHS + WORTH_STEP[of_color(worths, color)]
        worst = min(worst, level)
        rows[slot + i] = first_row + (fate * 3 + one_or_more(free & BESIDE[ways, square])) * 3
    counts[ON_FOOT + k] = points
    counts[SCORE + k] = points_now
    return worst, best


@rule
def is_active(s, seat):
    """Whether a seat may still buy in this turn (V8)."""
    return np.int64(seat == s.turn and (s.phase == START or s.phase == MOVED))


@rule
def one_or_more(squares):
    """0, 1, or 2 if there are more."""
    return np.int64(squares != 0) + np.int64(squares & (squares - 1) != 0)


@rule
def write_seat(s, k, other, worths, now, rows, counts):
    """Treasures, coins, gondolas and points of a seat, to which its pawns' points are added."""
    own_or_not = np.int64(k > 0)
    points = np.int64(counts[ON_FOOT + k]) + 10 * np.int64(s.coins[other])
    first_row = ROW_TREASURES + own_or_not * WORTHS * OWNED
    points_now = np.int64(counts[SCORE + k]) + s.coins[other]
    for color in range(COLOR_COUNT):
        owned = np.int64(s.treasures[other, color])
        worth = of_color(worths, color)
        points += owned * worth
        points_now += owned * of_color(now, color)
        row = first_row + WORTH_STEP[worth] * OWNED + min(owned, OWNED - 1)
        rows[SLOT_TREASURES + k * COLOR_COUNT + color] = row * (owned > 0)
    pawns = 0
    while pawns < MAX_PAWNS and s.pawns[other, pawns] != OUT:
        pawns += 1
    row = (own_or_not * 3 + s.gondolas[other]) * 5 + pawns
    rows[SLOT_SEAT + k] = ROW_SEAT + row * 4 + TURN_STEP[counts[CARDS_LEFT + k]]
    counts[SCORE + k] = points_now
    counts[EXPECTED + k] = points
    counts[COINS + k] = s.coins[other]
    counts[GONDOLAS + k] = s.gondolas[other]


@rule
def write_nobody(k, rows, counts):
    for color in range(COLOR_COUNT):
        rows[SLOT_TREASURES + k * COLOR_COUNT + color] = 0
    rows[SLOT_SEAT + k] = 0
    rows[SLOT_REACH + k] = 0
    for kind in range(SCORE, STAYING, MAX_PLAYERS):
        counts[kind + k] = 0


# ------------------------------------------------------------------ where pawns can walk


@rule
def write_reach(s, k, other, free, worst, here, landings, offers, rows):
    """What a walk of any of a seat's pawns can gain, in this turn if it is the seat's, or in its next one."""
    if s.pawns[other, 0] == OUT:
        rows[SLOT_REACH + k] = 0
        return
    when = 0 if is_active(s, other) else 1 if other == clockwise(s, s.turn, 1) else 2
    better = np.int64(0)
    if when > 0 or s.phase == START:
        squares = walks(s, other, free)
        better = max(0, best_level(squares, landings) - worst)
        if s.coins[other] > 0:
            here = max(here, best_level(squares, offers))
    rows[SLOT_REACH + k] = ROW_REACH + (((k > 0) * 3 + when) * LEVELS + better) * LEVELS + here


@rule
def walks(s, seat, free):
    """V9: the free squares that some pawn of the seat can walk to."""
    pawns = np.int64(0)
    for i in range(MAX_PAWNS):
        if s.pawns[seat, i] == OUT:
            break
        pawns |= np.int64(1) << np.int64(s.pawns[seat, i])
    if s.moves == WALK:
        return flood(pawns, free)
    found = left(pawns, free, SIDE) | right(pawns, free, SIDE)
    found |= left(pawns, free & NOT_COLUMN_A, 1) | right(pawns, free & NOT_COLUMN_H, 1)
    if s.moves == QUEEN:
        found |= left(pawns, free & NOT_COLUMN_A, SIDE + 1) | right(pawns, free & NOT_COLUMN_H, SIDE + 1)
        found |= left(pawns, free & NOT_COLUMN_H, SIDE - 1) | right(pawns, free & NOT_COLUMN_A, SIDE - 1)
    return found & free


@rule
def left(found, free, step):
    """Spread over free squares by 1, 2 and 4 steps, which makes up to 7, toward higher numbers."""
    for _ in range(3):
        found |= free & (found << step)
        free &= free << step
        step *= 2
    return found


@rule
def right(found, free, step):
    """The same toward lower numbers; what comes in at the sign's end is no square."""
    for _ in range(3):
        inside = ~(np.int64(-1) << (SQUARES - step))
        found |= free & (found >> step) & inside
        free &= (free >> step) & inside
        step *= 2
    return found


@rule
def flood(pawns, free):
    """V9, option `walk`: from side to side until nothing is added."""
    found = pawns
    while True:
        more = left(found, free, SIDE) | right(found, free, SIDE)
        more |= left(found, free & NOT_COLUMN_A, 1) | right(found, free & NOT_COLUMN_H, 1)
        if more == found:
            return found & free
        found = more


# ------------------------------------------------------------------ hand and table


@rule
def write_hand(s, seat, mine, others, rows, counts):
    """V12: what the cards that the seat may play next would sink."""
    hand = s.hand[seat]
    if hand == 0:
        rows[SLOT_CARD] = 0
        counts[LOWEST] = VALUE_COUNT
        return
    value = lowest_value(hand)
    counts[LOWEST] = value
    cards = hand & (np.int64(0b111111) << (value * COLOR_COUNT))
    row = min(pile(cards, value), 3) - 1
    row = row * 3 + min(pile(cards & others, value), 2)
    row = row * 3 + min(pile(cards & mine, value), 2)
    when = 2
    if s.turn == seat and (s.phase == START or s.phase == MOVED or s.phase == BOUGHT):
        when = 0 if s.phase == START else 1
    rows[SLOT_CARD] = ROW_CARD + row * 3 + when


@rule
def pile(cards, value):
    """How many cards of a value these are."""
    return CARDS_OF[cards >> (value * COLOR_COUNT)]


@rule
def write_table(s, seat, rows, counts):
    """Players, phase, turn, options and time; and the lead."""
    table = s.players - 2
    turn = clockwise(s, s.turn, s.players - seat)
    rows[SLOT_TURN] = ROW_TURN + (table * 6 + s.phase) * MAX_PLAYERS + turn
    fallen = 0
    if s.phase == RESCUING:
        owner = clockwise(s, s.fallen, s.players - seat)
        fallen = ROW_FALLEN + owner * 2 + (s.gondolas[s.fallen] > 1)
    rows[SLOT_FALLEN] = fallen
    rows[SLOT_TIME] = ROW_TIME + table * TURNS + counts[CARDS_LEFT]
    row = ((table * 3 + s.moves) * 2 + s.rescue) * 2 + s.x_scores
    rows[SLOT_OPTIONS] = ROW_OPTIONS + row * 2 + s.tie_break
    best = counts[EXPECTED + 1]
    for k in range(2, s.players):
        best = max(best, counts[EXPECTED + k])
    counts[LEAD] = counts[EXPECTED] - best
