"""Atlantis: the rules A4–A22 over one record. Plain Python that Numba compiles. Places are 0 (Atlantis), 1–52
(spaces) and 53 (the mainland). Sets of spaces and of tiles are the bits of integers. `toll[x]` is what all
gaps between Atlantis and place x cost together, so a way from one piece of land to another costs the
difference.
"""

from __future__ import annotations

import numpy as np

from laguna.games.atlantis.components import (
    AFTER,
    ALL_ARRIVED,
    ATLANTIS,
    BOUGHT,
    BRIDGED,
    CARD_VALUE,
    CARDS,
    CARDS_BOUGHT,
    CHAIN,
    COPIES,
    CROSSED,
    DRAW_AT_THE_END,
    DRAW_WITHOUT_MOVE,
    DREW,
    EVERY_ITEM,
    FIRST_HAND,
    HALF,
    HALVES,
    HEIGHTS,
    ITEM_SHIFT,
    ITEMS,
    LAST_BEFORE_GAP,
    LAST_OF_A,
    MAINLAND,
    MAX_PLAYERS,
    OVER,
    OWES,
    PAID_CARD,
    PAID_TILE,
    PAWNS,
    PAY,
    PLAYED,
    SETTLED,
    SHOWED,
    SHUFFLED,
    SPACES,
    STACKS_OF_HALF,
    STUCK,
    TILE_CODES,
    TILES,
    TOOK,
    TOOK_NOTHING,
    TURN,
    VALUE_OF,
    VALUES,
)
from laguna.games.contract import Hidden
from laguna.kernel.bits import lowest
from laguna.kernel.chance import WORDS, seed_stream, shuffle, shuffle_anew
from laguna.kernel.events import say
from laguna.kernel.jit import rule
from laguna.kernel.records import record_type

HIDDEN = Hidden(piles=("chance", "deck", "deck_size", "below"), hand="hand")

# Action codes. A tile of value 1 buys nothing, so there is no code for it.
BUY = 0  # + item * 6 + value - 2
BRIDGE = BUY + ITEMS * (VALUES - 1)  # + space - 1
MOVE = BRIDGE + LAST_BEFORE_GAP  # + space the pawn stands on * 7 + item
DRAW = MOVE + MAINLAND * ITEMS
ON = DRAW + 1  # + item
PAY_TILE = ON + ITEMS  # + item * 7 + value - 1
PAY_CARD = PAY_TILE + ITEMS * VALUES  # + item
END = PAY_CARD + ITEMS
CODES = END + 1

MAX_GAPS = 26  # 27 spaces of land with water between all of them
MAX_LEGAL = ITEMS * (VALUES - 1) + MAX_GAPS + PAWNS * ITEMS
MAX_ACTIONS = 2000  # random games have some 30 to 300
KINDS = TILE_CODES + ITEMS  # of pieces, for the census
# At most: a card, its gaps, the debt; a tile taken, new decks, cards drawn; the end and every player's loss.
EVENTS = 1 + MAX_GAPS + 1 + 4 + 1 + MAX_PLAYERS
GONE = MAX_PLAYERS  # the row of `tiles` that has left the game

LIMB = 56  # sums a word of `reach` stands for; a shift by a tile's value stays below 63 bits
LIMBS = 6  # all 84 tiles together are worth 301

STATE = record_type(
    [
        ("land", np.int64),  # the spaces that hold tiles
        ("occupied", np.int64),  # the spaces that hold pawns
        ("spans", np.int64),  # the spots of all bridges
        ("shows", np.int64, ITEMS),  # the spaces whose top tile shows the item
        ("own", np.int64, MAX_PLAYERS),  # the different tiles of each player
        ("reach", np.int64, LIMBS),  # scratch of the payments, zero between actions
        ("chance", np.uint32, (3, WORDS)),  # half A, half B, cards
        ("players", np.int32),
        ("turn", np.int32),
        ("phase", np.int32),
        ("start", np.int32),  # where the running move began, 0 between moves
        ("at", np.int32),  # where its pawn stands now, 0 between moves
        ("due", np.int32),  # what is still to pay for it
        ("least", np.int32),  # the smallest piece paid for it, 0 for none
        ("bought", np.int32),  # this turn
        ("bridged", np.int32),  # this turn
        ("idle_turns", np.int32),  # in a row, A10
        ("deck_size", np.int32),
        ("discard_size", np.int32),
        ("event_count", np.int32),
        ("hand_size", np.int32, MAX_PLAYERS),
        ("purse", np.int32, MAX_PLAYERS),  # the value of each player's tiles
        ("losses", np.int32, MAX_PLAYERS),  # A20
        ("events", np.int16, (EVENTS, 5)),  # kind, seat and three numbers: what the last action did
        ("toll", np.int16, MAINLAND + 1),
        ("top", np.int8, MAINLAND),
        ("below", np.int8, MAINLAND),
        ("lower", np.int8, STACKS_OF_HALF),  # scratch of the redeal, zero between actions
        ("pawns", np.int8, (MAX_PLAYERS, PAWNS)),  # ascending
        ("bridges", np.int8, MAX_PLAYERS),  # the space a bridge was named by, 0 before it is built
        ("hand", np.int8, (MAX_PLAYERS, ITEMS)),
        ("known", np.int8, (MAX_PLAYERS, ITEMS)),  # A10: of the hand, what everybody has been shown
        ("discards", np.int8, ITEMS),
        ("gone_cards", np.int8, ITEMS),
        ("tiles", np.int8, (MAX_PLAYERS + 1, TILE_CODES)),
        ("worth", np.int8, (MAX_PLAYERS, VALUES + 1)),  # how many tiles of each value
        ("deck", np.int8, CARDS + 5),  # the top is the last; five extra places, so that nothing is padded
    ]
)

# ------------------------------------------------------------------ set-up


@rule
def setup(s, options, seed):
    """A4, A5: a new game. `options` holds the number of players."""
    clear(s)
    s.players = options[0]
    for number in range(3):
        seed_stream(s.chance[number], seed, number)
    lay_path(s)
    for card in range(CARDS):
        s.deck[card] = card // COPIES
    shuffle(s.chance[2], s.deck, CARDS)
    s.deck_size = CARDS
    for seat in range(s.players):
        for _ in range(FIRST_HAND + seat):
            take_card(s, seat)
        s.hand_size[seat] = FIRST_HAND + seat


@rule
def clear(s):
    """An empty table: a record may hold an earlier game, or on a GPU anything at all."""
    s.land = 0
    s.occupied = 0
    s.spans = 0
    s.shows[:] = 0
    s.own[:] = 0
    s.reach[:] = 0
    s.turn = 0
    s.phase = TURN
    s.bought = 0
    s.bridged = 0
    s.idle_turns = 0
    s.discard_size = 0
    s.event_count = 0
    s.hand_size[:] = 0
    s.purse[:] = 0
    s.losses[:] = 0
    s.events[:] = 0
    s.top[:] = 0
    s.below[:] = 0
    s.lower[:] = 0
    s.pawns[:] = ATLANTIS
    s.bridges[:] = 0
    s.hand[:] = 0
    s.known[:] = 0
    s.discards[:] = 0
    s.gone_cards[:] = 0
    s.tiles[:] = 0
    s.worth[:] = 0
    s.deck[:] = 0
    forget_move(s)


@rule
def lay_path(s):
    """A4: both halves, each shuffled separately, laid from Atlantis on; `deck` serves to shuffle them in."""
    space = 1
    for half in range(HALVES):
        for i in range(HALF):
            s.deck[i] = TILES[half, i]
        shuffle(s.chance[half], s.deck, HALF)
        left = HALF
        for _ in range(SPACES // HALVES):
            left -= HEIGHTS[space]
            s.top[space] = s.deck[left]
            if HEIGHTS[space] == 2:
                s.below[space] = s.deck[left + 1]
            space += 1
    survey(s)


# ------------------------------------------------------------------ the path, its gaps and bridges


@rule
def bit(place):
    """The set that holds this place alone."""
    return np.int64(1) << np.int64(place)


@rule
def highest(bits):
    """The number of the highest bit that is set, 0 for an empty set (place 0 is never in one)."""
    number = 0
    if bits >> 32 != 0:
        bits >>= 32
        number += 32
    if bits >> 16 != 0:
        bits >>= 16
        number += 16
    if bits >> 8 != 0:
        bits >>= 8
        number += 8
    if bits >> 4 != 0:
        bits >>= 4
        number += 4
    if bits >> 2 != 0:
        bits >>= 2
        number += 2
    return number + (bits >> 1)


@rule
def survey(s):
    """A4, A11, A15: land, items and tolls from the tiles on the path."""
    before = ATLANTIS
    sum_of_tolls = 0
    s.toll[ATLANTIS] = 0
    for space in range(1, MAINLAND):
        if s.top[space] > 0:
            s.land |= bit(space)
            s.shows[s.top[space] >> ITEM_SHIFT] |= bit(space)
            sum_of_tolls += gap_cost(s, before, space)
            before = space
        s.toll[space] = sum_of_tolls
    s.toll[MAINLAND] = sum_of_tolls


@rule
def land_behind(land, place):
    """The first piece of land behind a place, toward the mainland."""
    ahead = land >> (place + 1)
    return MAINLAND if ahead == 0 else place + 1 + lowest(ahead)


@rule
def gap_cost(s, before, behind):
    """A11, A15, A16: what the way between two neighboring pieces of land costs; 0 where there is no gap."""
    if before == ATLANTIS or behind == MAINLAND:
        return 0
    if behind == before + 1 and before != LAST_OF_A:
        return 0
    if s.spans & (bit(behind) - bit(before)) != 0:
        return 0
    return min(np.int64(s.top[before]) & VALUE_OF, np.int64(s.top[behind]) & VALUE_OF)


@rule
def gaps(land):
    """A4, A15: the land before each gap; water behind the last land is not a gap."""
    return land & (~(land >> 1) | bit(LAST_OF_A)) & (bit(highest(land)) - 1)


@rule
def open_gaps(s):
    """A16: the gaps that have no bridge."""
    found = gaps(s.land)
    for seat in range(s.players):
        spot = np.int64(s.bridges[seat])
        if spot > 0:
            found &= ~bit(highest(s.land & (bit(spot + 1) - 1)))
    return found


@rule
def next_space(shows, place):
    """A7, A9: the next space ahead among those that show the item of a card, or the mainland."""
    ahead = shows >> (place + 1)
    return MAINLAND if ahead == 0 else place + 1 + lowest(ahead)


@rule
def stands_on(occupied, place):
    """A8: does a pawn stand there? The mainland has room for all."""
    return place != MAINLAND and occupied >> place & 1 != 0


@rule
def space_to_take(land, occupied, place):
    """A13: the first free space behind a place, toward Atlantis; 0 if there is none."""
    return highest(land & ~occupied & (bit(place) - 1))


@rule
def lift_top_tile(s, space):
    """A13, A15, A17: take the top tile off a space and bring items, land and tolls up to date."""
    tile = np.int64(s.top[space])
    before = highest(s.land & (bit(space) - 1))
    behind = land_behind(s.land, space)
    first = -(s.toll[space] - np.int64(s.toll[before]))
    both = -(s.toll[behind] - np.int64(s.toll[before]))
    s.shows[tile >> ITEM_SHIFT] ^= bit(space)
    s.top[space] = s.below[space]
    s.below[space] = 0
    if s.top[space] == 0:
        s.land ^= bit(space)
        both += gap_cost(s, before, behind)
    else:
        s.shows[s.top[space] >> ITEM_SHIFT] |= bit(space)
        cost = gap_cost(s, before, space)
        first += cost
        both += cost + gap_cost(s, space, behind)
    raise_tolls(s, space, behind, first)
    raise_tolls(s, behind, MAINLAND + 1, both)
    return tile


@rule
def raise_tolls(s, first, end, change):
    if change != 0:
        for place in range(first, end):
            s.toll[place] += change


# ------------------------------------------------------------------ what is legal


@rule
def to_move(s):
    """The seat that acts next; -1 when the game is over."""
    return -1 if s.phase == OVER else s.turn


@rule
def phase(s):
    """A6–A16: what kind of decision is next, counted from 0; `phases` when the game is over."""
    return s.phase


@rule
def phases(s):
    return OVER


@rule
def legal(s, out):
    """A6–A16: all that the player may do now."""
    if s.phase == TURN:
        count = list_bridges(s, out, list_buys(s, out))
        moves = list_moves(s, out, count)
        if moves > count:
            return moves
        out[count] = DRAW
        return count + 1
    if s.phase == CHAIN:
        return list_next_cards(s, out)
    if s.phase == PAY:
        return list_payments(s, out)
    if s.phase == AFTER:
        count = list_bridges(s, out, 0)
        out[count] = END
        return count + 1
    return 0


@rule
def list_buys(s, out):
    """A6: one tile, before anything else, and only for at least one card."""
    if s.bought or s.bridged or s.deck_size + s.discard_size == 0:
        return 0
    count = 0
    tiles = s.own[s.turn] & ~(EVERY_ITEM << 1)
    while tiles != 0:
        tile = lowest(tiles)
        out[count] = BUY + (tile >> ITEM_SHIFT) * (VALUES - 1) + (tile & VALUE_OF) - 2
        count += 1
        tiles &= tiles - 1
    return count


@rule
def list_bridges(s, out, count):
    """A16: over any gap that has none, if the player's bridge is left."""
    if s.bridges[s.turn] > 0:
        return count
    found = open_gaps(s)
    while found != 0:
        out[count] = BRIDGE + lowest(found) - 1
        count += 1
        found &= found - 1
    return count


@rule
def list_moves(s, out, count):
    """A7: each of the player's pawns that has not arrived, with every card that A8 allows."""
    pawns = s.pawns[s.turn]
    for i in range(PAWNS):
        place = np.int64(pawns[i])
        if place == MAINLAND:
            break
        if i > 0 and place == pawns[i - 1]:
            continue
        for item in range(ITEMS):
            if s.hand[s.turn, item] > 0 and card_leads_on(s, place, place, item):
                out[count] = MOVE + place * ITEMS + item
                count += 1
    return count


@rule
def list_next_cards(s, out):
    """A8: the cards that lead on from a space where another pawn stands."""
    count = 0
    for item in range(ITEMS):
        if s.hand[s.turn, item] > 0 and card_leads_on(s, np.int64(s.start), np.int64(s.at), item):
            out[count] = ON + item
            count += 1
    return count


@rule
def card_leads_on(s, start, place, item):
    """A8, A12: can the move that began at `start` be completed and paid if this card is played now?"""
    end = next_space(s.shows[item], place)
    if not affordable(s, start, end, np.int64(s.hand_size[s.turn]) - 1):
        return False
    if not stands_on(s.occupied, end):
        return True
    s.hand[s.turn, item] -= 1
    found = chain_leads_on(s, start, end, np.int64(s.hand_size[s.turn]) - 1)
    s.hand[s.turn, item] += 1
    return found


@rule
def affordable(s, start, end, cards):
    """A12: do the player's tiles and so many cards cover the way? Farther ways never cost less."""
    return np.int64(s.toll[end]) - s.toll[start] <= s.purse[s.turn] + cards * CARD_VALUE


@rule
def chain_leads_on(s, start, place, cards):
    """A8: is there any way on from an occupied space with the cards in hand, `cards` in number?

    Every order of the cards is tried, and in the end the hand is what it was. Each card of a chain shows
    the item of the space it leads to, so the spaces passed are all there is to remember: at most ten of
    them, six bits each.

    An example: the move began on 4 (`start`) and has come to 7 (`place`). Ahead lie 9 (coins), 12 (lyre) and
    15 (coins); pawns stand on 7, 9 and 12. Each of the four gaps from 4 to 15 costs 1. The player has tiles
    worth 4 and two cards, coins and lyre.

        coins leads to 9, which is occupied: on from there, with lyre left (`trail` is 7)
            lyre leads to 12, which is occupied: on from there, with no card left (`trail` is 7, 9)
            nothing leads on from 12: back to 9, and lyre is in hand again
        nothing else leads on from 9: back to 7, and coins is in hand again
        lyre leads to 12, which is occupied: on from there, with coins left (`trail` is 7)
            coins leads to 15, which is free; it costs 4, and the tiles can pay that: True

    With tiles worth 3 the last step is not affordable, no other is left, and the answer is False.
    """
    hand = s.hand[s.turn]
    trail = np.int64(0)
    passed = 0
    item = 0
    found = False
    while not found:
        if item < ITEMS:
            if hand[item] > 0:
                end = next_space(s.shows[item], place)
                if affordable(s, start, end, cards - 1):
                    if not stands_on(s.occupied, end):
                        found = True
                    else:
                        hand[item] -= 1
                        cards -= 1
                        trail = trail << 6 | place
                        passed += 1
                        place = end
                        item = -1
            item += 1
        elif passed == 0:
            return False
        else:
            item = np.int64(s.top[place]) >> ITEM_SHIFT
            hand[item] += 1
            item += 1
            cards += 1
            place = trail & 63
            trail >>= 6
            passed -= 1
    for _ in range(passed):
        hand[s.top[place] >> ITEM_SHIFT] += 1
        place = trail & 63
        trail >>= 6
    return True


@rule
def list_payments(s, out):
    """A12: the player's tiles by item and value, then cards by item, where the sum can use them."""
    seat = s.turn
    worth = s.worth[seat]
    cards = np.int64(s.hand_size[seat])
    tiles = np.int64(0)
    for value in range(1, VALUES + 1):
        if worth[value] > 0:
            worth[value] -= 1
            if can_be_completed(s, value, cards):
                tiles |= EVERY_ITEM << value
            worth[value] += 1
    tiles &= s.own[seat]
    count = 0
    while tiles != 0:
        tile = lowest(tiles)
        out[count] = PAY_TILE + (tile >> ITEM_SHIFT) * VALUES + (tile & VALUE_OF) - 1
        count += 1
        tiles &= tiles - 1
    if cards > 0 and can_be_completed(s, CARD_VALUE, cards - 1):
        for item in range(ITEMS):
            if s.hand[seat, item] > 0:
                out[count] = PAY_CARD + item
                count += 1
    return count


@rule
def can_be_completed(s, piece, cards):
    """A12: with this piece, can the payment be made so that its excess is below every piece in it?

    `worth` and `cards` are the pieces besides this one. For every possible excess only greater pieces
    may be used, so tiles join from the greatest value down.
    """
    worth = s.worth[s.turn]
    smallest = min(piece, np.int64(s.least)) if s.least > 0 else piece
    rest = s.due - piece
    if rest <= 0:
        return -rest < smallest
    if rest <= cards:
        return True
    limbs = min(rest + VALUES, np.int64(s.purse[s.turn])) // LIMB + 1
    s.reach[0] = 1
    found = False
    for value in range(VALUES, 1, -1):
        join_tiles(s.reach, limbs, value, worth[value])
        excess = value - 1
        if excess < smallest and is_reached(s.reach, limbs, rest + excess):
            found = True
            break
    if not found:
        found = any_reached(s.reach, limbs, rest - worth[1] - cards, rest)
    s.reach[:] = 0
    return found


@rule
def join_tiles(reach, limbs, value, tiles):
    """The sums that can be reached with so many more tiles of this value."""
    for _ in range(tiles):
        for i in range(limbs - 1, 0, -1):
            carried = reach[i - 1] >> (LIMB - value)
            reach[i] |= (reach[i] << value | carried) & (bit(LIMB) - 1)
        reach[0] |= reach[0] << value & (bit(LIMB) - 1)


@rule
def is_reached(reach, limbs, total):
    return total < limbs * LIMB and reach[total // LIMB] >> (total % LIMB) & 1 != 0


@rule
def any_reached(reach, limbs, low, high):
    """Is any sum from `low` to `high` reached?"""
    for total in range(max(low, 0), min(high, limbs * LIMB - 1) + 1):
        if is_reached(reach, limbs, total):
            return True
    return False


# ------------------------------------------------------------------ the turn


@rule
def apply(s, action):
    """A6–A18: do one thing, and what follows from it without a choice."""
    s.event_count = 0
    if action < BRIDGE:
        buy(s, (action - BUY) // (VALUES - 1) << ITEM_SHIFT | (action - BUY) % (VALUES - 1) + 2)
    elif action < MOVE:
        build_bridge(s, action - BRIDGE + 1)
    elif action < DRAW:
        s.start = (action - MOVE) // ITEMS
        s.at = s.start
        play_card(s, (action - MOVE) % ITEMS)
    elif action == DRAW:
        draw_instead_of_moving(s)
    elif action < PAY_TILE:
        play_card(s, action - ON)
    elif action < PAY_CARD:
        pay_tile(s, (action - PAY_TILE) // VALUES << ITEM_SHIFT | (action - PAY_TILE) % VALUES + 1)
    elif action < END:
        pay_card(s, action - PAY_CARD)
    else:
        draw_and_end_turn(s)


@rule
def buy(s, tile):
    """A6: give up a tile and draw half its value in cards, rounded down."""
    give_up_tile(s, tile)
    s.bought = 1
    say(s, BOUGHT, s.turn, tile, 0, 0)
    draw_cards(s, CARDS_BOUGHT[tile & VALUE_OF])


@rule
def build_bridge(s, space):
    """A16: before the move, or after the tile is taken; then only the drawing is left."""
    behind = land_behind(s.land, space)
    raise_tolls(s, behind, MAINLAND + 1, np.int64(s.toll[space]) - s.toll[behind])
    s.bridges[s.turn] = space
    s.spans |= bit(space)
    s.bridged = 1
    say(s, BRIDGED, s.turn, space, behind, 0)
    if s.phase == AFTER:
        draw_and_end_turn(s)


@rule
def play_card(s, item):
    """A7–A9: the pawn goes on by one card; if a pawn stands there, another card must follow."""
    place = np.int64(s.at)
    end = next_space(s.shows[item], place)
    give_up_card(s, item)
    s.discards[item] += 1
    s.discard_size += 1
    if s.phase == TURN and place != ATLANTIS:
        s.occupied ^= bit(place)
    move_pawn(s.pawns[s.turn], place, end)
    s.at = end
    say(s, PLAYED, s.turn, item, place, end)
    tell_gaps(s, place, end)
    if stands_on(s.occupied, end):
        s.phase = CHAIN
        return
    if end != MAINLAND:
        s.occupied |= bit(end)
    s.due = np.int64(s.toll[end]) - s.toll[s.start]
    if s.due > 0:
        s.phase = PAY
        say(s, OWES, s.turn, s.due, 0, 0)
    else:
        take_tile(s)


@rule
def move_pawn(pawns, place, end):
    """One of the pawns goes forward; they stay in ascending order."""
    i = 0
    while pawns[i] != place:
        i += 1
    while i + 1 < PAWNS and pawns[i + 1] < end:
        pawns[i] = pawns[i + 1]
        i += 1
    pawns[i] = end


@rule
def tell_gaps(s, place, end):
    """A11: note each gap on the way and what it costs; 0 over a bridge."""
    crossed = gaps(s.land) & (bit(end) - bit(place))
    while crossed != 0:
        before = lowest(crossed)
        behind = land_behind(s.land, before)
        say(s, CROSSED, s.turn, before, behind, np.int64(s.toll[behind]) - s.toll[before])
        crossed &= crossed - 1


@rule
def give_up_card(s, item):
    """A22: what others know about the hand is that the rest of the shown cards are still there."""
    seat = s.turn
    s.hand[seat, item] -= 1
    s.hand_size[seat] -= 1
    if s.known[seat, item] > 0:
        s.known[seat, item] -= 1


@rule
def give_up_tile(s, tile):
    """A6, A12: one of the player's tiles leaves the game."""
    seat = s.turn
    value = tile & VALUE_OF
    s.tiles[seat, tile] -= 1
    s.tiles[GONE, tile] += 1
    if s.tiles[seat, tile] == 0:
        s.own[seat] ^= bit(tile)
    s.worth[seat, value] -= 1
    s.purse[seat] -= value


@rule
def pay_tile(s, tile):
    """A12: a tile pays its full value."""
    give_up_tile(s, tile)
    say(s, PAID_TILE, s.turn, tile, 0, 0)
    count_payment(s, tile & VALUE_OF)


@rule
def pay_card(s, item):
    """A12: a card pays 1 and is gone, not discarded."""
    give_up_card(s, item)
    s.gone_cards[item] += 1
    say(s, PAID_CARD, s.turn, item, 0, 0)
    count_payment(s, CARD_VALUE)


@rule
def count_payment(s, value):
    """A12: until the cost is met; no change is given."""
    s.due = max(s.due - value, 0)
    s.least = min(np.int64(s.least), value) if s.least > 0 else value
    if s.due == 0:
        take_tile(s)


@rule
def take_tile(s):
    """A13: the top tile of the first free space behind the pawn; then A18, A16 or A14."""
    seat = s.turn
    space = space_to_take(s.land, s.occupied, np.int64(s.at))
    if space == ATLANTIS:
        say(s, TOOK_NOTHING, s.turn, 0, 0, 0)
    else:
        tile = lift_top_tile(s, space)
        s.tiles[seat, tile] += 1
        s.own[seat] |= bit(tile)
        s.worth[seat, tile & VALUE_OF] += 1
        s.purse[seat] += tile & VALUE_OF
        say(s, TOOK, s.turn, tile, space, 0)
    forget_move(s)
    if s.pawns[seat, 0] == MAINLAND:
        say(s, ALL_ARRIVED, s.turn, 0, 0, 0)
        draw_cards(s, DRAW_AT_THE_END)
        end_game(s)
    elif s.bridges[seat] == 0 and open_gaps(s) != 0:
        s.phase = AFTER
    else:
        draw_and_end_turn(s)


@rule
def forget_move(s):
    s.start = 0
    s.at = 0
    s.due = 0
    s.least = 0


@rule
def draw_and_end_turn(s):
    """A14: one card, and one for each of the player's pawns on the mainland."""
    wanted = 1
    for i in range(PAWNS):
        wanted += s.pawns[s.turn, i] == MAINLAND
    draw_cards(s, wanted)
    s.idle_turns = 0
    next_player(s)


@rule
def draw_instead_of_moving(s):
    """A10: show the hand and draw two cards; a round of turns that bring nothing ends the game."""
    say(s, SHOWED, s.turn, 0, 0, 0)
    for item in range(ITEMS):
        s.known[s.turn, item] = s.hand[s.turn, item]
    drawn = draw_cards(s, DRAW_WITHOUT_MOVE)
    if drawn == 0 and not s.bought and not s.bridged:
        s.idle_turns += 1
    else:
        s.idle_turns = 0
    if s.idle_turns == s.players:
        say(s, STUCK, s.turn, 0, 0, 0)
        end_game(s)
    else:
        next_player(s)


@rule
def next_player(s):
    """A5: clockwise."""
    s.turn = (s.turn + 1) % s.players
    s.phase = TURN
    s.bought = 0
    s.bridged = 0


@rule
def draw_cards(s, wanted):
    """A14: into the player's hand, from a new deck when the old one is empty; returns how many there were."""
    drawn = 0
    while drawn < wanted:
        if s.deck_size == 0:
            make_new_deck(s)
        if s.deck_size == 0:
            break
        take_card(s, s.turn)
        drawn += 1
    s.hand_size[s.turn] += drawn
    say(s, DREW, s.turn, drawn, 0, 0)
    return drawn


@rule
def take_card(s, seat):
    """The top card of the deck goes to a hand."""
    s.deck_size -= 1
    s.hand[seat, s.deck[s.deck_size]] += 1
    s.deck[s.deck_size] = 0


@rule
def make_new_deck(s):
    """A14: the discards, by item, shuffled."""
    if s.discard_size == 0:
        return
    for item in range(ITEMS):
        for _ in range(s.discards[item]):
            s.deck[s.deck_size] = item
            s.deck_size += 1
        s.discards[item] = 0
    s.discard_size = 0
    shuffle(s.chance[2], s.deck, s.deck_size)
    say(s, SHUFFLED, -1, s.deck_size, 0, 0)


# ------------------------------------------------------------------ the end


@rule
def end_game(s):
    """A19, A20: all other pawns go to the mainland, each player pays for theirs in one sum."""
    for seat in range(s.players):
        cost = np.int64(0)
        for i in range(PAWNS):
            cost += np.int64(s.toll[MAINLAND]) - s.toll[s.pawns[seat, i]]
            s.pawns[seat, i] = MAINLAND
        s.losses[seat] = least_loss(s, seat, cost)
        say(s, SETTLED, seat, cost, s.losses[seat], 0)
    s.occupied = 0
    s.phase = OVER


@rule
def least_loss(s, seat, cost):
    """A20: the least value that covers the cost; a player who has less loses the whole cost."""
    ones = np.int64(s.worth[seat, 1]) + s.hand_size[seat]
    tiles = np.int64(s.purse[seat]) - s.worth[seat, 1]
    if cost <= ones or cost >= tiles + ones:
        return cost
    limbs = tiles // LIMB + 1
    s.reach[0] = 1
    for value in range(2, VALUES + 1):
        join_tiles(s.reach, limbs, value, s.worth[seat, value])
    loss = cost
    if not any_reached(s.reach, limbs, cost - ones, cost):
        while not is_reached(s.reach, limbs, loss):
            loss += 1
    s.reach[:] = 0
    return loss


@rule
def score(s, seat):
    """A21: tiles and cards, after the end less what A20 took."""
    return np.int64(s.purse[seat]) + s.hand_size[seat] * CARD_VALUE - s.losses[seat]


@rule
def scores(s, out):
    """A21: the points of every seat as they stand."""
    for seat in range(s.players):
        out[seat] = score(s, seat)


@rule
def winners(s):
    """A21: the winners as bits, ties are shared; 0 before the end."""
    if s.phase != OVER:
        return 0
    best = np.int64(-10000)
    found = 0
    for seat in range(s.players):
        points = score(s, seat)
        if points > best:
            best = points
            found = 0
        if points == best:
            found |= 1 << seat
    return found


# ------------------------------------------------------------------ who knows what


@rule
def held(s, seat):
    """A22: what a seat holds in secret, as a number."""
    cards = np.int64(0)
    for item in range(ITEMS):
        cards = cards * 32 + s.hand[seat, item]
    return cards


@rule
def redeal(s, seat, seed):
    """A22: deal again what `seat` cannot know: lower tiles, other hands, the deck, all future chance.

    Cards shown by A10 stay. A player in the middle of a chain holds cards that lead on (A8).
    """
    for number in range(3):
        seed_stream(s.chance[number], seed, number)
    for half in range(HALVES):
        redeal_lower_tiles(s, half)
    redeal_cards(s, seat)
    if s.phase == CHAIN and s.turn != seat:
        while not chain_leads_on(s, np.int64(s.start), np.int64(s.at), np.int64(s.hand_size[s.turn])):
            redeal_cards(s, seat)


@rule
def redeal_lower_tiles(s, half):
    """A22: each half's lower tiles among themselves."""
    first = 1 + half * LAST_OF_A
    found = 0
    for space in range(first, first + LAST_OF_A):
        if s.below[space] > 0:
            s.lower[found] = s.below[space]
            found += 1
    shuffle_anew(s.chance[half], s.lower, found)
    for space in range(first, first + LAST_OF_A):
        if s.below[space] > 0:
            found -= 1
            s.below[space] = s.lower[found]
            s.lower[found] = 0


@rule
def redeal_cards(s, seat):
    """A22: what the others hold, except the cards they have shown, together with the deck."""
    for other in range(s.players):
        if other != seat:
            for item in range(ITEMS):
                for _ in range(s.hand[other, item] - s.known[other, item]):
                    s.deck[s.deck_size] = item
                    s.deck_size += 1
                s.hand[other, item] = s.known[other, item]
    shuffle_anew(s.chance[2], s.deck, s.deck_size)
    for other in range(s.players):
        if other != seat:
            hidden = np.int64(s.hand_size[other])
            for item in range(ITEMS):
                hidden -= s.known[other, item]
            for _ in range(hidden):
                take_card(s, other)


@rule
def census(s, out):
    """Count every tile by item and value, then every card by item. Returns how many kinds there are."""
    out[:KINDS] = 0
    for space in range(1, MAINLAND):
        out[s.top[space]] += 1
        out[s.below[space]] += 1
    out[0] = 0  # no tile
    for tile in range(TILE_CODES):
        for owner in range(MAX_PLAYERS + 1):
            out[tile] += s.tiles[owner, tile]
    for i in range(s.deck_size):
        out[TILE_CODES + s.deck[i]] += 1
    for item in range(ITEMS):
        out[TILE_CODES + item] += s.discards[item] + s.gone_cards[item]
        for seat in range(s.players):
            out[TILE_CODES + item] += s.hand[seat, item]
    return KINDS
