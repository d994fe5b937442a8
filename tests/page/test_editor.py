"""The board editor: positions built by hand in each game, refused in words, undone, shared, and played on."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import laguna
from tests.page.conftest import Visits
from tests.page.games import GAMES, in_turn
from tests.page.test_axe import examine
from tests.page.visitor import Visitor, play
from tests.size import scaled

HIDDEN = ("stacks", "chance", "deck")  # what a position may leave out

# A file of this text is dropped on the page.
DROP = """text => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "mine.position.json", { type: "application/json" }));
  for (const kind of ["dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


def start_of(game: str, **options: Any) -> dict[str, Any]:
    position = laguna.new(game, seed=7, **options).position()
    return {name: value for name, value in position.items() if name not in HIDDEN}


def link_to(position: dict[str, Any]) -> str:
    """As docs/editor.md describes it."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(position).encode()) + packer.flush()
    return f"/editor/{position['game']}#position={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def position_in(url: str) -> Any:
    packed = url.partition("#position=")[2]
    content = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    return json.loads(zlib.decompress(content, -zlib.MAX_WBITS))


def open_editor(visitor: Visitor, path: str) -> None:
    visitor.forgiven = ["422"]  # impossible positions
    visitor.go(path)
    possible(visitor)


def possible(visitor: Visitor) -> None:
    visitor.page.wait_for_selector("[data-verdict=possible]", timeout=60_000)


def refused(visitor: Visitor, sentence: str) -> None:
    """Until that is what is wrong, as the page says."""
    visitor.page.wait_for_function(
        "text => document.querySelector('[data-verdict=impossible] [data-problem]')?.textContent === text",
        arg=sentence,
    )


def spot(name: str) -> str:
    return f'[data-spot="{name}"]'


def piece(name: str, tray: str = "") -> str:
    within = f'[data-tray="{tray}"]' if tray else "[data-supply]"
    return f'{within} [data-piece="{name}"]'


def tray(path: str) -> str:
    return f'[data-tray="{path}"] .label'


def drag(visitor: Visitor, source: str, target: str) -> None:
    """With the mouse, from the middle of one to the middle of the other."""
    visitor.page.locator(source).first.scroll_into_view_if_needed()
    for selector, act in ((source, visitor.page.mouse.down), (target, visitor.page.mouse.up)):
        box = visitor.page.locator(selector).first.bounding_box()
        assert box is not None, selector
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        visitor.page.mouse.move(x, y, steps=4)
        act()


def choose(visitor: Visitor, field: str, label: str) -> None:
    visitor.page.select_option(f'[data-field="{field}"]', label=label)


def becomes(visitor: Visitor, name: str, value: Any) -> None:
    """Until the position that the address links to has this in a field."""
    for _ in range(200):
        position = position_in(visitor.page.url)
        if position[name] == value:
            return possible(visitor)
        visitor.page.wait_for_timeout(30)
    raise AssertionError(f"{name} is {position[name]}")


def build_neptune_vesta(visitor: Visitor) -> None:
    start = start_of("neptune-vesta", rounds=1)  # Neptune starts
    open_editor(visitor, link_to(start))
    drag(visitor, piece("blue:7"), spot("cell:Ra1"))
    refused(visitor, "By the number of tiles, it is the turn of Vesta.")
    visitor.do("show-wrong")
    assert visitor.page.get_attribute("[data-field=turn]:focus", "aria-invalid") == "true"
    choose(visitor, "turn", "Vesta")
    becomes(visitor, "board", start["board"] | {"Ra1": ["blue", 7]})
    drag(visitor, spot("cell:Ra1"), spot("cell:Re5"))
    becomes(visitor, "board", start["board"] | {"Re5": ["blue", 7]})
    drag(visitor, spot("cell:Rc3"), "h1")  # off the board
    refused(visitor, "In the center of the red zone there is always a red tile.")
    assert visitor.page.get_attribute("#board", "data-wrong") == "cell:Rc3"


def build_venice_2099(visitor: Visitor) -> None:
    start = start_of("venice-2099", players=2)
    open_editor(visitor, link_to(start))
    drag(visitor, spot("cell:a1"), spot("cell:b2"))
    tiles = start["board"]
    becomes(visitor, "board", tiles | {"a1": tiles["b2"], "b2": tiles["a1"]})
    drag(visitor, piece("pawn:0"), spot("cell:a1"))
    refused(visitor, "Player 1 cannot be next to place a pawn when the players have placed 1 and 0.")
    assert visitor.page.get_attribute("#board", "data-wrong") == "cell:a1"
    choose(visitor, "turn", "Player 2")
    becomes(visitor, "pawns", [["a1"], []])
    drag(visitor, piece("coins:3"), spot("cell:a1"))
    visitor.page.wait_for_selector("[data-verdict=impossible]")


def build_atlantis(visitor: Visitor) -> None:
    start = start_of("atlantis", players=2)
    open_editor(visitor, link_to(start))
    drag(visitor, piece("card:lyre"), tray("hands[0]"))
    hand, other = start["hands"]
    becomes(visitor, "hands", [hand | {"lyre": hand.get("lyre", 0) + 1}, other])
    drag(visitor, piece("pawn:0"), spot("space:5"))
    becomes(visitor, "pawns", [[0, 0, 5], [0, 0, 0]])
    drag(visitor, spot("space:3"), tray("tiles[0]"))
    becomes(visitor, "tiles", [[start["board"]["3"][1]], []])
    drag(visitor, piece("pawn:1"), spot("space:5"))
    refused(visitor, "Two pawns stand on space 5.")
    assert "space:5" in str(visitor.page.get_attribute("#board", "data-wrong"))


def build_mille_fiori(visitor: Visitor) -> None:
    start = start_of("mille-fiori", players=2)
    open_editor(visitor, link_to(start))
    first = start["hands"][0][0]
    other = next(card for card in ("swan1", "lion5", "crab2") if card not in str(start))  # in the deck
    drag(visitor, piece(f"card:{first}", "hands[0]"), spot("pile:deck"))
    refused(visitor, "Red has 4 cards in hand instead of 5.")
    assert visitor.page.locator('[data-tray="hands[0]"][data-wrong]').count() == 1
    drag(visitor, piece(f"card:{other}"), tray("hands[0]"))
    becomes(visitor, "hands", [[*start["hands"][0][1:], other], start["hands"][1]])
    drag(visitor, piece("lozenge:0"), spot("cell:R1"))
    refused(visitor, "Residences are filled in order, and the one before is still free.")
    assert visitor.page.get_attribute("#board", "data-wrong") == "cell:R1"


BUILD = {
    "neptune-vesta": build_neptune_vesta,
    "venice-2099": build_venice_2099,
    "atlantis": build_atlantis,
    "mille-fiori": build_mille_fiori,
}


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_built_refused_undone_shared_and_played_on(visit: Visits, game: str) -> None:
    ada = visit()
    BUILD[game](ada)  # the last change was impossible
    assert ada.page.locator("[data-do=play-on]").is_disabled()
    ada.do("undo")
    ada.do("share-link")
    link = ada.page.input_value("dialog[open] input[readonly]")
    built = position_in(link)
    if game not in in_turn(GAMES.index("neptune-vesta")):
        return

    ben = visit(language="it", look="dark", confirm="none")
    open_editor(ben, link.removeprefix(ben.site))
    assert position_in(ben.page.url) == built
    ben.do("play-on")
    ben.do("open")
    ben.page.wait_for_url("**/table/*", timeout=60_000)
    table = ben.to_table()
    view = ben.view(table)
    assert view["game"]["players"] == built["players"] and view["settings"]["options"] == built["options"]
    assert play([ben], steps=4) == 4
    assert ben.view(table)["game"]["actions"] > 0


def test_by_tap_on_a_phone(visit: Visits) -> None:
    ada = visit(size="phone", look="dark")
    start = start_of("neptune-vesta")
    open_editor(ada, link_to(start))
    ada.page.tap(piece("red:7"))
    ada.page.wait_for_selector('[data-held="red:7"]')
    for cell in ("Ra1", "Rb1"):  # a new piece stays in hand for the next place
        ada.page.tap(spot(f"cell:{cell}"))
    visitor_has(ada, {"Ra1", "Rb1"})
    ada.do("release")
    ada.page.tap(spot("cell:Rb1"))
    ada.do("remove")
    visitor_has(ada, {"Ra1"})
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert examine(ada) == []


def visitor_has(visitor: Visitor, cells: set[str]) -> None:
    """Besides the two centers, these cells have tiles, as screen readers are told."""
    tiles = "[data-spot^='cell:']:not([aria-label$='free.']):not([aria-label$='free'])"
    visitor.page.wait_for_function(
        "([tiles, count]) => document.querySelectorAll(tiles).length === count", arg=[tiles, len(cells) + 2]
    )
    shown = visitor.page.eval_on_selector_all(
        tiles, "spots => spots.map((spot) => spot.dataset.spot.slice(5))"
    )
    assert set(shown) == cells | {"Rc3", "Bc3"}


def test_by_keyboard(visit: Visits) -> None:
    ada = visit()
    start = start_of("neptune-vesta")
    open_editor(ada, link_to(start))
    ada.page.focus(piece("blue:2"))
    ada.page.keyboard.press("ArrowRight")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector('[data-held="blue:3"]')
    ada.page.focus(spot("cell:Bc3"))
    for key in ("ArrowRight", "Enter", "Escape"):
        ada.page.keyboard.press(key)
    visitor_has(ada, {"Bd3"})
    ada.page.keyboard.press("Delete")
    visitor_has(ada, set())
    for keys, cells in (("Control+z", {"Bd3"}), ("Control+z", set()), ("Control+Shift+z", {"Bd3"})):
        ada.page.keyboard.press(keys)
        visitor_has(ada, cells)
    ada.forgiven.append("400")
    ada.page.evaluate(DROP, "{")
    refused(ada, "This is not valid JSON.")
    ada.page.keyboard.press("Control+z")
    visitor_has(ada, set())
    possible(ada)  # what was not taken is forgotten


def test_text_files_and_links_are_checked_before_they_are_taken(visit: Visits, tmp_path: Path) -> None:
    ada = visit()
    start = start_of("neptune-vesta")
    open_editor(ada, link_to(start))
    ada.do("text")
    for text, said in (
        ("{", "This is not valid JSON."),
        (json.dumps(start | {"lighthouse": 10}), "With the lighthouse on 10 the round is over."),
    ):
        ada.forgiven.append("400")
        ada.page.fill("[data-text]", text)
        ada.do("apply")
        ada.page.wait_for_selector(f"dialog [role=alert]:text-is({json.dumps(said)})")
    ada.page.fill("[data-text]", json.dumps(start | {"lighthouse": 4}))
    ada.do("apply")
    ada.page.wait_for_selector("dialog[open]", state="hidden")
    becomes(ada, "lighthouse", 4)

    game = laguna.new("venice-2099", players=2, seed=3)
    game.play(game.legal()[5])
    file = tmp_path / "mine.laguna.json"
    file.write_text(game.dumps(), encoding="utf-8")
    ada.page.set_input_files("input[type=file]", file)  # a game of another kind: its own editor opens
    ada.page.wait_for_url("**/editor/venice-2099#position=*")
    becomes(ada, "pawns", game.position()["pawns"])
    with ada.page.expect_download() as saved:
        ada.do("download")
    saved.value.save_as(tmp_path / "mine.position.json")
    assert laguna.load(tmp_path / "mine.position.json").position()["pawns"] == game.position()["pawns"]

    ada.page.evaluate(DROP, " " * 1_000_001)
    too_large = "The file is larger than 1 MB."
    ada.page.wait_for_selector(f"[data-verdict=impossible] [data-problem]:text-is({json.dumps(too_large)})")
    ada.page.evaluate(DROP, json.dumps(start))
    ada.page.wait_for_url("**/editor/neptune-vesta#position=*")
    becomes(ada, "board", start["board"])

    table = ada.open_table("neptune-vesta", ["me", "turtle"])
    ada.forgiven.append("409")
    running = "Until a game is over, its positions cannot be opened here."
    open_editor_refused(ada, f"/editor/neptune-vesta#table={table}/0", running)
    ada.ask("POST", f"/tables/{table}/resign", {"seat": 0})
    open_editor(ada, f"/editor/neptune-vesta#table={table}/0")
    assert len(position_in(ada.page.url)["board"]) == 2
    open_editor_refused(ada, "/editor/atlantis#position=AAAA", "This link to a position is damaged.")
    wrong = link_to(start | {"round": 2, "wins": [2, 0]})
    open_editor_refused(ada, wrong, "2 rounds are won, but only 1 is over.")


def wrong_positions() -> dict[str, dict[str, Any]]:
    """An impossible position of each game, and one that is not of the right form."""
    mosaic = start_of("mille-fiori", players=2)
    mosaic["hands"][0].pop()
    two = start_of("neptune-vesta") | {"round": 2, "wins": [2, 0]}
    rich = start_of("venice-2099", players=2) | {"coins": [15, 11]}
    crowded = start_of("atlantis", players=2) | {"pawns": [[0, 0, 5], [0, 0, 5]]}
    formless = start_of("neptune-vesta") | {"turn": 9}
    return {"two": two, "rich": rich, "crowded": crowded, "mosaic": mosaic, "formless": formless}


SAID = {
    "ru": {
        "two": "Выиграно раундов: 2, а закончено только 1.",
        "rich": "Игрок 1: 15 монет, а в начале их было 11.",
        "crowded": "На клетке 5 стоят две фишки.",
        "mosaic": "Красный: 4 карты на руке, а должно быть 5.",
        "formless": "turn: число должно быть не больше 1.",
    },
    "it": {
        "two": "Round vinti: 2, ma finiti solo 1.",
        "rich": "Giocatore 1 ha 15 monete, più delle 11 dell’inizio.",
        "crowded": "Sulla casella 5 ci sono due pedine.",
        "mosaic": "Rosso ha 4 carte in mano invece di 5.",
        "formless": "turn: deve essere al massimo 1.",
    },
}


@pytest.mark.parametrize("language", scaled(["ru"], list(SAID)))
def test_what_is_impossible_is_said_in_the_players_language(visit: Visits, language: str) -> None:
    ada = visit(language=language)
    ada.forgiven = ["422"]
    for name, position in wrong_positions().items():
        open_editor_refused(ada, link_to(position), SAID[language][name])


def open_editor_refused(visitor: Visitor, path: str, said: str) -> None:
    visitor.go(path)
    refused(visitor, said)
    assert visitor.page.locator("[data-do=play-on]").is_enabled(), "there is a dealt position instead"


def test_from_the_set_up_page_and_with_other_players(visit: Visits) -> None:
    ada = visit()
    ada.forgiven = ["422"]
    ada.go("/new/venice-2099")
    ada.page.click("[data-do=editor]")
    possible(ada)
    ada.page.select_option("[data-do=players]", "5")
    ada.page.wait_for_selector('[data-tray="hands[4]"]')
    becomes(ada, "players", 5)
    shown = "document.querySelector('[data-field=turn]').selectedOptions[0].label === "
    for act, label in (
        (lambda: choose(ada, "turn", "Player 3"), "Player 3"),
        (lambda: ada.do("undo"), "Player 1"),
    ):
        act()
        ada.page.wait_for_function(shown + json.dumps(label))
    ada.page.select_option("[data-do=game]", "mille-fiori")
    ada.page.wait_for_selector('[data-tray="display"]')
    assert "/editor/mille-fiori" in ada.page.url
