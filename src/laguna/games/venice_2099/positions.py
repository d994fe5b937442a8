"""Venice 2099: any position as JSON, and why some positions are impossible."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Any

import msgspec

from laguna.errors import BadPosition, counted, either, impossible
from laguna.games.venice_2099 import rules
from laguna.games.venice_2099.components import (
    ANY,
    CARDS_EACH,
    COLORS,
    GONDOLAS_EACH,
    MAX_PLAYERS,
    NO_TILE,
    PAWNS_EACH,
    PLATFORMS,
    SIDES,
    SMALL_BOARD,
    TREASURES,
    VALUES,
    Color,
)
from laguna.games.venice_2099.names import (
    COLUMNS,
    PHASES,
    SQUARE_NAMES,
    SQUARE_NUMBERS,
    TILE_NUMBERS,
    CardName,
    Phase,
    Square,
    Tile,
    cards_of,
    player,
    squares_of,
)
from laguna.games.venice_2099.views import board, coins_on, treasures
from laguna.kernel.records import plain

Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_PLAYERS)]
Coins = Annotated[int, msgspec.Meta(ge=0, le=15)]
OnQuarter = Annotated[int, msgspec.Meta(ge=1, le=15)]
COINS_AFTER = {0: 0, 1: 1, 3: 2, 7: 3, 15: 4}  # V11: coins on a quarter, and how many treasures they paid
MAX_SOLD = 4  # V6, V11: on one quarter; nobody has the 16 coins of a fifth


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
        phase=PHASES[s.phase],
        turn=s.turn,
        pawns=[squares_of(s, seat) for seat in seats],
        played=[cards_of(s.played[seat]) for seat in seats],
        coins=s.coins[: len(seats)],
        gondolas=s.gondolas[: len(seats)],
        treasures=[treasures(s, seat) for seat in seats],
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
    _check_moves(position, players)
    _check_purchases(position, players)
    _check_prices(position, players)
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


def _check_lists(position: Position, players: int) -> None:
    """V5: an entry for every player."""
    for field in ("pawns", "played", "coins", "gondolas", "treasures", "hands"):
        entries = getattr(position, field)
        if entries is not None and len(entries) != players:
            text = f"{counted(len(entries), 'entry', 'entries')} for {players} players"
            raise impossible("entries", field, text, "V5", count=len(entries), players=players)
    seats = {"turn": position.turn}
    if position.fallen is not None:
        seats["fallen.seat"] = position.fallen.seat
    for field, seat in seats.items():
        if seat >= players:
            text = f"there is no seat {seat} with {players} players"
            raise impossible("no-seat", field, text, "V7", number=seat, players=players)


def _check_board(position: Position, players: int) -> None:
    """V1, V4: the right squares, and on them each quarter in play once and the platforms."""
    side = int(SIDES[players])
    squares = {column + str(row + 1) for column in COLUMNS[:side] for row in range(side)}
    if set(position.board) != squares:
        wrong = min(squares ^ set(position.board))
        text = f"must have exactly the {side} by {side} squares; see {wrong}"
        raise impossible("squares", "board", text, "V4", side=side, at=wrong)
    tiles = Counter(position.board.values())
    colors = sorted({tile[:-1] for tile in tiles if tile != "platform"})
    values = VALUES if players != SMALL_BOARD else "23456X"
    wanted = Counter({color + value: 1 for color in colors for value in values})
    wanted["platform"] = int(PLATFORMS[players])
    in_play = len(COLORS) - (players == SMALL_BOARD)
    if len(colors) != in_play:
        text = f"has {counted(len(colors), 'color')} instead of {in_play}"
        raise impossible("colors", "board", text, "V4", count=len(colors), wanted=in_play)
    if tiles != wanted:
        wrong = min((tiles - wanted) + (wanted - tiles))
        there, wish = tiles[wrong], wanted[wrong]
        text = f"{there} × {wrong} instead of {wish}"
        raise impossible("tiles", "board", text, "V4", tile=wrong, count=there, wanted=wish)


def _check_turns(position: Position, players: int) -> None:
    """V8, V16: everybody has played as many cards as there were turns."""
    phase, turn, each = position.phase, position.turn, int(CARDS_EACH[players])
    counts = [len(cards) for cards in position.played]
    if phase == "place":
        if any(counts):
            text = "no card is played before all pawns are placed"
            raise impossible("played-early", "played", text, "V7")
        return
    if phase == "over":
        if turn != players - 1:
            last = players - 1
            raise impossible("last-turn", "turn", f"the last card is seat {last}'s", "V16", seat=last)
        if counts != [each] * players:
            text = f"the game ends when everybody has played {each} cards"
            raise impossible("not-played-out", "played", text, "V16", count=each)
        return
    done = phase == "rescue"  # the turn's card lies on the table
    rounds = counts[turn] - done
    if counts != [rounds + (seat < turn or (done and seat == turn)) for seat in range(players)]:
        text = f"the players take turns playing a card, and it is seat {turn}'s turn"
        raise impossible("turns", "played", text, "V8", seat=turn)
    if not 0 <= rounds < each:
        raise impossible("played-all", "played", f"everybody plays {each} cards", "V16", count=each)


def _check_played(position: Position) -> None:
    """V2: every card in play once."""
    in_play = set(_cards_in_play(position))
    for seat, cards in enumerate(position.played):
        for card in cards:
            if card not in in_play:
                raise _not_in_play(f"played[{seat}]", card)
            if sum(other.count(card) for other in position.played) > 1:
                raise _only_one(f"played[{seat}]", card)


def _not_in_play(field: str, card: str) -> BadPosition:
    return impossible("not-in-play", field, f"{card} is not in play", "V4", card=card)


def _only_one(field: str, card: str) -> BadPosition:
    return impossible("only-one", field, f"there is only one {card}", "V2", card=card)


def _check_pawns(position: Position, players: int, rescue_anywhere: bool) -> None:
    """V7, V13, V14: every pawn alone on a square above water, and none missing without a reason."""
    sunk, each = _sunk(position), int(PAWNS_EACH[players])
    standing = [at for pawns in position.pawns for at in pawns]
    for seat, pawns in enumerate(position.pawns):
        field = f"pawns[{seat}]"
        if len(pawns) > each:
            text = f"{len(pawns)} pawns instead of at most {each}"
            raise impossible("pawns", field, text, "V5", seat=seat, count=len(pawns), most=each)
        for at in pawns:
            if at not in position.board:
                raise impossible("off-board", field, f"{at} is not on the board", "V4", at=at)
            if position.board[at] in sunk:
                raise impossible("water", field, f"{at} is under water", "V13", at=at)
            if standing.count(at) > 1:
                raise impossible("two-pawns", field, f"two pawns stand on {at}", "V7", at=at)
    if position.phase == "place":
        _check_placing(position, each)
    if (position.fallen is not None) != (position.phase == "rescue"):
        text = "must be given in the phase 'rescue' and only then"
        raise impossible("fallen", "fallen", text, "V14")
    if position.fallen is not None:
        _check_fallen(position, position.fallen, each, rescue_anywhere)


def _check_placing(position: Position, each: int) -> None:
    """V7: one pawn at a time, clockwise, those of a player on different values."""
    counts = [len(pawns) for pawns in position.pawns]
    placed = counts[position.turn]
    if counts != [placed + (seat < position.turn) for seat in range(len(counts))] or placed == each:
        text = f"seat {position.turn} cannot be next to place a pawn when {either(counts, 'and')} are placed"
        raise impossible("placing", "pawns", text, "V7", seat=position.turn, counts=counts)
    for seat, pawns in enumerate(position.pawns):
        values = [position.board[at][-1] for at in pawns if position.board[at] != "platform"]
        if len(set(values)) < len(values):
            text = "a player's pawns are placed on different values"
            raise impossible("same-value", f"pawns[{seat}]", text, "V7", seat=seat)
        if position.gondolas[seat] < GONDOLAS_EACH:
            text = "none is used before all pawns are placed"
            raise impossible("gondola-early", f"gondolas[{seat}]", text, "V10", seat=seat)


def _check_fallen(position: Position, fallen: Fallen, each: int, rescue_anywhere: bool) -> None:
    """V13, V14: it fell with the last card, and there is a way to rescue it."""
    last = position.played[position.turn]
    highest = max(VALUES.index(card[-1]) for card in last)
    tile = position.board.get(fallen.start, "")
    if tile not in last or VALUES.index(tile[-1]) != highest:
        text = f"{fallen.start} has not sunk with the last card"
        raise impossible("not-sunk", "fallen.from", text, "V13", at=fallen.start)
    seat = fallen.seat
    if len(position.pawns[seat]) == each:
        text = f"all {each} pawns of seat {seat} are on the board"
        raise impossible("all-on-board", "fallen.seat", text, "V13", seat=seat, count=each)
    if position.gondolas[seat] == 0:
        text = f"seat {seat} has no gondola and would not be asked"
        raise impossible("no-gondola", "fallen.seat", text, "V14", seat=seat)
    sunk, standing = _sunk(position), {at for pawns in position.pawns for at in pawns}
    free = [tile for at, tile in position.board.items() if at not in standing and tile not in sunk]
    if not rescue_anywhere and all(tile == "platform" for tile in free):
        text = "there is no free quarter, so nobody would be asked"
        raise impossible("no-quarter", "fallen", text, "V14")


def _moves(position: Position, seat: int) -> int:
    """V8: how many moves a seat can have made: one in every turn of its own."""
    moving = position.phase in ("moved", "bought") and seat == position.turn
    return len(position.played[seat]) + moving


def _check_moves(position: Position, players: int) -> None:
    """V13, V14: enough quarters have sunk for the pawns that are missing and for the rescues."""
    if position.phase == "place":
        return
    sunk, missing = len(_sunk(position)), players * int(PAWNS_EACH[players]) - sum(map(len, position.pawns))
    rescues = [_rescues(position, seat, int(PAWNS_EACH[players])) for seat in range(players)]
    if missing + sum(rescues) <= sunk:
        return
    but = f"but {counted(sunk, 'quarter')} {'has' if sunk == 1 else 'have'} sunk"
    if not any(rescues):
        text = f"{counted(missing, 'pawn')} {'is' if missing == 1 else 'are'} missing {but}"
        raise impossible("missing", "pawns", text, "V13", missing=missing, sunk=sunk)
    seat = next(seat for seat, count in enumerate(rescues) if count)
    text = f"{counted(sum(rescues), 'pawn')} rescued and {missing} missing, {but}"
    counts = {"rescued": sum(rescues), "missing": missing, "sunk": sunk}
    raise impossible("rescues", f"gondolas[{seat}]", text, "V14", **counts)


def _rescues(position: Position, seat: int, each: int) -> int:
    """V7, V10, V14: how many rescues of a seat there were at least, by its pawns and gondolas.

    Pawns that were neither moved nor rescued stand on different values, and so did those that fell
    without having been moved. A pawn that may be rescued now is counted where it stood.
    """
    own, sunk = list(position.pawns[seat]), _sunk(position)
    if position.fallen is not None:
        sunk.remove(position.board[position.fallen.start])
        own += [position.fallen.start] * (position.fallen.seat == seat)
    quarters = [position.board[at][-1] for at in own if position.board[at] != "platform"]
    again = len(quarters) - len(set(quarters))
    moves, used = _moves(position, seat), GONDOLAS_EACH - position.gondolas[seat]
    if again > moves + used:
        text = f"{counted(moves, 'move')} and {counted(used, 'rescue')} cannot bring {counted(again, 'pawn')}"
        why = "a player's pawns are placed on different values"
        text = f"{text} onto the value of another: {why}"
        counts = {"walked": moves, "used": used, "again": again}
        raise impossible("moved-onto", f"pawns[{seat}]", text, "V7", seat=seat, **counts)
    unmoved = each - len(own) + again - moves
    if unmoved > len({card[-1] for card in sunk}.difference(quarters)):
        text = f"{counted(unmoved, 'pawn')} cannot have been placed on what has sunk"
        text = f"{text}: a player's pawns are placed on different values"
        raise impossible("unmoved", f"pawns[{seat}]", text, "V13", seat=seat, count=unmoved)
    return max(0, used - moves, again - moves)


def _check_purchases(position: Position, players: int) -> None:
    """V6, V11: coins lie where they can, and nobody has more treasures than coins and turns allow."""
    sunk = _sunk(position)
    for at, coins in position.coins_on.items():
        tile = position.board.get(at, "platform")
        if tile == "platform" or tile in sunk:
            raise impossible("coins-place", f"coins_on.{at}", "coins lie on quarters above water", "V11")
        if coins not in COINS_AFTER:
            text = f"there can be 1, 3, 7 or 15 coins, not {coins}"
            raise impossible("coins-count", f"coins_on.{at}", text, "V11", at=at, coins=coins)
    for seat, spent in enumerate(_spent(position, players)):
        bought = sum(position.treasures[seat].values())
        turns = len(position.played[seat])
        turns += position.phase == "bought" and seat == position.turn
        if spent < 0:
            coins = position.coins[seat]
            text = f"{coins} coins are more than the {coins + spent} at the start"
            counts = {"coins": coins, "start": coins + spent}
            raise impossible("too-many-coins", f"coins[{seat}]", text, "V6", seat=seat, **counts)
        if not spent // 8 + (spent % 8).bit_count() <= bought <= spent:  # prices are 1, 2, 4 and 8
            text = f"{counted(bought, 'treasure')} cannot have cost {counted(spent, 'coin')}"
            counts = {"bought": bought, "spent": spent}
            raise impossible("spent", f"coins[{seat}]", text, "V11", seat=seat, **counts)
        if bought > turns:
            text = f"{counted(bought, 'treasure')} bought in {counted(turns, 'turn')}"
            counts = {"bought": bought, "turns": turns}
            raise impossible("purchases", f"treasures[{seat}]", text, "V11", seat=seat, **counts)


def _spent(position: Position, players: int) -> list[int]:
    """V6: how many of its coins each seat has spent."""
    return [int(CARDS_EACH[players]) + 1 - coins for coins in position.coins]


def _check_prices(position: Position, players: int) -> None:
    """V11, V13: there are prices of all treasures that add up to what each seat spent.

    Prices are counted above 1, which every treasure costs at least.
    """
    ways = {color: _sold(_sold_on_sunk(position, color), _sunk_quarters(position, color)) for color in COLORS}
    _check_lost(_coins_lost(position, players), ways)
    spent = _spent(position, players)
    extra = tuple(coins - sum(held.values()) for coins, held in zip(spent, position.treasures, strict=True))
    unexplained = {extra}
    for color in COLORS:
        held = tuple(treasures.get(color, 0) for treasures in position.treasures)
        above = _sold_above(position, color)
        shares = {share for sold in ways[color] for share in _shares(_dear((*above, *sold)), held, extra)}
        left = {tuple(map(int.__sub__, each, share)) for each in unexplained for share in shares}
        unexplained = {each for each in left if min(each) >= 0}
    if (0,) * players not in unexplained:
        text = "the first treasure on a quarter costs 1, then 2, 4 and 8, and that does not add up to"
        text = f"{text} the {either(spent, 'and')} coins spent"
        raise impossible("prices", "coins", text, "V11", counts=spent)


def _check_lost(lost: int, ways: dict[Color, list[tuple[int, ...]]]) -> None:
    """V13: as many coins are lost as lay on the quarters that have sunk, by how many were sold there."""
    possible = {0}
    for sales in ways.values():
        sums = {sum((1 << count) - 1 for count in sold) for sold in sales}
        possible = {coins + more for coins in possible for more in sums}
    if lost not in possible:
        bought = sum(sum(sales[0]) for sales in ways.values())
        text = f"{counted(lost, 'coin')} cannot have sunk with the quarters where"
        treasures = f"{counted(bought, 'treasure')} {'was' if bought == 1 else 'were'} bought"
        raise impossible("coins-lost", "coins_on", f"{text} {treasures}", "V13", coins=lost, bought=bought)


def _sold(count: int, quarters: int, most: int = MAX_SOLD) -> list[tuple[int, ...]]:
    """V11: how many treasures may have been sold on each of this many quarters, the most first."""
    if count == 0:
        return [()]
    if quarters == 0:
        return []
    return [
        (first, *rest)
        for first in range(min(most, count), 0, -1)
        for rest in _sold(count - first, quarters - 1, first)
    ]


def _dear(sold: tuple[int, ...]) -> tuple[int, ...]:
    """V11: what treasures cost above 1 with this many sold on each quarter: 1, 3 and 7 after the first."""
    return tuple(sorted((1 << earlier) - 1 for count in sold for earlier in range(1, count)))


@lru_cache(maxsize=10_000)
def _shares(dear: tuple[int, ...], held: tuple[int, ...], extra: tuple[int, ...]) -> set[tuple[int, ...]]:
    """What each seat can have paid above 1 for this many treasures, no seat more than its `extra`."""
    if not held:
        return set() if dear else {()}
    return {
        (sum(own), *others)
        for count in range(min(held[0], len(dear)) + 1)
        for own in set(combinations(dear, count))
        if sum(own) <= extra[0]
        for others in _shares(_without(dear, own), held[1:], extra[1:])
    }


def _without(dear: tuple[int, ...], own: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((Counter(dear) - Counter(own)).elements()))


def _coins_lost(position: Position, players: int) -> int:
    """V6, V13: what is neither in hand nor on a quarter."""
    start = players * (int(CARDS_EACH[players]) + 1)
    return start - sum(position.coins) - sum(position.coins_on.values())


def _sunk_quarters(position: Position, color: str) -> int:
    return sum(card[:-1] == color for card in _sunk(position))


def _sold_above(position: Position, color: str) -> tuple[int, ...]:
    """V11: how many treasures were sold on each quarter of a color above water."""
    return tuple(
        COINS_AFTER[coins] for at, coins in position.coins_on.items() if position.board[at][:-1] == color
    )


def _sold_on_sunk(position: Position, color: Color) -> int:
    """V3, V11: how many treasures of a color were sold on quarters that have sunk since."""
    bought = sum(held.get(color, 0) for held in position.treasures)
    if bought > TREASURES:
        text = f"there are {TREASURES} {color} treasures, not {bought}"
        raise impossible("treasures", "treasures", text, "V3", color=color, most=TREASURES, count=bought)
    lying, sunk = sum(_sold_above(position, color)), _sunk_quarters(position, color)
    if lying > bought or (lying < bought and not sunk):
        text = f"{counted(lying, f'{color} treasure')} {'is' if lying == 1 else 'are'} paid for on the board"
        text = f"{text}, and {bought} {'is' if bought == 1 else 'are'} bought"
        raise impossible("paid", "coins_on", text, "V11", color=color, paid=lying, bought=bought)
    if bought - lying > MAX_SOLD * sunk:
        text = f"{counted(bought - lying, f'{color} treasure')} cannot have been bought on"
        limit = f"nobody can pay for more than {MAX_SOLD} on one"
        text = f"{text} {counted(sunk, 'sunk quarter')}: {limit}"
        counts = {"count": bought - lying, "sunk": sunk, "most": MAX_SOLD}
        raise impossible("bought-on-sunk", "treasures", text, "V11", color=color, **counts)
    return int(bought - lying)


def _check_steps(position: Position) -> None:
    """V8–V11: a move and a purchase leave traces."""
    turn, own = position.turn, position.pawns[position.turn]
    if position.phase == "moved" and not own:
        raise impossible("no-pawn", "phase", f"seat {turn} has no pawn to move", "V9", seat=turn)
    if position.phase == "bought":
        colors = {position.board[at][:-1] for at in own if at in position.coins_on}
        if not colors & set(position.treasures[turn]):
            text = f"seat {turn} stands on no quarter where a treasure was bought"
            raise impossible("no-purchase", "phase", text, "V11", seat=turn)


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
            text = f"{counted(len(hand), 'card')} instead of {sizes[seat]}"
            raise impossible("hand", field, text, "V5", seat=seat, count=len(hand), wanted=sizes[seat])
        for card in hand:
            if card not in in_play:
                raise _not_in_play(field, card)
            if card in sunk or held[card] > 1:
                raise _only_one(field, card)
            if VALUES.index(card[-1]) < least[seat]:
                text = f"{card} is lower than a card that {player(seat)} has played"
                raise impossible("too-low", field, text, "V12", seat=seat, card=card)


def _check_dealing(in_play: list[str], sunk: set[str], least: list[int], sizes: list[int]) -> None:
    """V12: hands that are left out can be dealt, none holding a card lower than its owner played."""
    for value in range(len(VALUES)):
        left = sum(VALUES.index(card[-1]) >= value for card in in_play if card not in sunk)
        wanted = sum(size for size, bound in zip(sizes, least, strict=True) if bound >= value)
        if wanted > left:
            text = f"{wanted} cards of {VALUES[value]} or more cannot be in hand"
            raise impossible("dealing", "played", text, "V12", count=wanted, value=VALUES[value])
