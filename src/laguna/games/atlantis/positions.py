"""Atlantis: any position as JSON, and why some positions are impossible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec.structs import replace

from laguna.errors import counted, impossible
from laguna.games.atlantis import rules
from laguna.games.atlantis.components import (
    AFTER,
    ATLANTIS,
    CARD_VALUE,
    CHAIN,
    COPIES,
    DRAW_AT_THE_END,
    HALVES,
    HEIGHTS,
    ITEM_SHIFT,
    ITEMS,
    LAST_BEFORE_GAP,
    LAST_OF_A,
    MAINLAND,
    MAX_PLAYERS,
    OVER,
    PAWNS,
    PAY,
    SPACES,
    TILES,
    VALUES,
)
from laguna.games.atlantis.names import (
    NAMES,
    PHASES,
    Item,
    Phase,
    Tile,
    cards_of,
    place_name,
    tile_of,
    tiles_of,
)
from laguna.kernel.chance import WORDS, seed_stream, shuffle
from laguna.kernel.records import plain

Seat = Annotated[int, msgspec.Meta(ge=0, lt=MAX_PLAYERS)]
SpaceName = Annotated[str, msgspec.Meta(pattern="^([1-9]|[1-4][0-9]|5[0-2])$")]
Place = Annotated[int, msgspec.Meta(ge=ATLANTIS, le=MAINLAND)]
Count = Annotated[int, msgspec.Meta(ge=0, le=COPIES)]
Cards = dict[Item, Count]
Word = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]
Stream = Annotated[list[Word], msgspec.Meta(min_length=WORDS, max_length=WORDS)]
Stack = Annotated[list[Tile | None], msgspec.Meta(min_length=1, max_length=2)]
HandSize = Annotated[int, msgspec.Meta(ge=0, le=ITEMS * COPIES)]
ALL_TILES = Counter(int(tile) for tile in TILES.ravel())


class Gone(msgspec.Struct, forbid_unknown_fields=True):
    """What has left the game."""

    tiles: list[Tile]
    cards: Cards


class Running(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"start": "from"}):
    """A move that is not finished: a chain, or a payment with its smallest piece so far."""

    start: Annotated[int, msgspec.Meta(ge=ATLANTIS, le=SPACES)]
    at: Annotated[int, msgspec.Meta(ge=1, le=MAINLAND)]
    due: Annotated[int, msgspec.Meta(ge=0, le=999)] = 0
    least: Annotated[int, msgspec.Meta(ge=0, le=VALUES)] = 0


class Chance(msgspec.Struct, forbid_unknown_fields=True):
    """The generators that shuffle both halves of the path and the cards."""

    a: Stream
    b: Stream
    cards: Stream


class Position(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game stands. A hand may be just its size, a lower tile null, and `deck` and `chance` may be
    left out: they are then dealt. Stacks and the deck are written from the bottom up."""

    turn: Seat
    board: dict[SpaceName, Stack]
    pawns: list[Annotated[list[Place], msgspec.Meta(min_length=PAWNS, max_length=PAWNS)]]
    hands: list[Cards | HandSize]
    tiles: list[list[Tile]]
    bridges: list[Annotated[int, msgspec.Meta(ge=1, le=LAST_BEFORE_GAP)] | None]
    discards: Cards
    gone: Gone
    phase: Phase = "turn"
    move: Running | None = None
    shown: list[Cards] | None = None
    bought: bool = False
    bridged: bool = False
    idle_turns: Annotated[int, msgspec.Meta(ge=0, le=MAX_PLAYERS)] = 0
    losses: list[Annotated[int, msgspec.Meta(ge=0, le=999)]] | None = None
    deck: list[Item] | None = None
    chance: Chance | None = None


def write(record: Any) -> Position:
    """The whole position, hidden things included."""
    s = plain(record)
    players, phase = s.players, s.phase
    seats = range(players)
    return Position(
        turn=s.turn,
        board=_board(s),
        pawns=s.pawns[:players],
        hands=[cards_of(s.hand[seat]) for seat in seats],
        tiles=[tiles_of(s.tiles[seat]) for seat in seats],
        bridges=[space or None for space in s.bridges[:players]],
        discards=cards_of(s.discards),
        gone=Gone(tiles_of(s.tiles[rules.GONE]), cards_of(s.gone_cards)),
        phase=PHASES[phase],
        move=Running(s.start, s.at, s.due, s.least) if phase in (CHAIN, PAY) else None,
        shown=[cards_of(s.known[seat]) for seat in seats] if any(map(any, s.known)) else None,
        bought=bool(s.bought),
        bridged=bool(s.bridged),
        idle_turns=s.idle_turns,
        losses=s.losses[:players] if phase == OVER else None,
        deck=[NAMES[item] for item in s.deck[: s.deck_size]],
        chance=Chance(*s.chance),
    )


def _board(s: Any) -> dict[str, list[Tile | None]]:
    stacks = enumerate(zip(s.below, s.top, strict=True))
    return {str(space): [tile_of(tile) for tile in stack if tile] for space, stack in stacks if any(stack)}


def without_undrawn(position: Position) -> Position:
    """The same without the lower tiles, the order of the deck and what shuffles it."""
    board = {name: [None, stack[1]] if len(stack) == 2 else stack for name, stack in position.board.items()}
    return replace(position, board=board, deck=None, chance=None)


def read(s: Any, options: Any, position: Position, seed: int) -> None:
    """Fill a blank record with a position that can occur, or say why it cannot."""
    players = int(options[0])
    _check_lengths(position, players)
    rules.clear(s)
    s.players, s.turn, s.phase = players, position.turn, PHASES.index(position.phase)
    for number in range(3):
        seed_stream(s.chance[number], seed, number)
    _read_tiles(s, position)
    _read_cards(s, position)
    _read_bridges(s, position)
    rules.survey(s)
    _read_pawns(s, position)
    _read_turn(s, position)
    _read_move(s, position)
    _check_phase(s)
    _check_idle_turns(s)
    if position.chance is not None:
        s.chance[:] = np.array([position.chance.a, position.chance.b, position.chance.cards], np.uint32)


def _check_lengths(position: Position, players: int) -> None:
    """A5: a turn and an entry for every player."""
    if position.turn >= players:
        text = f"there is no seat {position.turn} with {players} players"
        raise impossible("no-seat", "turn", text, "A5", number=position.turn, players=players)
    for name in ("pawns", "hands", "tiles", "bridges", "shown", "losses"):
        listed = getattr(position, name)
        if listed is not None and len(listed) != players:
            text = f"{counted(len(listed), 'entry', 'entries')} for {players} players"
            raise impossible("entries", name, text, "A5", count=len(listed), players=players)


# ------------------------------------------------------------------ tiles


def _read_tiles(s: Any, position: Position) -> None:
    """A2, A4: every tile once, on a space of its half, with a player or gone."""
    for name, stack in position.board.items():
        space = int(name)
        if len(stack) > HEIGHTS[space]:
            raise impossible("one-tile", f"board.{name}", "only one tile lies there", "A4", space=space)
        if stack[-1] is None:
            raise impossible("face-up", f"board.{name}", "the top tile is face up", "A4", space=space)
        s.top[space] = stack[-1].code
        if len(stack) == 2 and stack[0] is not None:
            s.below[space] = stack[0].code
    hidden = [_hidden_spaces(position, half) for half in range(HALVES)]
    on_path = [_path_tiles(s, half) for half in range(HALVES)]
    for owner, tiles in [*enumerate(position.tiles), (rules.GONE, position.gone.tiles)]:
        for tile in tiles:
            _add_tile(s, owner, tile)
    left = _tiles_left(s, on_path)
    _deal_lower_tiles(s, left, hidden, on_path)


def _hidden_spaces(position: Position, half: int) -> list[int]:
    """The spaces of a half whose lower tile is not given."""
    spaces = range(1 + half * LAST_OF_A, 1 + (half + 1) * LAST_OF_A)
    stacks = [(space, position.board.get(str(space), ())) for space in spaces]
    return [space for space, stack in stacks if len(stack) == 2 and stack[0] is None]


def _path_tiles(s: Any, half: int) -> list[int]:
    """A2: the tiles given on a half; each belongs to that half, and none lies there twice."""
    found: list[int] = []
    for space in range(1 + half * LAST_OF_A, 1 + (half + 1) * LAST_OF_A):
        for tile in (int(s.top[space]), int(s.below[space])):
            if tile == 0:
                continue
            if tile not in TILES[half]:
                text = f"there is no {tile_of(tile)} in half {'AB'[half]}"
                facts = {"tile": _written(tile), "half": "AB"[half]}
                raise impossible("not-in-half", f"board.{space}", text, "A2", **facts)
            if tile in found:
                text = f"{tile_of(tile)} lies in half {'AB'[half]} twice"
                facts = {"tile": _written(tile), "half": "AB"[half]}
                raise impossible("twice-in-half", f"board.{space}", text, "A2", **facts)
            found.append(tile)
    return found


def _written(code: int) -> list[Any]:
    """A tile as messages write it: ["lyre", 5]."""
    tile = tile_of(code)
    return [tile.item, tile.value]


def _add_tile(s: Any, owner: int, tile: Tile) -> None:
    code = tile.code
    if s.tiles[owner, code] == ALL_TILES[code]:
        field = "gone.tiles" if owner == rules.GONE else f"tiles[{owner}]"
        raise impossible("too-often", field, f"{tile} is given too often", "A2", tile=_written(code))
    s.tiles[owner, code] += 1
    if owner != rules.GONE:
        s.own[owner] |= 1 << code
        s.worth[owner, tile.value] += 1
        s.purse[owner] += tile.value


def _tiles_left(s: Any, on_path: list[list[int]]) -> list[int]:
    """A2: the tiles that are given nowhere."""
    left = []
    for code, copies in sorted(ALL_TILES.items()):
        known = int(s.tiles[:, code].sum()) + sum(tiles.count(code) for tiles in on_path)
        if known > copies:
            text = f"{tile_of(code)} is given {known} times, but the game has {copies} of it"
            counts = {"count": known, "most": copies}
            raise impossible("copies", "tiles", text, "A2", tile=_written(code), **counts)
        left += [code] * (copies - known)
    return left


def _deal_lower_tiles(s: Any, left: list[int], hidden: list[list[int]], on_path: list[list[int]]) -> None:
    """A4: the tiles that are left lie below others, each in its half where that is known."""
    forced: list[list[int]] = [[], []]
    either_half = []
    for code in sorted(set(left)):
        halves = [half for half in range(HALVES) if code in TILES[half] and code not in on_path[half]]
        if len(halves) == left.count(code):
            for half in halves:
                forced[half].append(code)
        else:
            either_half.append(code)
    wanted = len(hidden[0]) - len(forced[0])
    if len(left) != len(hidden[0]) + len(hidden[1]) or not 0 <= wanted <= len(either_half):
        missing = f"{len(hidden[0])} in half A and {len(hidden[1])} in half B"
        text = f"tiles given nowhere: {len(left)}; lower tiles left out: {missing}"
        counts = {"left": len(left), "a": len(hidden[0]), "b": len(hidden[1])}
        raise impossible("lower-tiles", "board", text, "A2", **counts)
    loose = np.array(either_half, np.int8)
    shuffle(s.chance[0], loose, len(loose))
    for half, more in enumerate((loose[:wanted], loose[wanted:])):
        tiles = np.array([*forced[half], *more], np.int8)
        shuffle(s.chance[half], tiles, len(tiles))
        s.below[hidden[half]] = tiles


# ------------------------------------------------------------------ cards


def _read_cards(s: Any, position: Position) -> None:
    """A3: fifteen cards of each item in hands, deck, discards and gone."""
    _fill(s.discards, position.discards)
    _fill(s.gone_cards, position.gone.cards)
    s.discard_size = s.discards.sum()
    for seat, hand in enumerate(position.hands):
        if isinstance(hand, dict):
            _fill(s.hand[seat], hand)
        s.hand_size[seat] = sum(hand.values()) if isinstance(hand, dict) else hand
    for seat, shown in enumerate(position.shown or []):
        _fill(s.known[seat], shown)
        if isinstance(position.hands[seat], int):
            s.hand[seat] = s.known[seat]
        if (s.known[seat] > s.hand[seat]).any() or s.known[seat].sum() > s.hand_size[seat]:
            text = "cards that are not in the hand"
            raise impossible("shown", f"shown[{seat}]", text, "A10", seat=seat)
    known = s.hand.sum(axis=0, dtype=np.int64) + s.discards + s.gone_cards
    for item, name in enumerate(NAMES):
        if known[item] > COPIES:
            text = f"there are {COPIES} cards of {name}, not {known[item]}"
            counts = {"count": int(known[item]), "most": COPIES}
            raise impossible("cards", "hands", text, "A3", card=name, **counts)
    rest = [item for item in range(ITEMS) for _ in range(COPIES - int(known[item]))]
    open_places = int(s.hand_size.sum()) - int(s.hand.sum())
    if position.deck is None:
        _deal_cards(s, rest, open_places)
        return
    if open_places:
        raise impossible("deck-given", "hands", "without all hands the deck must be left out", "A3")
    deck = [NAMES.index(name) for name in position.deck]
    if sorted(deck) != rest:
        text = f"with all other cards it must make {COPIES} of each item"
        raise impossible("deck", "deck", text, "A3", count=COPIES)
    s.deck[: len(deck)], s.deck_size = deck, len(deck)


def _fill(counts: Any, cards: Cards) -> None:
    for name, count in cards.items():
        counts[NAMES.index(name)] = count


def _deal_cards(s: Any, rest: list[int], open_places: int) -> None:
    """The cards that are given nowhere, shuffled: first into the hands of which only the size is given."""
    if len(rest) < open_places:
        text = f"cards left out: {open_places}; cards left for them: {len(rest)}"
        raise impossible("too-few-cards", "hands", text, "A3", count=open_places, left=len(rest))
    s.deck[: len(rest)], s.deck_size = rest, len(rest)
    shuffle(s.chance[2], s.deck, len(rest))
    for seat in range(int(s.players)):
        for _ in range(int(s.hand_size[seat]) - int(s.hand[seat].sum())):
            rules.take_card(s, seat)


# ------------------------------------------------------------------ pawns, bridges and the turn


def _read_bridges(s: Any, position: Position) -> None:
    """A16: one for each player, each over a gap of its own when it was built."""
    for seat, space in enumerate(position.bridges):
        if space is None:
            continue
        if s.spans >> space & 1:
            text = f"there is a bridge behind space {space} already"
            raise impossible("bridged-already", f"bridges[{seat}]", text, "A16", after=space)
        if s.top[space + 1] and space != LAST_OF_A:
            text = f"there is no water behind space {space}"
            raise impossible("no-water", f"bridges[{seat}]", text, "A16", after=space)
        s.bridges[seat] = space
        s.spans |= 1 << space
    for seat, space in enumerate(position.bridges):
        if space is not None and space != LAST_OF_A and s.spans >> (space + 1) & 1:
            text = f"behind spaces {space} and {space + 1} there was never more than one gap"
            raise impossible("one-gap", f"bridges[{seat}]", text, "A16", after=space, next=space + 1)


def _read_pawns(s: Any, position: Position) -> None:
    """A8: on land, one pawn to a space, except during a chain."""
    shared = position.move.at if s.phase == CHAIN and position.move else -1
    seen: set[int] = set()
    for seat, pawns in enumerate(position.pawns):
        s.pawns[seat] = sorted(pawns)
        for place in pawns:
            if place in (ATLANTIS, MAINLAND):
                continue
            if not s.top[place]:
                raise impossible("water", f"pawns[{seat}]", f"space {place} is water", "A15", number=place)
            if place in seen and place != shared:
                text = f"two pawns stand on space {place}"
                raise impossible("two-pawns", f"pawns[{seat}]", text, "A8", number=place)
            shared = -1 if place in seen else shared
            seen.add(place)
            s.occupied |= 1 << place
    _check_arrived(s)
    if s.phase != OVER:
        _check_taken(s, position)


def _check_arrived(s: Any) -> None:
    """A18: with a third pawn on the mainland the game is over, once it is paid."""
    for seat in range(int(s.players)):
        arrived = s.pawns[seat, 0] == MAINLAND
        if s.phase == OVER and not arrived:
            text = "at the end all pawns are on the mainland"
            raise impossible("not-arrived", f"pawns[{seat}]", text, "A19")
        if arrived and s.phase != OVER and not (s.phase == PAY and seat == s.turn):
            text = "with three pawns on the mainland the game is over"
            raise impossible("arrived", f"pawns[{seat}]", text, "A18")


def _check_taken(s: Any, position: Position) -> None:
    """A7, A13: tiles are taken behind a pawn that has moved, and cards played and paid to move it."""
    places = [place for pawns in position.pawns for place in pawns]
    if position.move is not None:  # its tile is not taken yet
        places.append(position.move.start)
        if position.move.at in places:
            places.remove(position.move.at)
    foremost = max(places)
    for space in range(max(foremost, 1), MAINLAND):
        if bool(s.top[space]) + bool(s.below[space]) < HEIGHTS[space]:
            text = "no pawn has been ahead of it, so no tile can have been taken there"
            raise impossible("not-taken", f"board.{space}", text, "A13", space=space)
    if foremost == ATLANTIS and position.move is None:
        for field, count in (("discards", s.discard_size), ("gone.cards", s.gone_cards.sum())):
            if count:
                text = "no card has been played or paid, as no pawn has moved"
                raise impossible("not-moved", field, text, "A7")


def _read_turn(s: Any, position: Position) -> None:
    """A6, A16, A20: what has happened in the turn so far."""
    s.bought, s.bridged, s.idle_turns = position.bought, position.bridged, position.idle_turns
    if position.bought and not any(tile.value > 1 for tile in position.gone.tiles):
        raise impossible("bought", "bought", "the tile it cost is not among those gone", "A6")
    if position.bridged and not s.bridges[s.turn]:
        raise impossible("not-built", "bridged", "the player's bridge is not built", "A16", seat=int(s.turn))
    if position.bridged and s.phase != OVER and not int(rules.gaps(s.land)) >> int(s.bridges[s.turn]) & 1:
        after = int(s.bridges[s.turn])
        raise impossible("no-gap", "bridged", f"there is no gap behind space {after}", "A16", after=after)
    if (position.losses is not None) != (s.phase == OVER):
        raise impossible("losses", "losses", "they are given at the end, and only then", "A20")
    if position.losses is not None:
        s.losses[: s.players] = position.losses
        _check_losses(s)


def _check_losses(s: Any) -> None:
    """A19, A20: what each player's three pawns cost, or a little more if tiles had to pay it."""
    whole = int(s.toll[MAINLAND])
    land = [space for space in range(1, MAINLAND) if s.top[space]]
    ways = {whole - int(s.toll[place]) for place in (ATLANTIS, *land, MAINLAND)}
    costs = {sum(three) for three in product(ways, repeat=PAWNS)}
    for seat, loss in enumerate(s.losses[: s.players].tolist()):
        if loss and seat == s.turn and s.idle_turns < s.players:
            text = "the player whose third pawn arrived has nothing left to pay"
            raise impossible("no-loss", f"losses[{seat}]", text, "A19", seat=seat)
        near = range(max(loss - VALUES + 1, 0), loss + 1)  # the excess is smaller than each piece
        if not any(cost in costs and rules.least_loss(s, seat, cost) == loss for cost in near):
            text = f"on this path three pawns cannot cost the player {loss}"
            raise impossible("loss", f"losses[{seat}]", text, "A20", seat=seat, loss=loss)


def _check_idle_turns(s: Any) -> None:
    """A10: a player whose turn brought nothing has shown the hand and found no card to draw."""
    if s.idle_turns > (s.players if s.phase == OVER else s.players - 1):
        text = "that many turns without a card end the game"
        raise impossible("idle-too-long", "idle_turns", text, "A10")
    if not s.idle_turns:
        return
    if _cards_before_the_turn(s):
        raise impossible("idle", "idle_turns", "there were cards to draw", "A10")
    if s.bought:
        raise impossible("no-card-to-buy", "bought", "there was no card to buy", "A6")
    for turns in range(1, s.idle_turns + 1):
        seat = (s.turn - turns) % s.players
        if s.known[seat].sum() < s.hand_size[seat]:
            text = "a player who could not move has shown the whole hand"
            raise impossible("not-shown", f"shown[{seat}]", text, "A10", seat=int(seat))


def _cards_before_the_turn(s: Any) -> bool:
    """A10: did the deck or the discards hold a card when the turn began?"""
    max_played = s.players * PAWNS  # past all other pawns, and on
    if s.phase in (CHAIN, PAY):
        return bool(s.deck_size) or all(map(any, _ways(s, int(s.start), int(s.at), s.discards.tolist())))
    if s.phase == AFTER:
        return bool(s.deck_size or s.discard_size > max_played)
    if s.phase == OVER and s.idle_turns < s.players:
        return bool(s.discard_size or s.deck_size > max_played - DRAW_AT_THE_END)
    return bool(s.deck_size or s.discard_size)


def _ways(s: Any, place: int, end: int, cards: list[int]) -> Iterator[list[int]]:
    """A8: the cards that are left over, for each way from place to end over spaces where pawns stand."""
    for item in range(ITEMS):
        if cards[item]:
            reached = int(rules.next_space(s.shows[item], place))
            left = [count - (each == item) for each, count in enumerate(cards)]
            if reached == end:
                yield left
            elif reached < end and s.occupied >> reached & 1:
                yield from _ways(s, reached, end, left)


def _read_move(s: Any, position: Position) -> None:
    """A8, A11, A12: a chain or a payment that is under way, and nothing else."""
    move = position.move
    if (move is not None) != (s.phase in (CHAIN, PAY)):
        text = "it is given during a chain or a payment, and only then"
        raise impossible("move", "move", text, "A8")
    if move is None:
        return
    if move.at not in position.pawns[position.turn]:
        text = "no pawn of the player stands there"
        raise impossible("no-pawn", "move.at", text, "A7", seat=position.turn, place=move.at)
    if move.start >= move.at or (move.start and not s.top[move.start]):
        raise impossible("from-land", "move.from", "a pawn comes from land that lies behind it", "A7")
    if s.occupied >> move.start & 1:
        text = f"another pawn stands on space {move.start}"
        raise impossible("occupied", "move.from", text, "A8", number=move.start)
    s.start, s.at, s.due, s.least = move.start, move.at, move.due, move.least
    if s.phase == CHAIN:
        if move.due or move.least:
            raise impossible("paid-in-chain", "move.due", "nothing is paid before the chain ends", "A11")
        if sum(pawns.count(move.at) for pawns in position.pawns) != 2 or move.at == MAINLAND:
            raise impossible("chain", "move.at", "a chain goes on where another pawn stands", "A8")
        if isinstance(position.hands[position.turn], int):
            text = "the hand of a player in a chain must be given"
            raise impossible("hand-in-chain", "hands", text, "A8", seat=position.turn)
    else:
        _check_payment(s, position)
    if not any(True for _ in _ways(s, move.start, move.at, s.discards.tolist())):
        text = f"there are no cards that lead from {place_name(move.start)} to {place_name(move.at)}"
        way = {"from": move.start, "to": move.at}
        raise impossible("no-way", "discards", text, "A8", **way)


def _check_payment(s: Any, position: Position) -> None:
    """A11, A12: a part of the cost is due, and the rest was paid with pieces that are gone."""
    cost = int(s.toll[s.at]) - int(s.toll[s.start])
    paid, least = cost - int(s.due), int(s.least)
    if s.due == 0:
        text = "nothing is left to pay, so the payment is over"
        raise impossible("nothing-due", "move.due", text, "A11")
    if paid < 0:
        raise impossible("cost", "move.due", f"the whole way costs {cost}", "A11", cost=cost)
    if paid == 0 and least:
        raise impossible("nothing-paid", "move.least", "nothing has been paid yet", "A12")
    if paid and not least:
        text = f"{paid} of {cost} has been paid, so the smallest piece must be given"
        raise impossible("least", "move.least", text, "A12", paid=paid, cost=cost)
    pieces = [tile.value for tile in position.gone.tiles] + [CARD_VALUE] * int(s.gone_cards.sum())
    bought = {value for value in pieces if value > 1} if s.bought else {0}
    if paid and not any(_can_have_paid(_without(pieces, tile), paid, least) for tile in bought):
        text = f"the pieces that are gone cannot have paid {paid} with a smallest piece of {least}"
        raise impossible("paid", "move.least", text, "A12", paid=paid, least=least)


def _without(pieces: list[int], value: int) -> list[int]:
    """The pieces except one of this value."""
    left = Counter(pieces)
    left[value] -= 1
    return list(left.elements())


def _can_have_paid(pieces: list[int], paid: int, least: int) -> bool:
    """Can some of the pieces, the smallest having this value, make the sum?"""
    sums = 1  # as bits
    for value in _without(pieces, least):
        if value >= least:
            sums |= sums << value
    return least in pieces and paid >= least and bool(sums >> (paid - least) & 1)


def _check_phase(s: Any) -> None:
    """A8, A12, A16: the player has something to decide."""
    out = np.zeros(rules.MAX_LEGAL, np.int16)
    if s.phase == AFTER:
        if s.bridges[s.turn] or not rules.open_gaps(s):
            raise impossible("no-bridge", "phase", "there is no bridge to build after the move", "A16")
        _check_moved(s)
    elif s.phase == CHAIN and not rules.legal(s, out):
        text = "no card in hand leads on to a free place that can be paid for"
        raise impossible("chain-ends", "move", text, "A8")
    elif s.phase == PAY and not rules.legal(s, out):
        text = "the player's tiles and cards cannot make such a payment"
        raise impossible("cannot-pay", "move.due", text, "A12", seat=int(s.turn))


def _check_moved(s: Any) -> None:
    """A7, A16: a card has moved one of the player's pawns."""
    moved = [int(place) for place in s.pawns[s.turn] if place != ATLANTIS]
    if not moved:
        text = "none of the player's pawns has left Atlantis"
        raise impossible("not-left", "phase", text, "A16", seat=int(s.turn))
    played = {item for item in range(ITEMS) if s.discards[item]}
    if not played or (MAINLAND not in moved and not played & {s.top[place] >> ITEM_SHIFT for place in moved}):
        text = "no card there can have moved a pawn of the player"
        raise impossible("not-played", "discards", text, "A7", seat=int(s.turn))
