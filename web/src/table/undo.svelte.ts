// Undo, and redo as long as nothing else was done instead.

import type { Line } from "../wire";
import type { OneTable } from "./table.svelte";

export class Undo {
  /** The undone actions in notation, in the order in which they are redone. */
  #actions: string[] = $state.raw([]);
  #table: OneTable;

  constructor(table: OneTable) {
    this.#table = table;
  }

  get canRedo(): boolean {
    return this.#actions.length > 0 && this.#table.may("act");
  }

  /** The log has grown by these lines. */
  hear(lines: Line[], log: Line[], mine: number[]): void {
    for (const line of lines) {
      const own = mine.includes(line.seat ?? -1);
      if (line.kind === "took-back" && own) this.#tookBack(log.filter(({ version }) => line.undone.includes(version)));
      else if (line.kind === "acted") this.#acted(line, own);
    }
  }

  #tookBack(undone: Line[]): void {
    this.#actions = [...undone.flatMap((line) => line.action ?? []), ...this.#actions];
  }

  #acted(line: Line, own: boolean): void {
    if (line.action !== null && line.action === this.#actions[0]) this.#actions = this.#actions.slice(1);
    else if (line.action !== null || own) this.#actions = [];
  }

  /** Undo the last action, or the whole turn. */
  takeBack(turn = false): Promise<boolean> {
    const { id, view } = this.#table;
    return this.#table.ask({ do: "take-back", table: id, version: view?.version ?? 0, turn });
  }

  async redo(): Promise<void> {
    const [first] = this.#actions;
    if (first !== undefined && !(await this.#table.acting.act(first))) this.#actions = [];
  }
}
