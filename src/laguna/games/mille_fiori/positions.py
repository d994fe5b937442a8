"""Mille Fiori: any position as JSON, and why some positions are impossible."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from laguna.errors import counted, impossible
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.components import (
    AREA_OF,
    AREA_OF_TYPE,
    AREAS,
    BELOW,
    BONUS_NEEDS,
    BONUS_POINTS,
    CARD_COUNT,
    CELL_TYPE,
    COMMONERS,
    DECK,
    FIRST,
    GOODS,
    GROUPS,
    HAND,
    HARBOR,
    HARBOR_CARD,
    LEVEL_POINTS,
    LOZENGES,
    NOBLES,
    OPEN,
    PICKS,
    PIGMENT,
    RESERVE,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    ROUNDS,
    ROWS,
    SEA_END,
    SEA_EXTRA_CARDS,
    SEA_POINTS,
    SHIPS,
    TRADE,
    TYPE_OF,
    TYPES,
    WHEEL_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.names import (
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
GroupName = Annotated[str, msgspec.Meta(pattern=f"^({'|'.join(GROUPS)})$")]
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
    bonus: dict[GroupName, list[Seat]]
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


def without_undrawn(position: Position) -> Position:
    """The same without the order of the deck."""
    return replace(position, deck=None)


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
    turns = _turns(position, players, draft, int(s.doge))
    hidden = _check_cards(position, players, draft, int(s.doge), used, sum(turns))
    _check_played(position, turns)
    _check_sailed(position)
    _check_points(s, position)
    if _has_played(position) and not _earned_extra_card(s, position):
        field = "phase" if position.extra_card is None else "extra_card"
        card, turn = position.discards[-1], position.turn
        text = f"the card played last, {card}, earned {NAMES[turn]} no extra card"
        raise impossible("not-earned", field, text, "M38", seat=turn, card=card)

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
    for area, name in enumerate(GROUPS):
        seats = position.bonus.get(name, [])
        s.bonus[area, : len(seats)] = [seat + 1 for seat in seats]


def _check_seats(position: Position, players: int) -> None:
    """M2, M4–M7: one of each for every player, and no seat, round or pick that does not exist."""
    for field in ("ships", "points", "hands", "kept"):
        count = len(getattr(position, field))
        if count != players:
            text = f"{counted(count, 'entry', 'entries')} for {players} players"
            raise impossible("entries", field, text, "M2", count=count, players=players)
    seats = {"turn": [position.turn], "board": position.board.values()}
    seats |= {f"bonus.{group}": owners for group, owners in position.bonus.items()}
    for field, named in seats.items():
        if max(named, default=0) >= players:
            text = f"there is no seat {max(named)} with {players} players"
            raise impossible("no-seat", field, text, "M2", number=max(named), players=players)
    rounds, picks = int(ROUNDS[players]), int(PICKS[players])
    if position.round > rounds:
        text = f"there are {rounds} rounds with {players} players"
        raise impossible("rounds", "round", text, "M4", rounds=rounds, players=players)
    if position.pick > picks:
        text = f"{picks} cards are picked in a round with {players} players"
        raise impossible("picks", "pick", text, "M7", picks=picks, players=players)


def _check_board(position: Position) -> None:
    """M18, M22, M31: rows without gaps, townspeople on two others."""
    for name in position.board:
        cell = CELL_NUMBERS[name]
        area = int(AREA_OF[cell])
        place = cell - int(FIRST[area])
        if area == RESIDENCES and place > 0 and CELL_NAMES[cell - 1] not in position.board:
            raise impossible("residence", f"board.{name}", "the residence before it is free", "M18")
        if area == HARBOR and place % SHIPS > 0 and CELL_NAMES[cell - 1] not in position.board:
            raise impossible("ship", f"board.{name}", "the ship to its left is free", "M31")
        if area in (NOBLES, COMMONERS):
            bits = int(BELOW[place])
            below = [CELL_NAMES[int(FIRST[area]) + i] for i in range(bits.bit_length()) if bits >> i & 1]
            if not all(each in position.board for each in below):
                raise impossible("below", f"board.{name}", "a cell below it is free", "M22", cell=name)


def _check_lozenges(position: Position, players: int) -> list[int]:
    """M2: how many lozenges each seat has put on the board; there are 30."""
    owners = Counter(position.board.values())
    for seats in position.bonus.values():
        owners.update(seats)
    for seat in range(players):
        if owners[seat] > LOZENGES:
            text = f"{NAMES[seat]} has {owners[seat]} of {LOZENGES} lozenges there"
            counts = {"count": owners[seat], "most": LOZENGES}
            raise impossible("lozenges", "board", text, "M2", seat=seat, **counts)
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
    for area, group in enumerate(GROUPS):
        owners = position.bonus.get(group, [])
        if len(set(owners)) < len(owners):
            text = "a player takes one bonus cell of a group"
            raise impossible("bonus-twice", f"bonus.{group}", text, "M13", group=group)
        for seat, count in enumerate(used):
            meets = rules.collected(s, area, seat) >= BONUS_NEEDS[area]
            if seat in owners and not meets:
                text = f"{NAMES[seat]} does not meet its condition"
                raise impossible("bonus-early", f"bonus.{group}", text, "M13", seat=seat, group=group)
            if meets and seat not in owners and count < LOZENGES:
                text = f"{NAMES[seat]} meets its condition and is missing"
                raise impossible("bonus-missing", f"bonus.{group}", text, "M13", seat=seat, group=group)


def _check_turn(position: Position, players: int, draft: int, doge: int, used: list[int]) -> None:
    """M38–M40: a turn that is possible, and an end that has a reason."""
    step = (position.turn - doge) % players
    played = _has_played(position)
    if position.extra_card is not None and position.phase != "play":
        text = "an extra card that was taken is played at once"
        raise impossible("extra-at-once", "extra_card", text, "M38")
    if position.phase == "extra" and not position.display:
        text = "without cards in it nobody is asked for an extra card"
        raise impossible("empty-display", "display", text, "M38")
    if position.phase == "over":
        _check_end(position, players, doge, used)
        return
    if draft != OPEN and position.phase == "keep" and _empty(used):
        text = "the game ends before the next card is kept, as a supply is empty"
        raise impossible("over-before-keep", "phase", text, "M40")
    for seat in _empty(used):
        order = (seat - doge) % players
        if order > step or (order == step and not played):
            text = f"{NAMES[seat]} used up the supply before this turn: it is over"
            raise impossible("used-up", "board", text, "M40", seat=seat)


def _has_played(position: Position) -> bool:
    """Has the seat to move played its own card already, so that only extra cards follow?"""
    return position.phase == "extra" or position.extra_card is not None


def _check_end(position: Position, players: int, doge: int, used: list[int]) -> None:
    """M39: the deck is dealt out, or a supply is empty."""
    last = (position.round, position.pick) == (ROUNDS[players], PICKS[players])
    if not _empty(used) and not last:
        text = "it is over after the last round, or when a supply is empty"
        raise impossible("not-over", "phase", text, "M39")
    if position.turn != doge:
        text = f"must be {doge}, the Doge's seat, when it is over"
        raise impossible("doge", "turn", text, "M8", seat=doge)


def _turns(position: Position, players: int, draft: int, doge: int) -> list[int]:
    """M5–M9: how many turns each seat has had, that is, how many kept cards it has played."""
    before = int(PICKS[players]) * (position.round - 1) + position.pick - 1
    if position.phase == "over":
        return [before + 1] * players
    if draft != OPEN and position.phase == "keep":
        return [before] * players
    done = (position.turn - doge) % players + _has_played(position)
    return [before + ((seat - doge) % players < done) for seat in range(players)]


def _check_cards(
    position: Position, players: int, draft: int, doge: int, used: list[int], plays: int
) -> list[int]:
    """M1, M5–M8: hands and kept cards as the turn requires, every card once; the deck."""
    step = (position.turn - doge) % players
    played = _has_played(position)
    for seat in range(players):
        order = (seat - doge) % players
        size = _hand_size(position, draft, order, step, bool(_empty(used)))
        if len(position.hands[seat]) != size:
            count = len(position.hands[seat])
            text = f"{counted(count, 'card')} instead of {size}"
            raise impossible("hand", f"hands[{seat}]", text, "M5", seat=seat, count=count, wanted=size)
        keeps = _keeps(position.phase, draft, order, step, played)
        if (position.kept[seat] is not None) != keeps:
            key = "keeps" if keeps else "keeps-none"
            text = "a card is kept here now" if keeps else "no card is kept here now"
            raise impossible(key, f"kept[{seat}]", text, "M5", seat=seat)
    count = len(position.discards)
    if count < plays:
        text = f"{counted(count, 'card')} after {counted(plays, 'turn')}"
        raise impossible("discards", "discards", text, "M5", count=count, turns=plays)
    hidden = _hidden_cards(position, players)
    _check_placed(position)
    return hidden


def _hand_size(position: Position, draft: int, order: int, step: int, supply_is_empty: bool) -> int:
    """M5–M9: how many cards the player at this place in the order has in hand now."""
    left = HAND - position.pick
    if position.phase == "over":
        return left if supply_is_empty else 0
    chooses_later = order > step or (order == step and position.phase == "keep")
    if draft != OPEN and position.phase != "keep":
        chooses_later = False
    return left + chooses_later


def _keeps(phase: str, draft: int, order: int, step: int, played: bool) -> bool:
    """M5, M9: does the player at this place in the order have a kept card now?"""
    if phase == "over":
        return False
    if draft == OPEN:
        return phase != "keep" and order == step and not played
    if phase == "keep":
        return order < step
    return order > step or (order == step and not played)


def _check_placed(position: Position) -> None:
    """M10: for every lozenge on the board a card was played that allows its cell."""
    wheels = _wheels(position)
    for pile, count in _placed(position).items():
        cards = len(wheels.get(pile, []))
        if count > cards:
            text = f"{counted(count, 'lozenge')} for {counted(cards, f'discarded {pile} card')}"
            raise impossible("placed", "board", text, "M10", count=count, cards=cards, pile=pile)


def _placed(position: Position) -> Counter[str]:
    """How many cards of each pile were placed: the lozenges on its cells."""
    return Counter(_pile(int(CELL_TYPE[CELL_NUMBERS[name]])) for name in position.board)


def _wheels(position: Position) -> dict[str, list[int]]:
    """The wheels of the discarded cards of each pile."""
    wheels: dict[str, list[int]] = {}
    for card in position.discards:
        number = CARD_NUMBERS[card]
        wheels.setdefault(_pile(int(TYPE_OF[number])), []).append(int(WHEEL_OF[number]))
    return wheels


def _pile(kind: int) -> str:
    """Which cards can be placed on the same cells: a pyramid takes three types, all else one."""
    area = int(AREA_OF_TYPE[kind])
    return AREAS[area] if area in (NOBLES, COMMONERS) else TYPES[kind]


def _hidden_cards(position: Position, players: int) -> list[int]:
    """M1, M4: the deck, which is what is nowhere else: five cards for each player and round to come."""
    seen = [card for hand in position.hands for card in hand] + position.display + position.discards
    seen += [card for card in (*position.kept, position.extra_card) if card is not None]
    on_table = Counter(CARD_NUMBERS[card] for card in seen)
    there_are = Counter(DECK.tolist())
    for card, count in on_table.items():
        if count > there_are[card]:
            name, most = CARD_NAMES[card], there_are[card]
            text = f"there are {count} {name} cards, but the game has only {most}"
            raise impossible("copies", "display", text, "M1", card=name, count=count, most=most)
    size = (int(ROUNDS[players]) - position.round) * HAND * players
    if CARD_COUNT - len(seen) != size:
        left = CARD_COUNT - len(seen)
        text = f"all cards together leave {left} for the deck instead of {size}"
        raise impossible("deck-size", "display", text, "M4", count=left, wanted=size)
    missing = there_are - on_table
    if position.deck is None:
        return sorted(missing.elements())
    deck = [CARD_NUMBERS[card] for card in position.deck]
    if Counter(deck) != missing:
        text = "with all other cards it must make the 109 of the game"
        raise impossible("deck", "deck", text, "M1", count=CARD_COUNT)
    return deck


# ------------------------------------------------------------------ what the cards played can have done


def _check_played(position: Position, turns: list[int]) -> None:
    """M5, M10, M11: every seat has played the cards that its lozenges and its ship needed.

    A seat plays one card in each turn; who played the extra cards is not known. A card puts one lozenge
    on the board or sails, up to five spaces; only a harbor card may do both.
    """
    extra_cards = len(position.discards) - sum(turns)
    lozenges = Counter(position.board.values())
    ships = Counter(owner for name, owner in position.board.items() if AREA_OF[CELL_NUMBERS[name]] == HARBOR)
    farthest = int(WHEEL_OF.max())
    for seat, turns_had in enumerate(turns):
        most = turns_had + extra_cards
        sailed = max(0, position.ships[seat] - farthest * ships[seat])
        needed = lozenges[seat] + -(-sailed // farthest)
        if needed > most:
            field = "board" if lozenges[seat] > most else f"ships[{seat}]"
            text = f"{NAMES[seat]}'s lozenges and ship took {counted(needed, 'card')}"
            text = f"{text}, but {NAMES[seat]} has played {most} at most"
            raise impossible("cards-played", field, text, "M5", seat=seat, count=needed, most=most)
        extra_cards -= max(0, needed - turns_had)


def _check_sailed(position: Position) -> None:
    """M11, M31: the ships have not gone farther than the wheels of the cards that may have moved them. As
    many cards of each pile were placed as lozenges lie on its cells. All others have moved a ship, and
    perhaps all harbor cards.
    """
    placed = _placed(position)
    placed[TYPES[HARBOR_CARD]] = 0
    most = sum(sum(sorted(wheels)[placed[pile] :]) for pile, wheels in _wheels(position).items())
    if sum(position.ships) > most:
        gone = sum(position.ships)
        text = f"together they have gone {counted(gone, 'space')}"
        text = f"{text}, but the cards that were not placed move them {most} at most"
        raise impossible("sailed", "ships", text, "M11", count=gone, most=most)


def _check_points(s: Any, position: Position) -> None:
    """M43: the points that lozenges, bonus cells and ships can have brought, no fewer and no more."""
    for seat, points in enumerate(position.points):
        parts = [
            _workshop_points(s, seat),
            _residence_points(s, seat),
            _townspeople_points(s, NOBLES, seat),
            _townspeople_points(s, COMMONERS, seat),
            *(_good_points(s, good, seat) for good in range(GOODS)),
            *(_fleet_points(s, row, seat) for row in range(ROWS)),
            _sea_points(position.ships[seat]),
        ]
        bonus_points = sum(
            int(value)
            for owners in position.bonus.values()
            for owner, value in zip(owners, BONUS_POINTS, strict=False)
            if owner == seat
        )
        fewest, most = (bonus_points + sum(bounds) for bounds in zip(*parts, strict=True))
        if not fewest <= points <= most:
            too_few = points < fewest
            bound, key = (fewest, "points-least") if too_few else (most, "points-most")
            about = f"at {'least' if too_few else 'most'} {counted(bound, 'point')}"
            text = f"{NAMES[seat]}'s lozenges and ship have brought {about}, not {points}"
            raise impossible(key, f"points[{seat}]", text, "M43", seat=seat, bound=bound, points=points)


def _spots(cells: int) -> list[int]:
    """The cells of an area, from their bits."""
    return [spot for spot in range(cells.bit_length()) if cells >> spot & 1]


def _workshop_points(s: Any, seat: int) -> tuple[int, int]:
    """M15: every workshop brought its owner at least itself, and at most the group that it is in now."""
    spots = _spots(int(s.own[WORKSHOPS, seat]))
    pigments = sum(int(CELL_TYPE[spot]) == PIGMENT for spot in spots)
    most = sum(int(rules.workshop_points(s, seat, spot)) for spot in spots)
    return len(spots) + pigments, most


def _residence_points(s: Any, seat: int) -> tuple[int, int]:
    """M19: exactly known, as the row is filled in its order."""
    spots = _spots(int(s.own[RESIDENCES, seat]))
    points = sum(int(rules.residence_points(s, seat, spot)) for spot in spots)
    return points, points


def _townspeople_points(s: Any, area: int, seat: int) -> tuple[int, int]:
    """M23, M24: a cell's level, once or twice; what the triangles brought is exactly known."""
    levels = sum(int(LEVEL_POINTS[spot]) for spot in _spots(int(s.own[area, seat])))
    filled = _spots(int(rules.filled(s, area)))
    triangles = sum(int(rules.triangle_points(s, area, seat, spot)) for spot in filled)
    return levels + triangles, 2 * levels + triangles


def _good_points(s: Any, good: int, seat: int) -> tuple[int, int]:
    """M28: the n-th lozenge on a good brought n, n + 1 and so on up to the good's value now.

    The seat's own were the last ones or the first ones.
    """
    own, value = int(rules.on_good(s, good, seat)), int(rules.good_value(s, good))
    brought = [sum(range(number, value + 1)) for number in range(1, value + 1)]
    return sum(brought[value - own :]), sum(brought[:own])


def _fleet_points(s: Any, row: int, seat: int) -> tuple[int, int]:
    """M32: a fleet that has left had at most the goods that lie beside it now."""
    if not rules.has_left(rules.filled(s, HARBOR), row):
        return 0, 0
    ships = (int(s.own[HARBOR, seat]) >> row * SHIPS & 7).bit_count()
    return 0, ships * int(rules.fleet_value(rules.filled(s, TRADE), row))


def _sea_points(space: int) -> tuple[int, int]:
    """M34: the ship has stopped here, and perhaps on every space before."""
    return int(SEA_POINTS[space]), int(SEA_POINTS[: space + 1].sum())


def _earned_extra_card(s: Any, position: Position) -> bool:
    """M17, M21, M26, M30, M34, M35: can the card played last have earned an extra card?"""
    kind = int(TYPE_OF[CARD_NUMBERS[position.discards[-1]]])
    area, pile = int(AREA_OF_TYPE[kind]), _pile(kind)
    sailed = area == HARBOR or len(_wheels(position)[pile]) > _placed(position)[pile]
    if sailed and position.ships[position.turn] in SEA_EXTRA_CARDS:
        return True
    if area == HARBOR:
        return False
    if area == RESIDENCES:
        return _residence_earned_extra_card(s, position.turn)
    spots = _spots(int(s.own[area, position.turn]))
    if area in (WORKSHOPS, TRADE):
        spots = [spot for spot in spots if CELL_TYPE[FIRST[area] + spot] == kind]
    return any(rules.extra_card_for(s, area, spot, 0) != rules.NO_EXTRA_CARD for spot in spots)


def _residence_earned_extra_card(s: Any, seat: int) -> bool:
    """M21: the row ends with a residence of the seat, its third or fifth different number."""
    own = _spots(int(s.own[RESIDENCES, seat]))
    if not own or own[-1] + 1 < len(_spots(int(rules.filled(s, RESIDENCES)))):
        return False
    *before, last = (int(RESIDENCE_NUMBERS[spot]) for spot in own)
    new = 0 if last in before else len({*before, last})
    return bool(rules.extra_card_for(s, RESIDENCES, own[-1], new) != rules.NO_EXTRA_CARD)
