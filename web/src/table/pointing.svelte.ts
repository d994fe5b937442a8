// What the pointer or the keyboard is on: what it is, and what choosing it would do.

import type { Action } from "../games/face";
import { notYetTold, type Preview } from "./previews";
import type { OneTable } from "./table.svelte";

export class Pointing {
  /** The action that would be chosen, with its effect. */
  considered: Preview | null = $state.raw(null);
  /** What the thing is. */
  explained: string | null = $state(null);
  #table: OneTable;

  constructor(table: OneTable) {
    this.#table = table;
  }

  async consider(action: Action | null, explanation: string | null): Promise<void> {
    this.explained = explanation;
    this.considered = action && notYetTold(action);
    if (!action) return;
    try {
      const preview = await this.#table.previews.ask(action);
      if (this.considered?.action === action) this.considered = preview;
    } catch {
      // what it would do cannot be told now; choosing it says why
    }
  }

  /** What could be done a moment ago cannot be done any more. */
  clear(): void {
    this.considered = null;
  }
}
