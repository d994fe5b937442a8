"""What each game forbids at a moment, which clicks attempt it, and how to play towards such moments.

A moment is what the server shows to the seat that decides. A question is the kind of action attempted, a
possible refusal, and the spots to click one after the other; only the last of them is forbidden.
Only the rules know which of the possible refusals it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Moment = dict[str, Any]
Action = dict[str, Any]
Reason = tuple[str, str]  # a kind of action and why it is refused
Question = tuple[str, str, list[str]]
Questions = Callable[[Moment], Iterator[Question]]
Wish = Callable[[Action, Moment, set[Reason]], float]  # how much an action helps to see missing reasons


def each(kind: str, key: str, spots: Iterable[str], after: str | None = None) -> Iterator[Question]:
    """The same question about several spots, each clicked `after` another or by itself."""
    for spot in spots:
        yield kind, key, [after, spot] if after else [spot]


# ------------------------------------------------------------------ Neptune & Vesta


def neptune_vesta(game: Moment) -> Iterator[Question]:
    color = ("red", "blue")[game["seat"]]
    yield from each("place", "cell-taken", (f"cell:{at}" for at in game["board"]))
    others = set(range(1, 11)) - set(game["hand"])
    yield from each("place", "not-in-hand", (f"unseen:{color}:{value}" for value in sorted(others)))


def anything(action: Action, game: Moment, missing: set[Reason]) -> float:
    return 0


# ------------------------------------------------------------------ Venice 2099


def venice(game: Moment) -> Iterator[Question]:
    board, own, phase = game["board"], game["pawns"][game["seat"]], game["phase"]
    others = [at for seat, squares in enumerate(game["pawns"]) if seat != game["seat"] for at in squares]
    free = [at for at in board if at not in {*own, *others, *game["water"]}]
    if phase == "place":
        values = {board[at][-1] for at in own if board[at] != "platform"}
        yield from each("place", "taken", (f"cell:{at}" for at in others))
        yield from each("place", "same-value", (f"cell:{at}" for at in free if board[at][-1] in values))
        yield from each("card", "not-now", (f"card:{card}" for card in game["hand"]))
        yield "gondola", "not-now", ["gondola"]
    elif phase == "rescue":
        yield from each("rescue", "no-quarter", (f"cell:{at}" for at in free if board[at] == "platform"))
    else:
        lowest = game["hand"][0][-1]
        yield from each("card", "not-lowest", (f"card:{card}" for card in game["hand"] if card[-1] != lowest))
        yield from venice_moves(game, own, others, free)
        yield from venice_purchases(game, own)


def venice_moves(game: Moment, own: list[str], others: list[str], free: list[str]) -> Iterator[Question]:
    if game["phase"] != "turn":
        yield from each(
            "walk", game["phase"], (f"cell:{at}" for at in own)
        )  # the phases have the same names as the keys
        return
    yield from each("walk", "no-pawn", (f"cell:{at}" for at in others))
    if game["gondolas"][game["seat"]] == 0:
        yield "gondola", "no-gondola", ["gondola"]
    walks = {(action["from"], action["to"]) for action in game["legal"] if action["do"] == "walk"}
    for start in sorted({start for start, _ in walks}):
        far = (f"cell:{at}" for at in free if (start, at) not in walks)
        yield from each("walk", "out-of-reach", far, f"cell:{start}")
        yield from each("walk", "water", (f"cell:{at}" for at in game["water"]), f"cell:{start}")
        yield from each("walk", "taken", (f"cell:{at}" for at in others), f"cell:{start}")


def venice_purchases(game: Moment, own: list[str]) -> Iterator[Question]:
    """Treasures that cannot be bought: of colors that a pawn stands on, and of others."""
    board = game["board"]
    sold = {board[action["at"]][:-1] for action in game["legal"] if action["do"] == "buy"}
    under = {board[at][:-1] for at in own if board[at] != "platform"}
    for color in sorted({tile[:-1] for tile in board.values() if tile != "platform"} - sold):
        for key in ("bought", "too-dear", "sold-out") if color in under else ("bought", "no-pawn"):
            yield "buy", key, [f"treasure:{color}"]


def venice_wish(action: Action, game: Moment, missing: set[Reason]) -> float:
    """A pawn that falls; then gondolas, and the most expensive treasures."""
    board, own = game["board"], game["pawns"][game["seat"]]
    lowest = [card for card in game["hand"] or [] if card[-1] == game["hand"][0][-1]]
    falls = ("rescue", "no-quarter") in missing
    kind = action["do"]
    if kind == "place":
        return 1 if board[action["at"]] in lowest else 0
    if kind == "card":
        sinks = action["color"] + str(action["value"])
        return 9 if falls and sinks in (board[at] for at in own) else 1
    if kind == "walk":
        if falls:
            return 8 if board[action["to"]] in lowest else 0
        return 3 if ("walk", "moved") in missing else 0
    if kind == "gondola":
        return 0 if falls else 7
    if kind == "buy":
        return 4 + float(game["coins_on"].get(action["at"], 0)) / 100
    return 1 if kind == "rescue" else 0


# ------------------------------------------------------------------ Mille Fiori

LETTERS = {"residence": "R", "harbor": "H"} | dict.fromkeys(("lion", "coin", "cross"), "N")
LETTERS |= dict.fromkeys(("fish", "shell", "crab"), "C")
SEA_END = 20
# The cells of each letter; some can be filled only after others.
OWN_CELLS = {
    "R": [f"R{place}" for place in range(20)],
    "N": ["Nt0", "Nt1", "Nt2"],
    "C": ["Ct0", "Ct1", "Ct2"],
    "H": [f"H{row}2" for row in range(5)],
}


def mille_fiori(game: Moment) -> Iterator[Question]:
    if game["phase"] == "keep":
        others = set(game["display"]) - set(game["hand"])
        yield from each("keep", "not-in-hand", (f"display:{card}" for card in sorted(others)))
        yield "place", "keep-first", ["cell:W0"]
        yield "sail", "keep-first", ["sea:20"]
    elif game["phase"] == "extra":
        yield "place", "extra-card-first", ["cell:W0"]
        if game["discards"] and game["discards"][-1] not in game["display"]:
            yield "extra", "not-in-display", ["pile:discards"]
    else:
        yield from each("extra", "play-the-card", (f"display:{card}" for card in game["display"]))
        yield from each("place", "cell-taken", (f"cell:{at}" for at in game["board"]))
        yield from mille_fiori_cells(game)


def mille_fiori_cells(game: Moment) -> Iterator[Question]:
    """Free cells that the card in play does not reach: most are for other cards."""
    letter = LETTERS.get(game["card"][:-1], "")
    closed = {*game["board"], *(action["cell"] for action in game["legal"] if "cell" in action)}

    def cells(*names: str) -> Iterator[str]:
        return (f"cell:{name}" for name in names if name not in closed)

    for key in ("not-next", "not-supported", "not-leftmost", "wrong-card"):
        yield from each("place", key, cells(*OWN_CELLS.get(letter, ())))
    if letter:
        yield from each("place", "wrong-card", cells(*(f"W{place}" for place in range(30))))
    if game["ships"][game["seat"]] == SEA_END and any("cell" in action for action in game["legal"]):
        yield from each("place", "ship-at-end", ["do:with-ship"] if letter == "H" else [])


def mille_fiori_wish(action: Action, game: Moment, missing: set[Reason]) -> float:
    """Cards that allow a missing question; and far along the sea route, where there are extra cards."""
    if action["do"] in ("keep", "extra"):
        letter = LETTERS.get(action["card"]["type"], "")
        asks = {"R": "not-next", "N": "not-supported", "C": "not-supported", "H": "not-leftmost"}
        if letter == "H" and game["ships"][game["seat"]] == SEA_END:
            asks["H"] = "ship-at-end"
        return 9 if ("place", asks.get(letter, "")) in missing else float(action["card"]["wheel"])
    at_sea = game["ships"][game["seat"]] < SEA_END
    return 1 if at_sea and (action["do"] == "sail" or action.get("sail") is True) else 0


# ------------------------------------------------------------------ Atlantis

ITEMS = ("amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle")
MAINLAND = 53


def atlantis(game: Moment) -> Iterator[Question]:
    phase = game["phase"]
    none = [f"card:{item}" for item in ITEMS if not game["hand"].get(item)]
    if phase == "turn":
        yield from atlantis_moves(game, none)
        yield from atlantis_purchases(game)
    if phase in ("turn", "after"):
        yield from atlantis_bridges(game)
    if phase == "chain":
        yield "draw", "chain", ["deck"]
        yield "end", "chain", ["end"]
        yield from each("on", "not-in-hand", none)
    if phase == "pay":
        yield from each("draw", "owes", (f"space:{place}" for place in game["board"]))
        yield from each("pay", "not-owned", none)
        yield from each("pay", "not-needed", atlantis_too_many(game))
    if phase == "after":
        yield "draw", "after", ["deck"]


def atlantis_moves(game: Moment, none: list[str]) -> Iterator[Question]:
    own = game["pawns"][game["seat"]]
    led = {way["to"] for way in game["previews"]}
    yield "end", "not-now", ["end"]
    if led:
        yield "draw", "can-move", ["deck"]
    yield from each("move", "no-pawn", (f"space:{at}" for at in game["board"] if int(at) not in {*own, *led}))
    yield from each("move", "not-in-hand", none)
    waits = next((at for at in own if at < MAINLAND), None)
    for key in ("too-dear", "blocked"):
        for item in sorted(set(game["hand"]) - {way["card"] for way in game["previews"]}):
            if waits is not None:  # for a card alone the page asks about this pawn
                yield "move", key, [f"card:{item}"]
        for start in sorted({way["from"] for way in game["previews"]}):
            cards = {way["card"] for way in game["previews"] if way["from"] == start}
            for item in sorted(set(game["hand"]) - cards):
                yield "move", key, [f"space:{start}", f"card:{item}"]


def atlantis_purchases(game: Moment) -> Iterator[Question]:
    tiles = game["tiles"][game["seat"]]
    yield from each("buy", "buys-nothing", (f"tile:{item}-1" for item, value in tiles if value == 1))
    if not any(action["do"] == "buy" for action in game["legal"]):
        for key in ("bought", "buy-first", "no-cards"):  # the view does not say which of them
            yield from each("buy", key, (f"tile:{item}-{value}" for item, value in tiles if value > 1))


def atlantis_bridges(game: Moment) -> Iterator[Question]:
    if game["bridges"][game["seat"]] is not None:
        yield "bridge", "no-bridge", ["bridge"]
        return
    yield from each("bridge", "bridged", (f"gap:{gap['after']}" for gap in game["gaps"] if gap["bridge"]))
    if any(action["do"] == "bridge" for action in game["legal"]):
        before_water = {gap["after"] for gap in game["gaps"]}
        dry = (at for at in game["board"] if int(at) not in before_water and int(at) < MAINLAND - 1)
        yield from each("bridge", "no-gap", (f"space:{at}" for at in dry), "bridge")


def atlantis_too_many(game: Moment) -> Iterator[str]:
    """The player's own pieces that would pay too much."""
    for item, value in game["tiles"][game["seat"]]:
        if {"do": "pay", "tile": [item, value]} not in game["legal"]:
            yield f"tile:{item}-{value}"
    for item in game["hand"]:
        if {"do": "pay", "card": item} not in game["legal"]:
            yield f"card:{item}"


def atlantis_wish(action: Action, game: Moment, missing: set[Reason]) -> float:
    """Few cards and tiles, and no pawn far ahead; the bridge late, where something could be bought."""
    if action["do"] == "buy":
        dear = [tile for tile in game["tiles"][game["seat"]] if tile[1] > 1]
        twice = ("buy", "bought") in missing and len(dear) > 1
        return 7 if twice or ("pay", "not-needed") not in missing else -1
    if action["do"] == "bridge":
        early = {("bridge", "bridged"), ("bridge", "no-gap"), ("draw", "after")} & missing
        buys = any(other["do"] == "buy" for other in game["legal"])
        return 8 if game["phase"] == "turn" and buys and not early else -1
    if action["do"] == "pay":
        return 0 if ("pay", "not-needed") in missing else float(action.get("tile", ["", 0])[1])
    way = next((way for way in game["previews"] if is_way(way, action)), None)
    return float(way["goes_on"] - way["from"] / MAINLAND) if way else 0


def is_way(way: Moment, action: Action) -> bool:
    return bool(action.get("card") == way["card"] and action.get("from", way["from"]) == way["from"])


PLAYS: dict[str, tuple[Questions, Wish]] = {
    "neptune-vesta": (neptune_vesta, anything),
    "venice-2099": (venice, venice_wish),
    "mille-fiori": (mille_fiori, mille_fiori_wish),
    "atlantis": (atlantis, atlantis_wish),
}
