"""Mille Fiori: what the teacher says is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

import laguna
from laguna.games.mille_fiori import rules
from laguna.games.mille_fiori.actions import CODE_OF, Place, Sail
from laguna.games.mille_fiori.advice import FACTS
from laguna.games.mille_fiori.components import CELL_TYPE, TYPES
from laguna.games.mille_fiori.events import events
from laguna.games.mille_fiori.names import CARD_NUMBERS, CELL_NAMES
from laguna.kernel import calls
from laguna.kernel.records import alone, plain
from tests.every import random_steps
from tests.games.test_mille_fiori import GREEN, ID, RED, stage
from tests.size import scaled


def sentences(game: laguna.Game) -> list[str]:
    return [event.sentence for event in game.advice()]


def test_what_is_said_is_so() -> None:
    """In random games, to everyone who decides, by playing what is spoken of on copies."""
    seen: set[str] = set()
    for seed in range(scaled(6, 40)):
        draft = "open" if seed % 4 == 3 else "secret"
        game = laguna.new(ID, seed=seed, players=2 + seed % 3, draft=draft)
        for _ in random_steps(game, seed):
            for seat in game.deciders:
                said = game.advice(seat)
                assert len(said) <= 3
                assert game.imagine(seat, 1).advice(seat) == said  # it rests on nothing hidden
                for event in said:
                    seen.add(event.key)
                    CHECKS[event.key](game, seat, event.arguments)
    assert seen == {facts.key for facts in FACTS}


def brought(game: laguna.Game, seat: int, card: str, action: Any) -> list[Any]:
    """What happens if this seat plays this card now, whatever phase it is."""
    records = alone(rules.STATE, game.state_bytes())
    if game.view()["phase"] == "extra" and card in game.view()["display"]:
        records["display"][0, CARD_NUMBERS[card]] -= 1
    records["phase"], records["turn"], records["extra_card"] = rules.PLAYING, seat, CARD_NUMBERS[card]
    calls.act(records, CODE_OF[action])
    return events(plain(records[0]))


def action_of(said: Any) -> Any:
    """A ship's cell with sailing, if a space is named too."""
    if said.cell is UNSET:
        return Sail()
    return Place(said.cell, said.space is not UNSET if said.cell[0] == "H" else UNSET)


def points(happened: list[Any], seat: int) -> int:
    scored = [event.arguments for event in happened if event.key in ("points", "bonus")]
    return sum(each.points for each in scored if each.seat == seat)


def bonus(game: laguna.Game, seat: int, said: Any) -> None:
    happened = brought(game, seat, said.card, action_of(said))
    taken = next(event.arguments for event in happened if event.key == "bonus")
    assert (taken.seat, taken.group, taken.points) == (seat, said.group, said.bonus)
    assert points(happened, seat) == said.points


def extra_card(game: laguna.Game, seat: int, said: Any) -> None:
    happened = brought(game, seat, said.card, action_of(said))
    assert any(event.key == "extra-card" and event.arguments.seat == seat for event in happened)
    assert points(happened, seat) == said.points


def most(game: laguna.Game, seat: int, said: Any) -> None:
    assert points(brought(game, seat, said.card, action_of(said)), seat) == said.points
    assert max(prospect["most"] for prospect in game.view(seat)["prospects"]) == said.points


def gives(game: laguna.Game, seat: int, said: Any) -> None:
    card = game.view(seat)["card"]
    happened = [
        brought(game, seat, card, action.struct)
        for action in game.legal()
        if action.value.get("cell") == said.cell
    ]
    assert any(
        (points(each, seat), points(each, said.seat)) == (said.points, said.theirs) for each in happened
    )
    assert said.theirs > said.points == max(game.view(seat)["prospects"][0]["cells"].values())


def passed_on(game: laguna.Game, seat: int, said: Any) -> None:
    """If the neighbor had the card now, some way to play it would earn the bonus."""
    assert said.seat == (seat + 1) % game.players and said.card in game.view(seat)["hand"]
    prospect = next(each for each in game.view(seat)["prospects"] if each["card"] == said.card)
    taken = [
        (event.arguments.seat, event.arguments.group, event.arguments.points)
        for cell in prospect["cells"]
        for event in brought(game, said.seat, said.card, Place(cell))
        if event.key == "bonus"
    ]
    assert (said.seat, said.group, said.points) in taken


def one_missing(game: laguna.Game, seat: int, said: Any) -> None:
    """With the missing card, if there is one, a lozenge would earn the bonus; no card at hand does."""
    view = game.view(seat)
    for prospect in view["prospects"]:
        for cell in prospect["cells"]:
            if cell[0] == said.group[0].upper():
                happened = brought(game, seat, prospect["card"], Place(cell))
                assert all(event.key != "bonus" for event in happened)
    assert (said.missing is UNSET) == (said.group == "residences")
    kind = "residence" if said.missing is UNSET else said.missing
    cells = [name for name, shown in zip(CELL_NAMES, CELL_TYPE, strict=True) if TYPES[shown] == kind]
    taken = [
        (event.arguments.group, event.arguments.points)
        for cell in cells
        if cell not in view["board"]
        for event in brought(game, seat, f"{kind}1", Place(cell))
        if event.key == "bonus"
    ]
    assert taken and set(taken) == {(said.group, said.points)}
    assert seat not in view["bonus"][said.group]


def end_near(game: laguna.Game, seat: int, said: Any) -> None:
    view = game.view(seat)
    assert view["supply"][said.seat] == said.left
    if said.reason == "deck":
        assert view["round"] == view["rounds"] and view["deck_size"] == 0
    else:
        assert 0 < said.left == min(view["supply"]) <= 3


CHECKS: dict[str, Callable[[laguna.Game, int, Any], None]] = {
    "bonus": bonus, "extra-card": extra_card, "most": most, "gives": gives, "passed-on": passed_on,
    "one-missing": one_missing, "end-near": end_near,
}  # fmt: skip


# ------------------------------------------------------------------ positions


def test_a_good_that_gives_another_more() -> None:
    """M28, M30: Green has three swans; a fourth lozenge brings Red 4, Green 12, and an extra card."""
    game = stage("swan1", {GREEN: "Tswan0 Tswan1 Tswan2"})
    assert sentences(game) == [
        "swan1 on Tswan3 earns an extra card and brings 4 points.",
        "Tswan3 brings you 4, but Green 12.",
    ]


def test_a_bonus_cell_within_reach() -> None:
    """M15–M17: only quartz is missing; W12 joins W3 and W11, and W9 is the third around a symbol."""
    game = stage("quartz2", {RED: "W1 W3 W11", GREEN: "W2"})
    assert sentences(game) == [
        "quartz2 on W12 earns the bonus cell of 20 (workshops): 23 points in all.",
        "quartz2 on W9 earns an extra card and brings 22 points.",
    ]


def test_an_extra_card_to_choose() -> None:
    """M34: Red's ship is on 7, so that a wheel of 5 takes it to space 12; swans are missing for the trade."""
    lozenges = {RED: "Tgoblet0 Tcarafe1 Tearrings2"}
    game = stage(None, lozenges, phase="extra", display=["lion2", "ash5", "quartz1"])
    assert sentences(game) == [
        "ash5, sailing to space 12, brings most now: 10 points.",
        "You lack only swan for the bonus cell of 20 (trade).",
    ]
