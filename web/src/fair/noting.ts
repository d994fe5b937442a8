// What a view publishes about the deal and the game, and what it asks of us.

import type { FairView, Line, TableView } from "../wire";
import type { Broken, Notes } from "./notes";

/** Note what a view publishes, and whether it contradicts what was published before. */
export function note(notes: Notes, view: TableView, lines: Line[], gap: boolean): void {
  const broken = (found: Broken): void => void (notes.broken ??= found);
  notes.commitment ??= view.commitment;
  if (notes.commitment !== view.commitment) broken("commitment");
  if (notes.terms && notes.terms !== view.fair?.terms) broken("terms");
  notes.terms ??= view.fair?.terms ?? null;
  if (gap) notes.heads = {};
  for (const line of lines) if (line.kind === "took-back") forgetAfter(notes, line.actions ?? 0);
  noteHead(notes, view, view.fair, broken);
}

function noteHead(notes: Notes, { game }: TableView, fair: FairView | null, broken: (found: Broken) => void): void {
  if (!fair?.head || !game) return;
  const known = (notes.heads[game.actions] ??= fair.head);
  if (known !== fair.head) broken("actions");
}

/** Actions were taken back: only the first so many are left. */
function forgetAfter(notes: Notes, actions: number): void {
  for (const number of Object.keys(notes.heads)) if (Number(number) > actions) delete notes.heads[number];
}

/** Our share, if this view asks us to open it: once, and only for what was fixed before. Notes which seats it is of. */
export function dueShare(notes: Notes, { fair, mine }: TableView, seal: string): string | null {
  if (notes.broken || !fair?.terms) return null;
  notes.sealed = mine.filter((seat) => fair.seals[seat] === seal);
  return fair.awaited.some((seat) => notes.sealed.includes(seat)) ? notes.share : null;
}
