"""Mille Fiori, two to four players: the naive referee of clauses M1–M43.

Written from the rule spec alone, so that a disagreement with the engine means
that one of the two has misread a clause.

Seats are numbered clockwise (M5). A card is a pair (type, wheel) and lies in exactly one place: deck,
a hand, kept, being played, display or discards. The top of the deck is the end of its list; hands and the
display are sorted by type and wheel; discards are in the order of playing.
"""

from typing import Any

from .chance import Stream
from .mille_fiori_board import (
    BONUS_VALUES,
    CELLS,
    COMMONER_TYPES,
    COMMONERS,
    DECK,
    DISPLAY_AT_START,
    FLEET_POINTS,
    GOODS,
    GROUPS,
    HAND_SIZE,
    HARBOR,
    LEVEL_POINTS,
    NEIGHBORS,
    NOBLE_TYPES,
    NOBLES,
    NUMBERS_FOR_BONUS,
    NUMBERS_FOR_EXTRA_CARD,
    PICKS,
    RESERVE,
    RESIDENCES,
    SEA_END,
    SEA_EXTRA_CARDS,
    SEA_POINTS,
    SHIPS,
    SUPPLY,
    TRADE,
    TRIPLES,
    TYPES,
    WORKSHOPS,
)

Action = dict[str, Any]
Card = tuple[str, int]
Event = tuple[str, int, int]

DRAFTS = ["secret", "open"]

BONUS_CLAUSES = {"workshops": "M16", "residences": "M20", "nobles": "M25", "commoners": "M25", "trade": "M29"}


def by_type_then_wheel(card: Card) -> tuple[int, int]:
    """M1: the order of cards: types as in the clause, then the wheel number."""
    kind, wheel = card
    return TYPES.index(kind), wheel


def all_cards() -> list[Card]:
    """M1: the 109 cards before shuffling."""
    return [(kind, wheel) for kind in TYPES for wheel in DECK[kind]]


def different(cards: list[Card]) -> list[Card]:
    """Equal cards are one choice."""
    return sorted(set(cards), key=by_type_then_wheel)


def named(card: Card) -> dict[str, Any]:
    """A card as actions name it."""
    kind, wheel = card
    return {"type": kind, "wheel": wheel}


def group_of(cell: str) -> str:
    """M3: the part of the board a cell belongs to."""
    if cell in WORKSHOPS:
        return "workshops"
    if cell in RESIDENCES:
        return "residences"
    if cell in NOBLES:
        return "nobles"
    if cell in COMMONERS:
        return "commoners"
    if cell in TRADE:
        return "trade"
    return "harbor"


def cells_directly_below(cell: str) -> list[str]:
    """M22: the two cells a cell of a pyramid rests on; none on the bottom."""
    pyramid, level, number = cell[0], cell[1], int(cell[2])
    if level == "b":
        return []
    lower = {"m": "b", "t": "m"}[level]
    return [pyramid + lower + str(number), pyramid + lower + str(number + 1)]


def triangle_below(cell: str) -> list[str]:
    """M24: every cell that carries a cell of a pyramid, each once."""
    triangle: list[str] = []
    for below in cells_directly_below(cell):
        for each in [below, *triangle_below(below)]:
            if each not in triangle:
                triangle.append(each)
    return triangle


class Match:
    """One game, from the shuffled deck to the last turn."""

    def __init__(self, seed: int, players: int, draft: str = "secret") -> None:
        if players not in DISPLAY_AT_START:
            raise ValueError(f"Mille Fiori is for 2 to 4 players, not for {players} (M4).")
        if draft not in DRAFTS:
            raise ValueError(f"The draft is secret or open, not {draft} (M9).")
        self.players = players
        self.draft = draft
        self.seats = list(range(players))
        self.over = False
        self.reason: str | None = None
        self.phase = "keep"
        self.round_number = 1
        self.pick = 1
        self.doge = 0  # M5
        self.seat = 0
        self.hands: list[list[Card]] = [[] for _ in self.seats]
        self.kept: list[Card | None] = [None for _ in self.seats]
        self.card: Card | None = None
        self.display: list[Card] = []
        self.discards: list[Card] = []
        self.deck: list[Card] = []
        self.lozenges: dict[str, int] = {}
        self.bonus: dict[str, list[int]] = {group: [] for group in GROUPS}
        self.supply = [SUPPLY for _ in self.seats]
        self.reserve = [RESERVE for _ in self.seats]
        self.ships = [0 for _ in self.seats]
        self.points = [0 for _ in self.seats]
        self.events: list[Event] = []
        self.open_display(seed)
        self.deal()

    # Setup and round

    def open_display(self, seed: int) -> None:
        """M4: shuffle all cards and open the first ones."""
        self.deck = all_cards()
        Stream(seed, 0).shuffle(self.deck)
        for _ in range(DISPLAY_AT_START[self.players]):
            self.display.append(self.deck.pop())
        self.display.sort(key=by_type_then_wheel)

    def clockwise_from_doge(self) -> list[int]:
        """M5: all seats in the order of turns."""
        return [(self.doge + step) % self.players for step in self.seats]

    def deal(self) -> None:
        """M5: five cards to each player, the Doge first; then the first pick."""
        for seat in self.clockwise_from_doge():
            self.hands[seat] = [self.deck.pop() for _ in range(HAND_SIZE)]
            self.hands[seat].sort(key=by_type_then_wheel)
        self.pick = 1
        self.begin_pick()

    def begin_pick(self) -> None:
        """M5, M9: the Doge is the first to keep a card, in both drafts."""
        self.seat = self.doge
        self.phase = "keep"

    def next_seat(self) -> int | None:
        """M5: the seat after this one in the order of turns; none after the last."""
        following = (self.seat + 1) % self.players
        if following == self.doge:
            return None
        return following

    def keep(self, card: Card) -> None:
        """M5, M9: secretly all keep before the first plays; openly a turn is keep, then play."""
        self.hands[self.seat].remove(card)
        self.kept[self.seat] = card
        if self.draft == "open":
            self.begin_to_play()
            return
        following = self.next_seat()
        if following is not None:
            self.seat = following
        else:
            self.pass_the_rest()
            self.seat = self.doge
            self.begin_to_play()

    def pass_the_rest(self) -> None:
        """M5: each hand goes to the left neighbor, seat s to seat s+1."""
        passed = self.hands
        self.hands = [passed[(seat - 1) % self.players] for seat in self.seats]

    def begin_to_play(self) -> None:
        """M5: the kept card is on the table and will be played."""
        self.card = self.kept[self.seat]
        self.kept[self.seat] = None
        self.phase = "play"

    def end_turn(self) -> None:
        """M5: the next player clockwise, until all have played."""
        following = self.next_seat()
        if following is None:
            self.end_pick()
            return
        self.seat = following
        if self.draft == "open":
            self.phase = "keep"
        else:
            self.begin_to_play()

    def end_pick(self) -> None:
        """M6, M7, M39: all have played; the game is over, or the next pick, or the round ends."""
        if self.draft == "open":
            self.pass_the_rest()  # only now may anybody look at passed cards (M9)
        if self.a_supply_is_empty():
            self.end_game("lozenges")
        elif self.pick < PICKS[self.players]:
            self.pick += 1
            self.begin_pick()
        else:
            self.end_round()

    def end_round(self) -> None:
        """M8: the cards left over go to the display, the Doge moves, in the last round too."""
        for seat in self.seats:
            self.display.extend(self.hands[seat])
            self.hands[seat] = []
        self.display.sort(key=by_type_then_wheel)
        self.doge = (self.doge + 1) % self.players
        if self.deck == []:
            self.end_game("deck")  # M39
        else:
            self.round_number += 1
            self.deal()

    # Choices

    def legal(self) -> list[Action]:
        """M5, M10–M12, M38: what the player at `seat` may do now; nothing when the game is over."""
        if self.phase == "keep":
            return [{"do": "keep", "card": named(card)} for card in different(self.hands[self.seat])]
        if self.phase == "play":
            return [*self.placements(), {"do": "sail"}]
        if self.phase == "extra":
            taken = [{"do": "extra", "card": named(card)} for card in different(self.display)]
            return [*taken, {"do": "decline"}]
        return []

    def placements(self) -> list[Action]:
        """M10, M12, M31: a free cell for a lozenge; with a harbor card also the choice to sail on."""
        assert self.card is not None
        if self.lozenges_to_use(self.seat) == 0:
            return []
        kind = self.card[0]
        actions: list[Action] = []
        for cell in CELLS:
            if not self.may_be_filled(cell, kind):
                continue
            if kind != "harbor":
                actions.append({"do": "place", "cell": cell})
                continue
            if self.ships[self.seat] != SEA_END:  # M35
                actions.append({"do": "place", "cell": cell, "sail": True})
            actions.append({"do": "place", "cell": cell, "sail": False})
        return actions

    def may_be_filled(self, cell: str, kind: str) -> bool:
        """M14, M18, M22, M27, M31: a free cell that a card of this type allows."""
        if cell in self.lozenges:
            return False
        group = group_of(cell)
        if group == "workshops":
            return WORKSHOPS[cell] == kind
        if group == "residences":
            return kind == "residence" and cell == self.next_residence()
        if group == "nobles":
            return kind in NOBLE_TYPES and self.all_filled(cells_directly_below(cell))
        if group == "commoners":
            return kind in COMMONER_TYPES and self.all_filled(cells_directly_below(cell))
        if group == "trade":
            return TRADE[cell] == kind
        return kind == "harbor" and cell == self.leftmost_free_ship(cell[1])

    def next_residence(self) -> str | None:
        """M18: the first free cell of the row."""
        for cell in RESIDENCES:
            if cell not in self.lozenges:
                return cell
        return None

    def leftmost_free_ship(self, row: str) -> str | None:
        """M31: the ship cells of a row are alike, so one of them stands for all."""
        for ship in SHIPS:
            if "H" + row + ship not in self.lozenges:
                return "H" + row + ship
        return None

    def all_filled(self, cells: list[str]) -> bool:
        """M17, M22, M32: lozenges on all of these cells, anyone's."""
        return all(cell in self.lozenges for cell in cells)

    # Playing

    def play(self, action: Action) -> None:
        """M5, M10, M11, M38: one decision of the player at `seat`."""
        if self.over:
            raise ValueError("The game is over, nothing can be played (M39).")
        legal = self.legal()
        if action not in legal:
            raise ValueError(
                f"{action} is not possible for seat {self.seat} now: choose one of the {len(legal)} "
                f"actions of the phase {self.phase} (M5, M10, M11, M38)."
            )
        action = legal[legal.index(action)]  # ours, not one that merely equals it (1 and True)
        self.events = []
        if action["do"] == "keep":
            self.keep((action["card"]["type"], action["card"]["wheel"]))
        elif action["do"] == "extra":
            self.take_extra_card((action["card"]["type"], action["card"]["wheel"]))
        elif action["do"] == "decline":
            self.end_turn()
        else:
            self.play_card(action)

    def play_card(self, action: Action) -> None:
        """M10, M11, M33, M38: place or sail, discard the card; then perhaps an extra card."""
        assert self.card is not None
        kind, wheel = self.card
        if action["do"] == "sail":
            extra_card = self.sail(wheel)
        elif kind == "harbor":
            self.place(action["cell"], kind)
            extra_card = False
            if action["sail"]:
                extra_card = self.sail(wheel)
        else:
            extra_card = self.place(action["cell"], kind)
        self.discards.append(self.card)
        self.card = None
        if extra_card and self.display != []:
            self.phase = "extra"
        else:
            self.end_turn()

    def take_extra_card(self, card: Card) -> None:
        """M38: a card of the display, which must then be played as from hand."""
        self.display.remove(card)
        self.card = card
        self.phase = "play"

    def place(self, cell: str, kind: str) -> bool:
        """M10, M38: lozenge, points, bonus cell; true if an extra card is earned."""
        group = group_of(cell)
        had_condition = group != "harbor" and self.bonus_condition(group, self.seat)
        numbers_before = self.residence_numbers(self.seat)
        self.use_lozenge()
        self.lozenges[cell] = self.seat

        if group == "workshops":
            self.score_connected_group(cell)
            extra_card = self.completes_triple(cell)
        elif group == "residences":
            self.score_unbroken_run(cell)
            extra_card = self.reaches_three_or_five_numbers(numbers_before)
        elif group == "nobles":
            self.score_level(cell, kind, NOBLES)
            self.score_triangle(cell)
            extra_card = self.fills_top_cell(cell)
        elif group == "commoners":
            self.score_level(cell, kind, COMMONERS)
            self.score_triangle(cell)
            extra_card = self.fills_top_cell(cell)
        elif group == "trade":
            self.score_good(TRADE[cell])
            extra_card = self.opponent_has_more(TRADE[cell])
        else:
            self.score_fleet(cell[1])
            extra_card = False

        if group != "harbor" and not had_condition and self.bonus_condition(group, self.seat):
            self.take_bonus_cell(group)
        return extra_card

    # Lozenges and points

    def a_supply_is_empty(self) -> bool:
        """M39: somebody has put the last supply lozenge on the board."""
        return 0 in self.supply

    def lozenges_to_use(self, seat: int) -> int:
        """M12, M40: the supply, and the reserve as soon as one supply is empty."""
        if self.a_supply_is_empty():
            return self.supply[seat] + self.reserve[seat]
        return self.supply[seat]

    def use_lozenge(self) -> None:
        """M10, M40: supply first, then reserve."""
        if self.supply[self.seat] > 0:
            self.supply[self.seat] -= 1
        else:
            self.reserve[self.seat] -= 1

    def score(self, clause: str, seat: int, points: int) -> None:
        """M43: points for a seat, with the clause that gives them; none for 0 points."""
        if points != 0:
            self.points[seat] += points
            self.events.append((clause, seat, points))

    # Bonus cells

    def bonus_condition(self, group: str, seat: int) -> bool:
        """M16, M20, M25, M29: whether a player's lozenges meet the condition of a group."""
        own = [cell for cell in CELLS if self.lozenges.get(cell) == seat and group_of(cell) == group]
        if group == "workshops":
            return {WORKSHOPS[cell] for cell in own} == {"pigment", "quartz", "ash", "lime"}
        if group == "residences":
            return len({RESIDENCES[cell] for cell in own}) >= NUMBERS_FOR_BONUS
        if group == "nobles":
            return {NOBLES[cell] for cell in own} == set(NOBLE_TYPES)
        if group == "commoners":
            return {COMMONERS[cell] for cell in own} == set(COMMONER_TYPES)
        return {TRADE[cell] for cell in own} == set(GOODS)

    def take_bonus_cell(self, group: str) -> None:
        """M13: the highest free bonus cell, if there is a lozenge to put on it."""
        if self.lozenges_to_use(self.seat) == 0:
            return
        self.use_lozenge()
        value = BONUS_VALUES[len(self.bonus[group])]
        self.bonus[group].append(self.seat)
        self.score(BONUS_CLAUSES[group], self.seat, value)

    # Workshops

    def score_connected_group(self, cell: str) -> None:
        """M15: 1 point for each own cell connected to the new one, 2 if that is pigment."""
        connected = [cell]
        for reached in connected:  # the list grows while we walk along it
            for neighbor in NEIGHBORS[reached]:
                if self.lozenges.get(neighbor) == self.seat and neighbor not in connected:
                    connected.append(neighbor)
        if WORKSHOPS[cell] == "pigment":
            self.score("M15", self.seat, 2 * len(connected))
        else:
            self.score("M15", self.seat, len(connected))

    def completes_triple(self, cell: str) -> bool:
        """M17: the last of three cells around an extra-card symbol."""
        return any(cell in triple and self.all_filled(triple) for triple in TRIPLES)

    # Residences

    def score_unbroken_run(self, cell: str) -> None:
        """M19: the number of the new cell and of the own cells directly before it."""
        points = 0
        number = int(cell[1:])
        while self.lozenges.get(f"R{number}") == self.seat:
            points += RESIDENCES[f"R{number}"]
            number -= 1
        self.score("M19", self.seat, points)

    def residence_numbers(self, seat: int) -> int:
        """M20, M21: how many different numbers a player's residences have."""
        return len({RESIDENCES[cell] for cell in RESIDENCES if self.lozenges.get(cell) == seat})

    def reaches_three_or_five_numbers(self, before: int) -> bool:
        """M21: a new number that is the player's third or fifth."""
        now = self.residence_numbers(self.seat)
        return now != before and now in NUMBERS_FOR_EXTRA_CARD

    # Townspeople

    def score_level(self, cell: str, kind: str, pyramid: dict[str, str]) -> None:
        """M23: 1, 3 or 6 points by level, doubled on the symbol of the card."""
        points = LEVEL_POINTS[cell[1]]
        if pyramid[cell] == kind:
            points *= 2
        self.score("M23", self.seat, points)

    def score_triangle(self, cell: str) -> None:
        """M24: every player for the own lozenges in the triangle below, never doubled."""
        triangle = triangle_below(cell)
        for seat in self.seats:
            own = [each for each in triangle if self.lozenges.get(each) == seat]
            self.score("M24", seat, sum(LEVEL_POINTS[each[1]] for each in own))

    def fills_top_cell(self, cell: str) -> bool:
        """M26: a cell of the top level."""
        return cell[1] == "t"

    # Trade

    def lozenges_on_good(self, good: str, seat: int) -> int:
        """M28, M30: how many cells of a good a player has filled."""
        return len([cell for cell in TRADE if TRADE[cell] == good and self.lozenges.get(cell) == seat])

    def score_good(self, good: str) -> None:
        """M28: every player, for each own lozenge, as much as cells of the good are filled."""
        value = sum(self.lozenges_on_good(good, seat) for seat in self.seats)
        for seat in self.seats:
            self.score("M28", seat, value * self.lozenges_on_good(good, seat))

    def opponent_has_more(self, good: str) -> bool:
        """M30: some opponent has strictly more lozenges on the good."""
        own = self.lozenges_on_good(good, self.seat)
        return any(self.lozenges_on_good(good, seat) > own for seat in self.seats)

    # Harbor

    def score_fleet(self, row: str) -> None:
        """M32: when all three ships are filled, each lozenge earns by the goods in its row."""
        fleet = [cell for cell in HARBOR if cell[1] == row]
        if not self.all_filled(fleet):
            return
        goods = [good for good in GOODS if "T" + good + row in self.lozenges]
        value = FLEET_POINTS[len(goods)]
        for seat in self.seats:
            own = [cell for cell in fleet if self.lozenges[cell] == seat]
            self.score("M32", seat, value * len(own))

    def sail(self, wheel: int) -> bool:
        """M34–M36: move the ship and score where it stops; true if an extra card is earned."""
        if self.ships[self.seat] == SEA_END:
            return False
        space = min(self.ships[self.seat] + wheel, SEA_END)
        self.ships[self.seat] = space
        if space == SEA_END:
            self.score("M35", self.seat, SEA_POINTS[space])
        else:
            self.score("M34", self.seat, SEA_POINTS[space])
        return space in SEA_EXTRA_CARDS

    # End

    def end_game(self, reason: str) -> None:
        """M39, M40: nothing more is played; hands left are worth nothing."""
        self.over = True
        self.phase = "over"
        self.reason = reason

    def scores(self) -> list[int]:
        """M41: the points by seat."""
        return list(self.points)

    def winners(self) -> list[int]:
        """M41: the seats with most points, all of them on a tie. Nobody before the end."""
        if not self.over:
            return []
        return [seat for seat in self.seats if self.points[seat] == max(self.points)]
