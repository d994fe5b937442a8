// What actions would do. The server is asked once for each, as long as the table stays as it is.

import { connection } from "../connection.svelte";
import type { Action, Event } from "../games/face";
import type { Previewed } from "../wire";
import type { OneTable } from "./table.svelte";

/** What an action would do, as far as it is certain. */
export interface Preview {
  action: Action;
  events: Event[] | null; // null while the server is asked
  goesOn: boolean; // the turn goes on after it
}

/** Before the server has told. */
export const notYetTold = (action: Action): Preview => ({ action, events: null, goesOn: false });

export class Previews {
  #table: OneTable;
  #asked = new Map<string, Promise<Preview>>();
  #known = new Map<string, Preview>();

  constructor(table: OneTable) {
    this.#table = table;
  }

  /** What the server has told about this action; undefined if it was not asked yet. */
  known(action: Action): Preview | undefined {
    return this.#known.get(JSON.stringify(action));
  }

  ask(action: Action): Promise<Preview> {
    const key = JSON.stringify(action);
    const asked = this.#asked.get(key) ?? this.#ask(action);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(action: Action): Promise<Preview> {
    const asked = { do: "preview", table: this.#table.id, action: action as never } as const;
    return this.received(action, (await connection.ask(asked)) as Previewed);
  }

  /** The server has told what this action would do. */
  received(action: Action, answer: Previewed): Preview {
    const preview = { action, events: answer.events, goesOn: answer.goes_on };
    if (answer.version === this.#table.view?.version) this.#known.set(JSON.stringify(action), preview);
    return preview;
  }

  /** The table has changed. */
  clear(): void {
    this.#asked.clear();
    this.#known.clear();
  }
}
