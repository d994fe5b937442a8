"""Neptune & Vesta, two players: the naive referee of clauses N1–N19.

Written from the rule spec alone, so that a disagreement with the engine means
that one of the two has misread a clause.

Seats and colors are the same number: 0 red (Vesta), 1 blue (Neptune).
A tile is a pair (color, value). The top of a stack is the end of its list.
"""

from .chance import Stream

Action = dict[str, str | int]
Tile = tuple[int, int]
Event = tuple[str, str, int, int] | tuple[str, int | None, str]

RED = 0
BLUE = 1

ZONES = ["R", "B"]  # by seat
CENTERS = ["Rc3", "Bc3"]  # by seat
COLUMNS = ["a", "b", "c", "d", "e"]
ROWS = ["1", "2", "3", "4", "5"]
CELLS = [zone + column + row for zone in ZONES for row in ROWS for column in COLUMNS]

ALL_TILES = [value for value in range(1, 11) for _ in range(3)]
HAND_SIZE = 3
TRACK_END = 10

EQUAL_TILES = {1: 0, 2: 1, 3: 3, 4: 6, 5: 10}  # how many are equal: points
ONE_COLOR = 3
NO_COMBINATION = -3

ROUNDS = [1, 3]
LINE_TO = ["majority", "highest", "sum"]


def lines_through(cell: str) -> list[tuple[str, list[str]]]:
    """N1: the row and the column of a cell, inside its zone: (name, five cells)."""
    zone, column, row = cell[0], cell[1], cell[2]
    return [
        (zone + row, [zone + each + row for each in COLUMNS]),
        (zone + column, [zone + column + each for each in ROWS]),
    ]


def combinations_add_up(line: list[Tile]) -> int:
    """N10: the points of a completed line, whoever receives them."""
    values = [value for _, value in line]
    points = 0
    for value in set(values):
        points += EQUAL_TILES[values.count(value)]
    colors = [color for color, _ in line]
    if colors.count(RED) == 5 or colors.count(BLUE) == 5:
        points += ONE_COLOR
    if points == 0:
        return NO_COMBINATION
    return points


def majority(line: list[Tile]) -> int:
    """N9: the player with more tiles of their own color in the line."""
    colors = [color for color, _ in line]
    if colors.count(RED) > colors.count(BLUE):
        return RED
    return BLUE


def owner_of_highest(line: list[Tile]) -> int:
    """N19: the owner of the highest value; both have it: the majority."""
    highest = max(value for _, value in line)
    owners = {color for color, value in line if value == highest}
    if owners == {RED}:
        return RED
    if owners == {BLUE}:
        return BLUE
    return majority(line)


def larger_sum(line: list[Tile]) -> int:
    """N19: the color with the larger sum; equal sums: the majority."""
    red = sum(value for color, value in line if color == RED)
    blue = sum(value for color, value in line if color == BLUE)
    if red > blue:
        return RED
    if blue > red:
        return BLUE
    return majority(line)


def receiver(line: list[Tile], line_to: str) -> int:
    """N19: who takes the points of a completed line, including negative ones."""
    if line_to == "highest":
        return owner_of_highest(line)
    if line_to == "sum":
        return larger_sum(line)
    return majority(line)


def toward(seat: int, points: int) -> int:
    """N11: the signed movement that brings points to a seat (N3: red is plus)."""
    if seat == RED:
        return points
    return -points


class Match:
    """A whole match: up to three rounds, each set up as soon as the last has ended."""

    def __init__(self, seed: int, rounds: int = 3, line_to: str = "majority") -> None:
        if rounds not in ROUNDS:
            raise ValueError(f"A match has 1 or 3 rounds, not {rounds} (N18).")
        if line_to not in LINE_TO:
            raise ValueError(f"A line goes to majority, highest or sum, not to {line_to} (N19).")
        self.rounds = rounds
        self.line_to = line_to
        self.streams = [Stream(seed, RED), Stream(seed, BLUE)]
        self.wins = [0, 0]
        self.over = False
        self.events: list[Event] = []
        self.round_number = 1
        self.starter = RED
        self.seat = RED
        self.lighthouse = 0
        self.board: dict[str, Tile] = {}
        self.stacks: list[list[int]] = [[], []]
        self.hands: list[list[int]] = [[], []]
        self.set_up_round()

    # Setup of a round

    def set_up_round(self) -> None:
        """N4–N7: everything back, centers filled, hands drawn, the starter to move."""
        self.lighthouse = 0
        self.board = {}
        self.hands = [[], []]
        self.shuffle_all_tiles()
        if self.round_number == 1:
            self.lower_value_starts()
        else:
            self.turn_up_centers()
            self.starter = 1 - self.starter
        for seat in [RED, BLUE]:
            for _ in range(HAND_SIZE):
                self.draw_tile(seat)
        self.seat = self.starter

    def shuffle_all_tiles(self) -> None:
        """N4: each color again, all 30 tiles, from its own random stream."""
        for seat in [RED, BLUE]:
            self.stacks[seat] = list(ALL_TILES)
            self.streams[seat].shuffle(self.stacks[seat])

    def turn_up_centers(self) -> None:
        """N5: the top tile of each stack onto the center of its own zone."""
        for seat in [RED, BLUE]:
            self.board[CENTERS[seat]] = (seat, self.stacks[seat].pop())

    def lower_value_starts(self) -> None:
        """N6: round 1; equal tiles are set aside until a pair decides."""
        aside: list[list[int]] = [[], []]
        while True:
            if self.stacks[RED] == []:
                self.shuffle_all_tiles()
                aside = [[], []]
            self.turn_up_centers()
            red = self.board[CENTERS[RED]][1]
            blue = self.board[CENTERS[BLUE]][1]
            if red != blue:
                break
            aside[RED].append(red)
            aside[BLUE].append(blue)
        if aside[RED] != []:
            for seat in [RED, BLUE]:
                self.stacks[seat].extend(aside[seat])
                self.streams[seat].shuffle(self.stacks[seat])
        if red < blue:
            self.starter = RED
        else:
            self.starter = BLUE

    def draw_tile(self, seat: int) -> None:
        """N7, N8: the top tile of a player's stack into their hand."""
        self.hands[seat].append(self.stacks[seat].pop())
        self.hands[seat].sort()

    # Turn

    def legal(self) -> list[Action]:
        """N8: every tile in hand on every free cell; none when the match is over."""
        actions: list[Action] = []
        if self.over:
            return actions
        for value in sorted(set(self.hands[self.seat])):
            for cell in CELLS:
                if cell not in self.board:
                    actions.append({"do": "place", "tile": value, "at": cell})
        return actions

    def play(self, action: Action) -> None:
        """N8: place a tile, score the lines it completes, draw one tile."""
        if self.over:
            raise ValueError("The match is over, nothing can be placed (N16).")
        if action not in self.legal():
            raise ValueError(
                f"{action} is not possible: place one of your tiles "
                f"{self.hands[self.seat]} on a free cell of either zone (N8)."
            )
        value = int(action["tile"])
        cell = str(action["at"])

        self.hands[self.seat].remove(value)
        self.board[cell] = (self.seat, value)
        self.events = []
        self.move_lighthouse(self.score_lines(cell))

        if self.lighthouse == TRACK_END:
            self.end_round(RED, "N14")
        elif self.lighthouse == -TRACK_END:
            self.end_round(BLUE, "N14")
        elif len(self.board) == len(CELLS):
            self.end_round(self.winner_on_full_board(), "N15")
        else:
            self.draw_tile(self.seat)
            self.seat = 1 - self.seat

    def score_lines(self, cell: str) -> int:
        """N9, N12: note each line completed at a cell; their movements added up."""
        movement = 0
        for name, cells in lines_through(cell):
            line = [self.board[each] for each in cells if each in self.board]
            if len(line) == 5:
                points = combinations_add_up(line)
                seat = receiver(line, self.line_to)
                self.events.append(("line", name, seat, points))
                movement += toward(seat, points)
        return movement

    def move_lighthouse(self, movement: int) -> None:
        """N11: it stops on 10; what is beyond is lost."""
        self.lighthouse += movement
        self.lighthouse = min(self.lighthouse, TRACK_END)
        self.lighthouse = max(self.lighthouse, -TRACK_END)

    # End of a round, end of the game

    def winner_on_full_board(self) -> int | None:
        """N15: the side of the track; on 0 the own tiles in the own zones."""
        if self.lighthouse > 0:
            return RED
        if self.lighthouse < 0:
            return BLUE
        red = self.own_tiles_in_own_zone(RED)
        blue = self.own_tiles_in_own_zone(BLUE)
        if red > blue:
            return RED
        if blue > red:
            return BLUE
        return None

    def own_tiles_in_own_zone(self, seat: int) -> int:
        """N15: how many tiles of their own color a player has in their own zone."""
        count = 0
        for cell, (color, _) in self.board.items():
            if color == seat and cell[0] == ZONES[seat]:
                count += 1
        return count

    def end_round(self, winner: int | None, clause: str) -> None:
        """N16: count the win; end the match or set up the next round at once."""
        self.events.append(("round", winner, clause))
        if winner is not None:
            self.wins[winner] += 1
        if self.round_number == self.rounds or 2 in self.wins:
            self.over = True
        else:
            self.round_number += 1
            self.set_up_round()

    def winners(self) -> list[int]:
        """N17: more round wins; equal: both win. Nobody before the match is over."""
        if not self.over:
            return []
        if self.wins[RED] > self.wins[BLUE]:
            return [RED]
        if self.wins[BLUE] > self.wins[RED]:
            return [BLUE]
        return [RED, BLUE]
