// The board as it was: a moment of the past is shown instead of what is now.

import type { GameView } from "../games/face";
import { server } from "../server";
import type { OneTable } from "./table.svelte";

export class Lookback {
  /** The moment that is looked at, by the number of its last action; null: what is shown is now. */
  moment: { number: number; game: GameView } | null = $state.raw(null);
  #table: OneTable;
  #wanted: number | null = null; // the moment last asked for: answers to earlier requests come too late

  constructor(table: OneTable) {
    this.#table = table;
  }

  async to(number: number): Promise<void> {
    const { id, seat, acting } = this.#table;
    this.#wanted = number;
    try {
      const step = (await server.past(id, number, seat)).steps[0];
      if (!step || this.#wanted !== number) return;
      this.moment = { number, game: step.view };
      acting.cancel();
    } catch (problem) {
      acting.refused(problem);
    }
  }

  /** Back to now. */
  end(): void {
    this.#wanted = null;
    this.moment = null;
  }
}
