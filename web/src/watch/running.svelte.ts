// The public tables where a game is on, and those of them whose boards are kept up to date.

import type { TableSummary } from "../wire";

const MOST = 8; // boards that are followed at once

export class Running {
  /** The newest first; null until the server has answered. */
  tables: TableSummary[] | null = $state.raw(null);
  #seen: string[] = $state.raw([]); // tables on the screen, in the order in which they came

  /** The tables to be followed: those that have been on the screen longest, so that none is left while it is there. */
  get followed(): string[] {
    return this.#seen.slice(0, MOST);
  }

  /** My own tables are left out: to look at them as a spectator would be to come back to them. */
  list(tables: TableSummary[]): void {
    this.tables = tables.filter(({ status, mine }) => status === "playing" && !mine.length);
  }

  /** Its game is over. */
  drop(table: string): void {
    this.tables = this.tables?.filter((other) => other.table !== table) ?? null;
  }

  /** A table came onto the screen, or left it. */
  see(table: string, on: boolean): void {
    const others = this.#seen.filter((other) => other !== table);
    if (on !== this.#seen.includes(table)) this.#seen = on ? [...others, table] : others;
  }
}
