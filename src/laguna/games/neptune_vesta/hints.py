"""Neptune & Vesta: how good a position looks, for bots that do not read it to the end."""

from __future__ import annotations

from laguna.games.neptune_vesta.components import BLUE_TILE, CELLS, RED, SIDE, VALUE_OF, ZONE
from laguna.kernel.jit import rule

SCALE = 6.0  # a lead of this much is a good lead
PLAYOUT = 4  # random actions before a position is judged
ROUND_WIN = 100.0
OPEN_LINE = 0.15  # a point in sight, for each tile already in the line


@rule
def evaluate(s, seat):
    """Rounds won, then the lighthouse, then what the open lines promise; higher is better."""
    own = s.wins[seat] - s.wins[1 - seat]
    sight = s.lighthouse * 1.0
    for zone in range(0, CELLS, ZONE):
        for i in range(SIDE):
            sight += promise(s.board, zone + i * SIDE, 1)
            sight += promise(s.board, zone + i, SIDE)
    return own * ROUND_WIN + (sight if seat == RED else -sight)


@rule
def promise(board, first, step):
    """What an open line is heading for, toward red positive: pairs so far, or the loss of 3."""
    tiles = 0
    lead = 0
    pairs = 0
    for i in range(SIDE):
        tile = board[first + i * step]
        if tile == 0:
            continue
        tiles += 1
        lead += 1 if tile < BLUE_TILE else -1
        for j in range(i):
            other = board[first + j * step]
            pairs += other != 0 and ((tile ^ other) & VALUE_OF) == 0
    if tiles == SIDE or tiles < 2 or lead == 0:
        return 0.0
    points = pairs if pairs > 0 else -1
    return OPEN_LINE * tiles * points * (1 if lead > 0 else -1)
