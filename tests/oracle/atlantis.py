"""Atlantis, two to four players: the naive referee of clauses A1–A21.

Written from the rule spec alone, so that a disagreement with the engine means
that one of the two has misread a clause.

Spaces: 0 Atlantis, 1–26 half A, 27–52 half B, 53 the mainland. The gap of the
set-up has no number, it lies between 26 and 27. A path tile is a triple (item,
value, half), an own tile a pair (item, value). The top of a stack and the top
of the deck are the ends of their lists.
"""

from dataclasses import dataclass, field
from itertools import pairwise

from .chance import Stream

Action = dict[str, str | int | list[str | int]]
PathTile = tuple[str, int, str]
Tile = tuple[str, int]
Hand = dict[str, int]
Event = tuple[str | int, ...]

ITEMS = ["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"]
SEVEN_IN_A = ["amphora", "wreath", "olive"]  # the other items have their 7 in B
CARDS_PER_ITEM = 15
CARD_VALUE = 1
PAWNS = 3

ATLANTIS = 0
MAINLAND = 53
SPACES = range(1, 53)
LAST_OF_A = 26  # the water of the set-up lies behind this space
HEIGHTS = {"A": [2] * 10 + [1] * 10 + [2] * 6, "B": [2] * 6 + [1] * 10 + [2] * 10}

FIRST_HANDS = [4, 5, 6, 7]  # by seat
DRAW_WITHOUT_MOVE = 2
DRAW_AT_THE_END = 4


def tiles_of_half(half: str) -> list[PathTile]:
    """A2: the 42 tiles of a half, by item, then value."""
    tiles = []
    for item in ITEMS:
        has_seven = (item in SEVEN_IN_A) == (half == "A")
        for value in [1, 2, 3, 4, 5, 7 if has_seven else 6]:
            tiles.append((item, value, half))
    return tiles


def no_cards() -> Hand:
    """A1: none of any item."""
    return dict.fromkeys(ITEMS, 0)


def by_item(tile: Tile) -> tuple[int, int]:
    """The order of own tiles: by item as in A1, then by value."""
    return ITEMS.index(tile[0]), tile[1]


def can_be_completed(paid: list[int], others: list[int], cost: int) -> bool:
    """A12: some of the other pieces complete the paid ones to a payment without a superfluous piece.

    Every choice of other pieces is tried; of each only its sum and its smallest piece matter.
    """
    payments = {(sum(paid), min(paid))}
    for piece in others:
        # what covers the cost already does not need the piece
        payments |= {(total + piece, min(smallest, piece)) for total, smallest in payments if total < cost}
    return any(total >= cost and total - cost < smallest for total, smallest in payments)


def least_loss(pieces: list[int], cost: int) -> int:
    """A20: the least value that covers the cost; a player who has less loses all and the missing part too."""
    if sum(pieces) < cost:
        missing = cost - sum(pieces)
        return sum(pieces) + missing
    sums = {0}
    for piece in pieces:
        sums |= {total + piece for total in sums}
    return min(total for total in sums if total >= cost)


@dataclass
class Gone:
    """A6, A12: what has left the game."""

    tiles: list[Tile] = field(default_factory=list)
    cards: Hand = field(default_factory=no_cards)


class Match:
    """A whole game."""

    def __init__(self, seed: int, players: int) -> None:
        if players not in [2, 3, 4]:
            raise ValueError(f"Atlantis is for 2 to 4 players, not {players} (A5).")
        self.players = players
        self.seat = 0
        self.over = False
        self.phase = "turn"
        self.path: list[list[PathTile]] = [[]]
        self.pawns = [[ATLANTIS] * PAWNS for _ in range(players)]
        self.hands = [no_cards() for _ in range(players)]
        self.tiles: list[list[Tile]] = [[] for _ in range(players)]
        self.deck: list[str] = []
        self.discards = no_cards()
        self.gone = Gone()
        self.bridges: list[int | None] = [None] * players
        self.due = 0
        self.paid: list[int] = []  # the pieces given so far for the running move
        self.start = ATLANTIS  # where the running move began
        self.position = ATLANTIS  # where its pawn stands now
        self.bought = False  # this turn
        self.bridged = False  # this turn
        self.idle_turns = 0  # in a row, A10
        self.losses = [0] * players
        self.events: list[Event] = []
        self.cards_stream = Stream(seed, 2)
        self.lay_path(seed)
        self.deal_cards()

    # Setup

    def lay_path(self, seed: int) -> None:
        """A4: both halves shuffled separately and laid from Atlantis on."""
        for number, half in enumerate(["A", "B"]):
            tiles = tiles_of_half(half)
            Stream(seed, number).shuffle(tiles)
            for height in HEIGHTS[half]:
                self.path.append([tiles.pop() for _ in range(height)])

    def deal_cards(self) -> None:
        """A5: 4 cards for the first player, one more for each further one."""
        self.deck = [item for item in ITEMS for _ in range(CARDS_PER_ITEM)]
        self.cards_stream.shuffle(self.deck)
        for seat in range(self.players):
            for _ in range(FIRST_HANDS[seat]):
                self.hands[seat][self.deck.pop()] += 1

    # The path, its gaps and bridges

    def land(self) -> list[int]:
        """A15: the spaces with tiles."""
        return [space for space in SPACES if self.path[space] != []]

    def gaps(self) -> list[tuple[int, int]]:
        """A4, A15: the last land before and the first land behind each gap; none at the ends."""
        found = []
        land = self.land()
        for before, behind in pairwise(land):
            set_up_gap = before <= LAST_OF_A < behind
            if behind > before + 1 or set_up_gap:
                found.append((before, behind))
        return found

    def has_bridge(self, before: int, behind: int) -> bool:
        """A16: a bridge keeps the spot after the space it was named by."""
        return any(spot is not None and before <= spot < behind for spot in self.bridges)

    def crossed(self, start: int, end: int) -> list[tuple[int, int]]:
        """A11, A16: each gap between two places, by the land before it, and what it costs."""
        costs = []
        for before, behind in self.gaps():
            if start <= before and behind <= end:
                cost = min(self.path[before][-1][1], self.path[behind][-1][1])
                if self.has_bridge(before, behind):
                    cost = 0
                costs.append((before, cost))
        return costs

    def cost_of_way(self, start: int, end: int) -> int:
        """A11: the costs of all gaps crossed add up."""
        return sum(cost for _, cost in self.crossed(start, end))

    def gaps_to_bridge(self) -> list[int]:
        """A16: where the player may build: a bridge left, a gap without one."""
        if self.bridges[self.seat] is not None:
            return []
        return [before for before, behind in self.gaps() if not self.has_bridge(before, behind)]

    def is_free(self, space: int) -> bool:
        """A8, A13: no pawn stands there."""
        return all(space not in spaces for spaces in self.pawns)

    def next_with_item(self, position: int, item: str) -> int:
        """A7, A9: the next space ahead whose top tile shows the item, or the mainland."""
        for space in self.land():
            if space > position and self.path[space][-1][0] == item:
                return space
        return MAINLAND

    # What is legal

    def card_is_legal(self, start: int, position: int, item: str, hand: Hand) -> bool:
        """A8: some continuation ends on a free space or the mainland and can be paid.

        The hand is what the player holds before this card is played.
        """
        if hand[item] == 0:
            return False
        left = dict(hand)
        left[item] -= 1
        end = self.next_with_item(position, item)
        if end == MAINLAND or self.is_free(end):
            tiles = sum(value for _, value in self.tiles[self.seat])
            cards = CARD_VALUE * sum(left.values())
            return self.cost_of_way(start, end) <= tiles + cards
        return any(self.card_is_legal(start, end, each, left) for each in ITEMS)

    def legal_buys(self) -> list[Action]:
        """A6: one tile, before anything else, and only for at least one card."""
        actions: list[Action] = []
        if self.bought or self.bridged or (self.deck == [] and sum(self.discards.values()) == 0):
            return actions
        for item, value in sorted(set(self.tiles[self.seat]), key=by_item):
            if value // 2 > 0:
                actions.append({"do": "buy", "tile": [item, value]})
        return actions

    def legal_bridges(self) -> list[Action]:
        """A16: over any gap that has none."""
        return [{"do": "bridge", "after": space} for space in self.gaps_to_bridge()]

    def legal_moves(self) -> list[Action]:
        """A7: every own pawn that is not on the mainland with every card that A8 allows."""
        actions: list[Action] = []
        for space in sorted(set(self.pawns[self.seat])):
            for item in ITEMS:
                if space != MAINLAND and self.card_is_legal(space, space, item, self.hands[self.seat]):
                    actions.append({"do": "move", "from": space, "card": item})
        return actions

    def legal_draw(self) -> list[Action]:
        """A10: only when no move is legal as things stand."""
        if self.legal_moves() != []:
            return []
        return [{"do": "draw"}]

    def legal_next_cards(self) -> list[Action]:
        """A8: the cards that go on from a space with a pawn."""
        actions: list[Action] = []
        for item in ITEMS:
            if self.card_is_legal(self.start, self.position, item, self.hands[self.seat]):
                actions.append({"do": "on", "card": item})
        return actions

    def legal_payments(self) -> list[Action]:
        """A12: the pieces that the sum needs."""
        actions: list[Action] = []
        cost = sum(self.paid) + self.due
        pieces = self.pieces(self.seat)
        for item, value in sorted(set(self.tiles[self.seat]), key=by_item):
            others = list(pieces)
            others.remove(value)
            if can_be_completed([*self.paid, value], others, cost):
                actions.append({"do": "pay", "tile": [item, value]})
        for item in ITEMS:
            if self.hands[self.seat][item] > 0:
                others = list(pieces)
                others.remove(CARD_VALUE)
                if can_be_completed([*self.paid, CARD_VALUE], others, cost):
                    actions.append({"do": "pay", "card": item})
        return actions

    def legal(self) -> list[Action]:
        """All that the player who decides now may do; nothing when the game is over."""
        if self.phase == "turn":
            return self.legal_buys() + self.legal_bridges() + self.legal_moves() + self.legal_draw()
        if self.phase == "chain":
            return self.legal_next_cards()
        if self.phase == "pay":
            return self.legal_payments()
        if self.phase == "after":
            return [*self.legal_bridges(), {"do": "end"}]
        return []

    # Turn

    def play(self, action: Action) -> None:
        """A6–A18: do one thing, and what follows from it without a choice."""
        if self.over:
            raise ValueError("The game is over, nothing can be done (A18).")
        allowed = self.legal()
        if action not in allowed:
            raise ValueError(f"{action} is not possible for seat {self.seat}; allowed is one of {allowed}.")
        self.events = []
        do = action["do"]
        if do == "buy":
            self.buy(self.tile_in(action))
        elif do == "bridge":
            self.build_bridge(int(str(action["after"])))
        elif do == "move":
            self.start = self.position = int(str(action["from"]))
            self.play_card(str(action["card"]))
        elif do == "on":
            self.play_card(str(action["card"]))
        elif do == "pay" and "tile" in action:
            self.pay_tile(self.tile_in(action))
        elif do == "pay":
            self.pay_card(str(action["card"]))
        elif do == "draw":
            self.draw_instead_of_moving()
        else:
            self.draw_and_end_turn()

    def tile_in(self, action: Action) -> Tile:
        """The tile that an action names."""
        named = action["tile"]
        assert isinstance(named, list)
        return str(named[0]), int(named[1])

    def buy(self, tile: Tile) -> None:
        """A6: give up a tile, draw half its value in cards, rounded down."""
        self.tiles[self.seat].remove(tile)
        self.gone.tiles.append(tile)
        self.bought = True
        self.events.append(("bought", self.seat, tile[0], tile[1]))
        self.draw_cards(tile[1] // 2)

    def build_bridge(self, space: int) -> None:
        """A16: before the move, or after the tile is taken; then only the drawing is left."""
        self.bridges[self.seat] = space
        self.bridged = True
        self.events.append(("bridge", self.seat, space))
        if self.phase == "after":
            self.draw_and_end_turn()

    def play_card(self, item: str) -> None:
        """A7–A9: the pawn goes on by one card; it goes on again from where a pawn stands."""
        start = self.position
        end = self.next_with_item(start, item)
        another = end != MAINLAND and not self.is_free(end)
        self.hands[self.seat][item] -= 1
        self.discards[item] += 1
        self.pawns[self.seat].remove(start)
        self.pawns[self.seat].append(end)
        self.pawns[self.seat].sort()
        self.position = end
        self.events.append(("card", self.seat, item, start, end))
        for before, cost in self.crossed(start, end):
            self.events.append(("gap", before, cost))
        if another:
            self.phase = "chain"
        else:
            self.end_move()

    def end_move(self) -> None:
        """A11: what the whole way costs is paid now, before the tile is taken (A17)."""
        self.paid = []
        self.due = self.cost_of_way(self.start, self.position)
        if self.due > 0:
            self.phase = "pay"
        else:
            self.take_tile()

    def pay_tile(self, tile: Tile) -> None:
        """A12: an own tile at full value leaves the game."""
        self.tiles[self.seat].remove(tile)
        self.gone.tiles.append(tile)
        self.events.append(("paid tile", self.seat, tile[0], tile[1]))
        self.count_payment(tile[1])

    def pay_card(self, item: str) -> None:
        """A12: a card at 1 leaves the game; it is not discarded."""
        self.hands[self.seat][item] -= 1
        self.gone.cards[item] += 1
        self.events.append(("paid card", self.seat, item))
        self.count_payment(CARD_VALUE)

    def count_payment(self, value: int) -> None:
        """A12: until the cost is met; no change is given."""
        self.paid.append(value)
        self.due = max(0, self.due - value)
        if self.due == 0:
            self.take_tile()

    def take_tile(self) -> None:
        """A13: the top tile of the first free space behind the pawn; then A16, A14 or A18."""
        for space in reversed(self.land()):
            if space < self.position and self.is_free(space):
                item, value, half = self.path[space].pop()
                self.tiles[self.seat].append((item, value))
                self.tiles[self.seat].sort(key=by_item)
                self.events.append(("took", self.seat, space, item, value, half))
                break
        if self.pawns[self.seat] == [MAINLAND] * PAWNS:
            self.third_pawn_arrived()
        elif self.gaps_to_bridge() != []:
            self.phase = "after"
        else:
            self.draw_and_end_turn()

    def draw_and_end_turn(self) -> None:
        """A14: one card, and one for each own pawn on the mainland."""
        self.draw_cards(1 + self.pawns[self.seat].count(MAINLAND))
        self.idle_turns = 0
        self.next_player()

    def draw_instead_of_moving(self) -> None:
        """A10: show the hand, draw two cards; a round of turns that bring nothing ends the game."""
        shown = [item for item in ITEMS for _ in range(self.hands[self.seat][item])]
        self.events.append(("shows", self.seat, *shown))
        drawn = self.draw_cards(DRAW_WITHOUT_MOVE)
        if drawn == 0 and not self.bought and not self.bridged:
            self.idle_turns += 1
        else:
            self.idle_turns = 0
        if self.idle_turns == self.players:
            self.end_game()
        else:
            self.next_player()

    def draw_cards(self, wanted: int) -> int:
        """A14: from the deck, a new one when it is empty; how many there were to draw."""
        drawn = 0
        while drawn < wanted:
            if self.deck == []:
                self.make_new_deck()
            if self.deck == []:
                break
            self.hands[self.seat][self.deck.pop()] += 1
            drawn += 1
        self.events.append(("drew", self.seat, drawn))
        return drawn

    def make_new_deck(self) -> None:
        """A14: the discards, by item, shuffled."""
        self.deck = [item for item in ITEMS for _ in range(self.discards[item])]
        self.discards = no_cards()
        self.cards_stream.shuffle(self.deck)

    def next_player(self) -> None:
        """A5: clockwise."""
        self.seat = (self.seat + 1) % self.players
        self.phase = "turn"
        self.bought = False
        self.bridged = False

    # End and scoring

    def third_pawn_arrived(self) -> None:
        """A18: draw 4 cards, and the game ends at once."""
        self.draw_cards(DRAW_AT_THE_END)
        self.end_game()

    def end_game(self) -> None:
        """A19, A20: all other pawns go to the mainland, each player pays for theirs in one sum."""
        for seat in range(self.players):
            cost = sum(self.cost_of_way(space, MAINLAND) for space in self.pawns[seat])
            self.losses[seat] = least_loss(self.pieces(seat), cost)
            self.events.append(("loss", seat, self.losses[seat]))
        self.pawns = [[MAINLAND] * PAWNS for _ in range(self.players)]
        self.phase = "over"
        self.over = True

    def pieces(self, seat: int) -> list[int]:
        """A12: the values a player can pay with, tiles and cards."""
        tiles = [value for _, value in self.tiles[seat]]
        return tiles + [CARD_VALUE] * sum(self.hands[seat].values())

    def scores(self) -> list[int]:
        """A21: own tiles and cards, after the end less what A20 took."""
        return [sum(self.pieces(seat)) - self.losses[seat] for seat in range(self.players)]

    def winners(self) -> list[int]:
        """A21: the most points, ties are shared. Nobody before the game is over."""
        if not self.over:
            return []
        scores = self.scores()
        return [seat for seat in range(self.players) if scores[seat] == max(scores)]
