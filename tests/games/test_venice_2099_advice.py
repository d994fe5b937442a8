"""Venice 2099: what the teacher says is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import laguna
from laguna.games.venice_2099.advice import FACTS
from tests.every import random_steps
from tests.games.test_venice_2099 import FOUR_EACH, ID, TWELVE, VALUES, stage, value_of
from tests.size import scaled

IMAGINED = 60  # worlds in which a card is looked for that another may hold


def sentences(game: laguna.Game) -> list[str]:
    return [event.sentence for event in game.advice()]


def test_what_is_said_is_so() -> None:
    """In random games; what is said about the end is compared with the end."""
    seen: set[str] = set()
    for seed in range(scaled(4, 40)):
        game = laguna.new(ID, seed=seed, players=2 + seed % 4)
        promises: list[Callable[[Any], bool]] = []
        for _ in random_steps(game, seed):
            said = game.advice()
            assert game.seat is not None and len(said) <= 3
            assert game.imagine(game.seat, 1).advice() == said  # it rests on nothing hidden
            for event in said:
                seen.add(event.key)
                promises += CHECKS[event.key](game, event.arguments)
        assert all(promise(game.view(0)) for promise in promises)
    assert seen == {facts.key for facts in FACTS}


# Each of these checks what can be checked at once, and yields what must hold at the end.


def first(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    view = game.view(game.seat)
    assert min(map(value_of, view["hand"])) == VALUES.index(said.value)
    for at in said.squares:
        assert view["board"][at] in view["hand"] and view["board"][at][-1] == said.value
    yield lambda end: set(said.squares) <= set(end["water"])


def own_card(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    """The card can be played now, or after so many turns and no earlier."""
    cards = [str(action) for action in game.legal() if action.value["do"] == "card"]
    world, me = game.copy(), game.seat
    for _ in range(said.turns):
        assert said.card not in cards
        cards = next_cards(world, me)
    assert said.card in cards and len(cards) == said.others + 1
    if said.turns == 0:
        assert any(event.key == "fell" and event.arguments.seat == me for event in played(game, said.card))
    yield lambda end: said.at in end["water"]


def next_cards(world: laguna.Game, seat: int | None) -> list[str]:
    """Play a card, and go on to this seat's next turn: the cards that it may play then."""
    card = next(action for action in world.legal() if action.value["do"] == "card")
    world.play(card)
    while world.seat != seat or world.view()["phase"] != "turn":
        world.play(world.legal()[-1])
    return [str(action) for action in world.legal() if action.value["do"] == "card"]


def exposed(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    """Nobody else holds a lower card, and somebody may hold each of these."""
    view, hands, me = game.view(game.seat), game.position()["hands"], game.seat
    assert me is not None
    others = [card for seat, hand in enumerate(hands) if seat != me for card in hand]
    assert all(value_of(card) >= VALUES.index(said.value) for card in others)
    for at in said.squares:
        card = view["board"][at]
        assert at in view["pawns"][me] and card[-1] == said.value and card not in view["hand"]
        worlds = (game.imagine(me, seed).position()["hands"] for seed in range(IMAGINED))
        assert any(card in hand for hands in worlds for hand in hands)
    yield from ()


def hits(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    facts = {event.key: event.arguments for event in played(game, said.card)}
    assert (facts["fell"].seat, facts["fell"].at) == (said.seat, said.at) and said.seat != game.seat
    assert ("lost" in facts) == (said.gondolas == 0)
    yield from ()


def bargain(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    world = game.copy()
    if said.how == "walk":
        walks = [action for action in world.legal() if action.value["do"] == "walk"]
        world.play(next(action for action in walks if action.value["to"] == said.at))
    bought = world.play(f"${said.at}").events[0].arguments
    assert (bought.color, bought.price) == (said.color, said.price) and said.price <= said.worth
    assert said.cards == sum(card[:-1] == said.color for card in game.view(game.seat)["hand"])
    yield lambda end: next(e for e in end["market"] if e["color"] == said.color)["worth"] >= said.worth


def safe(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    written = {"walk": f"{said.at}-{said.to}", "gondola": f"{said.at}~{said.to}", "rescue": f"~{said.to}"}
    played(game, written[said.how])
    assert game.view(game.seat)["board"][said.to] == said.tile
    yield lambda end: said.to not in end["water"] and end["pawn_points"][said.to] == said.points


def refuge(game: laguna.Game, said: Any) -> Iterator[Callable[[Any], bool]]:
    view = game.view(game.seat)
    free = [action.value["to"] for action in game.legal() if action.value["do"] == "rescue"]
    points = {at: view["pawn_points"].get(at, 0) for at in free if view["board"][at] not in view["hand"]}
    assert points[said.to] == said.points == max(points.values())
    assert (view["board"][said.to], view["gondolas"][game.seat]) == (said.tile, said.gondolas)
    yield from ()


CHECKS: dict[str, Callable[[laguna.Game, Any], Iterator[Callable[[Any], bool]]]] = {
    "first": first, "own-card": own_card, "exposed": exposed, "hits": hits, "bargain": bargain, "safe": safe,
    "refuge": refuge,
}  # fmt: skip


def played(game: laguna.Game, action: str) -> Any:
    return game.copy().play(action).events


# ------------------------------------------------------------------ positions


def test_the_only_lowest_card_sinks_the_own_pawn() -> None:
    """The pawn on g4 must leave, and near the end a gondola is worth it; two of three cards are red."""
    game = stage(["g4 a7", "b7 c7 d7 e7", "b8 c8 d8 e8"], "red8 redX azureX")
    assert sentences(game) == [
        "Your own card red8 sinks the quarter under your pawn on g4 now.",
        "On g4 a treasure (red) costs 1 coin and will score at least 3 points.",
        "Your pawn on g4 can go by gondola to a1: black2 can never sink any more.",
    ]


def test_a_pawn_on_the_lowest_value_and_a_treasure_within_a_walk() -> None:
    """All but the 2 of red are in this hand, so that a red treasure will be worth 6."""
    game = stage(FOUR_EACH, TWELVE)
    assert sentences(game) == [
        "Your pawn on b1 stands on value 3, the lowest that others may still hold.",
        "On a4, where a pawn can walk, a treasure (red) costs 1 coin and will score at least 6 points.",
    ]


def test_a_pawn_that_no_gondola_can_save() -> None:
    pawns = ["h1 h4 h3 h8", "g4 b7 c7 d7", "a8 b8 c8 d8"]
    game = stage(pawns, "red8 azureX violetX", fields={"gondolas": [1, 0, 2]})
    assert sentences(game)[0] == "Your red8 sinks g4 under a pawn of Player 2, who has no gondola."


def test_a_rescue_is_worth_most_on_an_x_and_safe_on_a_2() -> None:
    game = stage(["d1 h4 h3 h8", "g4 b7 c7 d7", "a8 b8 c8 d8"], "black5 red7 red8 redX azureX violetX")
    game.play("black5")
    assert sentences(game) == [
        "brownX on h2 scores most of the free quarters now: 10.",
        "Your fallen pawn can be saved on a1: black2 can never sink any more.",
    ]
