// The tables at which I sit, as the server last told.

import { server } from "../server";
import type { TableSummary } from "../wire";

class Mine {
  /** Null until the server has told. */
  tables: TableSummary[] | null = $state.raw(null);

  /** Those that wait for me. */
  get turns(): TableSummary[] {
    return this.tables?.filter((table) => table.my_turn && table.status === "playing") ?? [];
  }

  async look(): Promise<void> {
    this.tables = await server.myTables();
  }
}

export const mine = new Mine();
