"""Venice 2099: what a beginner should look at before placing, moving, buying, playing a card or a rescue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Literal

from laguna.errors import counted, either
from laguna.games.contract import Event, Facts, event
from laguna.games.venice_2099.actions import Buy, Card, Gondola, Place, Rescue, Walk
from laguna.games.venice_2099.components import CARD_VALUES, VALUES, WORTH, CardValue, Color
from laguna.games.venice_2099.names import CardName, Square, Tile, player

SOON = 2  # of your turns within which a pawn should be warned of your own card
NEVER = VALUES[0]  # V2: no card sinks it
LATE = 3  # turns left from which a quarter that stays dry is worth a move, or a gondola
SEVERAL = 2  # cards of a color in your hand: its treasures will rise, so that one for 1 is cheap


class First(Facts, frozen=True):
    """V12: the free quarters that your lowest cards sink, when pawns are placed."""

    key: ClassVar = "first"
    value: CardValue
    squares: list[Square]


class OwnCard(Facts, frozen=True):
    """V12, V13: your own card will sink the quarter under your pawn."""

    key: ClassVar = "own-card"
    at: Square
    card: CardName
    turns: int  # that come before, at least: lower cards must be played first
    others: int  # cards of the same value in your hand, which may be played before it


class Exposed(Facts, frozen=True):
    """V12, V23: your pawns stand on the lowest value that others can still sink."""

    key: ClassVar = "exposed"
    value: CardValue
    squares: list[Square]
    gondolas: int


class Hits(Facts, frozen=True):
    """V13, V14: a card that you may play now sinks another's pawn."""

    key: ClassVar = "hits"
    seat: int
    card: CardName
    at: Square
    gondolas: int  # that could save it


class Bargain(Facts, frozen=True):
    """V11, V17: a treasure that will surely be worth its price, as its worth never falls, or more."""

    key: ClassVar = "bargain"
    at: Square
    color: Color
    price: int
    worth: int  # at least, at the end
    cards: int  # of this color in your hand
    how: Literal["here", "walk"]


Way = Literal["walk", "gondola", "rescue"]
_WAYS: dict[Any, Way] = {Walk: "walk", Gondola: "gondola", Rescue: "rescue"}


class Safe(Facts, frozen=True):
    """V2, V23: a quarter that can never sink any more, within reach of a pawn that does better there."""

    key: ClassVar = "safe"
    to: Square
    tile: Tile
    points: int
    how: Way
    at: Square  # where the pawn stands, or from where it fell


class Refuge(Facts, frozen=True):
    """V14: the free quarter that scores most now, of those that your own cards do not sink."""

    key: ClassVar = "refuge"
    to: Square
    tile: Tile
    points: int
    gondolas: int  # that you have, this one included


FACTS = (First, OwnCard, Exposed, Hits, Bargain, Safe, Refuge)


def advice(view: Any, preview: Callable[[Any], Sequence[Event]]) -> list[Event]:
    """What the seat of this view should look at, the most important first."""
    if view.phase == "place":
        return list(_first(view))
    if view.phase == "rescue":
        return [*_refuge(view), *_safe(view)]
    dangers = list(_own_cards(view))
    now = [each for each in dangers if each.arguments.turns == 0]
    found = [*now, *_hits(view)]
    found += _exposed(view) if view.phase == "turn" else []
    found += [*_bargain(view), *(each for each in dangers if each not in now), *_safe(view)]
    return found


# ------------------------------------------------------------------ what will sink


def _first(view: Any) -> Iterator[Event]:
    open_squares = {action.at for action in view.legal if isinstance(action, Place)}
    first = [card for card in view.hand if card[-1] == view.lowest]
    squares = [at for at, tile in view.board.items() if tile in first and at in open_squares]
    if squares:
        sentence = f"You play your {view.lowest}s first: the quarters on {either(squares, 'and')} will sink."
        yield event("V12", First(view.lowest, squares), sentence)


def _own_cards(view: Any) -> Iterator[Event]:
    """Your pawns on quarters whose cards you hold, the next to sink first, if something can be done."""
    own = {view.board[at]: at for at in view.pawns[view.seat]}
    for card in view.hand:
        turns = _turns_before(view, card)
        others = sum(each[-1] == card[-1] for each in view.hand) - 1
        can_help = turns <= SOON if view.phase == "turn" else turns == 0 and others > 0
        if card in own and can_help:
            when = "now" if turns == 0 else f"after {counted(turns, 'turn')}"
            when = f"{when} or later" if others else when
            sentence = f"Your own card {card} sinks the quarter under your pawn on {own[card]} {when}."
            yield event("V12", OwnCard(own[card], card, turns, others), sentence)


def _turns_before(view: Any, card: str) -> int:
    """V12: how many cards of the hand must be played before this one."""
    return sum(_value(each) < _value(card) for each in view.hand)


def _exposed(view: Any) -> Iterator[Event]:
    values = [value for value in CARD_VALUES if any(_may_hold(view, card) for card in _unseen(view, value))]
    if not values:
        return
    lowest = _unseen(view, values[0])
    squares = [at for at in view.pawns[view.seat] if view.board[at] in lowest]
    if squares:
        where = either(squares, "and")
        who = f"Your pawn on {where} stands" if len(squares) == 1 else f"Your pawns on {where} stand"
        facts = Exposed(values[0], squares, view.gondolas[view.seat])
        yield event("V23", facts, f"{who} on value {values[0]}, the lowest that others may still hold.")


def _unseen(view: Any, value: str) -> list[str]:
    return [card for card in view.unseen if card[-1] == value]


def _may_hold(view: Any, card: str) -> bool:
    """Whether another player may hold this card, as far as the seat can tell."""
    return card in view.unseen and any(
        VALUES.index(view.at_least[seat]) <= _value(card)
        for seat in range(view.players)
        if seat != view.seat and view.hand_sizes[seat]
    )


def _value(tile: str) -> int:
    return VALUES.index(tile[-1])


# ------------------------------------------------------------------ what can be won


def _hits(view: Any) -> Iterator[Event]:
    """The pawn of another that hurts most: one that no gondola can save, then the dearest."""
    found = []
    for action in view.legal:
        if isinstance(action, Card):
            card = action.color + action.value
            at = next(at for at in view.board if view.board[at] == card)
            for seat, squares in enumerate(view.pawns):
                if seat != view.seat and at in squares:
                    gondolas = view.gondolas[seat]
                    found.append((gondolas > 0, -view.pawn_points[at], Hits(seat, card, at, gondolas)))
    for _, _, facts in sorted(found, key=lambda hit: hit[:2])[:1]:
        left = counted(facts.gondolas, "gondola") if facts.gondolas else "no gondola"
        sentence = f"Your {facts.card} sinks {facts.at} under a pawn of {player(facts.seat)}, who has {left}."
        yield event("V13", facts, sentence)


def _bargain(view: Any) -> Iterator[Event]:
    """The treasure that is certain to gain most; one that takes a walk only if it gains more."""
    sold = {at for at, price in view.prices.items() if price <= view.coins[view.seat]}
    found = [_offer(view, action.at, "here") for action in view.legal if isinstance(action, Buy)]
    walks = {action.to for action in view.legal if isinstance(action, Walk)}
    found += [_offer(view, at, "walk") for at in sorted(walks & sold)]
    found = [facts for facts in found if facts.worth > facts.price or _will_rise(facts)]
    found.sort(key=lambda facts: (facts.price - facts.worth, facts.how != "here", -facts.cards, facts.at))
    for facts in found[:1]:
        where = f"On {facts.at}" if facts.how == "here" else f"On {facts.at}, where a pawn can walk,"
        price, worth = counted(facts.price, "coin"), counted(facts.worth, "point")
        sentence = f"{where} a treasure ({facts.color}) costs {price} and will score at least {worth}."
        yield event("V17", facts, sentence)


def _will_rise(facts: Bargain) -> bool:
    return facts.how == "here" and facts.price == facts.worth == 1 and facts.cards >= SEVERAL


def _offer(view: Any, at: str, how: Literal["here", "walk"]) -> Bargain:
    """V17: a treasure's worth can only rise, and the cards in your hand will all be played."""
    sold = next(each for each in view.market if each.color == view.board[at][:-1])
    cards = sum(card[:-1] == sold.color for card in view.hand)
    return Bargain(at, sold.color, view.prices[at], int(WORTH[sold.quarters - cards]), cards, how)


# ------------------------------------------------------------------ where it stays dry


def _refuge(view: Any) -> Iterator[Event]:
    """Only if it scores more than every quarter that can never sink."""
    free = [action.to for action in view.legal if isinstance(action, Rescue)]
    free = [at for at in free if view.board[at] not in view.hand]
    best = max(free, key=lambda at: view.pawn_points.get(at, 0), default=None)
    if best is not None and view.pawn_points.get(best, 0) and not _is_safe(view, best):
        facts = Refuge(best, view.board[best], view.pawn_points[best], view.gondolas[view.seat])
        sentence = f"{facts.tile} on {best} scores most of the free quarters now: {facts.points}."
        yield event("V14", facts, sentence)


def _safe(view: Any) -> Iterator[Event]:
    """The safe quarter that gains most: for a pawn that your own card can sink now; near the end, for any."""
    late, found = len(view.hand) <= LATE, []
    for action in view.legal:
        if not isinstance(action, Walk | Gondola | Rescue) or not _is_safe(view, action.to):
            continue
        start = view.fallen.start if isinstance(action, Rescue) else action.start
        how = _WAYS[type(action)]
        facts = Safe(action.to, view.board[action.to], view.pawn_points[action.to], how, start)
        tile = view.board[start]
        doomed = how == "rescue" or (tile in view.hand and tile[-1] == view.lowest)
        if late or (doomed and how != "gondola"):
            gain = facts.points - (0 if doomed else view.pawn_points.get(start, 0))
            found.append((not doomed, -gain, how != "walk", facts.to, start, facts))
    for *_, facts in sorted(each for each in found if each[1] < 0)[:1]:
        yield event("V2" if facts.tile[-1] == NEVER else "V23", facts, _told(facts))


def _told(facts: Safe) -> str:
    ways = {
        "walk": f"Your pawn on {facts.at} can walk to {facts.to}",
        "gondola": f"Your pawn on {facts.at} can go by gondola to {facts.to}",
        "rescue": f"Your fallen pawn can be saved on {facts.to}",
    }
    return f"{ways[facts.how]}: {facts.tile} can never sink any more."


def _is_safe(view: Any, at: str) -> bool:
    """Whether this quarter is above water for good; an X is left out, as its points still fall."""
    tile = view.board[at]
    if tile == "platform" or tile[-1] == "X":
        return False
    return tile not in view.hand and not _may_hold(view, tile)
