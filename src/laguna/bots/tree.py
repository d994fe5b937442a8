"""The search tree of `lookahead.py`: compiled, generic over games, in memory set aside beforehand.

Information-set Monte Carlo tree search. Every iteration deals again what the searching seat cannot know,
walks down the tree among the actions that are legal in that world, and adds its result to every node on
the way. Where another seat decides in secret, the tree does not branch, since the searching seat could not
tell the branches apart; what that seat would do is learned outside the tree.

Every seat decides by what it would know itself (multiple-observer ISMCTS). A node of the tree is a history
that all have seen, and its statistics are over all worlds; in addition there are statistics for each hand
that the seat to move was seen with there. Once a hand has been seen often enough, these decide, so a reply
that is bad with one hand and best with another is learned as such. Until then those over all hands do.

Children are chosen by PUCT: the evaluation of the position after each action, in the first few worlds that
come through the node, says where to look first; results take over as they come in. Below the tree some
actions are played, each the best-looking of a few random ones, and the evaluation judges where they end.

At the root a game may ask for halving instead (`evaluation.HALVING`). An action looks better the deeper it is
searched, so whichever is ahead early would be searched most and stay ahead. With halving, the root's actions
are searched equally, and the worse half of them drops out again and again, until one is left.

In addition, some of the positions below the leading action are played to the end of the game by greedy
players. These forecasts say which final scores and how many wins to expect; the tree does not learn from
them.
"""

from __future__ import annotations

import math

import numpy as np

from laguna.bots.network import chance_to_win, final_logit, refresh, share_of_win, update
from laguna.bots.one_ply import best_action
from laguna.kernel import MAX_SEATS
from laguna.kernel.chance import seed_stream, word
from laguna.kernel.dispatch import (
    apply,
    evaluate,
    glance,
    held,
    legal,
    random_action,
    redeal,
    scores,
    secret,
    to_move,
)
from laguna.kernel.jit import rule
from laguna.kernel.records import record_type

MAX_DEPTH = 40  # of the tree
MAX_SECRETS = 8  # secret choices of another seat, counted from the root, that are learned
NONE, ROOT, SECRETS = 0, 1, 2  # nodes; those from SECRETS on are the parents of each seat's secret choices
FREE = SECRETS + MAX_SEATS * MAX_SECRETS  # the first node that is not in use
MAX_MET = 1 + 2 * (MAX_SEATS * MAX_SECRETS + MAX_DEPTH)  # nodes met in one iteration

NODE = record_type(
    [
        ("value", np.float64),  # sum of results for the seat that chose this action
        ("lead", np.float32),  # how far its evaluation was ahead of the best of its siblings, 0 or below
        ("weight", np.float32),  # how promising that is; negative if it has dropped out at the root
        ("reference", np.float32),  # the best evaluation among this node's children
        ("worlds", np.int32),  # in which its children were looked at
        ("visits", np.int32),
        ("first", np.int32),  # child
        ("following", np.int32),  # sibling
        ("action", np.int16),
        ("seat", np.int16),  # who chose it
    ]
)

# A seat's own statistics at a node, with what it holds: a table of hands, found by hashing.
HAND = record_type(
    [
        ("held", np.int64),
        ("place", np.int32),  # NONE: this row is free
        ("first", np.int32),  # of the actions tried with this hand: nodes that are not in the tree
    ]
)

# What came of an action at the root, added up; the fields of five are by seat.
TALLY = record_type(
    [
        ("results", np.float64, MAX_SEATS),
        ("chances", np.float64, MAX_SEATS),  # to win
        ("scores", np.float64, MAX_SEATS),  # at the end of the game, by forecasts
        ("wins", np.float64, MAX_SEATS),  # a shared win in parts
        ("forecasts", np.int64),
    ]
)

EVEN = 0.15  # share of the prior that is split evenly among all actions
WIDEST = 16  # actions at the root that halving begins with, the best-looking ones
LEAST = 16  # iterations for each of them; if there are too few, for fewer actions
HALVED = 0.95  # of the time has passed when one action is left; it gets the rest
DECIDED = 0.15  # a lead in expected results that is not overturned any more
ENOUGH = 200  # visits of each action that such a lead must rest on
BY_HAND_FROM = 8  # times as many visits of a node before hands are told apart there
BELIEF = 2.0  # visits that the statistics over all hands are worth beside them
MAX_FULL = 0.7  # of the table of hands
BY_NETWORK, BY_HAND, AT_A_GLANCE = range(3)  # who judges positions


@rule
def iterate(
    t,
    root,
    nodes,
    hands,
    used,
    world,
    trial,
    after,
    out,
    slots,
    own,
    path,
    results,
    chances,
    points,
    net,
    accumulators,
    tallies,
    stream,
):
    """Run `t.count` iterations, fewer if they look at too many positions. `t` is the task: see TASK."""
    end = t.done + t.count
    t.looked = 0
    while t.done < end and t.looked < t.max_looks:
        number = t.done
        world[0] = root
        seed_stream(stream, t.seed, number)
        redeal(world[0], t.seat, (word(stream) << 20) ^ word(stream))
        t.number = number
        met = descend(t, nodes, hands, used, world, trial, out, slots, own, path, net, accumulators, stream)
        forecast_due = t.chosen != NONE and t.chosen == t.leader and t.tried < t.forecast * number
        if forecast_due:
            trial[0] = world[0]
        judge(t, world[0], after, stream, out, points, results, chances, net, accumulators[0])
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
                tally.chances[seat] += chances[seat]
            if forecast_due:
                forecast(t, trial[0], world, out, points, tally, stream)
        t.done += 1


# What a search is asked to do, and how far it has come.
TASK = record_type(
    [
        ("seed", np.int64),
        ("own_view", np.int64),  # 1: a seat's chance is what it sees itself, not made to add up with others'
        ("open_at", np.int64),  # visits before a node's children are looked at
        ("done", np.int64),  # iterations so far
        ("count", np.int64),  # iterations to run now
        ("looked", np.int64),  # positions looked at meanwhile
        ("max_looks", np.int64),  # so many of these are enough for now
        ("number", np.int64),  # of the iteration
        ("total", np.int64),  # iterations there will be in the end, for halving; 0: no halving
        ("running", np.int64),  # actions at the root that halving has left; 0 before it begins
        ("tried", np.int64),  # actions that forecasts have tried so far
        ("scale", np.float64),  # a lead of this many points is a good lead
        ("unit", np.float64),  # so is one of this much in how positions look
        ("win_share", np.float64),  # of a result, from 0 to 1; the rest is the lead
        ("certainty", np.float64),  # how much a lead of that size says about who will win
        ("explore", np.float64),  # how widely PUCT looks around
        ("sharpness", np.float64),  # how strongly the evaluation steers the first looks
        ("forecast", np.int32),  # actions that forecasts may try for each iteration; 0: no forecasts
        ("playout", np.int32),  # actions below the tree
        ("care", np.int32),  # random actions to choose each of them from
        ("leader", np.int32),  # the most visited child of the root
        ("chosen", np.int32),  # the child of the root that this iteration goes through
        ("secrets", np.int32, MAX_SEATS),  # secret choices of each seat so far in this iteration
        ("seat", np.int32),
        ("seats", np.int32),
        ("hand_visits", np.int32),  # with a hand, before its own statistics decide
        ("look_until", np.int32),  # visits of a node that may look at its children in further worlds
        ("judge", np.int32),  # who judges positions: BY_NETWORK, BY_HAND or AT_A_GLANCE
        ("hands", np.int32),  # how many rows of the table of hands are taken
    ]
)


@rule
def looks(t, s, seat):
    """How good a position looks to a seat, by the hand-made evaluation."""
    return glance(s, seat) if t.judge == AT_A_GLANCE else evaluate(s, seat)


@rule
def looks_like(t, s, seat, net, accumulators, last):
    """How good a position looks, by whatever this search judges with.

    The network is told only what differs from the position that is in `accumulators[last]`, -1 if there is
    none, and keeps this one in the other of the two.
    """
    if t.judge != BY_NETWORK:
        return looks(t, s, seat)
    if last < 0:
        refresh(net, accumulators[0], s, seat)
    else:
        update(net, accumulators[last], accumulators[1 - last], s, seat)
    return np.float64(accumulators[0 if last < 0 else 1 - last].logit)


@rule
def descend(t, nodes, hands, used, world, trial, out, slots, own, path, net, accumulators, stream):
    """Walk down to a node that is not open yet, playing its actions in the world; returns how many it met."""
    s = world[0]
    place = ROOT
    path[0] = ROOT
    met = 1
    depth = 0
    t.chosen = NONE
    t.secrets[:] = 0
    while depth < MAX_DEPTH and to_move(s) >= 0:
        if to_move(s) != t.seat and secret(s):
            met = choose_in_secret(
                t, nodes, hands, used, world, trial, out, slots, own, path, met, net, accumulators, stream
            )
            continue
        if place != ROOT and nodes[place].visits < t.open_at:
            break
        count = legal(s, out)
        if not open_children(t, nodes, used, place, world, trial, out, count, slots, net, accumulators):
            break
        if depth == 0 and t.total > 0:
            halve(t, nodes, count)
            place = least_visited(nodes)
            path[met] = place
            met += 1
        elif depth == 0:
            place = choose(t, nodes, out, count, slots)
            path[met] = place
            met += 1
        else:
            met = choose_by_hand(t, nodes, hands, used, s, place, out, count, slots, own, path, met)
            place = path[met - 1]
        apply(s, np.int64(nodes[place].action))
        if depth == 0:
            t.chosen = place
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
    """Let actions at the root drop out until this many are left: by their looks or by their results.

    An action that is out has a negative weight.
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
def choose_in_secret(
    t, nodes, hands, used, world, trial, out, slots, own, path, met, net, accumulators, stream
):
    """Let another seat make its next secret choice; returns how many nodes are met then."""
    s = world[0]
    seat = to_move(s)
    number = t.secrets[seat]
    t.secrets[seat] += 1
    parent = SECRETS + seat * MAX_SECRETS + number
    count = legal(s, out)
    if number >= MAX_SECRETS or not open_children(
        t, nodes, used, parent, world, trial, out, count, slots, net, accumulators
    ):
        apply(s, random_action(s, stream, out))
        return met
    met = choose_by_hand(t, nodes, hands, used, s, parent, out, count, slots, own, path, met)
    nodes[parent].visits += 1
    apply(s, np.int64(nodes[path[met - 1]].action))
    return met


@rule
def choose_by_hand(t, nodes, hands, used, s, place, out, count, slots, own, path, met):
    """Let the seat to move choose by the hand it holds; returns how many nodes are met then.

    The last one is the child chosen; before it comes the seat's own count of it, if there is room for one.
    """
    if nodes[place].visits < BY_HAND_FROM * t.hand_visits:
        path[met] = choose(t, nodes, out, count, slots)
        return met + 1
    row = find_hand(t, hands, place, held(s, to_move(s)))
    if row < 0:
        path[met] = choose(t, nodes, out, count, slots)
        return met + 1
    seen = 0
    child = hands[row].first
    while child != NONE:
        seen += nodes[child].visits
        child = nodes[child].following
    if seen < t.hand_visits:
        chosen = choose(t, nodes, out, count, slots)
    else:
        chosen = choose_as_holder(t, nodes, hands[row].first, seen, out, count, slots, own)
    counted = count_of(nodes, hands, used, row, chosen)
    if counted != NONE:
        path[met] = counted
        met += 1
    path[met] = chosen
    return met + 1


@rule
def count_of(nodes, hands, used, row, chosen):
    """A seat's own count of an action with this hand; a new one if there is none, NONE if memory is full."""
    action = nodes[chosen].action
    child = hands[row].first
    while child != NONE and nodes[child].action != action:
        child = nodes[child].following
    if child == NONE and used[0] < nodes.shape[0]:
        child = new_node(nodes, used, action, nodes[chosen].seat)
        nodes[child].following = hands[row].first
        hands[row].first = child
    return child


@rule
def find_hand(t, hands, place, key):
    """The row for what a seat holds at a node; a new one if there is none yet, -1 if the table is full."""
    rows = hands.shape[0]
    low = key & 0x7FFFFFFF
    high = (key >> 31) & 0x7FFFFFFF
    mixed = low * 73856093 + high * 19349663 + np.int64(place) * 83492791
    row = (mixed ^ (mixed >> 23)) % rows
    while hands[row].place != NONE:
        if hands[row].place == place and hands[row].held == key:
            return row
        row = (row + 1) % rows
    if t.hands >= MAX_FULL * rows:
        return -1
    t.hands += 1
    hands[row].place = place
    hands[row].held = key
    hands[row].first = NONE
    return row


@rule
def open_children(t, nodes, used, place, world, trial, out, count, slots, net, accumulators):
    """Make sure that every legal action has a child, found by `slots[action]`; False when memory is full."""
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
    again = nodes[place].worlds == 0 or (place != ROOT and another_world_due(t, nodes[place].visits))
    if missing == 0 and not again:
        return True
    seat = to_move(world[0])
    best = -1e30
    last = -1
    for i in range(count):
        child = slots[out[i]]
        fresh = child == NONE
        if fresh:
            child = new_node(nodes, used, out[i], seat)
            nodes[child].following = nodes[place].first
            nodes[place].first = child
            slots[out[i]] = child
        if fresh or again:
            t.looked += 1
            trial[0] = world[0]
            apply(trial[0], np.int64(out[i]))
            if t.judge == BY_NETWORK and to_move(trial[0]) < 0:
                nodes[child].weight = final_logit(trial[0], seat)
            else:
                nodes[child].weight = looks_like(t, trial[0], seat, net, accumulators, last)
                last = 0 if last < 0 else 1 - last
            best = max(best, nodes[child].weight)
    parent = nodes[place]
    if again:
        parent.worlds += 1
        parent.reference = best
    for i in range(count):
        node = nodes[slots[out[i]]]
        if again or node.worlds < 0:
            weigh(t, node, parent)
    return True


@rule
def another_world_due(t, visits):
    """Is it time to look at a node's children again, all of them, in the world that comes through it now?

    At every power of four from 16 on, so that it costs little.
    """
    return 16 <= visits <= t.look_until and visits & (visits - 1) == 0 and visits & 0x55555555 != 0


@rule
def weigh(t, node, parent):
    """Turn the evaluation just seen into a lead over the best sibling, the mean of all worlds so far."""
    lead = node.weight - parent.reference
    if node.worlds < 0:
        node.worlds = 0
        node.lead = lead
    else:
        node.lead += (lead - node.lead) / parent.worlds
    node.weight = math.exp(min(max(t.sharpness * node.lead / t.unit, -30.0), 1.0))


@rule
def new_node(nodes, used, action, seat):
    """A node for an action, not yet looked at; the caller puts it where it belongs."""
    number = used[0]
    used[0] += 1
    node = nodes[number]
    node.value = 0.0
    node.lead = 0.0
    node.weight = 0.0
    node.reference = 0.0
    node.worlds = -1
    node.visits = 0
    node.first = NONE
    node.following = NONE
    node.action = action
    node.seat = seat
    return number


@rule
def choose(t, nodes, out, count, slots):
    """PUCT among the children that are legal in this world, by what came of them in all worlds."""
    weights = 0.0
    visits = 0
    value = 0.0
    for i in range(count):
        node = nodes[slots[out[i]]]
        weights += node.weight
        visits += node.visits
        value += node.value
    unknown = value / visits if visits > 0 else 0.5
    breadth = t.explore * math.sqrt(visits + 1.0)
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
def choose_as_holder(t, nodes, first, seen, out, count, slots, own):
    """PUCT by what came of the children with the hand that the seat has now, seen this often here.

    `first` begins the list of what was tried with it. What came of a child with all hands counts a little.
    """
    for i in range(count):
        own[out[i]] = NONE
    while first != NONE:
        own[nodes[first].action] = first
        first = nodes[first].following
    weights = 0.0
    for i in range(count):
        weights += nodes[slots[out[i]]].weight
    breadth = t.explore * math.sqrt(seen + 1.0)
    even = EVEN / count
    best = -1.0
    chosen = NONE
    for i in range(count):
        node = nodes[slots[out[i]]]
        prior = even + (1.0 - EVEN) * node.weight / weights
        mean = node.value / node.visits if node.visits > 0 else 0.5
        tried = 0
        if own[out[i]] != NONE:
            mine = nodes[own[out[i]]]
            tried = mine.visits
            mean = (mine.value + BELIEF * mean) / (tried + BELIEF)
        bound = mean + breadth * prior / (1.0 + tried)
        if bound > best:
            best = bound
            chosen = slots[out[i]]
    return chosen


@rule
def decided(t, nodes, left):
    """As far as can be told, can `left` more iterations no longer bring another action to the front?"""
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
    """Is only one action left, or one so far ahead of the others that they drop out early?"""
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
def judge(t, s, trial, stream, out, points, results, chances, net, accumulator):
    """Play on for a while, then say how good it is for each seat, and how likely each wins: both 0 to 1."""
    t.looked += 1
    left = t.playout
    while left > 0 and to_move(s) >= 0:
        apply(s, playout_action(t, s, trial, out, stream))
        left -= 1
    if to_move(s) >= 0 and t.judge != BY_NETWORK:
        for seat in range(t.seats):
            points[seat] = looks(t, s, seat)
        for seat in range(t.seats):
            results[seat] = ahead(t, points, seat)
        share_chances(t, points, chances)
        return
    scores(s, points)
    if to_move(s) >= 0:
        ask_network(t, s, points, results, net, accumulator)
    else:
        for seat in range(t.seats):
            results[seat] = share_of_win(s, seat)
    total = 0.0
    for seat in range(t.seats):
        total += results[seat]
    for seat in range(t.seats):
        chances[seat] = results[seat] / total
        win = results[seat] if t.own_view > 0 else chances[seat]
        results[seat] = t.win_share * win + (1.0 - t.win_share) * ahead(t, points, seat)


@rule
def ask_network(t, s, points, chances, net, accumulator):
    """Each seat's chance to win as that seat sees it, and its points in the end."""
    for seat in range(t.seats):
        refresh(net, accumulator, s, seat)
        chances[seat] = chance_to_win(net, accumulator, t.seats)
        points[seat] += accumulator.to_come


@rule
def share_chances(t, points, chances):
    """How likely each seat wins a game that is not over, by how it looks; together 1."""
    best = points[0]
    for seat in range(t.seats):
        best = max(best, points[seat])
    total = 0.0
    for seat in range(t.seats):
        chances[seat] = math.exp(max(t.certainty * (points[seat] - best) / t.scale, -30.0))
        total += chances[seat]
    for seat in range(t.seats):
        chances[seat] /= total


@rule
def playout_action(t, s, trial, out, stream):
    """The best-looking of `t.care` random actions."""
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

    How often depends on how many actions that tries, more in a long game than in a short one; so forecasts
    take about the same small part of the time in every position, and the same iterations are always followed
    by a forecast.
    """
    while to_move(s) >= 0:
        t.tried += legal(s, out)
        apply(s, np.int64(best_action(s, trial, out, stream, 0, 0.0)))
    scores(s, points)
    for seat in range(t.seats):
        tally.scores[seat] += points[seat]
        tally.wins[seat] += share_of_win(s, seat)
    tally.forecasts += 1
