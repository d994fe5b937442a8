"""Mille Fiori: any position as JSON, and why some positions cannot be."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec

from laguna.errors import BadPosition
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import (
    AREA_OF,
    AREA_OF_TYPE,
    AREAS,
    BELOW,
    BONUS_GROUPS,
    BONUS_NEEDS,
    CARD_COUNT,
    CELL_TYPE,
    COMMONERS,
    DECK,
    FIRST,
    HAND,
    HARBOR,
    LOZENGES,
    NOBLES,
    OPEN,
    PICKS,
    RESERVE,
    RESIDENCES,
    ROUNDS,
    SEA_END,
    SHIPS,
    TYPE_OF,
    TYPES,
)
from laguna.games.mille_fiori.words import (
    CARD_NAMES,
    CARD_NUMBERS,
    CARD_PATTERN,
    CELL_NAMES,
    CELL_NUMBERS,
    NAMES,
    PHASES,
    CellName,
    Phase,
    board,
    bonus,
    card_list,
    display_list,
)
from laguna.kernel.chance import seed_stream, shuffle
from laguna.kernel.records import plain

CardName = Annotated[str, msgspec.Meta(pattern=f"^({CARD_PATTERN})$")]
Group = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(AREAS[:BONUS_GROUPS])})$")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
Space = Annotated[int, msgspec.Meta(ge=0, le=SEA_END)]
Points = Annotated[int, msgspec.Meta(ge=0, le=99_999)]


class Position(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a game stands. The deck (its top is the last card) may be left out: it is then shuffled."""

    phase: Phase
    round: Annotated[int, msgspec.Meta(ge=1, le=10)]
    pick: Annotated[int, msgspec.Meta(ge=1, le=4)]
    turn: Seat
    board: dict[CellName, Seat]
    bonus: dict[Group, list[Seat]]
    ships: list[Space]
    points: list[Points]
    hands: list[list[CardName]]
    kept: list[CardName | None]  # until it is played
    display: list[CardName]
    discards: list[CardName]
    extra_card: CardName | None = None  # taken from the display and to be played
    deck: list[CardName] | None = None


def write(record: Any) -> Position:
    """The whole position, hidden cards included."""
    s = plain(record)
    players = s.players
    return Position(
        phase=PHASES[s.phase],
        round=s.round_number,
        pick=s.pick,
        turn=s.turn,
        board=board(s),
        bonus=bonus(s),
        ships=s.ships[:players],
        points=s.points[:players],
        hands=[card_list(s.hand[seat]) for seat in range(players)],
        kept=[CARD_NAMES[card] for card in s.kept[:players]],
        display=display_list(s),
        discards=card_list(s.discards),
        extra_card=CARD_NAMES[s.extra_card],
        deck=card_list(s.deck),
    )


def read(s: Any, options: Any, position: Position, seed: int) -> None:
    """Fill a blank record with a position that can occur, or say why it cannot."""
    players, draft = int(options[0]), int(options[1])
    _check_seats(position, players)
    _check_board(position)
    used = _check_lozenges(position, players)
    s.players, s.draft = players, draft
    s.phase, s.round_number, s.pick = PHASES.index(position.phase), position.round, position.pick
    s.doge = _doge(position, players, used)
    s.turn = position.turn
    _check_bonus(s, position, used)
    _check_turn(position, players, draft, int(s.doge), used)
    hidden = _check_cards(position, players, draft, int(s.doge), used)

    seed_stream(s.chance[0], seed, 0)
    s.deck_size = len(hidden)
    s.deck[: len(hidden)] = hidden
    if position.deck is None:
        shuffle(s.chance[0], s.deck, len(hidden))
    for seat in range(players):
        s.lozenges[seat] = LOZENGES - used[seat]
        s.ships[seat], s.points[seat] = position.ships[seat], position.points[seat]
        hand = sorted(CARD_NUMBERS[card] for card in position.hands[seat])
        s.hand[seat, : len(hand)] = hand
        s.kept[seat] = CARD_NUMBERS.get(position.kept[seat] or "", 0)
    s.extra_card = CARD_NUMBERS.get(position.extra_card or "", 0)
    for card in position.display:
        s.display[CARD_NUMBERS[card]] += 1
    s.display_size = len(position.display)
    s.discard_count = len(position.discards)
    s.discards[: s.discard_count] = [CARD_NUMBERS[card] for card in position.discards]
    for area, name in enumerate(AREAS[:BONUS_GROUPS]):
        seats = position.bonus.get(name, [])
        s.bonus[area, : len(seats)] = [seat + 1 for seat in seats]


def _refuse(field: str, sentence: str, clause: str) -> BadPosition:
    return BadPosition("position", f"{field}: {sentence} ({clause}).", clause=clause, field=field)


def _check_seats(position: Position, players: int) -> None:
    """M2, M4–M7: one of each for every player, and no seat, round or pick that there is not."""
    for field in ("ships", "points", "hands", "kept"):
        count = len(getattr(position, field))
        if count != players:
            raise _refuse(field, f"{count} entries for {players} players", "M2")
    seats = {"turn": [position.turn], "board": position.board.values()}
    seats |= {f"bonus.{group}": owners for group, owners in position.bonus.items()}
    for field, named in seats.items():
        if max(named, default=0) >= players:
            raise _refuse(field, f"there is no seat {max(named)} with {players} players", "M2")
    if position.round > ROUNDS[players]:
        raise _refuse("round", f"there are {ROUNDS[players]} rounds with {players} players", "M4")
    if position.pick > PICKS[players]:
        raise _refuse("pick", f"{PICKS[players]} cards are picked in a round with {players} players", "M7")


def _check_board(position: Position) -> None:
    """M18, M22, M31: rows without gaps, townspeople on two others."""
    for name in position.board:
        cell = CELL_NUMBERS[name]
        area = int(AREA_OF[cell])
        place = cell - int(FIRST[area])
        if area == RESIDENCES and place > 0 and CELL_NAMES[cell - 1] not in position.board:
            raise _refuse(f"board.{name}", "the residence before it is free", "M18")
        if area == HARBOR and place % SHIPS > 0 and CELL_NAMES[cell - 1] not in position.board:
            raise _refuse(f"board.{name}", "the ship to its left is free", "M31")
        if area in (NOBLES, COMMONERS):
            bits = int(BELOW[place])
            below = [CELL_NAMES[int(FIRST[area]) + i] for i in range(bits.bit_length()) if bits >> i & 1]
            if not all(each in position.board for each in below):
                raise _refuse(f"board.{name}", "a cell below it is free", "M22")


def _check_lozenges(position: Position, players: int) -> list[int]:
    """M2: how many lozenges each seat has put on the board; there are 30."""
    owners = Counter(position.board.values())
    for seats in position.bonus.values():
        owners.update(seats)
    for seat in range(players):
        if owners[seat] > LOZENGES:
            raise _refuse("board", f"{NAMES[seat]} has {owners[seat]} of {LOZENGES} lozenges there", "M2")
    return [owners[seat] for seat in range(players)]


def _empty(used: list[int]) -> list[int]:
    """M39: the seats whose supply is empty."""
    return [seat for seat, count in enumerate(used) if count >= LOZENGES - RESERVE]


def _doge(position: Position, players: int, used: list[int]) -> int:
    """M5, M8: seat 0 in round 1, then clockwise, after the last round too if the deck ended the game."""
    moved = position.phase == "over" and not _empty(used)
    return (position.round if moved else position.round - 1) % players


def _check_bonus(s: Any, position: Position, used: list[int]) -> None:
    """M13: whoever meets a condition has the bonus once, unless all lozenges were used."""
    for name, seat in position.board.items():
        area = int(AREA_OF[CELL_NUMBERS[name]])
        s.own[area, seat] |= 1 << (CELL_NUMBERS[name] - int(FIRST[area]))
    for area, group in enumerate(AREAS[:BONUS_GROUPS]):
        owners = position.bonus.get(group, [])
        if len(set(owners)) < len(owners):
            raise _refuse(f"bonus.{group}", "a player takes one bonus cell of a group", "M13")
        for seat, count in enumerate(used):
            meets = rules.collected(s, area, seat) >= BONUS_NEEDS[area]
            if seat in owners and not meets:
                raise _refuse(f"bonus.{group}", f"{NAMES[seat]} does not meet its condition", "M13")
            if meets and seat not in owners and count < LOZENGES:
                raise _refuse(f"bonus.{group}", f"{NAMES[seat]} meets its condition and is missing", "M13")


def _check_turn(position: Position, players: int, draft: int, doge: int, used: list[int]) -> None:
    """M38–M40: a turn that can be, and an end that has a reason."""
    step = (position.turn - doge) % players
    played = _has_played(position)
    if position.extra_card is not None and position.phase != "play":
        raise _refuse("extra_card", "an extra card that was taken is played at once", "M38")
    if position.phase == "extra" and not position.display:
        raise _refuse("display", "without cards in it nobody is asked for an extra card", "M38")
    if position.phase == "over":
        _check_end(position, players, doge, used)
        return
    if draft != OPEN and position.phase == "keep" and _empty(used):
        raise _refuse("phase", "the game ends before the next card is kept, as a supply is empty", "M40")
    for seat in _empty(used):
        order = (seat - doge) % players
        if order > step or (order == step and not played):
            raise _refuse("board", f"{NAMES[seat]} used up the supply before this turn: it is over", "M40")


def _has_played(position: Position) -> bool:
    """Has the seat to move played its own card already, so that only extra cards follow?"""
    return position.phase == "extra" or position.extra_card is not None


def _check_end(position: Position, players: int, doge: int, used: list[int]) -> None:
    """M39: the deck is dealt out, or a supply is empty."""
    last = (position.round, position.pick) == (ROUNDS[players], PICKS[players])
    if not _empty(used) and not last:
        raise _refuse("phase", "it is over after the last round, or when a supply is empty", "M39")
    if position.turn != doge:
        raise _refuse("turn", f"must be {doge}, the Doge's seat, when it is over", "M8")


def _check_cards(position: Position, players: int, draft: int, doge: int, used: list[int]) -> list[int]:
    """M1, M5–M8: hands and kept cards as the turn wants them, every card once; the deck."""
    step = (position.turn - doge) % players
    played = _has_played(position)
    for seat in range(players):
        order = (seat - doge) % players
        size = _hand_size(position, draft, order, step, bool(_empty(used)))
        if len(position.hands[seat]) != size:
            told = f"{len(position.hands[seat])} cards instead of {size}"
            raise _refuse(f"hands[{seat}]", told, "M5")
        keeps = _keeps(position.phase, draft, order, step, played)
        if (position.kept[seat] is not None) != keeps:
            told = "a card is kept here now" if keeps else "no card is kept here now"
            raise _refuse(f"kept[{seat}]", told, "M5")
    turns = {"keep": step if draft == OPEN else 0, "over": players}.get(position.phase, step + played)
    plays = players * (int(PICKS[players]) * (position.round - 1) + position.pick - 1) + turns
    if len(position.discards) < plays:
        raise _refuse("discards", f"{len(position.discards)} cards after {plays} turns", "M5")
    hidden = _hidden_cards(position, players)
    _check_placed(position)
    return hidden


def _hand_size(position: Position, draft: int, order: int, step: int, supply_is_empty: bool) -> int:
    """M5–M9: how many cards the player at this place of the order has in hand now."""
    left = HAND - position.pick
    if position.phase == "over":
        return left if supply_is_empty else 0
    chooses_later = order > step or (order == step and position.phase == "keep")
    if draft != OPEN and position.phase != "keep":
        chooses_later = False
    return left + chooses_later


def _keeps(phase: str, draft: int, order: int, step: int, played: bool) -> bool:
    """M5, M9: does the player at this place of the order have a kept card now?"""
    if phase == "over":
        return False
    if draft == OPEN:
        return phase != "keep" and order == step and not played
    if phase == "keep":
        return order < step
    return order > step or (order == step and not played)


def _check_placed(position: Position) -> None:
    """M10: for every lozenge on the board a card was played that allows its cell."""
    cards = Counter(_pile(int(TYPE_OF[CARD_NUMBERS[card]])) for card in position.discards)
    cells = Counter(_pile(int(CELL_TYPE[CELL_NUMBERS[name]])) for name in position.board)
    for pile, count in cells.items():
        if count > cards[pile]:
            raise _refuse("board", f"{count} lozenges for {cards[pile]} discarded {pile} cards", "M10")


def _pile(kind: int) -> str:
    """Which cards can be placed on the same cells: a pyramid takes three types, all else one."""
    area = int(AREA_OF_TYPE[kind])
    return AREAS[area] if area in (NOBLES, COMMONERS) else TYPES[kind]


def _hidden_cards(position: Position, players: int) -> list[int]:
    """M1, M4: the deck: what is nowhere else, five cards for each player and round to come."""
    seen = [card for hand in position.hands for card in hand] + position.display + position.discards
    seen += [card for card in (*position.kept, position.extra_card) if card is not None]
    counted = Counter(CARD_NUMBERS[card] for card in seen)
    there_are = Counter(DECK.tolist())
    for card, count in counted.items():
        if count > there_are[card]:
            told = f"there are {there_are[card]} cards {CARD_NAMES[card]}, not {count}"
            raise _refuse("display", told, "M1")
    size = (int(ROUNDS[players]) - position.round) * HAND * players
    if CARD_COUNT - len(seen) != size:
        told = f"all cards together leave {CARD_COUNT - len(seen)} for the deck instead of {size}"
        raise _refuse("display", told, "M4")
    missing = there_are - counted
    if position.deck is None:
        return sorted(missing.elements())
    deck = [CARD_NUMBERS[card] for card in position.deck]
    if Counter(deck) != missing:
        raise _refuse("deck", "with all other cards it must make the 109 of the game", "M1")
    return deck
