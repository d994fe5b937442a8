// A table for practice, a lesson or a puzzle: its server keeps nothing, and is told all that was done with every request.

import type { Answer, Asked, Follower, Link } from "../connection.svelte";
import type { Action } from "../games/face";
import { asProblem, Problem } from "../problem";
import type { Changed, Line, Previewed, TableView } from "../wire";

const NOT_HERE = new Problem({ key: "not-in-practice", sentence: "That is not possible here.", clause: null, arguments: {} });

/** What the server says after all that was done. */
interface State {
  view: TableView;
  lines: Line[];
  preview: Previewed | null;
  /** What the latest action brought about. */
  changes: Changed[];
}

export interface Try {
  action?: Action;
  preview?: boolean;
}

export abstract class Practice<S extends State> implements Link {
  state: S | null = $state.raw(null);
  #follower: Follower | null = null;

  /** The table as it is after what was done so far. */
  protected abstract load(): Promise<S>;
  /** What comes of an action after what was done so far. */
  protected abstract try(asked: Try): Promise<S>;
  /** The action was played. */
  protected abstract played(action: Action, state: S): void;
  /** The table is shown as it was loaded. */
  protected abstract begun(state: S): void;

  follow(follower: Follower): void {
    this.#follower = follower;
    void this.begin();
  }

  unfollow(): void {
    this.#follower = null;
  }

  protected begin(): Promise<void> {
    return this.attempt(async () => {
      const state = await this.load();
      this.state = state;
      this.begun(state);
      this.#follower?.hear({ is: "table", view: state.view, lines: state.lines });
    });
  }

  /** Do this; where it fails, the table says why. */
  protected async attempt(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (problem) {
      this.#follower?.refused(asProblem(problem));
    }
  }

  async ask(asked: Asked): Promise<Answer> {
    if (asked.do !== "act" && asked.do !== "preview") throw NOT_HERE;
    const action: Action = asked.action as never;
    if (asked.do === "preview" || asked.if_goes_on) {
      const { preview } = await this.try({ action, preview: true });
      if (preview && (asked.do === "preview" || !preview.goes_on)) return preview;
    }
    const state = await this.try({ action });
    this.played(action, state);
    this.show(state);
    return { is: "done", id: 0, version: state.changes[0]?.view.version ?? 0, table: null };
  }

  /** What happened, one after the other. */
  protected show(state: S): void {
    this.state = state;
    for (const change of state.changes) this.#follower?.hear(change);
  }
}
