"""Mille Fiori: what a seat may know, as named numbers (M42).

Cells and kinds of cards are told in the order of the actions' codes: cells are W0-W29, R0-R19, Nb0-Nt2,
Cb0-Ct2, Tgoblet0-Tswan4, H00-H42; kinds of cards are pigment1, pigment2, …, harbor5. Areas are workshops,
residences, nobles, commoners, trade, and the bonus cells of each are those for 20, 15, 10 and 5 points.
"""

from __future__ import annotations

import numpy as np

from laguna.games.contract import Field, starts
from laguna.games.mille_fiori.components import (
    AREA_OF,
    BONUS_GROUPS,
    BONUS_POINTS,
    CARD_COUNT,
    CARD_KINDS,
    CELLS,
    DECK,
    FIRST,
    FLEET_POINTS,
    HAND,
    HARBOR,
    LOZENGES,
    MAX_PLAYERS,
    NO_CARD,
    OPEN,
    PICKS,
    RESERVE,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    ROUNDS,
    ROWS,
    SEA_END,
    TRADE,
    TRIPLES,
    WHEEL_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.rules import (
    OVER,
    PLAYING,
    card_in_play,
    chooser_of,
    filled,
    fleet_value,
    hand_size,
    has_left,
    has_seen,
    is_surrounded,
    looks_at_hand,
    next_in_row,
    secret,
    stops_at,
    supply_is_empty,
    to_move,
    usable,
    winners,
)
from laguna.kernel.bits import lowest
from laguna.kernel.jit import rule
from laguna.kernel.seats import clockwise

SEATS = (MAX_PLAYERS,)
KIND = (CARD_KINDS,)
COPIES = np.bincount(DECK)  # of each kind of card; there is none of NO_CARD
MOST_COPIES = int(COPIES.max())
CELL_AT_SYMBOL = np.array([cells[0] for cells in TRIPLES], np.int64)
SYMBOLS = len(TRIPLES)
RESIDENCE_CELLS = len(RESIDENCE_NUMBERS)
BONUS_CELLS = len(BONUS_POINTS)
PHASES = OVER + 1
MOST_POINTS = 3000  # more than all cells, bonus cells and spaces of the sea together can bring to one seat

FIELDS = (
    Field("players", (), 2, MAX_PLAYERS, "how many play"),
    Field("draft", (), 0, OPEN, "the option: all keep a card at once (0), each on their own turn (1)"),
    Field("phase", (PHASES,), 0, 1, "1 for what is decided: keep, play, extra, over"),
    Field("turn", SEATS, 0, 1, "1 for who decides first now; none when the game is over"),
    Field("deciders", SEATS, 0, 1, "1 for who still has to decide now; several while all keep a card"),
    Field("winners", SEATS, 0, 1, "1 for who has won"),
    Field("scores", SEATS, 0, MOST_POINTS, "points of each seat"),
    Field("round", (), 1, int(ROUNDS.max()), "the number of the round"),
    Field("rounds", (), 1, int(ROUNDS.max()), "how many rounds there are at most"),
    Field("pick", (), 1, int(PICKS.max()), "which card of the round is kept or played now"),
    Field("picks", (), 1, int(PICKS.max()), "how many cards are picked in a round"),
    Field("doge", SEATS, 0, 1, "1 for the Doge, who plays first"),
    Field("lozenges", (MAX_PLAYERS, CELLS), 0, 1, "1 for cells with a lozenge of this seat"),
    Field("bonus", (MAX_PLAYERS, BONUS_GROUPS, BONUS_CELLS), 0, 1, "its bonus cells, by area"),
    Field("supply", SEATS, 0, LOZENGES - RESERVE, "lozenges left to each seat, without the reserve"),
    Field("reserve", SEATS, 0, RESERVE, "lozenges in the reserve of each seat"),
    Field("usable", SEATS, 0, LOZENGES, "lozenges that each seat may still place"),
    Field("ships", SEATS, 0, SEA_END, "the space of each seat's ship"),
    Field("next_residence", (RESIDENCE_CELLS,), 0, 1, "1 for the cell that is filled next"),
    Field("symbols", (SYMBOLS,), 0, 1, "1 where the workshops around the symbol can still earn a card"),
    Field(
        "fleets", (ROWS,), 0, int(FLEET_POINTS.max()), "points of a ship in each row now; 0 if it has left"
    ),
    Field("card", KIND, 0, 1, "1 for the card in play, if you may see it"),
    Field("sails_to", (), 0, SEA_END, "the space where that card would take its player's ship; 0 without it"),
    Field("hand", KIND, 0, MOST_COPIES, "cards of each kind in your hand, while players look at their hands"),
    Field("hand_sizes", SEATS, 0, HAND, "cards in the hand that lies at each seat"),
    Field("kept", KIND, 0, 1, "1 for the card you kept and have not played yet"),
    Field("remembers", SEATS, 0, 1, "1 for seats where a hand lies that you have had in hand"),
    Field("remembered", (MAX_PLAYERS, CARD_KINDS), 0, MOST_COPIES, "its cards, and the one kept from it"),
    Field("display", KIND, 0, MOST_COPIES, "cards of each kind in the display"),
    Field("discards", KIND, 0, MOST_COPIES, "cards of each kind that have been played"),
    Field("unseen", KIND, 0, MOST_COPIES, "cards of each kind in the deck, or in hands you do not know"),
    Field("deck_size", (), 0, CARD_COUNT, "cards in the deck"),
)
(
    PLAYERS, DRAFT, PHASE, TURN, DECIDERS, WINNERS, SCORES, ROUND, ROUND_COUNT, PICK, PICK_COUNT, DOGE, BOARD,
    BONUS, SUPPLY, OWN_RESERVE, USABLE, SHIPS, NEXT_RESIDENCE, SYMBOL, FLEETS, CARD, SAILS_TO, OWN_HAND,
    HAND_SIZES, KEPT, REMEMBERS, REMEMBERED, DISPLAY, DISCARDS, UNSEEN, DECK_SIZE, SIZE,
) = starts(FIELDS)  # fmt: skip


@rule
def observe(s, seat, out):
    """Write every field as the seat sees it."""
    out[:SIZE] = 0
    out[PLAYERS] = s.players
    out[DRAFT] = s.draft
    out[PHASE + s.phase] = 1
    out[ROUND] = s.round_number
    out[ROUND_COUNT] = ROUNDS[s.players]
    out[PICK] = s.pick
    out[PICK_COUNT] = PICKS[s.players]
    out[DECK_SIZE] = s.deck_size
    reserve_too = supply_is_empty(s)
    won = winners(s)
    for steps in range(s.players):
        other = clockwise(s, seat, steps)
        out[TURN + steps] = to_move(s) == other
        out[DECIDERS + steps] = to_move(s) == other or (secret(s) and s.kept[other] == NO_CARD)
        out[WINNERS + steps] = won >> other & 1
        out[SCORES + steps] = s.points[other]
        out[DOGE + steps] = s.doge == other
        out[SUPPLY + steps] = max(s.lozenges[other] - RESERVE, 0)
        out[OWN_RESERVE + steps] = min(s.lozenges[other], RESERVE)
        out[USABLE + steps] = usable(s.lozenges[other], reserve_too)
        out[SHIPS + steps] = s.ships[other]
        out[HAND_SIZES + steps] = hand_size(s.hand[other])
        observe_lozenges(s, other, steps, out)
    observe_areas(s, out)
    observe_cards(s, seat, out)


@rule
def observe_lozenges(s, other, steps, out):
    """M10, M13: the cells of a player, so many steps clockwise from the seat that looks."""
    for cell in range(CELLS):
        area = np.int64(AREA_OF[cell])
        out[BOARD + steps * CELLS + cell] = s.own[area, other] >> (cell - np.int64(FIRST[area])) & 1
    for area in range(BONUS_GROUPS):
        for i in range(BONUS_CELLS):
            out[BONUS + (steps * BONUS_GROUPS + area) * BONUS_CELLS + i] = s.bonus[area, i] == other + 1


@rule
def observe_areas(s, out):
    """M17, M18, M32: what the lozenges of all players allow."""
    following = next_in_row(filled(s, RESIDENCES), RESIDENCE_CELLS)
    if following != 0:
        out[NEXT_RESIDENCE + lowest(following)] = 1
    workshops = filled(s, WORKSHOPS)
    for i in range(SYMBOLS):
        out[SYMBOL + i] = not is_surrounded(workshops, CELL_AT_SYMBOL[i])
    ships = filled(s, HARBOR)
    goods = filled(s, TRADE)
    for row in range(ROWS):
        if not has_left(ships, row):
            out[FLEETS + row] = fleet_value(goods, row)


@rule
def observe_cards(s, seat, out):
    """M42: the cards that the seat sees or remembers, and those that it does not."""
    for kind in range(CARD_KINDS):
        out[DISPLAY + kind] = s.display[kind + 1]
        out[UNSEEN + kind] = COPIES[kind + 1] - s.display[kind + 1] - (s.extra_card == kind + 1)
    for i in range(s.discard_count):
        see(s.discards[i], DISCARDS, out)
    see(s.kept[seat], KEPT, out)
    if s.phase == PLAYING and (s.extra_card != NO_CARD or s.turn == seat):
        card = card_in_play(s)
        out[CARD + card - 1] = 1
        out[SAILS_TO] = stops_at(s.ships[s.turn], np.int64(WHEEL_OF[card]))
    observe_hands(s, seat, out)


@rule
def observe_hands(s, seat, out):
    """M42: the own hand, and those that the seat has had in hand, with the card kept from them."""
    looks = looks_at_hand(s.phase, s.draft)
    for steps in range(s.players):
        place = clockwise(s, seat, steps)
        chooser = chooser_of(place, looks, s.players)
        if has_seen(seat, chooser, s.pick, s.players):
            first = REMEMBERED + steps * CARD_KINDS
            out[REMEMBERS + steps] = 1
            for i in range(HAND):
                see(s.hand[place, i], first, out)
            if chooser != seat:
                see(s.kept[chooser], first, out)
    if looks:
        for i in range(HAND):
            if s.hand[seat, i] != NO_CARD:
                out[OWN_HAND + np.int64(s.hand[seat, i]) - 1] += 1


@rule
def see(card, first, out):
    """Count a card that the seat has seen in the field that begins at `first`."""
    if card != NO_CARD:
        kind = np.int64(card) - 1
        out[first + kind] += 1
        out[UNSEEN + kind] -= 1
