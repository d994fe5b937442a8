"""Mille Fiori: how good a position looks, for bots that do not read it to the end."""

from __future__ import annotations

from laguna.games.mille_fiori.components import (
    AREA_OF_TYPE,
    BONUS_GROUPS,
    BONUS_NEEDS,
    BONUS_POINTS,
    COMMONERS,
    FIRST,
    NEIGHBOR_BITS,
    NO_CARD,
    NOBLES,
    PICKS,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    ROUNDS,
    ROWS,
    SEA_END,
    SEA_POINTS,
    TRADE,
    TYPE_OF,
    WHEEL_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.rules import (
    CHOOSING_EXTRA,
    OVER,
    collected,
    filled,
    good_value,
    how_many,
    lozenges_to_use,
    on_good,
    open_cells,
    own_cells,
    residence_points,
    townspeople_points,
    workshop_points,
)
from laguna.kernel.bits import lowest
from laguna.kernel.jit import rule

SCALE = 30.0  # a lead of this much is a good lead
PLAYOUT = 8  # actions before a position is judged
CARE = 4  # random actions to choose each of them from
# The weights are what each of these brought until the end, in games that searching bots played.
PROGRESS = 1.1  # of a bonus, by the square of how much is collected
WORKSHOP = 0.47  # a cell of the largest group of workshops, for each card still to be kept
CARD = 0.8  # of the points that a kept card can make at once
EXTRA_CARD = 9.0


@rule
def evaluate(s, seat):
    """How far a player is ahead of the best opponent; higher is better."""
    best = -1000.0
    for other in range(s.players):
        if other != seat:
            best = max(best, prospects(s, other))
    return prospects(s, seat) - best


@rule
def prospects(s, seat):
    """Points, and what bonus cells, workshops, residences and the card in hand promise."""
    value = s.points[seat] * 1.0
    if s.phase == OVER:
        return value
    for area in range(BONUS_GROUPS):
        value += bonus_in_sight(s, seat, area)
    picks = PICKS[s.players] * (ROUNDS[s.players] - s.round_number)
    value += WORKSHOP * picks * largest_group(own_cells(s, WORKSHOPS, seat))
    value += last_run(s, seat)
    if s.phase == CHOOSING_EXTRA and s.turn == seat:
        value += EXTRA_CARD
    card = s.kept[seat]
    if s.extra_card != NO_CARD and s.turn == seat:
        card = s.extra_card
    if card != NO_CARD:
        value += CARD * card_in_sight(s, seat, card)
    return value


@rule
def largest_group(cells):
    """M15: the size of the largest connected group among these workshops."""
    largest = 0
    while cells != 0:
        group = cells & -cells
        edge = group
        while edge != 0:
            reached = NEIGHBOR_BITS[lowest(edge)] & cells & ~group
            group |= reached
            edge = edge & (edge - 1) | reached
        largest = max(largest, how_many(group))
        cells &= ~group
    return largest


@rule
def last_run(s, seat):
    """M19: what the next residence would score again for its owner."""
    next_cell = how_many(filled(s, RESIDENCES))
    if next_cell == len(RESIDENCE_NUMBERS):
        return 0
    return residence_points(s, seat, next_cell) - RESIDENCE_NUMBERS[next_cell]


@rule
def bonus_in_sight(s, seat, area):
    """What the next bonus cell of an area promises, by how much of its condition is met."""
    taken = 0
    while s.bonus[area, taken] != 0:  # four cells for four players: it ends with the own one
        if s.bonus[area, taken] == seat + 1:
            return 0.0
        taken += 1
    met = collected(s, area, seat) / BONUS_NEEDS[area]
    return PROGRESS * met * met * BONUS_POINTS[taken]


@rule
def card_in_sight(s, seat, card):
    """The most points that a card can make for its owner at once."""
    wheel = int(WHEEL_OF[card])
    best = 0
    if s.ships[seat] < SEA_END:
        best = int(SEA_POINTS[min(s.ships[seat] + wheel, SEA_END)])
    if lozenges_to_use(s, seat) == 0:
        return best * 1.0
    kind = TYPE_OF[card]
    area = AREA_OF_TYPE[kind]
    cells = open_cells(s, kind)
    while cells != 0:
        best = max(best, points_in_sight(s, seat, kind, area, lowest(cells)))
        cells &= cells - 1
    return best * 1.0


@rule
def points_in_sight(s, seat, kind, area, spot):
    """What a lozenge on this cell would score for its owner."""
    if area == WORKSHOPS:
        return workshop_points(s, seat, spot)
    if area == RESIDENCES:
        return residence_points(s, seat, spot)
    if area == TRADE:
        good = spot // ROWS
        return (good_value(s, good) + 1) * (on_good(s, good, seat) + 1)
    if NOBLES <= area <= COMMONERS:
        return townspeople_points(FIRST[area] + spot, kind)
    return 3
