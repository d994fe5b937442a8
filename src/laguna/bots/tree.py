"""The search tree of `lookahead.py`: compiled, generic over games, in memory set aside beforehand.

Information-set Monte Carlo tree search with one observer. Every iteration deals anew what the
searching seat cannot know, walks down the tree among the actions that are legal in that world, and
adds its result to every node on the way. Where another seat decides in secret the tree does not
branch, for the searching seat could not tell the branches apart; what that seat would do is learned
beside the tree, over all worlds and all that the searching seat may do meanwhile.

Children are chosen by PUCT: the evaluation of the position after each action, looked at once when the
node is opened, says where to look first; results take over as they come in. Below the tree some
actions are played, each the best looking of a few random ones, and the evaluation judges where they end.

At the root a game may ask for halving instead (`hints.HALVING`). An action looks the better the deeper it is
searched, so who is ahead early would be searched most and stay ahead. With halving the root's actions are
searched alike, and as the time passes the worse half of them drops out, again and again, until one is left.

Beside that, some of the positions below the leading action are played to the end of the game by greedy
players. These forecasts say which final scores and how many wins to expect; the tree does not learn from
them.
"""

from __future__ import annotations

import math

import numpy as np

from laguna.bots.one_ply import best_action
from laguna.kernel.chance import seed_stream, word
from laguna.kernel.dispatch import (
    apply,
    evaluate,
    glance,
    legal,
    random_action,
    redeal,
    scores,
    secret,
    to_move,
    winners,
)
from laguna.kernel.jit import rule
from laguna.kernel.playout import MOST_SEATS
from laguna.kernel.records import record_type

MOST_DEPTH = 40  # of the tree
MOST_SECRETS = 8  # secret choices of another seat, counted from the root, that are learned
NONE, ROOT, SECRETS = 0, 1, 2  # nodes; from SECRETS on the parents of each seat's secret choices
FREE = SECRETS + MOST_SEATS * MOST_SECRETS  # the first node that is not in use
MOST_MET = FREE + MOST_DEPTH  # nodes on the way of one iteration

NODE = record_type(
    [
        ("value", np.float64),  # sum of results for the seat that chose this action
        ("weight", np.float32),  # how promising it looked beside its siblings
        ("reference", np.float32),  # the best evaluation among this node's children when it was opened
        ("visits", np.int32),
        ("first", np.int32),  # child
        ("following", np.int32),  # sibling
        ("action", np.int16),
        ("seat", np.int16),  # who chose it
    ]
)

# What came of an action at the root, added up; the fields of five are by seat.
TALLY = record_type(
    [
        ("results", np.float64, MOST_SEATS),
        ("scores", np.float64, MOST_SEATS),  # at the end of the game, by forecasts
        ("wins", np.float64, MOST_SEATS),  # a shared win in parts
        ("forecasts", np.int64),
    ]
)

EXPLORE = 0.5
SHARP = 4.0  # how strongly the evaluation steers the first looks
EVEN = 0.15  # share of the prior that all actions get alike
WIDEST = 16  # actions at the root that halving begins with, the best looking ones
LEAST = 16  # iterations for each of them, if need be for fewer
HALVED = 0.95  # of the time has passed when one action is left; it gets the rest
DECIDED = 0.15  # a lead in expected results that does not turn any more
ENOUGH = 200  # visits of each action that such a lead must rest on
OPEN_AT = 3  # visits before a node's children are looked at
WIN_SHARE = 0.8  # of a finished game's result; the rest is the margin


@rule
def iterate(t, root, nodes, used, world, trial, after, out, slots, path, results, points, tallies, stream):
    """Run `t.count` iterations. `t` is the task: see TASK."""
    for number in range(t.done, t.done + t.count):
        world[0] = root
        seed_stream(stream, t.seed, number)
        redeal(world[0], t.seat, (word(stream) << 20) ^ word(stream))
        t.number = number
        met = descend(t, nodes, used, world, trial, out, slots, path, stream)
        forecast_due = t.chosen != NONE and t.chosen == t.leader and t.tried < t.forecast * number
        if forecast_due:
            trial[0] = world[0]
        judge(t, world[0], after, stream, out, points, results)
        for i in range(met):
            node = nodes[path[i]]
            node.visits += 1
            node.value += results[node.seat]
        if t.chosen != NONE:
            if nodes[t.chosen].visits > nodes[t.leader].visits:
                t.leader = t.chosen
            tally = tallies[nodes[t.chosen].action]
            for seat in range(t.seats):
                tally.results[seat] += results[seat]
            if forecast_due:
                forecast(t, trial[0], world, out, points, tally, stream)
    t.done += t.count


# What a search is asked, and how far it is.
TASK = record_type(
    [
        ("seed", np.int64),
        ("done", np.int64),  # iterations so far
        ("count", np.int64),  # iterations to run now
        ("number", np.int64),  # of the iteration
        ("total", np.int64),  # iterations there will be in the end, for halving; 0: no halving
        ("running", np.int64),  # actions at the root that halving has left; 0 before it begins
        ("tried", np.int64),  # actions that forecasts have tried so far
        ("scale", np.float64),  # a lead of this much in the evaluation is a good lead
        ("forecast", np.int32),  # actions that forecasts may try for each iteration; 0: no forecasts
        ("playout", np.int32),  # actions below the tree
        ("care", np.int32),  # random actions to choose each of them from
        ("leader", np.int32),  # the most visited child of the root
        ("chosen", np.int32),  # the child of the root that this iteration goes through
        ("secrets", np.int32, MOST_SEATS),  # secret choices of each seat so far in this iteration
        ("seat", np.int32),
        ("seats", np.int32),
    ]
)


@rule
def descend(t, nodes, used, world, trial, out, slots, path, stream):
    """Walk down to a node that is not open yet, playing its actions in the world; returns how many it met."""
    s = world[0]
    place = ROOT
    path[0] = ROOT
    met = 1
    depth = 0
    t.chosen = NONE
    t.secrets[:] = 0
    while depth < MOST_DEPTH and to_move(s) >= 0:
        if to_move(s) != t.seat and secret(s):
            path[met] = choose_in_secret(t, nodes, used, world, trial, out, slots, stream)
            met += path[met] != NONE
            continue
        if place != ROOT and nodes[place].visits < OPEN_AT:
            break
        count = legal(s, out)
        if not open_children(t, nodes, used, place, world, trial, out, count, slots):
            break
        if depth == 0 and t.total > 0:
            halve(t, nodes, count)
            place = least_visited(nodes)
        else:
            place = choose(nodes, out, count, slots)
        apply(s, np.int64(nodes[place].action))
        if depth == 0:
            t.chosen = place
        path[met] = place
        met += 1
        depth += 1
    return met


@rule
def halve(t, nodes, count):
    """Let as many of the root's `count` actions drop out as should have by now."""
    left = min(count, WIDEST, max(t.total // LEAST, 2))
    if t.running == 0:
        t.running = left
        drop_worst(nodes, left, True)
    halvings = 0
    while (1 << halvings) < left:
        halvings += 1
    for _ in range(int(halvings * t.number / (HALVED * t.total))):
        left = (left + 1) // 2
    if left < t.running:
        t.running = left
        drop_worst(nodes, left, False)


@rule
def drop_worst(nodes, keep, by_looks):
    """Let actions at the root drop out until so many are left: by their looks or by their results.

    Who is out has a negative weight.
    """
    while True:
        count = 0
        worst = NONE
        least = 1e30
        child = nodes[ROOT].first
        while child != NONE:
            node = nodes[child]
            if node.weight >= 0:
                count += 1
                value = np.float64(node.weight) if by_looks else mean_result(node)
                if value < least:
                    least = value
                    worst = child
            child = node.following
        if count <= keep:
            return
        nodes[worst].weight = -1.0


@rule
def mean_result(node):
    return node.value / node.visits if node.visits > 0 else 0.0


@rule
def least_visited(nodes):
    """Of the root's actions that have not dropped out."""
    chosen = NONE
    least = 1 << 60
    child = nodes[ROOT].first
    while child != NONE:
        node = nodes[child]
        if node.weight >= 0 and node.visits < least:
            least = node.visits
            chosen = child
        child = node.following
    return chosen


@rule
def choose_in_secret(t, nodes, used, world, trial, out, slots, stream):
    """Let another seat make its next secret choice; returns its node, NONE if nothing is learned of it."""
    s = world[0]
    seat = to_move(s)
    number = t.secrets[seat]
    t.secrets[seat] += 1
    parent = SECRETS + seat * MOST_SECRETS + number
    count = legal(s, out)
    if number >= MOST_SECRETS or not open_children(t, nodes, used, parent, world, trial, out, count, slots):
        apply(s, random_action(s, stream, out))
        return NONE
    chosen = choose(nodes, out, count, slots)
    apply(s, np.int64(nodes[chosen].action))
    return chosen


@rule
def open_children(t, nodes, used, place, world, trial, out, count, slots):
    """See that every legal action has a child, found by `slots[action]`; False when memory is full."""
    for i in range(count):
        slots[out[i]] = NONE
    child = nodes[place].first
    while child != NONE:
        slots[nodes[child].action] = child
        child = nodes[child].following
    missing = 0
    for i in range(count):
        missing += slots[out[i]] == NONE
    if used[0] + missing > nodes.shape[0]:
        return False
    fresh = nodes[place].first == NONE
    first_new = used[0]
    best = -1e30
    for i in range(count):
        if slots[out[i]] == NONE:
            looks = add_child(nodes, used, place, world, trial, out[i])
            best = max(best, looks)
            slots[out[i]] = nodes[place].first
    if fresh:
        nodes[place].reference = best
    for child in range(first_new, used[0]):
        lead = (nodes[child].weight - nodes[place].reference) / t.scale
        nodes[child].weight = math.exp(min(max(SHARP * lead, -30.0), 1.0))
    return True


@rule
def add_child(nodes, used, place, world, trial, action):
    """Try the action on a copy; returns how the position after it looks to who chose it."""
    seat = to_move(world[0])
    trial[0] = world[0]
    apply(trial[0], np.int64(action))
    looks = evaluate(trial[0], seat)
    node = nodes[used[0]]
    node.value = 0.0
    node.weight = looks
    node.reference = 0.0
    node.visits = 0
    node.first = NONE
    node.action = action
    node.seat = seat
    node.following = nodes[place].first
    nodes[place].first = used[0]
    used[0] += 1
    return looks


@rule
def choose(nodes, out, count, slots):
    """PUCT among the children that are legal in this world."""
    weights = 0.0
    visits = 0
    value = 0.0
    for i in range(count):
        node = nodes[slots[out[i]]]
        weights += node.weight
        visits += node.visits
        value += node.value
    unknown = value / visits if visits > 0 else 0.5
    breadth = EXPLORE * math.sqrt(visits + 1.0)
    even = EVEN / count
    best = -1.0
    chosen = NONE
    for i in range(count):
        node = nodes[slots[out[i]]]
        prior = even + (1.0 - EVEN) * node.weight / weights
        mean = node.value / node.visits if node.visits > 0 else unknown
        bound = mean + breadth * prior / (1.0 + node.visits)
        if bound > best:
            best = bound
            chosen = slots[out[i]]
    return chosen


@rule
def decided(t, nodes, left):
    """Can `left` more iterations not bring another action to the front any more, as far as can be told?"""
    if t.total > 0:
        return halving_decided(t, nodes)
    first = second = 0
    child = nodes[ROOT].first
    while child != NONE:
        visits = nodes[child].visits
        second = max(second, min(first, visits))
        first = max(first, visits)
        child = nodes[child].following
    return first - second > left


@rule
def halving_decided(t, nodes):
    """One action is left, or is so far ahead of the others that they drop out before their time."""
    if t.running == 1:
        return True
    first = second = -1.0
    child = nodes[ROOT].first
    while child != NONE:
        node = nodes[child]
        if node.weight >= 0:
            if node.visits < ENOUGH:
                return False
            result = mean_result(node)
            second = max(second, min(first, result))
            first = max(first, result)
        child = node.following
    if first - second > DECIDED:
        t.running = 1
        drop_worst(nodes, 1, False)
    return False


@rule
def judge(t, s, trial, stream, out, points, results):
    """Play on for a while, then say how good it is for each seat, from 0 to 1."""
    left = t.playout
    while left > 0 and to_move(s) >= 0:
        apply(s, playout_action(t, s, trial, out, stream))
        left -= 1
    if to_move(s) >= 0:
        for seat in range(t.seats):
            points[seat] = evaluate(s, seat)
        for seat in range(t.seats):
            results[seat] = ahead(t, points, seat)
        return
    scores(s, points)
    for seat in range(t.seats):
        results[seat] = WIN_SHARE * win_share(t, s, seat) + (1.0 - WIN_SHARE) * ahead(t, points, seat)


@rule
def playout_action(t, s, trial, out, stream):
    """The best looking of `t.care` random actions."""
    chosen = np.int64(random_action(s, stream, out))
    if t.care == 1:
        return chosen
    seat = to_move(s)
    action = chosen
    best = -1e30
    for _ in range(t.care):
        trial[0] = s
        apply(trial[0], action)
        looks = glance(trial[0], seat)
        if looks > best:
            best = looks
            chosen = action
        action = np.int64(random_action(s, stream, out))
    return chosen


@rule
def win_share(t, s, seat):
    """Of a finished game: 1 for the winner, equal parts where the win is shared."""
    won = winners(s)
    sharing = 0
    for other in range(t.seats):
        sharing += (won >> other) & 1
    return ((won >> seat) & 1) / sharing


@rule
def ahead(t, points, seat):
    """The lead over the best other seat, from 0 to 1."""
    best = -1e30
    for other in range(t.seats):
        if other != seat:
            best = max(best, points[other])
    return 1.0 / (1.0 + math.exp(min(max((best - points[seat]) / t.scale, -30.0), 30.0)))


@rule
def forecast(t, s, trial, out, points, tally, stream):
    """Let every seat play greedily to the end, and add up what came of it.

    How often depends on how many actions that tries, which a long game has more of than a short one; so
    forecasts take about the same small part of the time in every position, and of the same iterations
    always the same ones are followed by a forecast.
    """
    while to_move(s) >= 0:
        t.tried += legal(s, out)
        apply(s, np.int64(best_action(s, trial, out, stream, 0, 0.0)))
    scores(s, points)
    for seat in range(t.seats):
        tally.scores[seat] += points[seat]
        tally.wins[seat] += win_share(t, s, seat)
    tally.forecasts += 1
