"""Atlantis: what the teacher says is true."""

from __future__ import annotations

from typing import Any

import laguna
from laguna.games.atlantis.advice import FACTS
from laguna.games.atlantis.components import MAINLAND
from tests.every import random_steps
from tests.games.test_atlantis import ID, happened, stage
from tests.size import scaled


def sentences(game: laguna.Game) -> list[str]:
    return [event.sentence for event in game.advice()]


def test_what_is_said_is_so() -> None:
    """In random games, by playing what is spoken of on copies."""
    seen: set[str] = set()
    for seed in range(scaled(9, 60)):
        game = laguna.new(ID, seed=seed, players=2 + seed % 3)
        for _ in random_steps(game, seed):
            said = game.advice()
            assert game.seat is not None and len(said) <= 3
            assert game.imagine(game.seat, 1).advice() == said  # it rests on nothing hidden
            for event in said:
                seen.add(event.key)
                CHECKS[event.key](game, event.arguments)
    assert seen == {facts.key for facts in FACTS}


def moved(game: laguna.Game, start: int, card: str) -> tuple[laguna.Game, laguna.Entry]:
    """After this card, on a copy."""
    world = game.copy()
    chained = game.view()["phase"] == "chain"
    return world, world.play(
        {"do": "on", "card": card} if chained else {"do": "move", "from": start, "card": card}
    )


def ends(game: laguna.Game, said: Any) -> None:
    world, entry = moved(game, said.start, said.card)
    assert world.over and happened(entry, "arrived")
    others = [score for seat, score in enumerate(world.scores) if seat != game.seat]
    assert game.seat is not None
    assert (world.scores[game.seat], max(others)) == (said.score, said.best)
    won = "loss" if game.seat not in world.winners else "win" if len(world.winners) == 1 else "tie"
    assert won == said.outcome


def debt(game: laguna.Game, said: Any) -> None:
    """What the rules would settle if the game ended here: the tolls from each pawn to the mainland."""
    assert game.view()["pawns"][said.seat].count(MAINLAND) == 2 and said.seat != game.seat
    assert game.seat is not None and game.scores[game.seat] == said.means
    toll, pawns = game.state.toll.tolist(), game.view()["pawns"][game.seat]
    assert sum(toll[MAINLAND] - toll[pawn] for pawn in pawns) == said.due


def home(game: laguna.Game, said: Any) -> None:
    world, entry = moved(game, said.start, said.card)
    assert happened(entry, "card")[-1]["to"] == MAINLAND and not world.over
    assert sum(owed["cost"] for owed in happened(entry, "owes")) == said.cost


def tile(game: laguna.Game, said: Any) -> None:
    """No single card brings more; each move is played to the tile, paid as proposed."""
    view = game.view(game.seat)
    brings = {}
    for way in view["previews"]:
        if way["goes_on"]:
            continue
        world, entry = moved(game, way["from"], way["card"])
        events, seat = list(entry.events), game.seat
        while world.seat == seat and world.view()["phase"] == "pay":
            events += world.play(world.view(seat)["payment"][0]).events
        took = [event.arguments for event in events if event.key == "took"]
        owed = sum(event.arguments.cost for event in events if event.key == "owes")
        brings[way["from"], way["card"]] = (took[0].points if took else 0) - owed
        if (way["from"], way["card"]) == (said.start, said.card):
            assert (took[0].tile, owed, way["to"]) == (said.tile, said.cost, said.to)
    assert brings[said.start, said.card] == said.tile.value - said.cost == max(brings.values())


def unbridged(game: laguna.Game, said: Any) -> None:
    """With the bridge the end would cost each pawn so much less."""
    world = game.copy()
    world.play({"do": "bridge", "after": said.after})
    pawns = game.view()["pawns"]
    ahead = [sum(pawn <= said.after for pawn in own) for own in pawns]
    assert game.seat is not None
    assert (ahead[game.seat], sum(ahead) - ahead[game.seat]) == (said.pawns, said.others)
    before, after = (
        next(each for each in view["gaps"] if each["after"] == said.after)
        for view in (game.view(), world.view())
    )
    assert (before["cost"], before["before"], after["cost"]) == (said.cost, said.before, 0)


def trade_in(game: laguna.Game, said: Any) -> None:
    assert game.seat is not None
    lost = {}
    for action in game.legal():
        if action.value["do"] == "buy":
            world = game.copy()
            world.play(action)
            lost[tuple(action.value["tile"])] = game.scores[game.seat] - world.scores[game.seat]
    assert lost[said.tile.item, said.tile.value] == said.tile.value - said.cards == min(lost.values())
    assert game.view()["hand_sizes"][game.seat] == said.held


CHECKS = {
    "ends": ends, "debt": debt, "home": home, "tile": tile, "unbridged": unbridged, "trade-in": trade_in,
}  # fmt: skip


# ------------------------------------------------------------------ positions
PATH = "10:lyre5 11:coins6 12:olive3 14:weapon4 15:coins3"


def test_a_card_that_wins_the_game() -> None:
    pawns, tiles = [[10, 53, 53], [0, 11, 53]], ["olive7", "coins7"]
    game = stage("10:lyre5 11:coins2 12:olive3", hands=["lyre coins", "olive"], pawns=pawns, tiles=tiles)
    assert sentences(game) == ["A card (lyre) brings your third pawn home and ends the game at 15 to 8."]
    assert game.advice()[0].arguments.outcome == "win"


def test_another_is_about_to_end_the_game() -> None:
    """All three pawns have the water that costs 3 ahead of them."""
    pawns, tiles = [[10, 0, 0], [11, 53, 53]], ["olive6 wreath4", "coins7"]
    game = stage(PATH, hands=["olive", "olive"], pawns=pawns, tiles=tiles)
    assert sentences(game) == [
        "Player 2 can end the game with one more pawn; you would then owe 9 for the water ahead.",
        "A card (olive) leads from space 10 to space 12 and brings lyre 5.",
        "You have 1 card: wreath 4 can be traded in for 2 more.",
    ]


def test_water_that_a_bridge_would_make_free() -> None:
    pawns, tiles = [[10, 0, 0], [11, 53, 0]], ["olive6 wreath4", "coins7"]
    game = stage(PATH, hands=["weapon sickle", "olive"], pawns=pawns, tiles=tiles, bridges=[None, 44])
    assert sentences(game) == [
        "A card (sickle) brings a pawn home for 3: then you draw a card more every turn.",
        "The water between spaces 12 and 14 costs 3, for 3 pawns of yours; your bridge makes it free.",
    ]
