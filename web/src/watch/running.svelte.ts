// The public tables where a game is on, and those of them whose boards are kept up to date.

import type { TableSummary } from "../wire";

const MOST = 8; // boards that are followed at once

export class Running {
  /** The newest first; null until the server has answered. */
  tables: TableSummary[] | null = $state.raw(null);
  #seen: string[] = $state.raw([]); // tables on the screen

  /** The tables to be followed: those on the screen, up to a limit. */
  get followed(): string[] {
    return (this.tables ?? []).map(({ table }) => table).filter((table) => this.#seen.includes(table)).slice(0, MOST);
  }

  /** My own tables are left out: to look at them as a spectator would be to come back to them. */
  list(tables: TableSummary[]): void {
    this.tables = tables.filter(({ status, mine }) => status === "playing" && !mine.length);
  }

  /** A table came onto the screen, or left it. */
  see(table: string, on: boolean): void {
    this.#seen = on ? [...this.#seen.filter((other) => other !== table), table] : this.#seen.filter((other) => other !== table);
  }
}
