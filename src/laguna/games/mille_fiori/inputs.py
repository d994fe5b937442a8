"""Mille Fiori: what a network is told about a position: only what the seat may know.

Seats are steps clockwise from the own seat: 0 is the own one. `side` is 0 for it and 1 for every opponent.
"""

from __future__ import annotations

import numpy as np

from laguna.games.mille_fiori.components import (
    BONUS_NEEDS,
    COLLECTIONS,
    COMMONERS,
    FLEET_POINTS,
    GOBLET,
    GOODS,
    HAND,
    HARBOR,
    HARBOR_CARD,
    LEVEL_POINTS,
    LION,
    LOZENGES,
    MAX_PLAYERS,
    MIDDLE,
    NEIGHBOR_BITS,
    NO_CARD,
    NOBLES,
    PICKS,
    PIGMENT,
    PYRAMID,
    PYRAMID_TYPES,
    RESERVE,
    RESIDENCE,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    ROUNDS,
    SEA_END,
    SEA_EXTRA_BITS,
    SEA_POINTS,
    SECRET,
    SHIPS,
    TOP,
    TRADE,
    TRIPLES,
    TYPE_BITS,
    TYPE_OF,
    TYPES,
    WHEEL_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.components import ROWS as TRADE_ROWS
from laguna.games.mille_fiori.evaluation import bonus_left
from laguna.games.mille_fiori.rules import (
    CHOOSING_EXTRA,
    KEEPING,
    OVER,
    filled,
    has_seen,
    looks_at_hand,
    own_cells,
    supply_is_empty,
    supported,
    usable,
)
from laguna.kernel.bits import lowest
from laguna.kernel.jit import rule
from laguna.kernel.seats import clockwise

VERSION = 1  # of the inputs: a network trained for another does not fit
POINTS_UNIT = 30.0  # what the points still to be scored are divided by
OWN_VIEW = False  # in a search, the chances that the seats see are made to add up to 1

EXTRA_CARD = 6  # how many points an extra card counts where cards are compared
KINDS = len(TYPES)
WORKSHOP_CELLS = 30
RESIDENCE_CELLS = len(RESIDENCE_NUMBERS)
UPPER = PYRAMID - MIDDLE  # the cells of a pyramid that have a triangle below them

# Steps of the time left: 0–1, 2–3, 4–6, 7–11, 12–18, more cards to play.
TIME = np.array([0, 0, 1, 1, 2, 2, 2, *[3] * 5, *[4] * 7, *[5] * 13], np.int64)
TIMES = 6
# Steps of the points that a card brings: 0, 1–2, 3–4, 5–7, 8–11, 12–16, 17–23, more.
GAIN = np.array([0, 1, 1, 2, 2, 3, 3, 3, *[4] * 4, *[5] * 5, *[6] * 7, *[7] * 40], np.int64)
GAINS = 8

# ------------------------------------------------------------------ rows: what is crossed with what

PHASE_ROWS = 1  # players (3) × draft (2) × phase (4) × whose turn (4)
PLAYS_ROWS = PHASE_ROWS + 3 * 2 * 4 * 4  # players × cards that the seat will still play (0–31)
DOGE_ROWS = PLAYS_ROWS + 3 * 32  # players × the Doge (4) × whose turn (4)
CHOICE_ROWS = DOGE_ROWS + 3 * 4 * 4  # own card (not chosen, kept, played) × extra card (5, see `extra_state`)
SUPPLY_ROWS = CHOICE_ROWS + 3 * 5  # the smallest supply (0–27) × is it the own one
WORKSHOP_ROWS = SUPPLY_ROWS + 28 * 2  # cell × (whose, 4; or free: near the own largest group × near an
# opponent's × the last one around an extra-card symbol)
PYRAMID_ROWS = WORKSHOP_ROWS + WORKSHOP_CELLS * 12  # cell (both pyramids have the same pattern) × whose
MIDDLE_ROWS = PYRAMID_ROWS + PYRAMID * 4  # free cell of the middle × open × what the triangle below it scores
# for the own seat (0–2) and for the best opponent (0–2)
TOP_ROWS = MIDDLE_ROWS + 4 * 2 * 9  # the same, all top cells alike: own points (0–9), opponent's in 5 steps
NEXT_RESIDENCE_ROWS = TOP_ROWS + 2 * 10 * 5  # next cell (21) × whose run is before it × its length (1, 2, 3+)
NUMBERS_ROWS = NEXT_RESIDENCE_ROWS + 21 * 4 * 3  # side × numbers collected (0–6) × is the next number new
# × the one after it × bonus left (0, 5, …, 20)
GOOD_ROWS = NUMBERS_ROWS + 2 * 7 * 4 * 5  # filled (0–5) × own (0–5) × the most of an opponent (0–5)
FLEET_ROWS = GOOD_ROWS + 6 * 6 * 6  # filled (0–2) × own (0–2) × goods beside it (0–4)
COLLECTION_ROWS = FLEET_ROWS + 3 * 3 * 5  # side × area (workshops, a pyramid, trade) × (bonus taken;
# impossible; or things collected, in pyramids with "is one of the missing open" × bonus left × time)
COLLECTION_CODES = 2 + 6 * 4 * TIMES
GROUP_ROWS = COLLECTION_ROWS + 2 * 3 * COLLECTION_CODES  # whose × cells of the largest group (0–12) × time
SHIP_ROWS = GROUP_ROWS + 4 * 13 * TIMES  # whose × space (0–20)
HAND_ROWS = SHIP_ROWS + 4 * (SEA_END + 1)  # a card to choose from: type × points it brings
PASSED_ROWS = HAND_ROWS + KINDS * GAINS  # a card that the left neighbor gets: type
KEPT_ROWS = PASSED_ROWS + KINDS  # the own kept card: type × points it brings
EXTRA_ROWS = KEPT_ROWS + KINDS * GAINS  # the own extra card: type × points it brings
OTHER_EXTRA_ROWS = EXTRA_ROWS + KINDS * GAINS  # an opponent's: type
DISPLAY_ROWS = OTHER_EXTRA_ROWS + KINDS  # type × (1, more)
ROWS = DISPLAY_ROWS + KINDS * 2

# ------------------------------------------------------------------ slots

SITUATION = 0  # the five kinds of rows from PHASE_ROWS on
WORKSHOP = SITUATION + 5
PYRAMIDS = WORKSHOP + WORKSHOP_CELLS
TRIANGLE_SLOTS = PYRAMIDS + 2 * PYRAMID
NEXT_RESIDENCE = TRIANGLE_SLOTS + 2 * UPPER
GOOD = NEXT_RESIDENCE + 1
FLEET = GOOD + GOODS
HAND_SLOTS = FLEET + TRADE_ROWS
KEPT = HAND_SLOTS + HAND
EXTRA = KEPT + 1
DISPLAY = EXTRA + 1
SEAT_SLOTS = DISPLAY + KINDS  # for each seat, own first:
GROUP, SHIP, NUMBERS, WORKSHOPS_COLLECTED, NOBLES_COLLECTED, COMMONERS_COLLECTED, GOODS_COLLECTED = range(7)
PER_SEAT = 7
SLOTS = SEAT_SLOTS + MAX_PLAYERS * PER_SEAT

# ------------------------------------------------------------------ counts

# For each seat, own first. LEAD: the own points, then how far the own seat is ahead of each other.
LEAD, LARGEST_GROUP, GROUP_EDGE, BEST_WORKSHOP, RESIDENCE_POINTS = range(5)
GOODS_TO_COME, FLEETS_NOW, TRIANGLES, SUPPLY = range(5, 9)
SEAT_COUNTS = 9
BRINGS = MAX_PLAYERS * SEAT_COUNTS  # what a card of each type would bring the own seat, if placed
KEPT_BRINGS = BRINGS + KINDS  # what the best use of a card would bring: the kept one, the extra one, …
EXTRA_BRINGS, BEST_IN_HAND, SECOND_IN_HAND, NEXT_HAND, BEST_DISPLAYED, PLAYS_LEFT = range(
    KEPT_BRINGS + 1, KEPT_BRINGS + 7
)
COUNTS = np.array(
    [
        *[100, 5, 5, 8, 8, 30, 15, 15, 15],
        *[30, 5, 5, 8, 8, 30, 15, 15, 15] * (MAX_PLAYERS - 1),
        *[10] * KINDS,
        *[10] * 6,
        15,
    ],
    np.float32,
)

# ------------------------------------------------------------------ tables

BITS = np.array([bits.bit_count() for bits in range(32)], np.int64)
TRIPLE_CELLS = np.array([sum(1 << cell for cell in triple) for triple in TRIPLES], np.int64)
# M20: the residences with the same number as each one, and none after the last.
SAME_NUMBER = np.array(
    [
        *(sum(1 << j for j in range(20) if RESIDENCE_NUMBERS[j] == number) for number in RESIDENCE_NUMBERS),
        *[-1, -1],
    ],
    np.int64,
)
# Where the digit of a card's type is in a number with four bits for each type.
DIGIT = np.array([4 * max(int(kind), 0) for kind in TYPE_OF], np.int64)
# The number of a bit b of 32, at b * DE_BRUIJN >> 27 & 31: much faster than `lowest`.
DE_BRUIJN = 0x077CB531
LOWEST = np.array([n for _, n in sorted((((1 << n) * DE_BRUIJN >> 27) & 31, n) for n in range(32))], np.int64)


def _triangles(own: int) -> int:
    """M24: what the triangles below the upper cells score for these lozenges, four bits for each."""
    bottom = [own >> i & 1 for i in range(MIDDLE)]
    middle = [own >> i & 1 for i in range(MIDDLE, TOP)]
    points = [bottom[i] + bottom[i + 1] for i in range(4)]
    points += [sum(bottom[i : i + 3]) + 3 * (middle[i] + middle[i + 1]) for i in range(3)]
    return sum(points[i] << 4 * i for i in range(UPPER))


TRIANGLES_OF = np.array([_triangles(own) for own in range(1 << TOP)], np.int64)
# Sets of upper cells, with four bits for each.
FOURFOLD = np.array(
    [sum(15 << 4 * i for i in range(UPPER) if cells >> i & 1) for cells in range(1 << UPPER)], np.int64
)


# The symbol of each cell of a pyramid, counted from the first type of its cards; both have the same pattern.
SYMBOL = np.array([kind - LION for kind in PYRAMID_TYPES[:PYRAMID]], np.int64)


@rule
def inputs(s, seat, rows, counts):
    """Write a row for each slot, and the counts."""
    plays = plays_left(s, seat)
    supply = smallest_supply(s)
    time = TIME[plays if supply == 0 else min(plays, supply)]
    counts[PLAYS_LEFT] = plays
    tell_situation(s, seat, plays, supply, rows)
    tell_seats(s, seat, supply == 0, rows, counts)
    tell_workshops(s, seat, time, rows, counts)
    tell_residences(s, seat, rows, counts)
    tell_pyramid(s, seat, NOBLES, time, rows, counts)
    tell_pyramid(s, seat, COMMONERS, time, rows, counts)
    tell_goods(s, seat, time, rows, counts)
    tell_fleets(s, seat, rows, counts)
    if counts[SUPPLY] == 0:  # M12: no lozenge to place
        counts[BRINGS : BRINGS + KINDS] = 0
    tell_own_cards(s, seat, rows, counts)
    tell_next_hand(s, seat, counts)
    tell_display(s, seat, rows, counts)


# ------------------------------------------------------------------ time, turn, seats


@rule
def plays_left(s, seat):
    """M6, M7, M39, M40: how many cards the seat will still keep and play, if no supply runs out before."""
    if s.phase == OVER:
        return 0
    plays = 0
    if not supply_is_empty(s):
        plays = np.int64(PICKS[s.players]) * (ROUNDS[s.players] - s.round_number + 1) - s.pick
    return plays + (own_card(s, seat) != PLAYED)


NOT_CHOSEN, CHOSEN, PLAYED = 0, 1, 2


@rule
def own_card(s, seat):
    """M5, M9: has a seat chosen the card of this pick, or played it?"""
    if s.kept[seat] != NO_CARD:
        return CHOSEN
    if s.phase == KEEPING and s.draft == SECRET:
        return NOT_CHOSEN
    seat_in_turn = clockwise(s, seat, s.players - s.doge)
    turn = clockwise(s, s.turn, s.players - s.doge)
    waits = seat_in_turn > turn or (seat_in_turn == turn and s.phase == KEEPING)
    return NOT_CHOSEN if waits and s.phase != OVER else PLAYED


@rule
def smallest_supply(s):
    """M40: the game ends when it is 0."""
    fewest = np.int64(LOZENGES)
    for seat in range(s.players):
        fewest = min(fewest, np.int64(s.lozenges[seat]))
    return max(fewest - RESERVE, 0)


@rule
def tell_situation(s, seat, plays, supply, rows):
    """M4–M9, M38–M40: options, phase, turn, time."""
    players = np.int64(s.players) - 2
    turn = clockwise(s, np.int64(s.turn), s.players - seat)
    doge = clockwise(s, np.int64(s.doge), s.players - seat)
    rows[SITUATION] = PHASE_ROWS + ((players * 2 + s.draft) * 4 + s.phase) * 4 + turn
    rows[SITUATION + 1] = PLAYS_ROWS + players * 32 + plays
    rows[SITUATION + 2] = DOGE_ROWS + (players * 4 + doge) * 4 + turn
    rows[SITUATION + 3] = CHOICE_ROWS + own_card(s, seat) * 5 + extra_state(s, seat)
    own = s.lozenges[seat] - RESERVE <= supply
    rows[SITUATION + 4] = SUPPLY_ROWS + supply * 2 + own


@rule
def extra_state(s, seat):
    """M38: 0 no extra card; 1 the seat chooses one, 2 plays one; 3 an opponent chooses one, 4 plays one."""
    other = 2 if s.turn != seat else 0
    if s.phase == CHOOSING_EXTRA:
        return 1 + other
    return 2 + other if s.extra_card != NO_CARD else 0


@rule
def tell_seats(s, seat, reserve_too, rows, counts):
    """Points, ships and supplies; nothing for the seats that nobody has."""
    counts[: MAX_PLAYERS * SEAT_COUNTS] = 0
    rows[SEAT_SLOTS + s.players * PER_SEAT : SLOTS] = 0
    for step in range(s.players):
        other = clockwise(s, seat, step)
        lead = s.points[seat] - s.points[other] if step > 0 else s.points[seat]
        counts[step * SEAT_COUNTS + LEAD] = lead
        counts[step * SEAT_COUNTS + SUPPLY] = usable(s.lozenges[other], reserve_too)
        rows[SEAT_SLOTS + step * PER_SEAT + SHIP] = SHIP_ROWS + step * (SEA_END + 1) + s.ships[other]


@rule
def collection(s, area, kind, other, step, reach, time):
    """M13: the row for how far a bonus is, and as bits the things that would earn it, with its points.

    `reach`: the free cells, in its lower half those that are open.
    """
    own = own_cells(s, area, other)
    need = np.int64(BONUS_NEEDS[area])
    first = COLLECTION_ROWS + (min(step, 1) * 3 + kind) * COLLECTION_CODES
    bonus = np.int64(bonus_left(s, other, area))
    if bonus == 0:
        return first, 0, 0
    missing, count, never, now = 0, 0, 0, 0
    for i in range(need):
        cells = COLLECTIONS[area, i]
        if own & cells == 0:
            missing |= 1 << i
            count += 1
            never |= reach >> 32 & cells == 0
            now |= reach & cells != 0
    if never or count == 0:
        return first + 1, 0, 0
    have = need - count
    if kind == 1:
        have = have * 2 + now
    code = first + 2 + (have * 4 + bonus // 5 - 1) * TIMES + time
    return code, missing if count == 1 else 0, bonus


# ------------------------------------------------------------------ workshops


@rule
def tell_workshops(s, seat, time, rows, counts):
    """M14–M17: groups, what the next workshop would score, how far the bonus is, and every cell."""
    full = filled(s, WORKSHOPS)
    free = ~full & ((1 << WORKSHOP_CELLS) - 1)
    last = last_of_triples(full)
    near_own, near_other, owner_1, owner_2 = 0, 0, 0, 0
    for step in range(s.players):
        other = clockwise(s, seat, step)
        own = own_cells(s, WORKSHOPS, other)
        near, size, joined = groups(own)
        slot, at = SEAT_SLOTS + step * PER_SEAT, step * SEAT_COUNTS
        rows[slot + GROUP] = GROUP_ROWS + (step * 13 + min(size, 12)) * TIMES + time
        counts[at + LARGEST_GROUP] = size
        counts[at + GROUP_EDGE] = count_bits(near & free)
        pigment = free & TYPE_BITS[PIGMENT]
        counts[at + BEST_WORKSHOP] = max(2 * most(joined, pigment), most(joined, free & ~pigment))
        row, earns, bonus = collection(s, WORKSHOPS, 0, other, step, free << 32 | free, time)
        rows[slot + WORKSHOPS_COLLECTED] = row
        owner_1 |= own if step & 1 else 0
        owner_2 |= own if step & 2 else 0
        if step > 0:
            near_other |= near & free
        else:
            near_own = near & free
            tell_materials(joined, free, last, earns, bonus, counts)
    ones, twos = near_own | owner_1, near_other | owner_2
    for cell in range(WORKSHOP_CELLS):
        low = (ones >> cell & 1) + 2 * (twos >> cell & 1) + 4 * (last >> cell & 1)
        rows[WORKSHOP + cell] = WORKSHOP_ROWS + cell * 12 + low + 8 * (full >> cell & 1)


@rule
def tell_materials(joined, free, last, earns, bonus, counts):
    """M15–M17: what each type of card would bring the seat."""
    for kind in range(4):
        cells = free & TYPE_BITS[kind]
        factor = 2 if kind == PIGMENT else 1
        brings = factor * most(joined, cells)
        if cells & last != 0:
            brings = max(brings, factor * most(joined, cells & last) + EXTRA_CARD)
        if cells != 0 and earns >> kind & 1:
            brings += bonus
        counts[BRINGS + kind] = brings


@rule
def last_of_triples(full):
    """M17: the free cells around an extra-card symbol whose two neighbors there are filled."""
    last = 0
    for i in range(len(TRIPLE_CELLS)):
        free = TRIPLE_CELLS[i] & ~full
        if free & (free - 1) == 0:
            last |= free
    return last


@rule
def groups(cells):
    """M15: what is near the largest group, its size; and for all cells at once, in binary digits, how many
    workshops would be connected by a new one there.
    """
    largest, size = 0, 0
    ones, twos, fours, eights, sixteens = 0, 0, 0, 0, 0
    while cells != 0:
        edge = cells & -cells
        group = edge
        near = 0
        count = 0
        while edge != 0:
            beside = NEIGHBOR_BITS[LOWEST[(edge & -edge) * DE_BRUIJN >> 27 & 31]]
            reached = beside & cells & ~group
            near |= beside
            group |= reached
            edge = edge & (edge - 1) | reached
            count += 1
        cells &= ~group
        if count > size:
            largest, size = near, count
        ones, carry = added(ones, near & -(count & 1), 0)
        twos, carry = added(twos, near & -(count >> 1 & 1), carry)
        fours, carry = added(fours, near & -(count >> 2 & 1), carry)
        eights, carry = added(eights, near & -(count >> 3 & 1), carry)
        sixteens |= near & -(count >> 4) | carry
    return largest, size, (ones, twos, fours, eights, sixteens)


@rule
def added(digits, others, carry):
    """The sum of two binary digits and a carry, for many cells at once; and the new carry."""
    half = digits ^ others
    return half ^ carry, digits & others | half & carry


@rule
def most(joined, cells):
    """M15: the size of the largest group that a new workshop on one of these cells makes; 0 without cells."""
    ones, twos, fours, eights, sixteens = joined
    if cells == 0:
        return 0
    size = 1
    if cells & sixteens:
        cells &= sixteens
        size += 16
    if cells & eights:
        cells &= eights
        size += 8
    if cells & fours:
        cells &= fours
        size += 4
    if cells & twos:
        cells &= twos
        size += 2
    return size + (cells & ones != 0)


@rule
def count_bits(bits):
    """How many of 30 cells are set."""
    bits -= bits >> 1 & 0x55555555
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F
    return (bits * 0x01010101 & 0xFFFFFFFF) >> 24


# ------------------------------------------------------------------ residences


@rule
def tell_residences(s, seat, rows, counts):
    """M18–M21: the next cell, the run before it, and who needs its number."""
    next_cell = lowest(filled(s, RESIDENCES) + 1)
    row = NEXT_RESIDENCE_ROWS + next_cell * 12
    counts[BRINGS + RESIDENCE] = 0
    for step in range(s.players):
        other = clockwise(s, seat, step)
        own = own_cells(s, RESIDENCES, other)
        points, run = run_before(own, next_cell)
        if run > 0:
            row += step * 3 + min(run, 3) - 1
        have = 0
        for i in range(COLLECTIONS.shape[1]):
            have += own & COLLECTIONS[RESIDENCES, i] != 0
        new = own & SAME_NUMBER[next_cell] == 0
        bonus = np.int64(bonus_left(s, other, RESIDENCES)) if have < BONUS_NEEDS[RESIDENCES] else 0
        news = new + 2 * (own & SAME_NUMBER[next_cell + 1] == 0)
        code = ((min(step, 1) * 7 + have) * 4 + news) * 5 + bonus // 5
        rows[SEAT_SLOTS + step * PER_SEAT + NUMBERS] = NUMBERS_ROWS + code
        if next_cell == RESIDENCE_CELLS:
            continue
        points += np.int64(RESIDENCE_NUMBERS[next_cell])
        counts[step * SEAT_COUNTS + RESIDENCE_POINTS] = points
        if step == 0:
            if new and (have == 2 or have == 4):
                points += EXTRA_CARD
            if new and have == BONUS_NEEDS[RESIDENCES] - 1:
                points += bonus
            counts[BRINGS + RESIDENCE] = points
    rows[NEXT_RESIDENCE] = row


@rule
def run_before(own, cell):
    """M19: the numbers and the length of the unbroken run directly before a cell."""
    points, run = 0, 0
    while cell > 0 and own >> (cell - 1) & 1:
        cell -= 1
        run += 1
        points += np.int64(RESIDENCE_NUMBERS[cell])
    return points, run


# ------------------------------------------------------------------ townspeople


@rule
def tell_pyramid(s, seat, area, time, rows, counts):
    """M22–M26: every cell, what the triangles would score, how far the bonus is."""
    full = filled(s, area)
    free = ~full & ((1 << PYRAMID) - 1)
    open_now = supported(full) & free
    upper = FOURFOLD[free >> MIDDLE]
    owner_1, owner_2, mine, others, earns, bonus = 0, 0, 0, 0, 0, 0
    for step in range(s.players):
        other = clockwise(s, seat, step)
        own = own_cells(s, area, other)
        owner_1 |= own if step & 1 else 0
        owner_2 |= own if step & 2 else 0
        triangles = TRIANGLES_OF[own & ((1 << TOP) - 1)] & upper
        pairs = (triangles & 0x0F0F0F0F) + (triangles >> 4 & 0x0F0F0F0F)
        counts[step * SEAT_COUNTS + TRIANGLES] += (pairs * 0x01010101 & 0xFFFFFFFF) >> 24
        row, needs, points = collection(s, area, 1, other, step, free << 32 | open_now, time)
        rows[SEAT_SLOTS + step * PER_SEAT + NOBLES_COLLECTED + area - NOBLES] = row
        if step == 0:
            mine, earns, bonus = triangles, needs, points
        else:
            others = higher(others, triangles)
    first = PYRAMIDS + (area - NOBLES) * PYRAMID
    for cell in range(PYRAMID):
        row = PYRAMID_ROWS + cell * 4 + (owner_1 >> cell & 1) + 2 * (owner_2 >> cell & 1)
        rows[first + cell] = row if full >> cell & 1 else 0
    tell_triangles(open_now, free, mine, others, TRIANGLE_SLOTS + (area - NOBLES) * UPPER, rows)
    tell_townspeople(open_now, mine, earns, bonus, BRINGS + LION + 3 * (area - NOBLES), counts)


@rule
def higher(points, others):
    """Of two sets of points, four bits for each upper cell, the higher ones."""
    best = 0
    for i in range(0, 4 * UPPER, 4):
        best |= max(points >> i & 15, others >> i & 15) << i
    return best


@rule
def tell_triangles(open_now, free, mine, others, first, rows):
    """M24: what the triangle below each free cell would score for the seat and for the best opponent."""
    for i in range(UPPER):
        is_open = open_now >> (MIDDLE + i) & 1
        own, other = mine >> 4 * i & 15, others >> 4 * i & 15
        row = TOP_ROWS + (is_open * 10 + own) * 5 + min((other + 1) // 2, 4)
        if i < TOP - MIDDLE:
            row = MIDDLE_ROWS + ((i * 2 + is_open) * 3 + own) * 3 + other
        rows[first + i] = row if free >> (MIDDLE + i) & 1 else 0


@rule
def tell_townspeople(open_now, mine, earns, bonus, at, counts):
    """M23–M26: what each type of card would bring the seat."""
    best, first, second, third = 0, 0, 0, 0
    while open_now != 0:
        cell = LOWEST[(open_now & -open_now) * DE_BRUIJN >> 27 & 31]
        open_now &= open_now - 1
        symbol = SYMBOL[cell]
        level = np.int64(LEVEL_POINTS[cell])
        points = level
        if cell >= MIDDLE:
            points += mine >> 4 * (cell - MIDDLE) & 15
        if cell >= TOP:
            points += EXTRA_CARD
        if earns >> symbol & 1:
            points += bonus
        best = max(best, points)
        if symbol == 0:
            first = max(first, points + level)
        elif symbol == 1:
            second = max(second, points + level)
        else:
            third = max(third, points + level)
    counts[at] = max(first, best)
    counts[at + 1] = max(second, best)
    counts[at + 2] = max(third, best)


# ------------------------------------------------------------------ goods and fleets


@rule
def tell_goods(s, seat, time, rows, counts):
    """M27–M30: how each good is shared, what it will score, how far the bonus is."""
    full = filled(s, TRADE)
    free = ~full & ((1 << GOODS * TRADE_ROWS) - 1)
    earns, bonus = 0, 0
    for step in range(s.players):
        other = clockwise(s, seat, step)
        row, needs, points = collection(s, TRADE, 2, other, step, free << 32 | free, time)
        rows[SEAT_SLOTS + step * PER_SEAT + GOODS_COLLECTED] = row
        if step == 0:
            earns, bonus = needs, points
    for good in range(GOODS):
        value = BITS[full >> good * TRADE_ROWS & 31]
        to_come = 15 - value * (value + 1) // 2
        mine, others = 0, 0
        for step in range(s.players):
            cells = own_cells(s, TRADE, clockwise(s, seat, step)) >> good * TRADE_ROWS & 31
            lozenges = BITS[cells]
            counts[step * SEAT_COUNTS + GOODS_TO_COME] += lozenges * to_come
            if step == 0:
                mine = lozenges
            else:
                others = max(others, lozenges)
        rows[GOOD + good] = GOOD_ROWS + (value * 6 + mine) * 6 + others
        brings = (value + 1) * (mine + 1) + (EXTRA_CARD if others > mine + 1 else 0)
        if earns >> good & 1:
            brings += bonus
        counts[BRINGS + GOBLET + good] = brings if value < TRADE_ROWS else 0


@rule
def tell_fleets(s, seat, rows, counts):
    """M31, M32: the ships of each row that wait, and the goods beside them."""
    full = filled(s, HARBOR)
    goods = filled(s, TRADE)
    best = 0
    for row in range(TRADE_ROWS):
        ships = BITS[full >> row * SHIPS & 7]
        if ships == SHIPS:
            rows[FLEET + row] = 0
            continue
        beside = (
            (goods >> row & 1)
            + (goods >> (row + 5) & 1)
            + (goods >> (row + 10) & 1)
            + (goods >> (row + 15) & 1)
        )
        value = np.int64(FLEET_POINTS[beside])
        mine = BITS[own_cells(s, HARBOR, seat) >> row * SHIPS & 7]
        rows[FLEET + row] = FLEET_ROWS + (ships * 3 + mine) * 5 + beside
        if ships == SHIPS - 1:
            best = max(best, (mine + 1) * value)
        if ships > 0:
            for step in range(s.players):
                own = BITS[own_cells(s, HARBOR, clockwise(s, seat, step)) >> row * SHIPS & 7]
                counts[step * SEAT_COUNTS + FLEETS_NOW] += own * value
    counts[BRINGS + HARBOR_CARD] = best


# ------------------------------------------------------------------ cards


@rule
def card_brings(s, seat, card, counts):
    """M10, M11, M33: what the best use of a card brings at once, by what its type brings and its wheel."""
    kind = np.int64(TYPE_OF[card])
    place = np.int64(counts[BRINGS + kind])
    sail = sailing(np.int64(s.ships[seat]), np.int64(WHEEL_OF[card]))
    return place + sail if kind == HARBOR_CARD else max(place, sail)


@rule
def sailing(ship, wheel):
    """M34–M36: what a ship on this space brings with this wheel."""
    if ship == SEA_END:
        return 0
    space = min(ship + wheel, SEA_END)
    return np.int64(SEA_POINTS[space]) + (EXTRA_CARD if SEA_EXTRA_BITS >> space & 1 else 0)


@rule
def gain_row(first, card, brings):
    """The row of a card with what it brings."""
    return first + np.int64(TYPE_OF[card]) * GAINS + GAIN[min(brings, 63)]


@rule
def tell_own_cards(s, seat, rows, counts):
    """M5, M38: the hand from which the seat chooses or has chosen, its kept card, the extra card."""
    place = seat if looks_at_hand(s.phase, s.draft) else clockwise(s, seat, 1)
    chosen = own_card(s, seat) != NOT_CHOSEN
    best, second = 0, 0
    for i in range(HAND):
        card = np.int64(s.hand[place, i])
        row = 0
        if card != NO_CARD and chosen:
            row = PASSED_ROWS + np.int64(TYPE_OF[card])
        elif card != NO_CARD:
            brings = card_brings(s, seat, card, counts)
            row = gain_row(HAND_ROWS, card, brings)
            second = max(second, min(best, brings))
            best = max(best, brings)
        rows[HAND_SLOTS + i] = row
    counts[BEST_IN_HAND] = best
    counts[SECOND_IN_HAND] = second
    kept = np.int64(s.kept[seat])
    extra = np.int64(s.extra_card)
    rows[KEPT], rows[EXTRA], counts[KEPT_BRINGS], counts[EXTRA_BRINGS] = 0, 0, 0, 0
    if kept != NO_CARD:
        brings = card_brings(s, seat, kept, counts)
        rows[KEPT] = gain_row(KEPT_ROWS, kept, brings)
        counts[KEPT_BRINGS] = brings
    if extra != NO_CARD and s.turn != seat:
        rows[EXTRA] = OTHER_EXTRA_ROWS + np.int64(TYPE_OF[extra])
    elif extra != NO_CARD:
        brings = card_brings(s, seat, extra, counts)
        rows[EXTRA] = gain_row(EXTRA_ROWS, extra, brings)
        counts[EXTRA_BRINGS] = brings


@rule
def tell_next_hand(s, seat, counts):
    """M5, M42: the best card of the hand that comes next from the right, if the seat has seen that hand.

    With the card that its owner keeps, which nobody else can tell from the others.
    """
    counts[NEXT_HAND] = 0
    right = clockwise(s, seat, s.players - 1)
    if s.pick >= PICKS[s.players] or s.phase == OVER or not has_seen(seat, right, s.pick, s.players):
        return
    place = right if looks_at_hand(s.phase, s.draft) else seat
    best = card_brings(s, seat, s.kept[right], counts) if s.kept[right] != NO_CARD else 0
    for i in range(HAND):
        if s.hand[place, i] != NO_CARD:
            best = max(best, card_brings(s, seat, s.hand[place, i], counts))
    counts[NEXT_HAND] = best


@rule
def tell_display(s, seat, rows, counts):
    """M38: how many cards of each type lie there, and the best for the seat (if it cannot sail)."""
    numbers = 0  # four bits for each type
    for card in range(1, len(TYPE_OF)):
        numbers += min(np.int64(s.display[card]), 2) << DIGIT[card]
    best = 0
    for kind in range(KINDS):
        cards = numbers >> 4 * kind & 15
        rows[DISPLAY + kind] = DISPLAY_ROWS + kind * 2 + min(cards, 2) - 1 if cards > 0 else 0
        best = max(best, np.int64(counts[BRINGS + kind]) if cards > 0 else 0)
    if s.phase == CHOOSING_EXTRA and s.turn == seat:
        for card in range(1, len(TYPE_OF)):
            if s.display[card] > 0:
                best = max(best, card_brings(s, seat, card, counts))
    counts[BEST_DISPLAYED] = best
