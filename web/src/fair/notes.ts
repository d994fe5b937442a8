// What this browser keeps of each table: its share of the deal, and what the server published.

import { randomShare } from "./hashes";

export interface Notes {
  /** When something was last noted. */
  at: number;
  /** 32 random bytes of our own that the deal follows from, in hexadecimal. */
  share: string;
  /** The server has confirmed that it has the share. */
  accepted: boolean;
  commitment: string | null;
  /** What the game is dealt from, fixed before the shares were opened. */
  terms: string | null;
  /** The seats that had the seal of our share when that was fixed. */
  sealed: number[];
  /** The heads of the chain of actions, by the number of actions. */
  heads: Record<string, string>;
  /** The table's version when it was last seen. */
  version: number;
  /** A part of the game was not seen, so that heads noted before say nothing any more. */
  missed: boolean;
  /** What the server said does not fit what it had said before. */
  broken: Broken | null;
}

export type Broken = "commitment" | "terms" | "actions" | "seal";

const PREFIX = "laguna.fair.";
const MOST = 40; // tables
const MOST_HEADS = 400; // of a table: the latest, which all the others lead to
const memory = new Map<string, Notes>(); // a private window may refuse to keep them

export function notesOf(table: string): Notes | null {
  const known = memory.get(table);
  if (known) return known;
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + table) ?? "null") as Notes | null;
    return kept && typeof kept.share === "string" && typeof kept.heads === "object" ? kept : null;
  } catch {
    return null;
  }
}

export const newNotes = (share: string = randomShare()): Notes => ({
  at: Date.now(),
  share,
  accepted: false,
  commitment: null,
  terms: null,
  sealed: [],
  heads: {},
  version: 0,
  missed: false,
  broken: null,
});

export function keep(table: string, notes: Notes): void {
  notes.at = Date.now();
  const numbers = Object.keys(notes.heads).map(Number).sort((one, other) => one - other);
  for (const number of numbers.slice(0, -MOST_HEADS)) delete notes.heads[number];
  memory.set(table, notes);
  try {
    const isNew = localStorage.getItem(PREFIX + table) === null;
    localStorage.setItem(PREFIX + table, JSON.stringify(notes));
    if (isNew) forgetOldest();
  } catch {
    // then they last only until the page is closed
  }
}

function forgetOldest(): void {
  const tables = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  const byAge = tables.sort((one, other) => (notesOf(other)?.at ?? 0) - (notesOf(one)?.at ?? 0));
  for (const table of byAge.slice(MOST)) localStorage.removeItem(PREFIX + table);
}
