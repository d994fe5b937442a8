// The tables where I have a seat, as of the server's last answer.

import { server } from "../server";
import type { TableSummary } from "../wire";

class Mine {
  /** Null until the server has answered. */
  tables: TableSummary[] | null = $state.raw(null);

  /** The tables that are waiting for me. */
  get turns(): TableSummary[] {
    return this.tables?.filter((table) => table.my_turn && table.status === "playing") ?? [];
  }

  async look(): Promise<void> {
    this.tables = await server.myTables();
  }
}

export const mine = new Mine();
