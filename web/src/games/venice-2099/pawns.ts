// Which pawn is which: the server names squares only; a pawn that left one square and stands on another has moved.

import { distance, type View } from "./view";

export interface Piece {
  id: number;
  seat: number;
  at: string;
  fallen: boolean; // in the water, waiting for a gondola
  steps: number; // squares of its last move; 0 if it has not moved
  boat: boolean; // it came by gondola
}

export interface Pieces {
  all: Piece[]; // in the order of their ids, so that the elements drawn for them stay in place
  gondolas: number[];
  next: number;
}

export const NO_PIECES: Pieces = { all: [], gondolas: [], next: 0 };

export function follow(before: Pieces, game: View): Pieces {
  const after: Pieces = { all: [], gondolas: game.gondolas, next: before.next };
  for (let seat = 0; seat < game.players; seat++) followSeat(before, after, game, seat);
  after.all.sort((one, other) => one.id - other.id);
  return after;
}

function followSeat(before: Pieces, after: Pieces, game: View, seat: number): void {
  const fallen = game.fallen?.seat === seat ? game.fallen.from : null;
  const wanted = [...(game.pawns[seat] ?? []), ...(fallen ? [fallen] : [])];
  const had = before.all.filter((piece) => piece.seat === seat);
  const left = had.filter((piece) => !wanted.includes(piece.at));
  const boat = (game.gondolas[seat] ?? 0) < (before.gondolas[seat] ?? 0);
  for (const at of wanted) {
    const stood = had.find((piece) => piece.at === at);
    const came = stood ? null : left.shift();
    if (stood) after.all.push({ ...stood, fallen: at === fallen });
    else if (came) after.all.push({ ...came, at, fallen: false, steps: distance(came.at, at), boat });
    else after.all.push({ id: after.next++, seat, at, fallen: at === fallen, steps: 0, boat: false });
  }
}
