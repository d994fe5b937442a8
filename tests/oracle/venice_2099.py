"""Venice 2099, two to five players: the naive referee of clauses V1–V22a.

Written from the rule spec alone, so that a disagreement with the engine means
that one of the two has misread a clause. Nothing is hidden here (V23), and the
three options that an edition names (V22) are given one by one.

A square is text such as "c4". A tile or a card is a pair (color, value); every
platform is ("platform", ""). A quarter under water keeps its pair, its square
is in `sunk`.
"""

from typing import TypedDict

from .chance import Stream

Action = dict[str, str]
Tile = tuple[str, str]
Event = tuple[str | int, ...]

COLORS = ["black", "brown", "azure", "red", "violet", "green"]
VALUES = ["2", "3", "4", "5", "6", "7", "8", "X"]
NEVER_SINKS = "2"
PLATFORM = ("platform", "")

PLAYERS = [2, 3, 4, 5]
SIDE = {2: 6, 3: 8, 4: 8, 5: 8}  # players: squares along one side
PLATFORMS = {2: 6, 3: 16, 4: 16, 5: 16}
OUT_FOR_TWO = ["7", "8"]
CARDS_EACH = {2: 10, 3: 12, 4: 9, 5: 7}
PAWNS_EACH = {2: 3, 3: 4, 4: 3, 5: 3}
GONDOLAS_EACH = 2
TREASURES_PER_COLOR = 10

MOVES = ["queen", "rook", "walk"]
RESCUE = ["any", "quarter"]
X_SCORES = ["count", "values"]
TIE_BREAK = ["pawn_points", "pawns"]

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]

TREASURE_WORTH = {1: 6, 2: 3, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}  # quarters above water: points

ALLOWED_NOW = {
    "setup": "place a pawn on a free tile, your pawns on different values (V7)",
    "turn": "first move, then buy, then play a card of your lowest value; nothing twice (V8)",
    "rescue": "bring the fallen pawn to a free tile by gondola, or let it sink (V14)",
    "over": "the game is over (V16)",
}


class Points(TypedDict):
    """V17–V20: where a player's points come from."""

    treasures: dict[str, int]
    pawns: dict[str, int]
    coins: int


def by_value_then_color(card: Tile) -> tuple[int, int]:
    """V12: the order of a hand, 3 < … < 8 < X."""
    color, value = card
    return VALUES.index(value), COLORS.index(color)


def neighbor(square: str, direction: tuple[int, int]) -> str:
    """The next square in a direction; beyond the edge a name that no tile has."""
    return chr(ord(square[0]) + direction[0]) + str(int(square[1:]) + direction[1])


class Match:
    """One game. `seat` decides now, `turn` is whose turn it is; both stay when it is over.

    `coins_on` has only squares with coins. A pawn that has fallen is in `fallen`,
    as (seat, square it fell from), and in nobody's `pawns` until it is rescued.

    `events` tells what the last action did:
    ("bought", seat, color, price), ("sank", square), ("washed away", square, coins),
    ("fell", seat, square), ("rescued", seat, square), ("lost", seat).
    """

    def __init__(
        self,
        seed: int,
        players: int,
        moves: str = "queen",
        rescue: str = "any",
        x_scores: str = "count",
        tie_break: str = "pawn_points",
    ) -> None:
        if players not in PLAYERS:
            raise ValueError(f"Two to five players can play, not {players} (V5).")
        if moves not in MOVES:
            raise ValueError(f"A pawn moves as queen, rook or walk, not as {moves} (V9).")
        if rescue not in RESCUE:
            raise ValueError(f"A pawn is rescued to any or quarter, not to {rescue} (V14).")
        if x_scores not in X_SCORES:
            raise ValueError(f"An X scores count or values, not {x_scores} (V19).")
        if tie_break not in TIE_BREAK:
            raise ValueError(f"A tie is broken by pawn_points or pawns, not by {tie_break} (V21).")
        self.players = players
        self.moves = moves
        self.rescue = rescue
        self.x_scores = x_scores
        self.tie_break = tie_break

        self.missing_color: str | None = None
        self.squares: list[str] = []  # in reading order: a1, b1, …
        self.tiles: dict[str, Tile] = {}
        self.sunk: set[str] = set()
        self.coins_on: dict[str, int] = {}
        self.hands: list[list[Tile]] = []
        self.put_away: list[Tile] = []
        self.played: list[Tile] = []
        self.pawns: list[list[str]] = [[] for _ in range(players)]
        self.fallen: tuple[int, str] | None = None
        self.coins = [CARDS_EACH[players] + 1 for _ in range(players)]  # V6
        self.gondolas = [GONDOLAS_EACH for _ in range(players)]  # V6
        self.treasures = [dict.fromkeys(COLORS, 0) for _ in range(players)]
        self.events: list[Event] = []
        self.lay_tiles(Stream(seed, 0))
        self.deal_cards(Stream(seed, 1))

        self.phase = "setup"
        self.over = False
        self.turn = 0  # V7
        self.seat = 0
        self.moved = False
        self.bought = False

    # Setup

    def quarters_in_play(self) -> list[Tile]:
        """V1, V4: by color, then by value; with two players without 7, 8 and one color."""
        quarters = []
        for color in COLORS:
            for value in VALUES:
                if self.players == 2 and value in OUT_FOR_TWO:
                    continue
                if color == self.missing_color:
                    continue
                quarters.append((color, value))
        return quarters

    def lay_tiles(self, stream: Stream) -> None:
        """V4: all tiles in play shuffled into a square, row by row from a1."""
        if self.players == 2:
            self.missing_color = COLORS[stream.draw(len(COLORS))]
        tiles = self.quarters_in_play()
        for _ in range(PLATFORMS[self.players]):
            tiles.append(PLATFORM)
        stream.shuffle(tiles)
        side = SIDE[self.players]
        for row in "12345678"[:side]:
            for column in "abcdefgh"[:side]:
                self.squares.append(column + row)
        self.tiles = dict(zip(self.squares, tiles, strict=True))

    def deal_cards(self, stream: Stream) -> None:
        """V2, V5: a card for each quarter in play but the 2s; the rest is put away."""
        cards = [quarter for quarter in self.quarters_in_play() if quarter[1] != NEVER_SINKS]
        stream.shuffle(cards)
        for _ in range(self.players):
            hand = []
            for _ in range(CARDS_EACH[self.players]):
                hand.append(cards.pop())
            hand.sort(key=by_value_then_color)
            self.hands.append(hand)
        self.put_away = cards

    def places(self) -> list[Action]:
        """V7: any free tile, but no second own pawn on the same value."""
        taken = [self.tiles[square][1] for square in self.pawns[self.seat]]
        actions = []
        for square in self.free_squares():
            if self.is_quarter(square) and self.tiles[square][1] in taken:
                continue
            actions.append({"do": "place", "at": square})
        return actions

    # What lies where

    def is_quarter(self, square: str) -> bool:
        """V1: a quarter, not a platform; above water or not."""
        return self.tiles[square] != PLATFORM

    def free_squares(self) -> list[str]:
        """V7: above water and without a pawn, in reading order."""
        occupied = []
        for squares in self.pawns:
            occupied += squares
        return [square for square in self.squares if square not in self.sunk and square not in occupied]

    def own_squares(self) -> list[str]:
        """The squares of the pawns of whoever decides, in reading order."""
        return [square for square in self.squares if square in self.pawns[self.seat]]

    def above_water(self, color: str) -> list[str]:
        """V17, V19: the values of the quarters of a color that have not sunk."""
        values = []
        for square in self.squares:
            if self.tiles[square][0] == color and square not in self.sunk:
                values.append(self.tiles[square][1])
        return values

    # Turn

    def legal(self) -> list[Action]:
        """V8: all that whoever decides may do now; nothing when the game is over."""
        if self.phase == "setup":
            return self.places()
        if self.phase == "rescue":
            return [*self.rescues(), {"do": "sink"}]
        actions: list[Action] = []
        if self.phase == "turn":
            if not self.moved and not self.bought:
                actions += self.walks() + self.gondola_rides()
            if not self.bought:
                actions += self.purchases()
            actions += self.prophecies()
        return actions

    def walks(self) -> list[Action]:
        """V9: one own pawn to each square it can reach."""
        free = self.free_squares()
        actions = []
        for start in self.own_squares():
            if self.moves == "walk":
                reached = self.on_foot(start, free)
            elif self.moves == "rook":
                reached = self.in_straight_lines(start, STRAIGHT, free)
            else:
                reached = self.in_straight_lines(start, STRAIGHT + DIAGONAL, free)
            for end in self.squares:
                if end in reached:
                    actions.append({"do": "walk", "from": start, "to": end})
        return actions

    def in_straight_lines(self, start: str, directions: list[tuple[int, int]], free: list[str]) -> list[str]:
        """V9: on in one direction until water, a pawn or the edge."""
        reached = []
        for direction in directions:
            square = neighbor(start, direction)
            while square in free:
                reached.append(square)
                square = neighbor(square, direction)
        return reached

    def on_foot(self, start: str, free: list[str]) -> list[str]:
        """V9: any path of edge-adjacent squares, option `walk`."""
        reached: list[str] = []
        to_visit = [start]
        while to_visit != []:
            here = to_visit.pop()
            for direction in STRAIGHT:
                square = neighbor(here, direction)
                if square in free and square not in reached:
                    reached.append(square)
                    to_visit.append(square)
        return reached

    def gondola_rides(self) -> list[Action]:
        """V10: instead of a walk, one own pawn to any free tile."""
        actions: list[Action] = []
        if self.gondolas[self.seat] == 0:
            return actions
        for start in self.own_squares():
            for end in self.free_squares():
                actions.append({"do": "gondola", "from": start, "to": end})
        return actions

    def price(self, square: str) -> int:
        """V11: the coins on the quarter and one more."""
        return self.coins_on.get(square, 0) + 1

    def purchases(self) -> list[Action]:
        """V11: a treasure of the color of a quarter where an own pawn stands."""
        actions = []
        for square in self.own_squares():
            if not self.is_quarter(square):
                continue
            color = self.tiles[square][0]
            sold = sum(treasures[color] for treasures in self.treasures)
            if sold < TREASURES_PER_COLOR and self.price(square) <= self.coins[self.seat]:
                actions.append({"do": "buy", "at": square})
        return actions

    def prophecies(self) -> list[Action]:
        """V12: the cards of the lowest value in hand."""
        hand = self.hands[self.seat]
        lowest = min(VALUES.index(value) for _, value in hand)
        actions = []
        for color in COLORS:
            if (color, VALUES[lowest]) in hand:
                actions.append({"do": "card", "color": color, "value": VALUES[lowest]})
        return actions

    def rescues(self) -> list[Action]:
        """V14: the free tiles, or the free quarters, that a gondola can bring a fallen pawn to."""
        actions = []
        for square in self.free_squares():
            if self.rescue == "any" or self.is_quarter(square):
                actions.append({"do": "rescue", "to": square})
        return actions

    def play(self, action: Action) -> None:
        """V8: do one of the legal actions; any other is refused and changes nothing."""
        if action not in self.legal():
            raise ValueError(f"{action} is not possible now: {ALLOWED_NOW[self.phase]}.")
        self.events = []
        if action["do"] == "place":
            self.place(action["at"])
        elif action["do"] in ["walk", "gondola"]:
            self.move(action["do"], action["from"], action["to"])
        elif action["do"] == "buy":
            self.buy(action["at"])
        elif action["do"] == "card":
            self.play_prophecy((action["color"], action["value"]))
        elif action["do"] == "rescue":
            self.rescue_pawn(action["to"])
        else:
            self.lose_pawn()

    def place(self, square: str) -> None:
        """V7: one pawn at a time, clockwise; after the last one the first turn."""
        self.pawns[self.seat].append(square)
        self.turn = (self.seat + 1) % self.players
        self.seat = self.turn
        if len(self.pawns[self.seat]) == PAWNS_EACH[self.players]:
            self.phase = "turn"

    def move(self, how: str, start: str, end: str) -> None:
        """V9, V10: a walk is free, a ride takes a gondola card."""
        self.pawns[self.seat].remove(start)
        self.pawns[self.seat].append(end)
        if how == "gondola":
            self.gondolas[self.seat] -= 1
        self.moved = True

    def buy(self, square: str) -> None:
        """V11: the price is laid on the quarter."""
        color = self.tiles[square][0]
        price = self.price(square)
        self.coins[self.seat] -= price
        self.coins_on[square] = self.coins_on.get(square, 0) + price
        self.treasures[self.seat][color] += 1
        self.bought = True
        self.events.append(("bought", self.seat, color, price))

    def play_prophecy(self, card: Tile) -> None:
        """V12, V13: the quarter on the card sinks, with its coins; a pawn on it falls."""
        self.hands[self.seat].remove(card)
        self.played.append(card)
        for square in self.squares:
            if self.tiles[square] == card:
                self.sink(square)
        if self.fallen is None:
            self.end_turn()
        else:
            self.ask_owner()

    def sink(self, square: str) -> None:
        """V13: the tile turns to water."""
        self.sunk.add(square)
        self.events.append(("sank", square))
        if square in self.coins_on:
            coins = self.coins_on.pop(square)
            self.events.append(("washed away", square, coins))
        for owner in range(self.players):
            if square in self.pawns[owner]:
                self.pawns[owner].remove(square)
                self.fallen = (owner, square)
                self.events.append(("fell", owner, square))

    def ask_owner(self) -> None:
        """V14: only with a gondola and a target is there anything to decide."""
        assert self.fallen is not None
        owner = self.fallen[0]
        if self.gondolas[owner] > 0 and self.rescues() != []:
            self.phase = "rescue"
            self.seat = owner
        else:
            self.lose_pawn()

    def rescue_pawn(self, square: str) -> None:
        """V14: a gondola card is discarded, the pawn is back."""
        assert self.fallen is not None
        owner = self.fallen[0]
        self.gondolas[owner] -= 1
        self.pawns[owner].append(square)
        self.fallen = None
        self.events.append(("rescued", owner, square))
        self.end_turn()

    def lose_pawn(self) -> None:
        """V14: the fallen pawn is out of the game."""
        assert self.fallen is not None
        self.events.append(("lost", self.fallen[0]))
        self.fallen = None
        self.end_turn()

    def end_turn(self) -> None:
        """V15, V16: on to the next player, with pawns or without, until no card is left."""
        if all(hand == [] for hand in self.hands):
            self.over = True
            self.phase = "over"
            return
        self.turn = (self.turn + 1) % self.players
        self.seat = self.turn
        self.phase = "turn"
        self.moved = False
        self.bought = False

    # Scoring

    def treasure_points(self, seat: int, color: str) -> int:
        """V17: the fewer quarters are left of a color, the more its treasures are worth."""
        if self.treasures[seat][color] == 0:
            return 0  # of a color taken out nobody has a treasure (V6)
        return self.treasures[seat][color] * TREASURE_WORTH[len(self.above_water(color))]

    def pawn_points(self, square: str) -> int:
        """V18, V19: the value of the quarter under a pawn; an X counts its color."""
        if not self.is_quarter(square):
            return 0
        color, value = self.tiles[square]
        if value != "X":
            return int(value)
        if self.x_scores == "count":
            return 2 * len(self.above_water(color))
        return 2 * sum(int(other) for other in self.above_water(color) if other != "X")

    def breakdown(self) -> list[Points]:
        """V17–V20, V22a: each player's points as if the game ended now."""
        return [
            {
                "treasures": {color: self.treasure_points(seat, color) for color in COLORS},
                "pawns": {square: self.pawn_points(square) for square in self.pawns[seat]},
                "coins": self.coins[seat],
            }
            for seat in range(self.players)
        ]

    def scores(self) -> list[int]:
        """V22a: each player's total, at any time."""
        totals = []
        for points in self.breakdown():
            totals.append(sum(points["treasures"].values()) + sum(points["pawns"].values()) + points["coins"])
        return totals

    def winners(self) -> list[int]:
        """V21: most points, then the tie-break, then shared. Nobody before the end."""
        if not self.over:
            return []
        scores = self.scores()
        first = [seat for seat in range(self.players) if scores[seat] == max(scores)]
        second = {seat: self.tie_breaker(seat) for seat in first}
        return [seat for seat in first if second[seat] == max(second.values())]

    def tie_breaker(self, seat: int) -> int:
        """V21: the points of a player's pawns, or how many pawns are left."""
        if self.tie_break == "pawns":
            return len(self.pawns[seat])
        return sum(self.breakdown()[seat]["pawns"].values())
