"""Mille Fiori: what a network is told about a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import laguna
from laguna.games.mille_fiori import components as box
from laguna.games.mille_fiori import inputs as told
from laguna.games.mille_fiori import rules
from laguna.kernel.records import copy_of
from tests.every import random_steps, told_to

KINDS = [(players, draft) for players in (2, 3, 4) for draft in ("secret", "open")]


def inputs(s: Any, seat: int) -> tuple[list[int], list[int]]:
    """The rows and the counts for a seat."""
    return told_to(told, s, seat)


def positions(players: int, draft: str, seed: int) -> Iterator[Any]:
    """The records of a random game."""
    game = laguna.new("mille-fiori", players=players, seed=seed, draft=draft)
    for _ in random_steps(game, seed):
        yield game.state
    yield game.state


def changed(before: Any, after: Any, seat: int) -> tuple[set[int], set[int]]:
    """The slots and the counts that differ between two records."""
    pairs = zip(inputs(before, seat), inputs(after, seat), strict=True)
    slots, counts = ({i for i, (a, b) in enumerate(zip(x, y, strict=True)) if a != b} for x, y in pairs)
    return slots, counts


def middle_of_a_game() -> Any:
    """A record in which the first seat plays the second card of a round."""
    for number, s in enumerate(positions(4, "secret", 3)):
        if number >= 40 and s.phase == rules.PLAYING and s.turn == 0 and s.kept[0] and s.pick == 2:
            return copy_of(s)
    raise AssertionError


@pytest.mark.parametrize(("players", "draft"), KINDS)
def test_what_the_card_in_play_brings_is_what_it_scores(players: int, draft: str) -> None:
    compared = 0
    for s in positions(players, draft, 20 + players):
        if s.phase != rules.PLAYING or rules.lozenges_to_use(s, s.turn) < 2:
            continue
        seat = int(s.turn)
        out = np.zeros(rules.MAX_LEGAL, np.int16)
        best = 0
        for action in out[: rules.legal(s, out)].tolist():
            after = copy_of(s)
            rules.apply(after, action)
            kinds = after.events[: after.event_count, 0].tolist()
            extra = any(kind >= box.EXTRA_CARD_BY_WORKSHOPS for kind in kinds)
            best = max(best, int(after.points[seat] - s.points[seat]) + told.EXTRA_CARD * extra)
        counts = inputs(s, seat)[1]
        assert counts[told.EXTRA_BRINGS if s.extra_card else told.KEPT_BRINGS] == best
        compared += 1
    assert compared > 30


def test_a_ship_that_sails_changes_its_row_and_no_other() -> None:
    before = middle_of_a_game()
    after = copy_of(before)
    after.ships[2] = (before.ships[2] + 1) % 20
    slot = told.SEAT_SLOTS + 2 * told.PER_SEAT + told.SHIP
    assert changed(before, after, 0) == ({slot}, set())
    slot = told.SEAT_SLOTS + 1 * told.PER_SEAT + told.SHIP
    assert changed(before, after, 1)[0] == {slot}


def test_points_are_told_as_a_lead() -> None:
    before = middle_of_a_game()
    after = copy_of(before)
    after.points[1] += 5
    assert changed(before, after, 0) == (set(), {told.SEAT_COUNTS + told.LEAD})
    counts = [inputs(s, 0)[1][told.SEAT_COUNTS + told.LEAD] for s in (before, after)]
    assert counts[1] == counts[0] - 5


def test_a_card_passed_on_is_known_and_the_hand_to_come_is_not() -> None:
    before = middle_of_a_game()
    after = copy_of(before)
    after.hand[1, 0] = after.hand[1, 0] % 5 + 1 + (5 if before.hand[1, 0] <= 5 else 0)  # of another type
    assert changed(before, after, 0) == ({told.HAND_SLOTS}, set())
    after = copy_of(before)
    after.hand[0, 0] = after.hand[0, 0] % 5 + 1
    assert changed(before, after, 0) == (set(), set())


def test_the_draft_changes_the_row_of_the_phase() -> None:
    before = next(positions(3, "secret", 1))
    after = copy_of(before)
    after.draft = box.OPEN
    assert changed(before, after, int(before.turn)) == ({told.SITUATION}, set())


def test_the_largest_group_and_what_the_next_workshop_scores() -> None:
    s = copy_of(next(positions(2, "secret", 1)))
    s.own[box.WORKSHOPS, 1] = 1 << 0 | 1 << 1 | 1 << 3  # a group of two, and cell 2 would connect all
    s.own[box.WORKSHOPS, 0] = 1 << 8
    counts = inputs(s, 0)[1][told.SEAT_COUNTS :]
    assert counts[told.LARGEST_GROUP] == 2
    assert counts[told.GROUP_EDGE] == 3  # cells 2, 7 and 9
    assert counts[told.BEST_WORKSHOP] == 8  # cell 2 is pigment
    assert inputs(s, 1)[1][told.BRINGS + box.PIGMENT] == 8


def test_the_same_for_whoever_sits_there() -> None:
    for s in positions(4, "secret", 11):
        turned = copy_of(s)
        for name in ("lozenges", "ships", "points", "hand", "kept"):
            turned[name][:] = np.roll(s[name], 1, axis=0)
        turned.own[:] = np.roll(s.own, 1, axis=1)
        turned.bonus[:] = np.where(s.bonus > 0, s.bonus % 4 + 1, 0)
        turned.turn, turned.doge = (s.turn + 1) % 4, (s.doge + 1) % 4
        for seat in range(4):
            assert inputs(turned, (seat + 1) % 4) == inputs(s, seat)


def test_nobles_and_commoners_share_their_rows() -> None:
    """The commoners' pyramid has the pattern of the nobles', symbol by symbol."""
    pyramid, upper = told.PYRAMIDS, told.TRIANGLE_SLOTS
    for s in positions(3, "open", 12):
        other = copy_of(s)
        other.own[[box.NOBLES, box.COMMONERS]] = s.own[[box.COMMONERS, box.NOBLES]]
        other.bonus[[box.NOBLES, box.COMMONERS]] = s.bonus[[box.COMMONERS, box.NOBLES]]
        rows, counts = inputs(s, 0)
        others, other_counts = inputs(other, 0)
        for first, size in ((pyramid, box.PYRAMID), (upper, told.UPPER)):
            assert others[first : first + size] == rows[first + size : first + 2 * size]
        assert sorted(others[told.SEAT_SLOTS :]) == sorted(rows[told.SEAT_SLOTS :])
        nobles, commoners = told.BRINGS + box.LION, told.BRINGS + box.FISH
        assert other_counts[nobles:commoners] == counts[commoners : commoners + 3]
    assert [kind + 3 for kind in box.PYRAMID_TYPES[: box.PYRAMID]] == list(box.PYRAMID_TYPES[box.PYRAMID :])
