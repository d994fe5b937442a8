// What a view publishes about the deal and the game, and what it asks of us.

import type { Line, TableView } from "../wire";
import type { Broken, Notes } from "./notes";

/** Note what a view publishes, and whether it contradicts what was published before; `lines` are the last ones. */
export function note(notes: Notes, view: TableView, lines: Line[]): void {
  const broken = (found: Broken): void => void (notes.broken ??= found);
  notes.commitment ??= view.commitment;
  if (notes.commitment !== view.commitment) broken("commitment");
  if (notes.terms && notes.terms !== view.fair?.terms) broken("terms");
  notes.terms ??= view.fair?.terms ?? null;
  noteLines(notes, lines, view.version);
  if (view.fair && view.game) noteHead(notes, view.game.actions, view.fair.head, broken);
}

function noteLines(notes: Notes, lines: Line[], version: number): void {
  const first = lines[0]?.version ?? version + 1;
  if (first > notes.version + 1 && Object.keys(notes.heads).length) {
    notes.heads = {};
    notes.missed = true;
  }
  for (const line of lines) if (line.kind === "took-back" && line.version > notes.version) forgetAfter(notes, line.actions ?? 0);
  notes.version = version;
}

function noteHead(notes: Notes, actions: number, head: string | null, broken: (found: Broken) => void): void {
  if (head === null || (notes.heads[actions] ??= head) !== head) broken("actions");
}

/** The server has opened the table that was asked for with this seal: has it taken the seal, too? */
export function noteOpened(notes: Notes, view: TableView, seal: string): void {
  note(notes, view, []);
  if (view.mine.some((seat) => view.fair?.seals[seat] !== seal)) notes.broken ??= "seal";
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
