"""Venice 2099: the rules V4–V23 over one record. Plain Python that Numba compiles.

Sets are bits: cards and quarters as value * 6 + color, squares in two halves of 32. An action is the
start of its kind (PLACE, RESCUE, …) plus a square; plus a pawn's number times 64 and a square, the pawns
of a player being numbered by their squares; plus a pawn's number; or plus a color.
"""

from __future__ import annotations

import numpy as np

from laguna.games.contract import Hidden
from laguna.games.venice_2099.components import (
    ANY,
    BOUGHT,
    CARDS,
    CARDS_EACH,
    COINS_SANK,
    COINS_SCORED,
    COLOR_COUNT,
    COUNT,
    FIRST_TAKEN_OUT,
    GAME_ENDED,
    GAME_WON,
    GONDOLA_TAKEN,
    GONDOLAS_EACH,
    HALF,
    LAST_TAKEN_OUT,
    MAX_PAWNS,
    MAX_PLAYERS,
    MOVED,
    NO_TILE,
    OUT,
    OVER,
    PAWN_FELL,
    PAWN_LOST,
    PAWN_POINTS,
    PAWN_RESCUED,
    PAWNS_EACH,
    PAWNS_SCORED,
    PLACING,
    PLATFORM,
    PLATFORMS,
    POINTS,
    QUARTER_SANK,
    QUARTERS,
    RAYS,
    RESCUING,
    ROOK,
    SIDE,
    SIDES,
    SMALL_BOARD,
    SQUARES,
    START,
    TREASURE_BOUGHT,
    TREASURES,
    TREASURES_SCORED,
    VALUE_COUNT,
    WALK,
    WORTH,
    X_PAWNS_SCORED,
    X,
)
from laguna.kernel.bits import lowest, nth
from laguna.kernel.chance import WORDS, draw, pick, seed_stream, shuffle
from laguna.kernel.events import say
from laguna.kernel.jit import quick_rule, rule
from laguna.kernel.records import record_type

# Where the codes of each kind of action begin.
PLACE = 0
RESCUE = PLACE + SQUARES
WALKS = RESCUE + SQUARES
GONDOLA = WALKS + MAX_PAWNS * SQUARES
BUY = GONDOLA + MAX_PAWNS * SQUARES
CARD = BUY + MAX_PAWNS
SINK = CARD + COLOR_COUNT
CODES = SINK + 1

MAX_LEGAL = 426  # three players, four pawns each, 52 free squares, on foot and by gondola
MAX_ACTIONS = 15 + 3 * 35 + 25  # five players: pawns placed, turns of three steps, pawns that fall
KINDS = QUARTERS + 1 + QUARTERS + COLOR_COUNT + 2  # tiles, platforms, cards, treasures, squares, coins
EVENTS = 8 + 4 * MAX_PLAYERS  # the last card: sunk, coins, a pawn falls, is lost, end, winners; the scores

STATE = record_type(
    [
        ("hand", np.int64, MAX_PLAYERS),  # cards as bits
        ("played", np.int64, MAX_PLAYERS),  # by each seat
        ("away", np.int64),  # cards put away unseen
        ("above", np.int64),  # quarters above water
        ("free", np.int64, 2),  # squares above water without a pawn, in halves
        ("quarters", np.int64, 2),  # squares without a platform, in halves
        ("chance", np.uint32, (2, WORDS)),  # the tiles' stream, the cards' stream
        ("players", np.int32),
        ("moves", np.int32),  # option V9
        ("rescue", np.int32),  # option V14
        ("x_scores", np.int32),  # option V19
        ("tie_break", np.int32),  # option V21
        ("phase", np.int32),
        ("turn", np.int32),
        ("fallen", np.int32),  # whose pawn has fallen and may be rescued, or -1
        ("fallen_from", np.int32),  # its square, or -1
        ("coins_lost", np.int32),  # that sank with their quarters
        ("event_count", np.int32),
        ("events", np.int16, (EVENTS, 5)),  # kind, seat and three numbers: what the last action did
        ("tile", np.int8, SQUARES),  # a quarter, PLATFORM or NO_TILE; a sunk quarter stays here
        ("coins_on", np.int8, SQUARES),
        ("square_of", np.int8, QUARTERS),  # where a quarter lies, -1 if it is not in play
        ("pawns", np.int8, (MAX_PLAYERS, MAX_PAWNS)),  # squares in ascending order, then OUT
        ("treasures", np.int8, (MAX_PLAYERS, COLOR_COUNT)),
        ("stock", np.int8, COLOR_COUNT),  # treasures not yet bought
        ("coins", np.int8, MAX_PLAYERS),
        ("gondolas", np.int8, MAX_PLAYERS),
        ("deck", np.int8, CARDS),  # room to shuffle in; empty between actions
    ]
)

HIDDEN = Hidden(piles=("chance", "away", "deck"), hand="hand")

NOT_COLUMN_A = 0xFEFEFEFE
NOT_COLUMN_H = 0x7F7F7F7F
ONE_COLOR = sum(1 << (value * COLOR_COUNT) for value in range(VALUE_COUNT))  # the black quarters


# ------------------------------------------------------------------ sets as bits


@rule
def size(half):
    """How many bits of a half (32 bits) are set."""
    half = half - ((half >> 1) & 0x55555555)
    half = (half & 0x33333333) + ((half >> 2) & 0x33333333)
    half = (half + (half >> 4)) & 0x0F0F0F0F
    return (half * 0x01010101 >> 24) & 0xFF


@rule
def card_count(cards):
    return size(cards & 0xFFFFFFFF) + size(cards >> 32)


@rule
def nth_square(near, far, n):
    """The n-th square of a set given in halves."""
    in_near = size(near)
    return nth(near, n) if n < in_near else HALF + nth(far, n - in_near)


@rule
def is_in(halves, square):
    return (halves[square // HALF] >> (square % HALF)) & 1


@rule
def flip(halves, square):
    """Put the square into the set, or take it out."""
    halves[square // HALF] ^= np.int64(1) << (square % HALF)


@rule
def write_squares(near, far, first_code, out, count):
    """Write a code for each square of a set; how many codes there are then."""
    while near:
        out[count] = first_code + lowest(near)
        near &= near - 1
        count += 1
    while far:
        out[count] = first_code + HALF + lowest(far)
        far &= far - 1
        count += 1
    return count


# ------------------------------------------------------------------ set-up


@rule
def setup(s, options, seed):
    """V4–V7: `options` holds the players, then the codes of moves, rescue, x_scores and tie_break."""
    start_blank(s, options, seed)
    taken_out = lay_tiles(s)
    find_squares(s)
    deal_cards(s, taken_out)


@rule
def start_blank(s, options, seed):
    """V6: coins, gondolas and treasures as at the start; no tiles, cards or pawns yet."""
    s.players = options[0]
    s.moves = options[1]
    s.rescue = options[2]
    s.x_scores = options[3]
    s.tie_break = options[4]
    s.phase = PLACING
    s.turn = 0
    s.fallen = -1
    s.fallen_from = -1
    s.coins_lost = 0
    s.event_count = 0
    s.events[:] = 0
    s.deck[:] = 0
    s.coins_on[:] = 0
    s.pawns[:] = OUT
    s.treasures[:] = 0
    s.stock[:] = TREASURES
    s.hand[:] = 0
    s.played[:] = 0
    for seat in range(MAX_PLAYERS):
        plays = seat < s.players
        s.coins[seat] = CARDS_EACH[s.players] + 1 if plays else 0
        s.gondolas[seat] = GONDOLAS_EACH if plays else 0
    for number in range(2):
        seed_stream(s.chance[number], seed, number)


@rule
def in_play(s, color, value, taken_out):
    """V4: with two players no 7, no 8 and not the color taken out."""
    if s.players != SMALL_BOARD:
        return True
    return color != taken_out and (value < FIRST_TAKEN_OUT or value > LAST_TAKEN_OUT)


@rule
def lay_tiles(s):
    """V4: shuffle the tiles into a square; returns the color taken out, or -1."""
    taken_out = -1
    if s.players == SMALL_BOARD:
        taken_out = pick(s.chance[0], COLOR_COUNT)
    count = 0
    for color in range(COLOR_COUNT):
        for value in range(VALUE_COUNT):
            if in_play(s, color, value, taken_out):
                s.tile[count] = value * COLOR_COUNT + color
                count += 1
    for _ in range(PLATFORMS[s.players]):
        s.tile[count] = PLATFORM
        count += 1
    shuffle(s.chance[0], s.tile, count)
    spread_rows(s, SIDES[s.players])
    return taken_out


@rule
def spread_rows(s, side):
    """Move the rows of a small board to where the rows of a large one begin, the last tile first."""
    for square in range(SQUARES - 1, -1, -1):
        row = square // SIDE
        column = square % SIDE
        on_board = row < side and column < side
        s.tile[square] = s.tile[row * side + column] if on_board else NO_TILE


@rule
def find_squares(s):
    """Note for every quarter where it lies; nothing has sunk, nobody stands anywhere."""
    s.square_of[:] = -1
    s.above = 0
    s.free[:] = 0
    s.quarters[:] = 0
    for square in range(SQUARES):
        tile = np.int64(s.tile[square])
        if tile == NO_TILE:
            continue
        flip(s.free, square)
        if tile != PLATFORM:
            flip(s.quarters, square)
            s.square_of[tile] = square
            s.above |= np.int64(1) << tile


@rule
def deal_cards(s, taken_out):
    """V5: the hands from the end of the shuffled deck, seat by seat; the rest is put away."""
    count = 0
    for color in range(COLOR_COUNT):
        for value in range(1, VALUE_COUNT):
            if in_play(s, color, value, taken_out):
                s.deck[count] = value * COLOR_COUNT + color
                count += 1
    shuffle(s.chance[1], s.deck, count)
    for seat in range(s.players):
        for _ in range(CARDS_EACH[s.players]):
            count -= 1
            s.hand[seat] |= np.int64(1) << np.int64(s.deck[count])
    s.away = 0
    for i in range(count):
        s.away |= np.int64(1) << np.int64(s.deck[i])
    s.deck[:] = 0


# ------------------------------------------------------------------ what may be done


@rule
def to_move(s):
    """The seat that decides next: in a rescue the fallen pawn's owner (V14); -1 at the end."""
    if s.phase == OVER:
        return -1
    return s.fallen if s.phase == RESCUING else s.turn


@rule
def phase(s):
    """V7–V14: what kind of decision is next, counted from 0; `phases` when the game is over."""
    return s.phase


@rule
def phases(s):
    return OVER


@rule
def legal(s, out):
    """V8: walks, gondolas, purchases and cards, each in the order of the board; or a set-up or a rescue."""
    if s.phase == OVER:
        return 0
    if s.phase == PLACING:
        return write_places(s, out)
    if s.phase == RESCUING:
        near, far = rescue_targets(s)
        count = write_squares(near, far, RESCUE, out, 0)
        out[count] = SINK
        return count + 1
    count = 0
    if s.phase == START:
        count = write_moves(s, out)
    if s.phase != BOUGHT:
        count = write_purchases(s, out, count)
    return write_cards(s, out, count)


@rule
def write_places(s, out):
    """V7: free squares, but no quarter of a value on which the player already has a pawn."""
    taken = 0
    for i in range(MAX_PAWNS):
        square = s.pawns[s.turn, i]
        if square != OUT and s.tile[square] != PLATFORM:
            taken |= 1 << np.int64(s.tile[square]) // COLOR_COUNT
    count = 0
    for square in range(SQUARES):
        if is_in(s.free, square):
            tile = np.int64(s.tile[square])
            if tile == PLATFORM or (taken >> (tile // COLOR_COUNT)) & 1 == 0:
                out[count] = PLACE + square
                count += 1
    return count


@rule
def write_moves(s, out):
    """V9, V10: every pawn of the player to where it can walk; then, with a gondola, to every free square."""
    count = 0
    for i in range(MAX_PAWNS):
        square = np.int64(s.pawns[s.turn, i])
        if square == OUT:
            break
        near, far = reach(s, square)
        count = write_squares(near, far, WALKS + i * SQUARES, out, count)
    if s.gondolas[s.turn] > 0:
        for i in range(MAX_PAWNS):
            if s.pawns[s.turn, i] == OUT:
                break
            count = write_squares(s.free[0], s.free[1], GONDOLA + i * SQUARES, out, count)
    return count


@rule
def reach(s, start):
    """V9: the squares a pawn can walk to from here, in halves."""
    if s.moves == WALK:
        return on_foot(s, start)
    near = 0
    far = 0
    for direction in range(4 if s.moves == ROOK else 8):
        for i in range(SIDE):
            square = np.int64(RAYS[start, direction, i])
            if square < 0 or not is_in(s.free, square):
                break
            if square < HALF:
                near |= 1 << square
            else:
                far |= 1 << (square - HALF)
    return near, far


@rule
def on_foot(s, start):
    """V9, option `walk`: spread over the sides of free squares until nothing is added."""
    free_near = s.free[0]
    free_far = s.free[1]
    near = np.int64(1) << start if start < HALF else np.int64(0)
    far = np.int64(0) if start < HALF else np.int64(1) << (start - HALF)
    start_near = near
    start_far = far
    while True:
        sideways = (near & NOT_COLUMN_H) << 1 | (near & NOT_COLUMN_A) >> 1
        more_near = near | (sideways | near << SIDE | near >> SIDE | far << (HALF - SIDE)) & free_near
        sideways = (far & NOT_COLUMN_H) << 1 | (far & NOT_COLUMN_A) >> 1
        more_far = far | (sideways | far << SIDE | far >> SIDE | near >> (HALF - SIDE)) & free_far
        if more_near == near and more_far == far:
            return near ^ start_near, far ^ start_far
        near = more_near
        far = more_far


@quick_rule
def price(lying):
    """V11: of a treasure on a quarter where this many coins lie."""
    return lying + 1


@rule
def can_buy(s, square):
    """V11: on a quarter whose color has treasures left, at a price that the active player can pay."""
    tile = np.int64(s.tile[square])
    if tile == PLATFORM or s.stock[tile % COLOR_COUNT] == 0:
        return False
    return price(np.int64(s.coins_on[square])) <= s.coins[s.turn]


@rule
def write_purchases(s, out, count):
    """V11: by the squares of the active player's pawns."""
    for i in range(MAX_PAWNS):
        square = np.int64(s.pawns[s.turn, i])
        if square == OUT:
            break
        if can_buy(s, square):
            out[count] = BUY + i
            count += 1
    return count


@quick_rule
def lowest_value(cards):
    """V12: the lowest value among these cards; there must be one."""
    return lowest(cards) // COLOR_COUNT


@rule
def lowest_cards(s):
    """V12: the colors, as bits, of the active player's cards of the lowest value."""
    hand = s.hand[s.turn]
    return (hand >> (lowest_value(hand) * COLOR_COUNT)) & 0b111111


@rule
def write_cards(s, out, count):
    colors = lowest_cards(s)
    while colors:
        out[count] = CARD + lowest(colors)
        colors &= colors - 1
        count += 1
    return count


@rule
def rescue_targets(s):
    """V14: free squares, or free quarters only, in halves."""
    if s.rescue == ANY:
        return s.free[0], s.free[1]
    return s.free[0] & s.quarters[0], s.free[1] & s.quarters[1]


@rule
def random_action(s, stream, out):
    """The action that `draw` would choose from the legal list, without writing the long lists."""
    if s.phase == RESCUING:
        near, far = rescue_targets(s)
        targets = size(near) + size(far)
        choice = draw(stream, targets + 1)
        return SINK if choice == targets else RESCUE + nth_square(near, far, choice)
    if s.phase != START:
        return np.int64(out[draw(stream, legal(s, out))])
    return random_step(s, stream, out)


@rule
def random_step(s, stream, out):
    """At the start of a turn: how many of each kind, a draw, and then only the one that was drawn."""
    pawns = 0
    walks = 0
    while pawns < MAX_PAWNS and s.pawns[s.turn, pawns] != OUT:
        near, far = reach(s, np.int64(s.pawns[s.turn, pawns]))
        walks += size(near) + size(far)
        pawns += 1
    free = size(s.free[0]) + size(s.free[1])
    rides = pawns * free if s.gondolas[s.turn] > 0 else 0
    rest = write_cards(s, out, write_purchases(s, out, 0))
    choice = draw(stream, walks + rides + rest)
    if choice >= walks + rides:
        return np.int64(out[choice - walks - rides])
    if choice >= walks:
        choice -= walks
        return GONDOLA + choice // free * SQUARES + nth_square(s.free[0], s.free[1], choice % free)
    pawn = 0
    while True:
        near, far = reach(s, np.int64(s.pawns[s.turn, pawn]))
        targets = size(near) + size(far)
        if choice < targets:
            return WALKS + pawn * SQUARES + nth_square(near, far, choice)
        choice -= targets
        pawn += 1


# ------------------------------------------------------------------ doing it


@rule
def apply(s, action):
    """V7–V14: one step of the set-up, of a turn, or of a rescue."""
    s.event_count = 0
    if action < RESCUE:
        place_pawn(s, action - PLACE)
    elif action < WALKS:
        rescue_pawn(s, action - RESCUE)
    elif action < GONDOLA:
        move_pawn(s, (action - WALKS) // SQUARES, (action - WALKS) % SQUARES)
    elif action < BUY:
        ride(s, (action - GONDOLA) // SQUARES, (action - GONDOLA) % SQUARES)
    elif action < CARD:
        buy(s, np.int64(s.pawns[s.turn, action - BUY]))
    elif action < SINK:
        play_card(s, action - CARD)
    else:
        lose_pawn(s)


@rule
def stand(s, seat, square):
    """A pawn comes to stand on a free square; the pawns of a seat stay in order."""
    flip(s.free, square)
    pawns = s.pawns[seat]
    i = MAX_PAWNS - 1
    while i > 0 and pawns[i - 1] > square:
        pawns[i] = pawns[i - 1]
        i -= 1
    pawns[i] = square


@rule
def leave(pawns, pawn):
    """A pawn leaves its square; the others move up."""
    for i in range(pawn, MAX_PAWNS - 1):
        pawns[i] = pawns[i + 1]
    pawns[MAX_PAWNS - 1] = OUT


@rule
def place_pawn(s, square):
    """V7: one pawn at a time, clockwise; after the last one seat 0 begins."""
    stand(s, s.turn, square)
    s.turn = (s.turn + 1) % s.players
    if s.pawns[s.turn, PAWNS_EACH[s.players] - 1] != OUT:
        s.phase = START


@rule
def move_pawn(s, pawn, square):
    """V9: from its square to another; the turn's move is made."""
    flip(s.free, np.int64(s.pawns[s.turn, pawn]))
    leave(s.pawns[s.turn], pawn)
    stand(s, s.turn, square)
    s.phase = MOVED


@rule
def ride(s, pawn, square):
    """V10: the same by gondola, wherever the square lies."""
    s.gondolas[s.turn] -= 1
    move_pawn(s, pawn, square)
    say(s, GONDOLA_TAKEN, s.turn, square, s.gondolas[s.turn], 0)


@rule
def buy(s, square):
    """V11: the coins on the quarter and one more are laid on it for a treasure of its color."""
    color = np.int64(s.tile[square]) % COLOR_COUNT
    paid = price(np.int64(s.coins_on[square]))
    s.coins[s.turn] -= paid
    s.coins_on[square] += paid
    s.stock[color] -= 1
    s.treasures[s.turn, color] += 1
    s.phase = BOUGHT
    say(s, TREASURE_BOUGHT, s.turn, square, color, paid)


@rule
def play_card(s, color):
    """V12, V13: the card leaves the hand, its quarter the city; a pawn standing on it falls."""
    card = lowest_value(s.hand[s.turn]) * COLOR_COUNT + color
    bit = np.int64(1) << card
    s.hand[s.turn] ^= bit
    s.played[s.turn] |= bit
    s.above ^= bit
    square = np.int64(s.square_of[card])
    say(s, QUARTER_SANK, -1, square, card, 0)
    if s.coins_on[square] > 0:
        say(s, COINS_SANK, -1, square, s.coins_on[square], 0)
        s.coins_lost += s.coins_on[square]
        s.coins_on[square] = 0
    if is_in(s.free, square):
        flip(s.free, square)
        end_turn(s)
    else:
        fall(s, square)


@rule
def fall(s, square):
    """V13, V14: the pawn there falls; its owner is asked if there is a gondola and somewhere to go."""
    for seat in range(s.players):
        for i in range(MAX_PAWNS):
            if s.pawns[seat, i] == square:
                leave(s.pawns[seat], i)
                s.fallen = seat
                break
    s.fallen_from = square
    say(s, PAWN_FELL, s.fallen, square, 0, 0)
    near, far = rescue_targets(s)
    if s.gondolas[s.fallen] > 0 and (near | far) != 0:
        s.phase = RESCUING
    else:
        lose_pawn(s)


@rule
def rescue_pawn(s, square):
    """V14: a gondola brings the fallen pawn to a free square."""
    s.gondolas[s.fallen] -= 1
    stand(s, s.fallen, square)
    say(s, PAWN_RESCUED, s.fallen, square, s.gondolas[s.fallen], 0)
    end_turn(s)


@rule
def lose_pawn(s):
    """V14: the fallen pawn is out of the game."""
    say(s, PAWN_LOST, s.fallen, 0, 0, 0)
    end_turn(s)


@rule
def end_turn(s):
    """V15, V16: the next player, with pawns or without; with no card left to play the game ends."""
    s.fallen = -1
    s.fallen_from = -1
    following = (s.turn + 1) % s.players
    if s.hand[following] == 0:
        s.phase = OVER
        say_scores(s)
    else:
        s.turn = following
        s.phase = START


@rule
def say_scores(s):
    """V16–V21: the end, where everybody's points come from, and who wins."""
    say(s, GAME_ENDED, -1, 0, 0, 0)
    for seat in range(s.players):
        say_points(s, TREASURES_SCORED, seat, treasure_points(s, seat))
        say_points(s, PAWNS_SCORED, seat, pawn_points(s, seat) - x_points(s, seat))
        say_points(s, X_PAWNS_SCORED, seat, x_points(s, seat))
        say_points(s, COINS_SCORED, seat, np.int64(s.coins[seat]))
    say(s, GAME_WON, -1, winners(s), 0, 0)


@rule
def say_points(s, kind, seat, points):
    if points > 0:
        say(s, kind, seat, points, 0, 0)


# ------------------------------------------------------------------ scoring


@quick_rule
def quarters_of(quarters, color):
    """V17, V19: how many of these quarters are of a color.

    Their bits are six apart: digits of a number to the base of 64, whose sum is the remainder by 63.
    """
    return ((quarters >> color) & ONE_COLOR) % ((1 << COLOR_COUNT) - 1)


@rule
def treasure_points(s, seat):
    """V17: the fewer quarters of its color are left, the more a treasure is worth."""
    points = 0
    for color in range(COLOR_COUNT):
        points += np.int64(s.treasures[seat, color]) * WORTH[quarters_of(s.above, color)]
    return points


@rule
def square_points(s, square):
    """V18, V19: what a pawn on this square scores."""
    tile = np.int64(s.tile[square])
    return np.int64(0) if tile == PLATFORM else quarter_points(tile, s.above, s.x_scores)


@quick_rule
def quarter_points(tile, above, x_scores):
    """V18, V19: what a pawn on this quarter scores, with these quarters above water."""
    color = tile % COLOR_COUNT
    if tile // COLOR_COUNT != X:
        return POINTS[tile // COLOR_COUNT]
    if x_scores == COUNT:
        return 2 * quarters_of(above, color)
    points = np.int64(0)
    for value in range(X):
        points += ((above >> (value * COLOR_COUNT + color)) & 1) * POINTS[value]
    return 2 * points


@rule
def pawn_points(s, seat):
    """V18, V19: of all pawns of a seat."""
    points = 0
    for i in range(MAX_PAWNS):
        square = np.int64(s.pawns[seat, i])
        if square != OUT:
            points += square_points(s, square)
    return points


@rule
def x_points(s, seat):
    """V19: the part of the pawns' points that comes from X quarters."""
    points = 0
    for i in range(MAX_PAWNS):
        square = np.int64(s.pawns[seat, i])
        if square != OUT and s.tile[square] // COLOR_COUNT == X:
            points += square_points(s, square)
    return points


@rule
def total(s, seat):
    """V17–V20, as if the game ended now (V22a)."""
    return treasure_points(s, seat) + pawn_points(s, seat) + s.coins[seat]


@rule
def scores(s, out):
    """V22a: the points of every seat as they stand."""
    for seat in range(s.players):
        out[seat] = total(s, seat)


@rule
def tie_breaker(s, seat):
    """V21: between players with equal points, the higher of this wins."""
    if s.tie_break == PAWN_POINTS:
        return pawn_points(s, seat)
    left = 0
    for i in range(MAX_PAWNS):
        left += s.pawns[seat, i] != OUT
    return left


@rule
def winners(s):
    """V21: the winners as bits; 0 before the end."""
    if s.phase != OVER:
        return 0
    won = 0
    best = -1
    best_tie_breaker = -1
    for seat in range(s.players):
        points = total(s, seat)
        second = tie_breaker(s, seat)
        if points > best or (points == best and second > best_tie_breaker):
            won = 0
            best = points
            best_tie_breaker = second
        if points == best and second == best_tie_breaker:
            won |= 1 << seat
    return won


# ------------------------------------------------------------------ what others may know


@rule
def held(s, seat):
    """V23: what a seat holds in secret, as a number."""
    return s.hand[seat]


@rule
def redeal(s, seat, seed):
    """V23: deal again the other hands and the cards put away, as the played cards allow."""
    for number in range(2):
        seed_stream(s.chance[number], seed, number)
    hidden = s.away
    for other in range(s.players):
        if other != seat:
            hidden |= s.hand[other]
    deal_hidden(s, seat, hidden)


@rule
def deal_hidden(s, seat, hidden):
    """V23: uniformly over all ways to deal these cards to all hands but `seat`'s (-1: to all hands).

    A hand holds nothing lower than its owner has played, so whoever has played the highest value
    chooses from the fewest cards, the next one from these and more, and so on: seats are dealt to in
    that order. How many ways a hand leaves for the later ones does not depend on which cards it got,
    only on how many, so an unbiased choice for each hand makes all ways equally likely.
    """
    for value in range(VALUE_COUNT - 1, -1, -1):
        for other in range(s.players):
            if other != seat and highest_played(s, other) == value:
                s.hand[other] = choose_cards(s, hidden, value, hand_size(s, other))
                hidden ^= s.hand[other]
    s.away = hidden


@rule
def highest_played(s, seat):
    """V23: the highest value that a seat has played; no card left in its hand is lower. 0: none."""
    value = VALUE_COUNT - 1
    while value > 0 and (s.played[seat] >> (value * COLOR_COUNT)) == 0:
        value -= 1
    return value


@rule
def hand_size(s, seat):
    """V5: a card is played in every turn and none is drawn."""
    return CARDS_EACH[s.players] - card_count(s.played[seat])


@rule
def choose_cards(s, cards, value, wanted):
    """This many of these cards that are not below a value, every choice equally likely."""
    count = 0
    cards = cards >> (value * COLOR_COUNT) << (value * COLOR_COUNT)
    while cards:
        s.deck[count] = lowest(cards)
        cards &= cards - 1
        count += 1
    chosen = np.int64(0)
    for i in range(wanted):
        j = i + draw(s.chance[1], count - i)
        chosen |= np.int64(1) << np.int64(s.deck[j])
        s.deck[j] = s.deck[i]
    s.deck[:] = 0
    return chosen


@rule
def census(s, out):
    """Count tiles, cards wherever they are, treasures, squares (free, taken or wet) and coins."""
    out[:KINDS] = 0
    cards = QUARTERS + 1
    treasures = cards + QUARTERS
    squares = treasures + COLOR_COUNT
    coins = squares + 1
    out[squares] = size(s.free[0]) + size(s.free[1])
    out[coins] = s.coins_lost
    for square in range(SQUARES):
        if s.tile[square] != NO_TILE:
            out[s.tile[square]] += 1
            out[coins] += s.coins_on[square]
    count_cards(s.away, out, cards)
    for color in range(COLOR_COUNT):
        out[treasures + color] += s.stock[color]
    for seat in range(s.players):
        count_cards(s.hand[seat], out, cards)
        count_cards(s.played[seat], out, cards)
        out[squares] += card_count(s.played[seat])
        out[coins] += s.coins[seat]
        for color in range(COLOR_COUNT):
            out[treasures + color] += s.treasures[seat, color]
        for i in range(MAX_PAWNS):
            out[squares] += s.pawns[seat, i] != OUT
    return KINDS


@rule
def count_cards(cards, out, first):
    while cards:
        out[first + lowest(cards)] += 1
        cards &= cards - 1
