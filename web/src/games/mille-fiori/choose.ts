// One choice may take the place of another: a cell instead of sailing, sailing instead of a cell.

import type { Asking } from "../../settings.svelte";
import type { OneTable } from "../../table/table.svelte";
import type { Action } from "../face";

type Fields = Record<string, unknown>;

/** Can this be chosen, together with what is chosen so far or instead of it? */
export const allowed = (table: OneTable, fields: Fields): boolean => table.choosing.having(fields).length > 0;

/** The action that this choice would complete; null if something is left to choose. */
export function meant(table: OneTable, fields: Fields): Action | null {
  const together = table.choosing.completed(fields);
  const alone = table.choosing.having(fields);
  return together ?? (alone.length === 1 ? alone[0]! : null);
}

/** Choose it; or, if it is not allowed, ask why this attempt is not. */
export function choose(table: OneTable, fields: Fields, attempt: Action, confirm?: Asking): void {
  const { choosing } = table;
  if (!allowed(table, fields)) return choosing.pick(fields, attempt);
  if (!choosing.allows(fields)) table.acting.cancel();
  choosing.pick(fields, undefined, confirm);
}
