"""Mille Fiori: the rules M4–M43 over one record. Plain Python that Numba compiles.

Seats are numbered clockwise from 0, the first Doge. Lozenges on the board are bits, for each area and
seat, counted from the area's first cell. An action is, in this order of codes: keep a card, take an extra
card, place a lozenge on a cell, place it on a ship's cell and sail too, sail, decline an extra card.
"""

from __future__ import annotations

import numpy as np

from laguna.games.contract import Hidden
from laguna.games.mille_fiori.components import (
    AREA_OF,
    AREA_OF_TYPE,
    BONUS_CELL_TAKEN,
    BONUS_GROUPS,
    BONUS_NEEDS,
    BONUS_POINTS,
    CARD_COUNT,
    CARD_KINDS,
    CELL_TYPE,
    CELLS,
    COLLECTIONS,
    COMMONERS,
    DECK,
    DECK_DEALT_OUT,
    DISPLAY_WAS_EMPTY,
    EXTRA_CARD_BY_RESIDENCES,
    EXTRA_CARD_BY_SEA_END,
    EXTRA_CARD_BY_SEA_SPACE,
    EXTRA_CARD_BY_TOP_CELL,
    EXTRA_CARD_BY_TRADE,
    EXTRA_CARD_BY_WORKSHOPS,
    FIRST,
    FLEET_POINTS,
    FLEET_SCORED,
    GOOD_SCORED,
    GOODS,
    HAND,
    HARBOR,
    HARBOR_CARD,
    LAST_LOZENGE_LAID,
    LEVEL_POINTS,
    LOZENGES,
    MAX_PLAYERS,
    MIDDLE,
    NEIGHBOR_BITS,
    NO_CARD,
    NOBLES,
    OPEN,
    OPENED,
    PICKS,
    PIGMENT,
    PLACED,
    PLACED_AND_SAILED,
    PYRAMID,
    RESERVE,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    RESIDENCES_SCORED,
    ROUND_ENDED,
    ROUND_STARTED,
    ROWS,
    SAILED,
    SEA_END,
    SEA_END_SCORED,
    SEA_EXTRA_BITS,
    SEA_POINTS,
    SEA_SPACE_SCORED,
    SECRET,
    SHIPS,
    SUPPLY_USED_UP,
    TOP,
    TOWNSPERSON_SCORED,
    TRADE,
    TRIANGLE,
    TRIANGLE_SCORED,
    TRIPLE_BITS,
    TYPE_BITS,
    TYPE_OF,
    WHEEL_OF,
    WORKSHOPS,
    WORKSHOPS_SCORED,
)
from laguna.kernel.bits import lowest
from laguna.kernel.chance import WORDS, draw, seed_stream, shuffle, shuffle_anew
from laguna.kernel.events import say
from laguna.kernel.jit import quick_rule, rule
from laguna.kernel.records import record_type

HIDDEN = Hidden(piles=("chance", "deck", "deck_size"), hand="hand")

# Action codes.
KEEP = 0
EXTRA = KEEP + CARD_KINDS
PLACE = EXTRA + CARD_KINDS
PLACE_AND_SAIL = PLACE + CELLS
SAIL = PLACE_AND_SAIL + ROWS * SHIPS
DECLINE = SAIL + 1

CODES = DECLINE + 1
MAX_LEGAL = 48
MAX_ACTIONS = 300
KINDS = 1 + CARD_KINDS + MAX_PLAYERS  # for the census: cards (0 is none), lozenges of each seat
EVENTS = 12  # at most 11: see `play_card` with a top townsperson that ends a round

KEEPING, PLAYING, CHOOSING_EXTRA, OVER = 0, 1, 2, 3  # phases

STATE = record_type(
    [
        ("chance", np.uint32, (1, WORDS)),  # the deck's stream
        ("players", np.int32),
        ("draft", np.int32),  # option M9
        ("round_number", np.int32),
        ("pick", np.int32),  # M6, M7: from 1 in every round
        ("doge", np.int32),
        ("phase", np.int32),
        ("turn", np.int32),
        ("deck_size", np.int32),
        ("display_size", np.int32),
        ("discard_count", np.int32),
        ("own", np.int32, (6, MAX_PLAYERS)),  # the lozenges of each area and seat, as bits
        ("lozenges", np.int32, MAX_PLAYERS),  # left to each seat, supply and reserve together
        ("ships", np.int32, MAX_PLAYERS),
        ("points", np.int32, MAX_PLAYERS),
        ("events", np.int16, (EVENTS, 5)),  # kind, seat and three numbers: what the last action did
        ("event_count", np.int16),
        ("bonus", np.int8, (BONUS_GROUPS, MAX_PLAYERS)),  # seat + 1 on the cells for 20, 15, 10, 5
        ("hand", np.int8, (MAX_PLAYERS, HAND)),  # ascending, then 0 where no card is
        ("kept", np.int8, MAX_PLAYERS),  # until it is played
        ("extra_card", np.int8),  # M38: taken from the display and to be played
        ("display", np.int8, CARD_KINDS + 1),  # how many of each card
        ("discards", np.int8, CARD_COUNT),  # in the order of play
        ("deck", np.int8, CARD_COUNT),  # the top is the last
    ]
)

NOBODY = -1
NO_EXTRA_CARD = -1  # where else the kind of event is named that tells of one


# ------------------------------------------------------------------ set-up and rounds


@rule
def setup(s, options, seed):
    """M2, M4: a new game. `options` holds the players and the draft."""
    s.players = options[0]
    s.draft = options[1]
    clear_table(s)
    seed_stream(s.chance[0], seed, 0)
    s.deck_size = CARD_COUNT
    for i in range(CARD_COUNT):
        s.deck[i] = DECK[i]
    shuffle(s.chance[0], s.deck, CARD_COUNT)
    for _ in range(OPENED[s.players]):
        to_display(s, take_top(s))
    s.round_number = 1
    s.doge = 0
    deal(s)


@rule
def clear_table(s):
    """M2: no lozenge on the board, no card anywhere."""
    s.event_count = 0
    s.events[:] = 0
    s.own[:] = 0
    s.bonus[:] = 0
    s.hand[:] = 0
    s.kept[:] = 0
    s.display[:] = 0
    s.discards[:] = 0
    s.ships[:] = 0
    s.points[:] = 0
    s.lozenges[:] = 0
    for seat in range(s.players):
        s.lozenges[seat] = LOZENGES
    s.display_size = 0
    s.discard_count = 0
    s.extra_card = NO_CARD


@rule
def take_top(s):
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = NO_CARD
    return card


@rule
def to_display(s, card):
    s.display[card] += 1
    s.display_size += 1


@rule
def deal(s):
    """M5: five cards to each player from the top, the Doge first; then the first pick."""
    for step in range(s.players):
        hand = s.hand[(s.doge + step) % s.players]
        for size in range(HAND):
            into_hand(hand, size, take_top(s))
    say(s, ROUND_STARTED, s.doge, s.round_number, 0, 0)
    s.pick = 1
    begin_pick(s)


@rule
def into_hand(hand, size, card):
    """Add a card to a hand of `size` cards, in order."""
    i = size
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card


@rule
def begin_pick(s):
    """M5, M9: the Doge is asked first, in both drafts."""
    s.turn = s.doge
    s.phase = KEEPING


@rule
def pass_hands(s):
    """M5: every hand goes to the left neighbor, seat + 1."""
    last = s.players - 1
    for i in range(HAND):
        card = s.hand[last, i]
        for seat in range(last, 0, -1):
            s.hand[seat, i] = s.hand[seat - 1, i]
        s.hand[0, i] = card


@rule
def end_turn(s):
    """M5, M9: the next player plays (open draft: chooses first), until all have."""
    following = (s.turn + 1) % s.players
    if following == s.doge:
        end_pick(s)
        return
    s.turn = following
    s.phase = KEEPING if s.draft == OPEN else PLAYING


@rule
def end_pick(s):
    """M6, M7, M40: all have played: the game ends, the next card is picked, or the round is over."""
    if s.draft == OPEN:
        pass_hands(s)
    if supply_is_empty(s):
        end_game(s, SUPPLY_USED_UP)
    elif s.pick < PICKS[s.players]:
        s.pick += 1
        begin_pick(s)
    else:
        end_round(s)


@rule
def end_round(s):
    """M8, M39: the cards left over are displayed, the Doge moves; a new round or the end."""
    say(s, ROUND_ENDED, NOBODY, s.round_number, 0, 0)
    for seat in range(s.players):
        for i in range(HAND - s.pick):
            to_display(s, s.hand[seat, i])
            s.hand[seat, i] = NO_CARD
    s.doge = (s.doge + 1) % s.players
    if s.deck_size == 0:
        end_game(s, DECK_DEALT_OUT)
    else:
        s.round_number += 1
        deal(s)


@rule
def end_game(s, why):
    """M39 (the deck is dealt out) or M40 (somebody has no supply)."""
    say(s, why, NOBODY, s.round_number, 0, 0)
    s.phase = OVER
    s.turn = s.doge


# ------------------------------------------------------------------ what is legal


@rule
def to_move(s):
    """The seat that decides next; -1 when the game is over."""
    return NOBODY if s.phase == OVER else s.turn


@rule
def phase(s):
    """M5–M38: what kind of decision is next, counted from 0; `phases` when the game is over."""
    return s.phase


@rule
def phases(s):
    return OVER


@rule
def legal(s, out):
    """M5, M10–M12, M38: what the seat to move may do."""
    if s.phase == KEEPING:
        return cards_to_keep(s, s.turn, out)
    if s.phase == PLAYING:
        return ways_to_play(s, out)
    if s.phase == CHOOSING_EXTRA:
        return cards_to_take(s, out)
    return 0


@rule
def early(s, seat, out):
    """M5: what `seat` may keep although others are asked before it; 0 unless all choose at once."""
    if s.draft != SECRET or s.phase != KEEPING or seat == s.turn or s.kept[seat] != NO_CARD:
        return 0
    return cards_to_keep(s, seat, out)


@quick_rule
def secret(s):
    """M5, M42: nobody sees what the others keep before it is played."""
    return s.phase == KEEPING and s.draft == SECRET


@rule
def cards_to_keep(s, seat, out):
    """M5: each different card of the hand."""
    count = 0
    before = NO_CARD
    for i in range(HAND):
        card = np.int64(s.hand[seat, i])
        if card != before and card != NO_CARD:
            out[count] = KEEP + card - 1
            count += 1
        before = card
    return count


@rule
def ways_to_play(s, out):
    """M10–M12, M31, M35: every cell the card allows; then sailing, which is always allowed."""
    count = 0
    kind = TYPE_OF[card_in_play(s)]
    if lozenges_to_use(s, s.turn) > 0:
        first = PLACE + np.int64(FIRST[AREA_OF_TYPE[kind]])
        cells = open_cells(s, kind)
        may_sail = kind == HARBOR_CARD and s.ships[s.turn] < SEA_END
        while cells != 0:
            cell = lowest(cells)
            cells &= cells - 1
            if may_sail:
                out[count] = PLACE_AND_SAIL + cell
                count += 1
            out[count] = first + cell
            count += 1
    out[count] = SAIL
    return count + 1


@rule
def cards_to_take(s, out):
    """M38: each different card of the display, or none."""
    count = 0
    for card in range(1, CARD_KINDS + 1):
        if s.display[card] > 0:
            out[count] = EXTRA + card - 1
            count += 1
    out[count] = DECLINE
    return count + 1


@quick_rule
def card_in_play(s):
    """The extra card, if one was taken; else the card that the seat to move has kept."""
    return np.int64(s.extra_card if s.extra_card != NO_CARD else s.kept[s.turn])


@rule
def open_cells(s, kind):
    """M14, M18, M22, M27, M31: the free cells that a card of this type allows, as bits of its area."""
    area = AREA_OF_TYPE[kind]
    full = filled(s, area)
    if area == RESIDENCES:
        return next_in_row(full, len(RESIDENCE_NUMBERS))
    if NOBLES <= area <= COMMONERS:
        return supported(full) & ~full
    if area == HARBOR:
        ships = 0
        for first in range(0, ROWS * SHIPS, SHIPS):
            ships |= next_in_row(full >> first & 7, SHIPS) << first
        return ships
    return TYPE_BITS[kind] & ~full


@rule
def filled(s, area):
    """The cells of an area with a lozenge, anyone's."""
    return np.int64(s.own[area, 0] | s.own[area, 1] | s.own[area, 2] | s.own[area, 3])


@rule
def own_cells(s, area, seat):
    return np.int64(s.own[area, seat])


@quick_rule
def next_in_row(full, size):
    """M18, M31: the first free cell of a row that is filled without gaps; 0 if it is full."""
    return (full + 1) & ((1 << size) - 1)


@rule
def supported(full):
    """M22: the bottom cells, and those with both cells directly below them filled."""
    bottom = (1 << MIDDLE) - 1
    middle = (full & full >> 1 & 0b1111) << MIDDLE
    top = (full >> MIDDLE & full >> (MIDDLE + 1) & 0b111) << TOP
    return bottom | middle | top


@quick_rule
def supply_is_empty(s):
    """M39, M40: somebody has put the 27th lozenge on the board, so all may use their reserve."""
    fewest = LOZENGES
    for seat in range(s.players):
        fewest = min(fewest, s.lozenges[seat])
    return fewest <= RESERVE


@rule
def lozenges_to_use(s, seat):
    """M12, M40: the supply, and the reserve as soon as one supply is empty."""
    return usable(s.lozenges[seat], supply_is_empty(s))


@quick_rule
def usable(lozenges, reserve_too):
    """M12, M40: how many of a seat's lozenges may be used."""
    return lozenges if reserve_too else lozenges - RESERVE


# ------------------------------------------------------------------ actions


@rule
def apply(s, action):
    """One decision of the seat to move."""
    s.events[: s.event_count] = 0
    s.event_count = 0
    if action < EXTRA:
        keep(s, action - KEEP + 1)
    elif action < PLACE:
        take_extra_card(s, action - EXTRA + 1)
    elif action == DECLINE:
        end_turn(s)
    else:
        play_card(s, action)


@rule
def keep(s, card):
    """M5, M9: secretly, all keep and pass before the first plays; openly, a turn is keep, then play."""
    leave_hand(s.hand[s.turn], card)
    s.kept[s.turn] = card
    following = (s.turn + 1) % s.players
    if s.draft == OPEN:
        s.phase = PLAYING
    elif following != s.doge:
        s.turn = following
    else:
        pass_hands(s)
        s.turn = s.doge
        s.phase = PLAYING


@rule
def leave_hand(hand, card):
    """Take a card out; the others close up."""
    i = 0
    while hand[i] != card:
        i += 1
    while i < HAND - 1:
        hand[i] = hand[i + 1]
        i += 1
    hand[HAND - 1] = NO_CARD


@rule
def take_extra_card(s, card):
    """M38: out of the display, to be played at once."""
    s.display[card] -= 1
    s.display_size -= 1
    s.extra_card = card
    s.phase = PLAYING


@rule
def play_card(s, action):
    """M10, M11, M33, M38: place or sail, discard the card; then perhaps an extra card."""
    card = card_in_play(s)
    wheel = np.int64(WHEEL_OF[card])
    if action == SAIL:
        say(s, SAILED, s.turn, card, 0, 0)
        earned = sail(s, wheel)
    elif action >= PLACE_AND_SAIL:
        ship = action - PLACE_AND_SAIL + np.int64(FIRST[HARBOR])
        say(s, PLACED_AND_SAILED, s.turn, card, ship, 0)
        place(s, ship, HARBOR_CARD)
        earned = sail(s, wheel)
    else:
        say(s, PLACED, s.turn, card, action - PLACE, 0)
        earned = place(s, action - PLACE, TYPE_OF[card])
    discard(s, card)
    if earned == NO_EXTRA_CARD:
        end_turn(s)
    elif s.display_size == 0:
        say(s, DISPLAY_WAS_EMPTY, s.turn, 0, 0, 0)
        end_turn(s)
    else:
        say(s, earned, s.turn, 0, 0, 0)
        s.phase = CHOOSING_EXTRA


@rule
def discard(s, card):
    """M5, M38: face up, after the cards played before."""
    s.discards[s.discard_count] = card
    s.discard_count += 1
    if s.extra_card != NO_CARD:
        s.extra_card = NO_CARD
    else:
        s.kept[s.turn] = NO_CARD


@rule
def place(s, cell, kind):
    """M10, M38: lozenge, points, bonus cell; then what `extra_card_for` says."""
    area = np.int64(AREA_OF[cell])
    spot = cell - np.int64(FIRST[area])
    if area == HARBOR:
        put_lozenge(s, area, spot)
        score_fleet(s, spot // SHIPS)
        return NO_EXTRA_CARD
    had = collected(s, area, s.turn)
    put_lozenge(s, area, spot)
    if area == WORKSHOPS:
        score(s, WORKSHOPS_SCORED, s.turn, workshop_points(s, s.turn, spot), cell)
    elif area == RESIDENCES:
        score(s, RESIDENCES_SCORED, s.turn, residence_points(s, s.turn, spot), cell)
    elif area == TRADE:
        score_good(s, spot // ROWS, cell)
    else:
        score(s, TOWNSPERSON_SCORED, s.turn, townspeople_points(cell, kind), cell)
        score_triangle(s, area, spot, cell)
    has = collected(s, area, s.turn)
    if has > had and has == BONUS_NEEDS[area]:
        take_bonus_cell(s, area)
    return extra_card_for(s, area, spot, has if has > had else 0)


@rule
def put_lozenge(s, area, spot):
    """M10: one lozenge of the seat to move on this cell of an area."""
    use_lozenge(s)
    s.own[area, s.turn] |= 1 << spot


@rule
def use_lozenge(s):
    """M39, M40: supply first, then reserve; the first empty supply is noted as an event."""
    before = supply_is_empty(s)
    s.lozenges[s.turn] -= 1
    if not before and supply_is_empty(s):
        say(s, LAST_LOZENGE_LAID, s.turn, 0, 0, 0)


@rule
def extra_card_for(s, area, spot, new):
    """M17, M21, M26, M30: the kind of event for the extra card of this placement, or NO_EXTRA_CARD.

    `new` is how many different things are now collected in the area, 0 if nothing new came.
    """
    if area == WORKSHOPS:
        return EXTRA_CARD_BY_WORKSHOPS if is_surrounded(filled(s, area), spot) else NO_EXTRA_CARD
    if area == RESIDENCES:
        return EXTRA_CARD_BY_RESIDENCES if new == 3 or new == 5 else NO_EXTRA_CARD
    if area == TRADE:
        return EXTRA_CARD_BY_TRADE if opponent_has_more(s, spot // ROWS) else NO_EXTRA_CARD
    return EXTRA_CARD_BY_TOP_CELL if spot >= TOP else NO_EXTRA_CARD


@quick_rule
def is_surrounded(workshops, spot):
    """M17: are all three workshops filled around the extra-card symbol that this one touches?"""
    return TRIPLE_BITS[spot] & ~workshops == 0


# ------------------------------------------------------------------ points


@rule
def score(s, kind, seat, points, place):
    """M43: points for a seat, noted as an event of this kind; 0 points are not noted."""
    if points > 0:
        s.points[seat] += points
        say(s, kind, seat, points, place, 0)


@rule
def how_many(bits):
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@rule
def collected(s, area, seat):
    """M16, M20, M25, M29: how many different symbols (or numbers) the seat has in an area."""
    own = own_cells(s, area, seat)
    count = 0
    for i in range(COLLECTIONS.shape[1]):
        count += (own & COLLECTIONS[area, i]) != 0
    return count


@rule
def take_bonus_cell(s, area):
    """M13: the highest free one; without a lozenge there is none, now or later."""
    if lozenges_to_use(s, s.turn) == 0:
        return
    taken = 0
    while s.bonus[area, taken] != 0:
        taken += 1
    s.bonus[area, taken] = s.turn + 1
    use_lozenge(s)
    score(s, BONUS_CELL_TAKEN, s.turn, np.int64(BONUS_POINTS[taken]), area)


@rule
def workshop_points(s, seat, spot):
    """M15: 1 for each cell of the seat's connected group with this cell, 2 if the cell is pigment."""
    cells = how_many(connected(own_cells(s, WORKSHOPS, seat), 1 << spot))
    return 2 * cells if TYPE_BITS[PIGMENT] >> spot & 1 else cells


@rule
def connected(cells, group):
    """M15: the workshop `group`, and those of `cells` that are connected with it."""
    edge = group
    while edge != 0:
        reached = NEIGHBOR_BITS[lowest(edge)] & cells & ~group
        group |= reached
        edge = edge & (edge - 1) | reached
    return group


@rule
def residence_points(s, seat, spot):
    """M19: the number of this cell and those of the seat's unbroken run directly before it."""
    own = own_cells(s, RESIDENCES, seat)
    points = np.int64(RESIDENCE_NUMBERS[spot])
    while spot > 0 and own >> (spot - 1) & 1:
        spot -= 1
        points += RESIDENCE_NUMBERS[spot]
    return points


@rule
def townspeople_points(cell, kind):
    """M23: 1, 3 or 6 by level, doubled if the cell shows the card's symbol."""
    points = np.int64(LEVEL_POINTS[(cell - FIRST[NOBLES]) % PYRAMID])
    return 2 * points if CELL_TYPE[cell] == kind else points


@rule
def score_triangle(s, area, spot, cell):
    """M24: every player, for their lozenges in the triangle below this cell."""
    for seat in range(s.players):
        score(s, TRIANGLE_SCORED, seat, triangle_points(s, area, seat, spot), cell)


@rule
def triangle_points(s, area, seat, spot):
    """M24: 1 for each bottom, 3 for each middle lozenge of the seat in the triangle below a cell."""
    own = own_cells(s, area, seat) & TRIANGLE[spot]
    return how_many(own) + 2 * how_many(own >> MIDDLE)


@rule
def on_good(s, good, seat):
    """M28, M30: how many lozenges the seat has on a good."""
    return how_many(own_cells(s, TRADE, seat) >> good * ROWS & 31)


@rule
def good_value(s, good):
    """M28: how many cells of a good are filled."""
    return how_many(filled(s, TRADE) >> good * ROWS & 31)


@rule
def score_good(s, good, cell):
    """M28: every player, the good's value for each of their lozenges on it."""
    value = good_value(s, good)
    for seat in range(s.players):
        score(s, GOOD_SCORED, seat, value * on_good(s, good, seat), cell)


@rule
def opponent_has_more(s, good):
    """M30: does some opponent have strictly more lozenges on this good?"""
    most = 0
    for seat in range(s.players):
        most = max(most, on_good(s, good, seat))
    return most > on_good(s, good, s.turn)


@rule
def score_fleet(s, row):
    """M32: a full row of ships leaves; each lozenge earns by the goods beside it."""
    if not has_left(filled(s, HARBOR), row):
        return
    value = fleet_value(filled(s, TRADE), row)
    for seat in range(s.players):
        ships = how_many(own_cells(s, HARBOR, seat) >> row * SHIPS & 7)
        score(s, FLEET_SCORED, seat, value * ships, row)


@quick_rule
def has_left(ships, row):
    """M32: a fleet leaves when all ships of its row are filled."""
    return ships >> row * SHIPS & 7 == 7


@quick_rule
def fleet_value(goods, row):
    """M32: what each lozenge on a ship earns if its fleet leaves now, by the filled goods beside the row."""
    count = 0
    for good in range(GOODS):
        count += goods >> (good * ROWS + row) & 1
    return np.int64(FLEET_POINTS[count])


@rule
def sail(s, wheel):
    """M34–M36: move the ship, score where it stops; returns the same as `extra_card_for`."""
    if s.ships[s.turn] == SEA_END:
        return NO_EXTRA_CARD
    space = stops_at(s.ships[s.turn], wheel)
    s.ships[s.turn] = space
    at_end = space == SEA_END
    score(s, SEA_END_SCORED if at_end else SEA_SPACE_SCORED, s.turn, np.int64(SEA_POINTS[space]), space)
    if SEA_EXTRA_BITS >> space & 1 == 0:
        return NO_EXTRA_CARD
    return EXTRA_CARD_BY_SEA_END if at_end else EXTRA_CARD_BY_SEA_SPACE


@quick_rule
def stops_at(space, wheel):
    """M34, M35: where a ship on this space stops with this wheel."""
    return min(space + wheel, SEA_END)


@rule
def scores(s, out):
    """M41: the points as they stand."""
    for seat in range(s.players):
        out[seat] = s.points[seat]


@rule
def winners(s):
    """M41: the seats with the most points, as bits; 0 before the end."""
    if s.phase != OVER:
        return 0
    best = 0
    for seat in range(s.players):
        best = max(best, s.points[seat])
    won = 0
    for seat in range(s.players):
        if s.points[seat] == best:
            won |= 1 << seat
    return won


# ------------------------------------------------------------------ who knows what


@quick_rule
def looks_at_hand(phase, draft):
    """M5: do players look at their hands? Passed cards are looked at when all have played, not before."""
    return phase == KEEPING or (draft == OPEN and phase != OVER)


@quick_rule
def chooser_of(place, looks, players):
    """The player who chose from the hand that now lies at `place`, in this pick (or is about to).

    `looks`: whether players look at their hands.
    """
    return place if looks else (place + players - 1) % players


@quick_rule
def has_seen(seat, chooser, pick, players):
    """M42: has `seat` held the hand from which `chooser` chooses in this pick?

    Hands go left, so at pick k they are those from which the seat itself and the next k-1 to its left
    choose. It knows every card of such a hand: what others kept from it before has been played.
    """
    return (chooser - seat + players) % players < pick


@rule
def held(s, seat):
    """M42: what a seat holds in secret, as a number: the card it keeps, and the hand it looks at."""
    cards = np.int64(s.kept[seat])
    if looks_at_hand(s.phase, s.draft):
        for i in range(HAND):
            cards = cards * 128 + s.hand[seat, i]
    return cards


@rule
def redeal(s, seat, seed):
    """M42: deal again, uniformly, all that `seat` cannot know.

    The deck and the hands it has not seen, with the cards kept from them, are one unknown pool: every deal of
    it is equally likely. It knows all cards of a hand it has seen, but not which one was kept and is not yet
    played: each is equally likely. So players are assumed to keep any card of their hand with equal
    probability.
    """
    seed_stream(s.chance[0], seed, 0)
    looks = looks_at_hand(s.phase, s.draft)
    for place in range(s.players):
        chooser = chooser_of(place, looks, s.players)
        if not has_seen(seat, chooser, s.pick, s.players):
            gather(s, place, chooser)
    shuffle_anew(s.chance[0], s.deck, s.deck_size)
    for place in range(s.players):
        chooser = chooser_of(place, looks, s.players)
        if not has_seen(seat, chooser, s.pick, s.players):
            deal_unseen(s, place, chooser)
        elif chooser != seat and s.kept[chooser] != NO_CARD:
            keep_any(s, place, chooser)


@rule
def hand_size(hand):
    size = 0
    while size < HAND and hand[size] != NO_CARD:
        size += 1
    return size


@rule
def gather(s, place, chooser):
    """An unseen hand and the card kept from it join the deck; their places still show how many there were."""
    for i in range(hand_size(s.hand[place])):
        s.deck[s.deck_size] = s.hand[place, i]
        s.deck_size += 1
    if s.kept[chooser] != NO_CARD:
        s.deck[s.deck_size] = s.kept[chooser]
        s.deck_size += 1


@rule
def deal_unseen(s, place, chooser):
    """As many cards as before, from the pool."""
    size = hand_size(s.hand[place])
    for i in range(size):
        into_hand(s.hand[place], i, take_top(s))
    if s.kept[chooser] != NO_CARD:
        s.kept[chooser] = take_top(s)


@rule
def keep_any(s, place, chooser):
    """The kept card back into its hand, and any card of that hand kept instead."""
    hand = s.hand[place]
    size = hand_size(hand)
    into_hand(hand, size, s.kept[chooser])
    kept = hand[draw(s.chance[0], size + 1)]
    leave_hand(hand, kept)
    s.kept[chooser] = kept


@rule
def census(s, out):
    """Count every card wherever it is, then every seat's lozenges. Returns how many kinds there are."""
    out[:KINDS] = 0
    for i in range(s.deck_size):
        out[s.deck[i]] += 1
    for i in range(s.discard_count):
        out[s.discards[i]] += 1
    for card in range(1, CARD_KINDS + 1):
        out[card] += s.display[card]
    for seat in range(s.players):
        for i in range(hand_size(s.hand[seat])):
            out[s.hand[seat, i]] += 1
        out[s.kept[seat]] += 1
        out[1 + CARD_KINDS + seat] = s.lozenges[seat]
        for area in range(HARBOR + 1):
            out[1 + CARD_KINDS + seat] += how_many(own_cells(s, area, seat))
        for area in range(BONUS_GROUPS):
            for i in range(MAX_PLAYERS):
                out[1 + CARD_KINDS + seat] += s.bonus[area, i] == seat + 1
    out[s.extra_card] += 1
    out[NO_CARD] = 0
    return KINDS
