// Looking back: the board shows an earlier position instead of the current one.

import type { GameView } from "../games/face";
import { server } from "../server";
import type { OneTable } from "./table.svelte";

export class Lookback {
  /** The position shown, by the number of its last action; null: the current one. */
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
      if (!step?.view || this.#wanted !== number) return;
      this.moment = { number, game: step.view };
      acting.cancel();
    } catch (problem) {
      acting.refused(problem);
    }
  }

  /** Back to the current position. */
  end(): void {
    this.#wanted = null;
    this.moment = null;
  }
}
