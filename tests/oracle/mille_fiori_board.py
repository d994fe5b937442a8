"""Mille Fiori: the board and the deck of clauses M1–M3, written out as facts.

Every cell has the name that actions use; dicts and lists keep the order in which cells are offered.
"""

# M1: the types in their order, and the wheel numbers of the cards of each type.
DECK: dict[str, list[int]] = {
    "pigment": [1, 1, 2, 2, 3, 3, 4, 4, 5],
    "quartz": [1, 2, 3, 3, 3, 4, 5],
    "ash": [1, 2, 2, 3, 4, 4, 5],
    "lime": [1, 1, 2, 3, 4, 5, 5],
    "residence": [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5],
    "lion": [1, 2, 3, 5],
    "coin": [1, 2, 3, 5],
    "cross": [1, 2, 3, 4],
    "fish": [1, 2, 3, 4],
    "shell": [1, 2, 3, 4],
    "crab": [1, 2, 3, 5],
    "goblet": [1, 2, 3, 4, 5],
    "carafe": [1, 2, 3, 4, 5],
    "earrings": [1, 2, 3, 4, 5],
    "swan": [1, 2, 3, 4, 5],
    "harbor": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5],
}
TYPES = list(DECK)

# M2: lozenges of each player.
SUPPLY = 27
RESERVE = 3

# M3: the groups with bonus cells, and what the first, second, third and fourth player there score.
GROUPS = ["workshops", "residences", "nobles", "commoners", "trade"]
BONUS_VALUES = [20, 15, 10, 5]

# M4, M6, M7: by number of players.
DISPLAY_AT_START = {2: 9, 3: 4, 4: 9}
PICKS = {2: 3, 3: 4, 4: 4}
HAND_SIZE = 5

# M14: the raw material of each workshop cell.
WORKSHOPS = {
    "W0": "pigment",
    "W1": "ash",
    "W2": "pigment",
    "W3": "lime",
    "W4": "ash",
    "W5": "lime",
    "W6": "ash",
    "W7": "quartz",
    "W8": "lime",
    "W9": "quartz",
    "W10": "ash",
    "W11": "pigment",
    "W12": "quartz",
    "W13": "pigment",
    "W14": "quartz",
    "W15": "pigment",
    "W16": "ash",
    "W17": "quartz",
    "W18": "lime",
    "W19": "pigment",
    "W20": "quartz",
    "W21": "lime",
    "W22": "pigment",
    "W23": "quartz",
    "W24": "lime",
    "W25": "pigment",
    "W26": "ash",
    "W27": "lime",
    "W28": "pigment",
    "W29": "ash",
}

# M15: the cells that touch each workshop cell.
NEIGHBORS = {
    "W0": ["W1", "W7", "W8"],
    "W1": ["W0", "W2", "W8", "W9"],
    "W2": ["W1", "W3", "W9", "W10"],
    "W3": ["W2", "W4", "W10", "W11"],
    "W4": ["W3", "W5", "W11", "W12"],
    "W5": ["W4", "W12"],
    "W6": ["W13", "W14"],
    "W7": ["W0", "W8", "W15"],
    "W8": ["W0", "W1", "W7", "W9", "W15", "W16"],
    "W9": ["W1", "W2", "W8", "W10", "W16"],
    "W10": ["W2", "W3", "W9", "W11", "W17"],
    "W11": ["W3", "W4", "W10", "W12", "W17", "W18"],
    "W12": ["W4", "W5", "W11", "W18", "W19"],
    "W13": ["W6", "W14", "W20", "W21"],
    "W14": ["W6", "W13", "W21", "W22"],
    "W15": ["W7", "W8", "W16", "W23"],
    "W16": ["W8", "W9", "W15", "W23"],
    "W17": ["W10", "W11", "W18", "W24", "W25"],
    "W18": ["W11", "W12", "W17", "W19", "W25", "W26"],
    "W19": ["W12", "W18", "W20", "W26", "W27"],
    "W20": ["W13", "W19", "W21", "W27", "W28"],
    "W21": ["W13", "W14", "W20", "W22", "W28", "W29"],
    "W22": ["W14", "W21", "W29"],
    "W23": ["W15", "W16"],
    "W24": ["W17", "W25"],
    "W25": ["W17", "W18", "W24", "W26"],
    "W26": ["W18", "W19", "W25", "W27"],
    "W27": ["W19", "W20", "W26", "W28"],
    "W28": ["W20", "W21", "W27", "W29"],
    "W29": ["W21", "W22", "W28"],
}

# M17: the three cells around each extra-card symbol.
TRIPLES = [
    ["W0", "W7", "W8"],
    ["W1", "W2", "W9"],
    ["W3", "W10", "W11"],
    ["W4", "W5", "W12"],
    ["W6", "W13", "W14"],
    ["W15", "W16", "W23"],
    ["W17", "W24", "W25"],
    ["W18", "W19", "W26"],
    ["W20", "W27", "W28"],
    ["W21", "W22", "W29"],
]

# M18, M19: the row of residences with their numbers.
RESIDENCES = {
    "R0": 2,
    "R1": 4,
    "R2": 3,
    "R3": 5,
    "R4": 1,
    "R5": 4,
    "R6": 2,
    "R7": 3,
    "R8": 1,
    "R9": 5,
    "R10": 10,
    "R11": 2,
    "R12": 3,
    "R13": 4,
    "R14": 5,
    "R15": 10,
    "R16": 1,
    "R17": 5,
    "R18": 4,
    "R19": 3,
}
NUMBERS_FOR_BONUS = 4  # M20
NUMBERS_FOR_EXTRA_CARD = [3, 5]  # M21

# M22: the pyramid of the nobles, bottom, middle and top level.
NOBLES = {
    "Nb0": "cross",
    "Nb1": "coin",
    "Nb2": "lion",
    "Nb3": "cross",
    "Nb4": "coin",
    "Nm0": "lion",
    "Nm1": "cross",
    "Nm2": "coin",
    "Nm3": "lion",
    "Nt0": "coin",
    "Nt1": "lion",
    "Nt2": "cross",
}

# M22: the pyramid of the commoners, bottom, middle and top level.
COMMONERS = {
    "Cb0": "crab",
    "Cb1": "shell",
    "Cb2": "fish",
    "Cb3": "crab",
    "Cb4": "shell",
    "Cm0": "fish",
    "Cm1": "crab",
    "Cm2": "shell",
    "Cm3": "fish",
    "Ct0": "shell",
    "Ct1": "fish",
    "Ct2": "crab",
}

# M22: the cards of each pyramid's color.
NOBLE_TYPES = ["lion", "coin", "cross"]
COMMONER_TYPES = ["fish", "shell", "crab"]

# M23, M24: by level.
LEVEL_POINTS = {"b": 1, "m": 3, "t": 6}

# M27: five rows of four goods.
ROWS = ["0", "1", "2", "3", "4"]
GOODS = ["goblet", "carafe", "earrings", "swan"]
TRADE = {"T" + good + row: good for good in GOODS for row in ROWS}

# M31, M32: five rows of three ships; what a lozenge earns by the number of goods in its row.
SHIPS = ["0", "1", "2"]
HARBOR = ["H" + row + ship for row in ROWS for ship in SHIPS]
FLEET_POINTS = [0, 1, 3, 6, 10]

# M34: the points on each space of the sea route; the ship begins on space 0.
SEA_POINTS = {
    1: 1,
    2: 1,
    3: 1,
    4: 3,
    5: 1,
    6: 10,
    7: 0,
    8: 1,
    9: 5,
    10: 1,
    11: 1,
    12: 10,
    13: 10,
    14: 1,
    15: 5,
    16: 0,
    17: 1,
    18: 1,
    19: 1,
    20: 10,
}
SEA_EXTRA_CARDS = [7, 16, 20]
SEA_END = 20

CELLS = [*WORKSHOPS, *RESIDENCES, *NOBLES, *COMMONERS, *TRADE, *HARBOR]
