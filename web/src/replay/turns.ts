// The turns of a game: actions of one seat that follow each other.

export interface Turn {
  seat: number;
  first: number; // the number of its first action
  last: number;
}

/** `seats` has the seat of each action, in order. */
export function turnsOf(seats: number[]): Turn[] {
  const turns: Turn[] = [];
  seats.forEach((seat, at) => {
    const turn = turns.at(-1);
    if (turn?.seat === seat) turn.last = at + 1;
    else turns.push({ seat, first: at + 1, last: at + 1 });
  });
  return turns;
}

/** After the next turn, or (`by` -1) before the current one; only turns of `seat` count if one is given. */
export function turnFrom(turns: Turn[], number: number, by: 1 | -1, seat: number | null = null): number {
  const counted = turns.filter((turn) => seat === null || turn.seat === seat);
  if (by > 0) return counted.find(({ last }) => last > number)?.last ?? turns.at(-1)?.last ?? 0;
  return counted.findLast(({ last }) => last < number)?.last ?? 0;
}
