// What a bot would do, if the player asks for it.

import type { HintGiven } from "../wire";
import type { OneTable } from "./table.svelte";

const SECONDS = 1; // of thinking time for the bot

export class Hinting {
  given: HintGiven | null = $state.raw(null);
  /** A bot is thinking. */
  thinking = $state(false);
  /** The rank of the hint that is pointed at in the list. */
  lit: number | null = $state(null);
  #table: OneTable;

  constructor(table: OneTable) {
    this.#table = table;
  }

  async ask(): Promise<void> {
    this.thinking = true;
    try {
      const { connection, id } = this.#table;
      const given = (await connection.ask({ do: "hint", table: id, seconds: SECONDS })) as HintGiven;
      if (given.version === this.#table.view?.version) this.given = given;
    } catch (problem) {
      this.#table.acting.refused(problem);
    } finally {
      this.thinking = false;
    }
  }

  close(): void {
    this.given = null;
    this.lit = null;
  }
}
