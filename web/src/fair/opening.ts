// Shares for tables that do not exist yet: sealed in the request that opens them, and opened if the game starts at once.

import { server } from "../server";
import type { NewTable, TableView } from "../wire";
import { canHash, randomShare, sealOf } from "./hashes";
import { keep, newNotes } from "./notes";
import { dueShare, noteOpened } from "./noting";

export interface Ahead {
  share: string;
  seal: string;
}

/** A share for the next table; null where nothing can be sealed. */
export async function shareAhead(): Promise<Ahead | null> {
  if (!canHash()) return null;
  const share = randomShare();
  return { share, seal: await sealOf(share) };
}

/** The table is there: from now on the share belongs to it. */
export const keepShare = (table: string, { share }: Ahead): void => keep(table, newNotes(share));

/** Open a table; it may already be in play when this returns. */
export async function openFairly(wish: NewTable, signal: AbortSignal): Promise<TableView> {
  const ahead = await shareAhead();
  const view = await server.newTable({ ...wish, seal: ahead?.seal ?? null }, signal);
  if (!ahead) return view;
  const notes = newNotes(ahead.share);
  noteOpened(notes, view, ahead.seal);
  const share = dueShare(notes, view, ahead.seal);
  keep(view.table, notes);
  if (!share) return view;
  // If this fails, the table asks for it again.
  notes.accepted = await server.share(view.table, share).then(() => true, () => false);
  keep(view.table, notes);
  return view;
}
