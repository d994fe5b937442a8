// What actions would do. The server is asked once for each action, until the table changes.

import type { Action, Event } from "../games/face";
import type { Previewed } from "../wire";
import type { OneTable } from "./table.svelte";

/** What an action would do, as far as it is certain. */
export interface Preview {
  action: Action;
  events: Event[] | null; // null until the server has answered
  goesOn: boolean; // the turn goes on after it
}

/** A preview that waits for the server's answer. */
export const pendingPreview = (action: Action): Preview => ({ action, events: null, goesOn: false });

export class Previews {
  #table: OneTable;
  #asked = new Map<string, Promise<Preview>>();
  #known = new Map<string, Preview>();

  constructor(table: OneTable) {
    this.#table = table;
  }

  /** The server's answer about this action; undefined if there is none yet. */
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
    return this.received(action, (await this.#table.connection.ask(asked)) as Previewed);
  }

  /** The server has answered what this action would do. */
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
