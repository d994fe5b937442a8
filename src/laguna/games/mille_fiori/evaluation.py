"""Mille Fiori: how good a position looks, for bots that do not search to the end."""

from __future__ import annotations

import numpy as np

from laguna.games.mille_fiori.components import (
    AREA_OF_TYPE,
    BONUS_GROUPS,
    BONUS_NEEDS,
    BONUS_POINTS,
    COMMONERS,
    FIRST,
    GOODS,
    HAND,
    HARBOR,
    MIDDLE,
    NEIGHBOR_BITS,
    NO_CARD,
    NOBLES,
    OPEN,
    PICKS,
    PYRAMID,
    RESERVE,
    RESIDENCE_NUMBERS,
    RESIDENCES,
    ROUNDS,
    ROWS,
    SEA_END,
    SEA_POINTS,
    SHIPS,
    TRADE,
    TYPE_OF,
    WHEEL_OF,
    WORKSHOPS,
)
from laguna.games.mille_fiori.rules import (
    CHOOSING_EXTRA,
    KEEPING,
    OVER,
    collected,
    connected,
    filled,
    fleet_value,
    good_value,
    has_left,
    how_many,
    lozenges_to_use,
    on_good,
    open_cells,
    own_cells,
    residence_points,
    stops_at,
    townspeople_points,
    triangle_points,
    workshop_points,
)
from laguna.kernel.bits import lowest
from laguna.kernel.jit import rule

SCALE = 30.0  # a lead of this much is a good lead
CERTAINTY = 0.7  # how much such a lead says about who will win
PLAYOUT = 8  # actions before a position is judged
CARE = 4  # random actions to choose each of them from
HALVING = True  # at the root, where the first favorite would otherwise stay ahead by being searched deepest

# What is counted in a position, and the points that each brings by the end of the game: near the end,
# and how many more with the whole game to go. `python -m benchmarks.weights` finds these numbers.
WEIGHTS = np.array(
    [
        [1.08, -14.16],  # 1 of 4 raw materials, for a bonus of 20 points
        [4.15, -2.00],  # 2
        [8.89, 6.11],  # 3
        [9.58, -0.35],  # 1 of 4 numbers
        [24.50, -57.64],  # 2
        [12.94, 2.55],  # 3
        [0.62, 7.10],  # 1 of 3 nobles' symbols
        [3.16, 15.81],  # 2
        [0.69, 6.48],  # 1 of 3 commoners' symbols
        [3.18, 15.28],  # 2
        [0.69, -3.84],  # 1 of 4 goods
        [1.18, -3.38],  # 2
        [2.07, 9.43],  # 3
        [-8.66, 60.39],  # THIRD_NUMBER: two numbers, the third gives an extra card
        [6.69, -14.81],  # FIFTH_NUMBER: the same for the fifth
        [-0.73, 2.56],  # OWN_WORKSHOPS
        [0.34, 11.24],  # LARGEST_GROUP: its cells
        [1.04, 4.20],  # GROUP_EDGE: the free cells beside it
        [0.36, 1.20],  # LAST_RUN: what the next residence would score again
        [0.00, 0.51],  # GOODS_TO_COME: what own goods will score, if all are filled
        [0.59, 0.25],  # FLEET_NOW: what waiting ships would score, if they left now
        [-1.35, 4.03],  # WAITING_SHIPS
        [0.12, 0.82],  # TRIANGLES: what the free cells above own townspeople would score
        [0.97, -0.02],  # KEPT_CARD: what it can score at once
        [9.37, -4.02],  # EXTRA_CHOICE: an extra card to be taken
        [1.15, -0.45],  # EXTRA_TAKEN: what it can score at once
        [0.75, -0.59],  # NEXT_HAND: what the best card to choose from next can score at once
    ]
)
PROMISES = len(WEIGHTS)
STEPS = np.array([0, 3, 6, 8, 10], np.int64)  # where the steps to the bonus of each area begin
THIRD_NUMBER, FIFTH_NUMBER, OWN_WORKSHOPS, LARGEST_GROUP, GROUP_EDGE, LAST_RUN = range(13, 19)
GOODS_TO_COME, FLEET_NOW, WAITING_SHIPS, TRIANGLES = range(19, 23)
KEPT_CARD, EXTRA_CHOICE, EXTRA_TAKEN, NEXT_HAND = range(23, PROMISES)

# At a glance, for the actions of a playout.
PROGRESS = 1.1  # of a bonus, by the square of how much is collected
WORKSHOP = 0.47  # a cell of the largest group of workshops, for each card still to be kept
CARD = 0.8  # of the points that a kept card can make at once
EXTRA_CARD = 9.0


@rule
def evaluate(s, seat):
    """How far a player is ahead of the best opponent; higher is better."""
    return lead(s, seat, WEIGHTS)


@rule
def lead(s, seat, weights):
    """The same with other weights."""
    best = -1000.0
    for other in range(s.players):
        if other != seat:
            best = max(best, prospects(s, other, weights))
    return prospects(s, seat, weights) - best


@rule
def prospects(s, seat, weights):
    """Points, and what everything else on the table promises."""
    value = s.points[seat] * 1.0
    if s.phase == OVER:
        return value
    found = np.zeros(PROMISES)
    count_promises(s, seat, found)
    left = time_left(s, seat)
    for i in range(PROMISES):
        value += found[i] * (weights[i, 0] + weights[i, 1] * left)
    return value


@rule
def time_left(s, seat):
    """M39: how much of the game is left, by cards to keep or by the supply that runs out first."""
    cards = PICKS[s.players] * (ROUNDS[s.players] - s.round_number + 1) - s.pick
    cards += s.phase == KEEPING and s.kept[seat] == NO_CARD
    fewest = s.lozenges[seat]
    for other in range(s.players):
        fewest = min(fewest, s.lozenges[other])
    return min(cards / 30.0, max(fewest - RESERVE, 0) / 32.0)


@rule
def count_promises(s, seat, found):
    """How much of each thing a player has."""
    for area in range(BONUS_GROUPS):
        count_collection(s, seat, area, found)
    count_workshops(s, seat, found)
    found[LAST_RUN] = last_run(s, seat)
    for good in range(GOODS):
        value = good_value(s, good)
        found[GOODS_TO_COME] += on_good(s, good, seat) * (15 - value * (value + 1) // 2)
    count_ships(s, seat, found)
    for area in range(NOBLES, COMMONERS + 1):
        free = ~filled(s, area)
        for cell in range(MIDDLE, PYRAMID):
            if free >> cell & 1:
                found[TRIANGLES] += triangle_points(s, area, seat, cell)
    count_cards(s, seat, found)


@rule
def count_collection(s, seat, area, found):
    """M13, M21: how far the bonus of an area is, in the points that it would bring; and extra cards."""
    has = collected(s, area, seat)
    if area == RESIDENCES:
        found[THIRD_NUMBER] = has == 2
        found[FIFTH_NUMBER] = has == 4
    points = bonus_left(s, seat, area)
    if 0 < has < BONUS_NEEDS[area]:
        found[STEPS[area] + has - 1] = points / 20.0


@rule
def count_workshops(s, seat, found):
    """M15: own workshops, the largest group of them, and the free cells at its edge."""
    cells = own_cells(s, WORKSHOPS, seat)
    free = ~filled(s, WORKSHOPS)
    found[OWN_WORKSHOPS] = how_many(cells)
    while cells != 0:
        group = connected(cells, cells & -cells)
        size = how_many(group)
        if size > found[LARGEST_GROUP]:
            found[LARGEST_GROUP] = size
            found[GROUP_EDGE] = how_many(neighbors(group) & free)
        cells &= ~group


@rule
def neighbors(cells):
    """M15: the workshops that touch one of these."""
    near = 0
    while cells != 0:
        near |= NEIGHBOR_BITS[lowest(cells)]
        cells &= cells - 1
    return near


@rule
def count_ships(s, seat, found):
    """M32: own lozenges in fleets that have not left, and what they would score if they left now."""
    ships = filled(s, HARBOR)
    goods = filled(s, TRADE)
    own = own_cells(s, HARBOR, seat)
    for row in range(ROWS):
        waiting = how_many(own >> row * SHIPS & 7)
        if waiting > 0 and not has_left(ships, row):
            found[WAITING_SHIPS] += waiting
            found[FLEET_NOW] += waiting * fleet_value(goods, row)


@rule
def count_cards(s, seat, found):
    """The card to be played, and the best of the hand to choose from next."""
    if s.kept[seat] != NO_CARD:
        found[KEPT_CARD] = card_in_sight(s, seat, s.kept[seat])
    if s.turn == seat:
        found[EXTRA_CHOICE] = s.phase == CHOOSING_EXTRA
        if s.extra_card != NO_CARD:
            found[EXTRA_TAKEN] = card_in_sight(s, seat, s.extra_card)
    choosing = s.phase == KEEPING and s.kept[seat] == NO_CARD
    if s.pick == PICKS[s.players] and not choosing:
        return  # this hand goes to the display
    passing = s.phase == KEEPING and s.draft != OPEN and not choosing
    hand = s.hand[(seat + s.players - 1) % s.players if passing else seat]
    for i in range(HAND):
        if hand[i] != NO_CARD:
            found[NEXT_HAND] = max(found[NEXT_HAND], card_in_sight(s, seat, hand[i]))


@rule
def glance(s, seat):
    """Like `evaluate`, but less exact and several times faster."""
    best = -1000.0
    for other in range(s.players):
        if other != seat:
            best = max(best, prospects_at_a_glance(s, other))
    return prospects_at_a_glance(s, seat) - best


@rule
def prospects_at_a_glance(s, seat):
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
        group = connected(cells, cells & -cells)
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
    met = collected(s, area, seat) / BONUS_NEEDS[area]
    return PROGRESS * met * met * bonus_left(s, seat, area)


@rule
def bonus_left(s, seat, area):
    """M13: what the highest free bonus cell of an area scores; 0 if the player has one there."""
    taken = 0
    while s.bonus[area, taken] != 0:  # four cells for four players: it ends at the player's own at the latest
        if s.bonus[area, taken] == seat + 1:
            return 0
        taken += 1
    return np.int64(BONUS_POINTS[taken])


@rule
def card_in_sight(s, seat, card):
    """The most points that a card can make for its owner at once."""
    wheel = int(WHEEL_OF[card])
    best = 0
    if s.ships[seat] < SEA_END:
        best = int(SEA_POINTS[stops_at(s.ships[seat], wheel)])
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
