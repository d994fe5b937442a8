// What the pointer or the keyboard is on: what it is, and what choosing it would do.

import type { Action } from "../games/face";
import { pendingPreview, type Preview } from "./previews";
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
    this.considered = action && pendingPreview(action);
    if (!action) return;
    try {
      const preview = await this.#table.previews.ask(action);
      if (this.considered?.action === action) this.considered = preview;
    } catch {
      // there is no preview now; choosing the action says why
    }
  }

  /** The action that was considered belongs to an earlier moment. */
  clear(): void {
    this.considered = null;
  }
}
