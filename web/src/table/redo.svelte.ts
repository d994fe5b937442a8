// What the player took back and may do again, as long as nothing else was done instead.

import type { Line, TableView } from "../wire";
import { takenBack } from "./history";
import type { OneTable } from "./table.svelte";

export class Redo {
  /** The actions taken back, in notation, the first to be done again first. */
  actions: string[] = $state.raw([]);
  #table: OneTable;

  constructor(table: OneTable) {
    this.#table = table;
  }

  get possible(): boolean {
    return this.actions.length > 0 && this.#table.may("act");
  }

  /** These lines are new; `before` is how the table was, and `log` what had happened till then. */
  hear(lines: Line[], before: TableView | null, log: Line[]): void {
    for (const line of lines) {
      if (line.kind === "took-back") this.#tookBack(line, before, log);
      else if (line.kind === "acted") this.#acted(line, before);
    }
  }

  #tookBack(line: Line, before: TableView | null, log: Line[]): void {
    if (!before?.mine.includes(line.seat ?? -1)) return;
    const played = before.game?.actions ?? 0;
    // A choice made in secret is not counted as an action before all have chosen.
    const count = Math.max(1, played - (line.actions ?? played));
    const gone = takenBack(log);
    const own = log.filter((each) => each.kind === "acted" && each.seat === line.seat && !gone.has(each.version));
    const taken = own.slice(-count);
    this.actions = [...taken.flatMap((each) => each.action ?? []), ...this.actions];
  }

  #acted(line: Line, before: TableView | null): void {
    if (line.action !== null && line.action === this.actions[0]) this.actions = this.actions.slice(1);
    else if (line.action !== null || before?.mine.includes(line.seat ?? -1)) this.actions = [];
  }

  async again(): Promise<void> {
    const [first] = this.actions;
    if (first !== undefined && !(await this.#table.act(first))) this.actions = [];
  }
}
