"""Atlantis: what a network is told about a position: only what the seat may know.

Seats are relative: 0 is the seat that judges, the others follow clockwise. The seven items share their rows.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from laguna.games.atlantis.components import (
    ATLANTIS,
    CARD_VALUE,
    CARDS,
    CHAIN,
    ITEMS,
    LAST_OF_A,
    MAINLAND,
    MAX_PLAYERS,
    OVER,
    PAWNS,
    PAY,
    VALUE_OF,
    VALUES,
)
from laguna.games.atlantis.rules import bit, gaps, space_to_take
from laguna.kernel.bits import size
from laguna.kernel.jit import rule
from laguna.kernel.seats import clockwise

VERSION = 1  # of the inputs: a network trained for another does not fit
POINTS_UNIT = 12.0  # what the points still to be scored are divided by
OWN_VIEW = False  # in a search, the chances that the seats see are made to add up to 1


def _steps(*firsts: int, least: int = 0, most: int) -> Any:
    """For each number from `least` to `most`: how many of these firsts it has reached."""
    return np.array([sum(x >= first for first in firsts) for x in range(least, most + 1)], np.int64)


# ------------------------------------------------------------------ how numbers are told in a row

DEAR = 30  # greater costs are told as this
COST = _steps(1, 2, 3, 5, 8, most=DEAR)  # of one way
WATER = _steps(1, 3, 5, 8, 12, 18, most=DEAR)  # ahead of one pawn
DUE = _steps(1, 2, 3, 5, 7, 10, 14, most=DEAR)
BAND = _steps(1, *range(4, MAINLAND, 3), MAINLAND, most=MAINLAND)  # Atlantis, three spaces each, the mainland
FAR = _steps(3, 7, most=MAINLAND)  # how many places a way leads on
LAND = _steps(3, 8, 16, 28, most=MAINLAND)  # pieces of land ahead of a pawn
HOME = _steps(1, 2, 3, 5, 7, most=ITEMS)  # items of which a card leads home at once
CHANCE = _steps(1, 6, 12, 20, most=ITEMS * VALUES)  # what a card of every item would gain, all together
SHOWN = _steps(1, 3, 5, 7, most=MAINLAND)  # spaces ahead that show an item
HAND = _steps(1, 2, 3, 5, 8, most=CARDS)
PILE = _steps(1, 3, 6, 10, 15, 22, 32, 45, 60, most=CARDS)  # cards that can still be drawn
WIDE = 24  # greater leads are told as this
LEAD = _steps(-22, -15, -10, -6, -3, -1, 0, 1, 2, 4, 7, 11, 16, 23, least=-WIDE, most=WIDE)


def _kinds(steps: Any) -> int:
    return int(steps[-1]) + 1


COSTS, WATERS, DUES, BANDS = map(_kinds, (COST, WATER, DUE, BAND))
LANDS, HOMES, CHANCES, SHOWNS, HANDS = map(_kinds, (LAND, HOME, CHANCE, SHOWN, HAND))
PILES, LEADS = map(_kinds, (PILE, LEAD))
FARS = _kinds(FAR) + 1  # or to the mainland
TILES = VALUES + 1  # the value of the tile that is taken, 0 for none
PASSES = TILES  # or the space is occupied and another card must follow (A8)
TAKES = TILES + 1
CANNOT_PAY = 3
HOLDS = CANNOT_PAY + 1  # of a card: none, one, more, or the seat cannot pay for its way
UNMOVED = -2
GAINS = VALUES + 1 - UNMOVED  # the best of all cards held: none moves, a loss, nothing, 1 to 7

# ------------------------------------------------------------------ rows

SPACES_OF_A_VALUE = 2 * 3 * 2 * 3 * 3
_SIZES = {
    # players x phase x how soon the seat that acts follows x nothing, bought or bridged this turn
    "turn": (MAX_PLAYERS - 1) * (OVER + 1) * MAX_PLAYERS * 3,
    # own debt or another's x what is still due x the tile it brings (A13)
    "due": 2 * DUES * TILES,
    # cards that can still be drawn x turns in a row that brought nothing (A10)
    "pile": PILES * MAX_PLAYERS,
    # own or another's pawn x where it stands x water ahead of it
    "pawn": 2 * BANDS * WATERS,
    # own or another's pawn x last, middle or first x items that lead home at once x whether such a card is
    # held (of others: has been shown) x land ahead
    "way_home": 2 * PAWNS * HOMES * 2 * LANDS,
    # a card of one item for one own pawn: held x cost x how far it leads x the tile it brings
    "way": HOLDS * COSTS * FARS * TAKES,
    # another's pawn: the best gain of any card x of all items together x of shown cards (none, 1-3, more) x
    # whether its seat acts now or next
    "chance": TILES * CHANCES * 3 * 2,
    # the best gain of the cards held x whether one leads home x how soon the seat acts
    "best": GAINS * 2 * MAX_PLAYERS,
    # cards of one item held x the spaces ahead of the last pawn that show it x others have shown it x it
    # moves a pawn
    "cards": 5 * SHOWNS * 2 * 2,
    # own seat or another's x how soon it acts x pawns that have arrived x bridge left x cards in hand
    "seat": 2 * MAX_PLAYERS * PAWNS * 2 * HANDS,
    # lead over another x own pawns that have arrived x the other's
    "lead": LEADS * PAWNS * PAWNS,
    # land: value of the top tile x a tile below x nobody, own pawn, other pawn x at a gap x own pawns that
    # come by (none, one, more) x pawns of others (none, up to two, more)
    "space": VALUES * SPACES_OF_A_VALUE,
}
_FIRSTS = dict(zip(_SIZES, accumulate(_SIZES.values(), initial=1), strict=False))
TURN_ROWS, DUE_ROWS, PILE_ROWS = (_FIRSTS[name] for name in ("turn", "due", "pile"))
PAWN_ROWS, WAY_HOME_ROWS = (_FIRSTS[name] for name in ("pawn", "way_home"))
WAY_ROWS, CHANCE_ROWS, BEST_ROWS, CARDS_ROWS = (_FIRSTS[name] for name in ("way", "chance", "best", "cards"))
SEAT_ROWS, LEAD_ROWS, SPACE_ROWS = (_FIRSTS[name] for name in ("seat", "lead", "space"))
ROWS = 1 + sum(_SIZES.values())

# ------------------------------------------------------------------ slots

TURN_SLOT = 0
DUE_SLOT = 1
PILE_SLOT = 2
BEST_SLOT = 3
SEAT_SLOT = 4  # + relative seat
LEAD_SLOT = SEAT_SLOT + MAX_PLAYERS  # + relative seat - 1
CARDS_SLOT = LEAD_SLOT + MAX_PLAYERS - 1  # + item
PAWN_SLOT = CARDS_SLOT + ITEMS  # + relative seat * 3 + pawn
WAY_HOME_SLOT = PAWN_SLOT + MAX_PLAYERS * PAWNS  # the same
CHANCE_SLOT = WAY_HOME_SLOT + MAX_PLAYERS * PAWNS  # the same, less own pawns
WAY_SLOT = CHANCE_SLOT + (MAX_PLAYERS - 1) * PAWNS  # + own pawn * 7 + item
PLACE_SLOT = WAY_SLOT + PAWNS * ITEMS  # + place - 1, with the mainland, whose row is always 0
SLOTS = PLACE_SLOT + MAINLAND

# ------------------------------------------------------------------ counts

# Of each relative seat. Points: A21 as it stands, less debts, with the tile of a move that is being paid.
# Lead: of the seat that judges, points less water ahead (A20); for itself: that sum alone. Gains: tile less
# cost, of a card of every item for every pawn; best: of the cards held (of others: shown).
POINTS, AHEAD, LEADING, PURSE, CARDS_HELD, PLACES, LAND_AHEAD, TILES_AHEAD, GAIN, BEST, SAVING = range(11)
PER_SEAT = 11
OF_GAME = MAX_PLAYERS * PER_SEAT
LEAST_LEAD, DRAWABLE, LAND_LEFT, GAPS, ALL_WATER, ALL_TILES, ABLE, DEBT = range(OF_GAME, OF_GAME + 8)
COUNTS = np.array(
    [30, 15, 20, 30, 6, 60, 60, 120, 40, 4, 8] * MAX_PLAYERS + [20, 40, 40, 6, 20, 150, 4, 5], np.float32
)

PLACE_BITS = 6
PLACE = (1 << PLACE_BITS) - 1
_ALONE = {(1 << place) % 67: place for place in range(63)}
PLACE_OF = np.array([_ALONE.get(rest, 0) for rest in range(67)], np.uint8)  # of a lone bit, by rest mod 67


@rule
def inputs(s, seat, rows, counts):
    """Write a row for each slot, and the counts."""
    note_what_lies_behind(s, rows)
    due, tile = unfinished(s)
    counts[:] = 0
    able = np.int64(0)
    for k in range(MAX_PLAYERS):
        if k < s.players:
            able |= tell_seat(s, seat, k, due, tile, rows, counts)
        else:
            leave_out(k, rows)
    tell_leads(s, seat, rows, counts)
    tell_game(s, seat, due, tile, rows, counts)
    tell_hand(s, seat, able, rows, counts)
    tell_spaces(s, seat, rows, counts)


@rule
def first_of(bits):
    """The lowest place of a set that is not empty: `lowest` in a third of the time."""
    return np.int64(PLACE_OF[np.uint64(bits & -bits) % np.uint64(67)])


@rule
def note_what_lies_behind(s, rows):
    """A13: for each place the first free space behind it, and above them the value of all top tiles there.

    The slots of the spaces hold these notes until `tell_spaces` writes their rows.
    """
    free = s.land & ~s.occupied
    behind = np.int64(0)
    values = np.int64(0)
    for place in range(1, MAINLAND):
        rows[PLACE_SLOT - 1 + place] = behind | values << PLACE_BITS
        if free >> place & 1:
            behind = place
        values += np.int64(s.top[place]) & VALUE_OF
    rows[PLACE_SLOT - 1 + MAINLAND] = behind | values << PLACE_BITS


@rule
def unfinished(s):
    """A8, A12, A13: what the running move costs so far, and the value of the tile it is sure to bring."""
    if s.phase == PAY:
        space = space_to_take(s.land, s.occupied, np.int64(s.at))
        return np.int64(s.due), np.int64(s.top[space]) & VALUE_OF
    if s.phase == CHAIN:
        return np.int64(s.toll[s.at]) - s.toll[s.start], np.int64(0)
    return np.int64(0), np.int64(0)


# ------------------------------------------------------------------ seats and their pawns


@rule
def tell_seat(s, seat, k, due, tile, rows, counts):
    """A seat with its pawns; returns the own items of which a card can move a pawn, as bits."""
    other = clockwise(s, seat, k)
    soon = clockwise(s, other, s.players - s.turn)
    base = k * PER_SEAT
    means = np.int64(s.purse[other]) + s.hand_size[other] * CARD_VALUE
    if soon == 0:
        means -= due
    counts[base + POINTS] = means - s.losses[other] + (tile if soon == 0 else 0)
    counts[base + PURSE] = s.purse[other]
    counts[base + CARDS_HELD] = s.hand_size[other]
    able, best, home, arrived = tell_pawns(s, other, k, soon, means, rows, counts)
    counts[base + BEST] = max(best, 0)
    counts[base + TILES_AHEAD] = tiles_ahead(rows, np.int64(s.pawns[other, 0]))
    bridge = 1 if s.bridges[other] == 0 else 0
    kind = ((1 if k > 0 else 0) * MAX_PLAYERS + soon) * PAWNS + min(arrived, PAWNS - 1)
    rows[SEAT_SLOT + k] = SEAT_ROWS + (kind * 2 + bridge) * HANDS + HAND[s.hand_size[other]]
    if k == 0:
        rows[BEST_SLOT] = BEST_ROWS + ((best - UNMOVED) * 2 + home) * MAX_PLAYERS + soon
    return able


@rule
def tiles_ahead(rows, place):
    """The value of all top tiles from a place on."""
    passed = np.int64(rows[PLACE_SLOT - 1 + place]) >> PLACE_BITS if place > ATLANTIS else np.int64(0)
    return (np.int64(rows[PLACE_SLOT - 1 + MAINLAND]) >> PLACE_BITS) - passed


@rule
def tell_pawns(s, other, k, soon, means, rows, counts):
    """Where the pawns of a seat stand and what lies ahead of them; returns what was found out about the ways
    of them all, and how many have arrived."""
    base = k * PER_SEAT
    able, best, home, arrived, before = np.int64(0), np.int64(UNMOVED), np.int64(0), 0, np.int64(-1)
    water, places, land_ahead, gains = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for i in range(PAWNS):
        place = np.int64(s.pawns[other, i]) & PLACE
        slot = k * PAWNS + i
        toll = np.int64(s.toll[MAINLAND]) - s.toll[place]
        whose = 1 if k > 0 else 0
        rows[PAWN_SLOT + slot] = PAWN_ROWS + (whose * BANDS + BAND[place]) * WATERS + WATER[min(toll, DEAR)]
        water += toll
        places += place
        if place == MAINLAND:
            arrived += 1
            rows[WAY_HOME_SLOT + slot] = 0
            leave_out_ways(k, i, rows)
            continue
        land = size(s.land >> (place + 1))
        land_ahead += land
        if place == before:  # beside another pawn in Atlantis: the same ways
            rows[WAY_HOME_SLOT + slot] = rows[WAY_HOME_SLOT + slot - 1]
            leave_out_ways(k, i, rows)
            continue
        before = place
        # A13: the space that a pawn leaves is free, except where it only passes another pawn (A8).
        start = np.int64(0) if s.phase == CHAIN and place == s.at else place
        if k == 0:
            moves, most, homes, leads_home, together = tell_ways(s, other, i, place, start, means, rows)
        else:
            moves = np.int64(0)
            most, homes, leads_home, together = tell_chances(s, other, k, i, place, start, means, soon, rows)
        kind = ((whose * PAWNS + i) * HOMES + HOME[homes]) * 2 + leads_home
        rows[WAY_HOME_SLOT + slot] = WAY_HOME_ROWS + kind * LANDS + LAND[land]
        able |= moves
        best = max(best, most)
        home |= leads_home
        gains += together
    counts[base + AHEAD] = water
    counts[base + PLACES] = places
    counts[base + LAND_AHEAD] = land_ahead
    counts[base + GAIN] = gains
    return able, best, home, arrived


@rule
def way(s, rows, place, start, item):
    """A7, A11, A13: where a card leads a pawn, what that costs, and the value of the tile it brings."""
    end = place + 1 + first_of((s.shows[item] | bit(MAINLAND)) >> (place + 1))
    space = max(np.int64(rows[PLACE_SLOT - 1 + end]) & PLACE, start)
    return end, np.int64(s.toll[end]) - s.toll[place], np.int64(s.top[space]) & VALUE_OF


@rule
def tell_ways(s, seat, i, place, start, means, rows):
    """An own pawn with a card of each item. Returns the items that move it, the best gain of the cards held,
    how many items lead home, whether such a card is held, and what all items gain together."""
    able, best, home, homes, together = np.int64(0), np.int64(UNMOVED), np.int64(0), np.int64(0), np.int64(0)
    for item in range(ITEMS):
        end, cost, tile = way(s, rows, place, start, item)
        held = min(np.int64(s.hand[seat, item]), 2)
        passes = s.occupied >> end & 1
        arrives = np.int64(1) if end == MAINLAND else np.int64(0)
        moves = (held + 1 >> 1) & (1 - passes)
        if cost > means - CARD_VALUE:  # A12: the card that is played does not pay
            held = CANNOT_PAY if held > 0 else held
            moves = np.int64(0)
        far = FARS - 1 if arrives else FAR[end - place]
        kind = (held * COSTS + COST[min(cost, DEAR)]) * FARS + far
        rows[WAY_SLOT + i * ITEMS + item] = WAY_ROWS + kind * TAKES + (PASSES if passes else tile)
        homes += arrives
        home |= arrives & moves
        able |= moves << item
        best = max(best, max(tile - cost, -1) if moves else UNMOVED)
        together += np.int64(0) if passes else max(tile - cost, 0)
    return able, best, homes, home, together


@rule
def tell_chances(s, other, k, i, place, start, means, soon, rows):
    """Another's pawn. Returns the best gain of the cards shown, how many items lead home, whether such a card
    has been shown, and what all items gain together."""
    best, home, homes = np.int64(UNMOVED), np.int64(0), np.int64(0)
    most, together = np.int64(0), np.int64(0)
    for item in range(ITEMS):
        end, cost, tile = way(s, rows, place, start, item)
        passes = s.occupied >> end & 1
        arrives = np.int64(1) if end == MAINLAND else np.int64(0)
        gain = np.int64(0) if passes else max(tile - cost, 0)
        homes += arrives
        most = max(most, gain)
        together += gain
        if s.known[other, item] > 0 and cost <= means - CARD_VALUE and not passes:
            home |= arrives
            best = max(best, gain)
    shown = 0 if best < 1 else 1 if best < 4 else 2
    kind = (most * CHANCES + CHANCE[together]) * 3 + shown
    rows[CHANCE_SLOT + (k - 1) * PAWNS + i] = CHANCE_ROWS + kind * 2 + (1 if soon < 2 else 0)
    return best, homes, home, together


@rule
def leave_out_ways(k, i, rows):
    """A pawn that has no ways, or the same as another."""
    if k > 0:
        rows[CHANCE_SLOT + (k - 1) * PAWNS + i] = 0
    else:
        for item in range(ITEMS):
            rows[WAY_SLOT + i * ITEMS + item] = 0


@rule
def leave_out(k, rows):
    """A seat where nobody sits."""
    rows[SEAT_SLOT + k] = 0
    for i in range(PAWNS):
        rows[PAWN_SLOT + k * PAWNS + i] = 0
        rows[WAY_HOME_SLOT + k * PAWNS + i] = 0
        leave_out_ways(k, i, rows)


# ------------------------------------------------------------------ the game


@rule
def tell_leads(s, seat, rows, counts):
    """A20, A21: the lead over each other seat if everybody had to cross the water now."""
    own = np.int64(counts[POINTS]) - counts[AHEAD]
    counts[LEADING] = own
    mine = min(arrived_of(s, seat), PAWNS - 1)
    least = np.int64(1000)
    for k in range(1, MAX_PLAYERS):
        row = np.int64(0)
        if k < s.players:
            lead = own - counts[k * PER_SEAT + POINTS] + counts[k * PER_SEAT + AHEAD]
            counts[k * PER_SEAT + LEADING] = lead
            least = min(least, lead)
            theirs = min(arrived_of(s, clockwise(s, seat, k)), PAWNS - 1)
            told = LEAD[min(max(lead, -WIDE), WIDE) + WIDE]
            row = LEAD_ROWS + (told * PAWNS + mine) * PAWNS + theirs
        rows[LEAD_SLOT + k - 1] = row
    counts[LEAST_LEAD] = least


@rule
def arrived_of(s, other):
    arrived = 0
    for i in range(PAWNS):
        arrived += 1 if s.pawns[other, i] == MAINLAND else 0
    return arrived


@rule
def tell_game(s, seat, due, tile, rows, counts):
    """Whose turn it is and how far it has come, what is due, and what can still be drawn."""
    soon = clockwise(s, s.turn, s.players - seat)
    done = 2 if s.bridged else 1 if s.bought else 0
    kind = ((s.players - 2) * (OVER + 1) + s.phase) * MAX_PLAYERS + soon
    rows[TURN_SLOT] = TURN_ROWS + kind * 3 + done
    rows[DUE_SLOT] = 0
    if s.phase == PAY or s.phase == CHAIN:
        kind = (1 if soon > 0 else 0) * DUES + DUE[min(due, DEAR)]
        rows[DUE_SLOT] = DUE_ROWS + kind * TILES + tile
        counts[DEBT] = due if soon == 0 else -due
    pile = np.int64(s.deck_size) + s.discard_size
    rows[PILE_SLOT] = PILE_ROWS + PILE[pile] * MAX_PLAYERS + min(s.idle_turns, MAX_PLAYERS - 1)
    counts[DRAWABLE] = pile
    counts[LAND_LEFT] = size(s.land)
    counts[ALL_WATER] = s.toll[MAINLAND]
    counts[ALL_TILES] = np.int64(rows[PLACE_SLOT - 1 + MAINLAND]) >> PLACE_BITS


@rule
def tell_hand(s, seat, able, rows, counts):
    """The cards of each item: can they move a pawn, are there spaces for them, have others shown some?"""
    rear = np.int64(s.pawns[seat, 0])
    for item in range(ITEMS):
        shown = -np.int64(s.known[seat, item])
        for other in range(MAX_PLAYERS):
            shown += s.known[other, item]
        held = np.int64(s.hand[seat, item])
        moves = able >> item & 1
        counts[ABLE] += held * moves
        kind = min(held, 4) * SHOWNS + SHOWN[size(s.shows[item] >> (rear + 1))]
        rows[CARDS_SLOT + item] = CARDS_ROWS + (kind * 2 + (1 if shown else 0)) * 2 + moves


# ------------------------------------------------------------------ the path


@rule
def tell_spaces(s, seat, rows, counts):
    """Each space with its tiles, who stands there, and who may still come by."""
    mine, others, in_atlantis = np.int64(0), np.int64(0), 0
    for other in range(MAX_PLAYERS):
        if other < s.players:
            for i in range(PAWNS):
                place = np.int64(s.pawns[other, i])
                if other == seat:
                    mine |= bit(place)
                else:
                    others |= bit(place)
                    in_atlantis += 1 if place == ATLANTIS else 0
    first, third = first_and_third(others, in_atlantis)
    last, middle = np.int64(s.pawns[seat, 0]), np.int64(s.pawns[seat, 1])
    before_gap = gaps(s.land)
    behind_gap = s.land & ~(s.land << 1 & ~bit(LAST_OF_A + 1)) & ~(s.land & -s.land)
    edges = before_gap | behind_gap
    others &= ~mine
    # No step needs the one before it, so that the processor does eight spaces at a time.
    for space in range(1, MAINLAND):
        tile = np.int64(s.top[space]) & VALUE_OF
        lower = 1 if s.below[space] > 0 else 0
        who = (mine >> space & 1) + 2 * (others >> space & 1)
        kind = ((tile * 2 + lower) * 3 + who) * 2 + (edges >> space & 1)
        kind = kind * 3 + (1 if space > last else 0) + (1 if space > middle else 0)
        row = SPACE_ROWS - SPACES_OF_A_VALUE + kind * 3
        row += (1 if space > first else 0) + (1 if space > third else 0)
        rows[PLACE_SLOT - 1 + space] = row if tile > 0 else 0
    rows[PLACE_SLOT - 1 + MAINLAND] = 0
    tell_gaps(s, seat, before_gap, counts)


@rule
def first_and_third(pawns, in_atlantis):
    """Where the last and the last but two of a set of pawns stand; in Atlantis there may be several."""
    ahead = (pawns | bit(MAINLAND)) & ~bit(ATLANTIS)
    first = first_of(ahead)
    third = first
    for _ in range(2 - in_atlantis):
        ahead = ahead & ahead - 1 | bit(MAINLAND)
        third = first_of(ahead)
    return first if in_atlantis == 0 else 0, third if in_atlantis < 3 else 0


@rule
def tell_gaps(s, seat, before_gap, counts):
    """A16: what a bridge would save each seat that has its bridge left, over the gap where it saves most."""
    while before_gap != 0:
        before = first_of(before_gap)
        before_gap &= before_gap - 1
        behind = before + 1 + first_of(s.land >> (before + 1))
        cost = np.int64(s.toll[behind]) - s.toll[before]
        if cost == 0:
            continue
        counts[GAPS] += 1
        for k in range(MAX_PLAYERS):
            other = clockwise(s, seat, k)
            if k < s.players and s.bridges[other] == 0:
                pawns = 0
                for i in range(PAWNS):
                    pawns += 1 if s.pawns[other, i] < behind else 0
                counts[k * PER_SEAT + SAVING] = max(np.int64(counts[k * PER_SEAT + SAVING]), cost * pawns)
