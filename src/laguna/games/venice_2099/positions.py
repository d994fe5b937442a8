"""Venice 2099: any position as JSON, and why some positions cannot be."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

import msgspec

from laguna.errors import BadPosition
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.components import (
    ANY,
    CARDS_EACH,
    COLORS,
    GONDOLAS_EACH,
    MOST_PLAYERS,
    NO_TILE,
    PAWNS_EACH,
    PLATFORMS,
    SIDES,
    SMALL_BOARD,
    TREASURES,
    VALUES,
)
from laguna.games.venice_2099.words import (
    PHASES,
    SQUARE_NAMES,
    SQUARE_NUMBERS,
    TILE_NUMBERS,
    Color,
    Square,
    board,
    cards_of,
    coins_on,
    player,
    squares_of,
    treasures,
)
from laguna.kernel.records import plain

Seat = Annotated[int, msgspec.Meta(ge=0, lt=MOST_PLAYERS)]
Tile = Annotated[str, msgspec.Meta(pattern=f"^(platform|({'|'.join(COLORS)})[2-8X])$")]
CardName = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(COLORS)})[3-8X]$")]
Coins = Annotated[int, msgspec.Meta(ge=0, le=15)]
OnQuarter = Annotated[int, msgspec.Meta(ge=1, le=15)]
Phase = Literal["place", "turn", "moved", "bought", "rescue", "over"]
COINS_AFTER = {0: 0, 1: 1, 3: 2, 7: 3, 15: 4}  # V11: coins on a quarter, and how many treasures they paid


class Fallen(msgspec.Struct, forbid_unknown_fields=True):
    """A pawn that may be rescued now: whose, and from which square."""

    seat: Seat
    start: Square = msgspec.field(name="from")


class Position(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game stands. `hands` may be left out: they are then dealt.

    A quarter whose card was played is under water. Cards that nobody holds or played are put away.
    """

    board: dict[Square, Tile]
    phase: Phase
    turn: Seat
    pawns: list[list[Square]]
    played: list[list[CardName]]
    coins: list[Coins]
    gondolas: list[Annotated[int, msgspec.Meta(ge=0, le=GONDOLAS_EACH)]]
    treasures: list[dict[Color, Annotated[int, msgspec.Meta(ge=1, le=TREASURES)]]]
    coins_on: dict[Square, OnQuarter] = {}
    fallen: Fallen | None = None
    hands: list[list[CardName]] | None = None


def write(record: Any) -> Position:
    """The whole position, hidden cards included."""
    s = plain(record)
    seats = range(s.players)
    fallen = Fallen(s.fallen, SQUARE_NAMES[s.fallen_from]) if s.fallen >= 0 else None
    return Position(
        board=board(s),
        phase=PHASES[s.phase],  # type: ignore[arg-type]
        turn=s.turn,
        pawns=[squares_of(s, seat) for seat in seats],
        played=[cards_of(s.played[seat]) for seat in seats],
        coins=s.coins[: len(seats)],
        gondolas=s.gondolas[: len(seats)],
        treasures=[treasures(s, seat) for seat in seats],  # type: ignore[misc]
        coins_on=coins_on(s),
        fallen=fallen,
        hands=[cards_of(s.hand[seat]) for seat in seats],
    )


def read(s: Any, options: Any, position: Position, seed: int) -> None:
    """Fill a blank record with a position that can occur, or say why it cannot."""
    players = int(options[0])
    _check_lists(position, players)
    _check_board(position, players)
    _check_turns(position, players)
    _check_played(position)
    _check_pawns(position, players, rescue_anywhere=options[2] == ANY)
    _check_purchases(position, players)
    _check_steps(position)
    _check_hands(position, players)

    rules.start_blank(s, options, seed)
    s.phase, s.turn = PHASES.index(position.phase), position.turn
    for square, name in enumerate(SQUARE_NAMES):
        s.tile[square] = TILE_NUMBERS[position.board[name]] if name in position.board else NO_TILE
    rules.find_squares(s)
    for seat in range(players):
        s.played[seat] = _bits(position.played[seat])
        s.coins[seat], s.gondolas[seat] = position.coins[seat], position.gondolas[seat]
        for color, count in position.treasures[seat].items():
            s.treasures[seat, COLORS.index(color)] = count
            s.stock[COLORS.index(color)] -= count
        for card in position.played[seat]:
            s.above ^= 1 << TILE_NUMBERS[card]
            rules.flip(s.free, int(s.square_of[TILE_NUMBERS[card]]))
    for seat in range(players):
        for at in position.pawns[seat]:
            rules.stand(s, seat, SQUARE_NUMBERS[at])
    for at, coins in position.coins_on.items():
        s.coins_on[SQUARE_NUMBERS[at]] = coins
    s.coins_lost = _coins_lost(position, players)
    if position.fallen is not None:
        s.fallen, s.fallen_from = position.fallen.seat, SQUARE_NUMBERS[position.fallen.start]
    _deal(s, position)


def _deal(s: Any, position: Position) -> None:
    """V5: the hands as given, or dealt as a redeal would; what remains is put away."""
    unplayed = _bits(_cards_in_play(position)) & ~sum(map(_bits, position.played))
    if position.hands is None:
        rules.deal_hidden(s, -1, unplayed)
        return
    for seat, hand in enumerate(position.hands):
        s.hand[seat] = _bits(hand)
    s.away = unplayed & ~sum(map(_bits, position.hands))


def _bits(cards: list[str]) -> int:
    return sum(1 << TILE_NUMBERS[card] for card in cards)


def _cards_in_play(position: Position) -> list[str]:
    """V2: a card for each quarter but the 2s."""
    return [tile for tile in position.board.values() if tile[-1] in VALUES[1:]]


def _sunk(position: Position) -> set[str]:
    return {card for cards in position.played for card in cards}


def _refuse(field: str, sentence: str, clause: str) -> BadPosition:
    return BadPosition("position", f"{field}: {sentence} ({clause}).", clause=clause, field=field)


def _check_lists(position: Position, players: int) -> None:
    """V5: an entry for every player."""
    for field in ("pawns", "played", "coins", "gondolas", "treasures", "hands"):
        entries = getattr(position, field)
        if entries is not None and len(entries) != players:
            raise _refuse(field, f"{len(entries)} entries for {players} players", "V5")
    if position.turn >= players:
        raise _refuse("turn", f"there is no seat {position.turn} with {players} players", "V7")
    if position.fallen is not None and position.fallen.seat >= players:
        raise _refuse("fallen.seat", f"there is no seat {position.fallen.seat} with {players} players", "V7")


def _check_board(position: Position, players: int) -> None:
    """V1, V4: the right squares, and on them each quarter in play once and the platforms."""
    side = int(SIDES[players])
    squares = {column + row for column in "abcdefgh"[:side] for row in "12345678"[:side]}
    if set(position.board) != squares:
        wrong = min(squares ^ set(position.board))
        raise _refuse("board", f"must have exactly the {side} by {side} squares; see {wrong}", "V4")
    tiles = Counter(position.board.values())
    colors = sorted({tile[:-1] for tile in tiles if tile != "platform"})
    values = VALUES if players != SMALL_BOARD else "23456X"
    wanted = Counter({color + value: 1 for color in colors for value in values})
    wanted["platform"] = int(PLATFORMS[players])
    if len(colors) != len(COLORS) - (players == SMALL_BOARD):
        raise _refuse("board", f"has {len(colors)} colors", "V4")
    if tiles != wanted:
        wrong = min((tiles - wanted) + (wanted - tiles))
        raise _refuse("board", f"{tiles[wrong]} × {wrong} instead of {wanted[wrong]}", "V4")


def _check_turns(position: Position, players: int) -> None:
    """V8, V16: everybody has played as many cards as there were turns."""
    phase, turn, each = position.phase, position.turn, int(CARDS_EACH[players])
    counts = [len(cards) for cards in position.played]
    if phase == "place":
        if any(counts):
            raise _refuse("played", "no card is played before all pawns are placed", "V7")
        return
    if phase == "over":
        if turn != players - 1:
            raise _refuse("turn", f"the last card is seat {players - 1}'s", "V16")
        if counts != [each] * players:
            raise _refuse("played", f"the game ends when everybody has played {each} cards", "V16")
        return
    done = phase == "rescue"  # the turn's card lies on the table
    rounds = counts[turn] - done
    if counts != [rounds + (seat < turn or (done and seat == turn)) for seat in range(players)]:
        raise _refuse("played", f"the players play a card by turns, and it is seat {turn}'s turn", "V8")
    if not 0 <= rounds < each:
        raise _refuse("played", f"everybody plays {each} cards", "V16")


def _check_played(position: Position) -> None:
    """V2: every card in play once."""
    in_play = set(_cards_in_play(position))
    for seat, cards in enumerate(position.played):
        for card in cards:
            if card not in in_play:
                raise _refuse(f"played[{seat}]", f"{card} is not in play", "V4")
            if sum(other.count(card) for other in position.played) > 1:
                raise _refuse(f"played[{seat}]", f"{card} is there once", "V2")


def _check_pawns(position: Position, players: int, rescue_anywhere: bool) -> None:
    """V7, V13, V14: every pawn alone on a square above water, and none missing without a reason."""
    sunk, each = _sunk(position), int(PAWNS_EACH[players])
    standing = [at for pawns in position.pawns for at in pawns]
    for seat, pawns in enumerate(position.pawns):
        field = f"pawns[{seat}]"
        if len(pawns) > each:
            raise _refuse(field, f"{len(pawns)} pawns instead of at most {each}", "V5")
        for at in pawns:
            if at not in position.board:
                raise _refuse(field, f"{at} is not on the board", "V4")
            if position.board[at] in sunk:
                raise _refuse(field, f"{at} is under water", "V13")
            if standing.count(at) > 1:
                raise _refuse(field, f"two pawns stand on {at}", "V7")
    if position.phase == "place":
        _check_placing(position, each)
    if (position.fallen is not None) != (position.phase == "rescue"):
        raise _refuse("fallen", "a pawn has fallen in a rescue and only then", "V14")
    if position.phase != "place":
        missing = players * each - len(standing)
        if missing > len(sunk):
            raise _refuse("pawns", f"{missing} pawns are missing but {len(sunk)} quarters have sunk", "V13")
    if position.fallen is not None:
        _check_fallen(position, position.fallen, each, rescue_anywhere)


def _check_placing(position: Position, each: int) -> None:
    """V7: one pawn at a time, clockwise, the own ones on different values."""
    counts = [len(pawns) for pawns in position.pawns]
    placed = counts[position.turn]
    if counts != [placed + (seat < position.turn) for seat in range(len(counts))] or placed == each:
        raise _refuse("pawns", f"{counts} pawns cannot be when seat {position.turn} is next to place", "V7")
    for seat, pawns in enumerate(position.pawns):
        values = [position.board[at][-1] for at in pawns if position.board[at] != "platform"]
        if len(set(values)) < len(values):
            raise _refuse(f"pawns[{seat}]", "own pawns are placed on different values", "V7")


def _check_fallen(position: Position, fallen: Fallen, each: int, rescue_anywhere: bool) -> None:
    """V13, V14: it fell with the last card, and there is a way to rescue it."""
    last = position.played[position.turn]
    highest = max(VALUES.index(card[-1]) for card in last)
    tile = position.board.get(fallen.start, "")
    if tile not in last or VALUES.index(tile[-1]) != highest:
        raise _refuse("fallen.from", f"{fallen.start} has not sunk with the last card", "V13")
    if len(position.pawns[fallen.seat]) == each:
        raise _refuse("fallen.seat", f"all {each} pawns of seat {fallen.seat} are on the board", "V13")
    if position.gondolas[fallen.seat] == 0:
        raise _refuse("fallen.seat", f"seat {fallen.seat} has no gondola and would not be asked", "V14")
    sunk, standing = _sunk(position), {at for pawns in position.pawns for at in pawns}
    free = [tile for at, tile in position.board.items() if at not in standing and tile not in sunk]
    if not rescue_anywhere and all(tile == "platform" for tile in free):
        raise _refuse("fallen", "there is no free quarter, so nobody would be asked", "V14")


def _check_purchases(position: Position, players: int) -> None:
    """V6, V11: coins and treasures fit each other: who paid, where it lies, what was bought."""
    sunk, start = _sunk(position), int(CARDS_EACH[players]) + 1
    for at, coins in position.coins_on.items():
        tile = position.board.get(at, "platform")
        if tile == "platform" or tile in sunk:
            raise _refuse(f"coins_on.{at}", "coins lie on quarters above water", "V11")
        if coins not in COINS_AFTER:
            raise _refuse(f"coins_on.{at}", f"{coins} coins cannot be: 1, 3, 7 or 15 can", "V11")
    for seat in range(players):
        spent, bought = start - position.coins[seat], sum(position.treasures[seat].values())
        turns = len(position.played[seat])
        turns += position.phase == "bought" and seat == position.turn
        if spent < 0:
            raise _refuse(
                f"coins[{seat}]", f"{position.coins[seat]} coins are more than the first {start}", "V6"
            )
        if not spent // 8 + (spent % 8).bit_count() <= bought <= spent:  # prices are 1, 2, 4 and 8
            raise _refuse(f"coins[{seat}]", f"{spent} coins spent for {bought} treasures cannot be", "V11")
        if bought > turns:
            raise _refuse(f"treasures[{seat}]", f"{bought} treasures bought in {turns} turns", "V11")
    washed = _coins_lost(position, players)
    paid = sum(_treasures_of_sunk(position, color) for color in COLORS)
    if (paid == 0) != (washed == 0) or washed < paid:
        raise _refuse("coins_on", f"{washed} coins were lost with {paid} treasures' quarters", "V13")


def _coins_lost(position: Position, players: int) -> int:
    """V6, V13: what is neither in hand nor on a quarter."""
    start = players * (int(CARDS_EACH[players]) + 1)
    return start - sum(position.coins) - sum(position.coins_on.values())


def _treasures_of_sunk(position: Position, color: str) -> int:
    """V3, V11: how many treasures of a color were paid for on quarters that have sunk since."""
    bought = sum(held.get(color, 0) for held in position.treasures)  # type: ignore[call-overload]
    if bought > TREASURES:
        raise _refuse("treasures", f"there are {TREASURES} {color} treasures, not {bought}", "V3")
    lying = sum(
        COINS_AFTER[coins] for at, coins in position.coins_on.items() if position.board[at][:-1] == color
    )
    sunk = sum(card[:-1] == color for card in _sunk(position))
    if lying > bought or (lying < bought and not sunk):
        told = f"coins for {lying} {color} treasures lie on the board, and {bought} are bought"
        raise _refuse("coins_on", told, "V11")
    return int(bought - lying)


def _check_steps(position: Position) -> None:
    """V8–V11: a move and a purchase leave traces, and gondolas are used in moves and rescues."""
    turn, own = position.turn, position.pawns[position.turn]
    if position.phase == "moved" and not own:
        raise _refuse("phase", f"seat {turn} has no pawn to move", "V9")
    if position.phase == "bought":
        colors = {position.board[at][:-1] for at in own if at in position.coins_on}
        if not colors & set(position.treasures[turn]):
            raise _refuse("phase", f"seat {turn} stands on no quarter where a treasure was bought", "V11")
    for seat, left in enumerate(position.gondolas):
        moves = len(position.played[seat])
        moves += position.phase in ("moved", "bought") and seat == turn
        if GONDOLAS_EACH - left > moves + len(_sunk(position)):
            raise _refuse(f"gondolas[{seat}]", f"{GONDOLAS_EACH - left} used in {moves} moves", "V10")


def _check_hands(position: Position, players: int) -> None:
    """V5, V12: the right number of cards, each once, and none lower than what was played."""
    each, in_play, sunk = int(CARDS_EACH[players]), _cards_in_play(position), _sunk(position)
    least = [max((VALUES.index(card[-1]) for card in cards), default=0) for cards in position.played]
    sizes = [each - len(cards) for cards in position.played]
    if position.hands is None:
        _check_dealing(in_play, sunk, least, sizes)
        return
    held = Counter(card for hand in position.hands for card in hand)
    for seat, hand in enumerate(position.hands):
        field = f"hands[{seat}]"
        if len(hand) != sizes[seat]:
            raise _refuse(field, f"{len(hand)} cards instead of {sizes[seat]}", "V5")
        for card in hand:
            if card not in in_play:
                raise _refuse(field, f"{card} is not in play", "V4")
            if card in sunk or held[card] > 1:
                raise _refuse(field, f"{card} is there once", "V2")
            if VALUES.index(card[-1]) < least[seat]:
                told = f"{card} is lower than a card that {player(seat)} has played"
                raise _refuse(field, told, "V12")


def _check_dealing(in_play: list[str], sunk: set[str], least: list[int], sizes: list[int]) -> None:
    """V12: hands that are left out can be dealt, none holding a card lower than its owner played."""
    for value in range(len(VALUES)):
        left = sum(VALUES.index(card[-1]) >= value for card in in_play if card not in sunk)
        wanted = sum(size for size, bound in zip(sizes, least, strict=True) if bound >= value)
        if wanted > left:
            raise _refuse("played", f"{wanted} cards of {VALUES[value]} or more cannot be in hand", "V12")
