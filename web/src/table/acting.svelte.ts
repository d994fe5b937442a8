// From a complete choice to the action: confirmed as the settings say, sent, or refused with the reason.

import { connection } from "../connection.svelte";
import type { Action } from "../games/face";
import { asProblem, type Problem } from "../problem";
import { settings } from "../settings.svelte";
import { notYetTold, type Preview } from "./previews";
import type { OneTable } from "./table.svelte";

export class Acting {
  /** An action that is on its way, or waits for the player's yes. */
  proposal: Preview | null = $state.raw(null);
  /** Why the last thing that was tried is not allowed. */
  whyNot: Problem | null = $state.raw(null);
  /** An action is on its way. */
  asking = $state(false);
  #table: OneTable;
  #done = 0; // the version that the last action made

  constructor(table: OneTable) {
    this.#table = table;
  }

  /** The player has chosen this action: it is done at once or waits for a yes, as the settings say. */
  async propose(action: Action): Promise<void> {
    const { previews } = this.#table;
    this.whyNot = null;
    if (settings.confirm === "none") return void (await this.act(action));
    this.proposal = notYetTold(action);
    const known = previews.known(action);
    if (settings.confirm === "turn" && (!known || known.goesOn)) return void (await this.act(action, true));
    try {
      const preview = known ?? (await previews.ask(action));
      this.#received({ ...preview, action }); // it may have been asked for an equal action that was pointed at
    } catch (problem) {
      this.refused(problem);
    }
  }

  /** The server has told what the proposed action would do; it may be withdrawn by then. */
  #received(preview: Preview): void {
    if (this.proposal?.action === preview.action) this.proposal = preview;
  }

  /** Is a yes wanted? If only the end of a turn wants one, that is known once the server has told. */
  get asked(): boolean {
    return this.proposal !== null && (this.proposal.events !== null || settings.confirm === "every");
  }

  async confirm(): Promise<void> {
    if (this.proposal && this.asked) await this.act(this.proposal.action);
  }

  withdraw(): void {
    this.proposal = null;
  }

  /** Let go of everything half chosen. */
  cancel(): void {
    this.proposal = null;
    this.whyNot = null;
    this.#table.choosing.clear();
  }

  /**
   * Do it (an action in notation is taken too); true if it was done. Nothing else can be chosen until what it made
   * is shown. With `ifGoesOn` an action that may end the turn is not done: the server tells what it would do.
   */
  async act(action: Action | string, ifGoesOn = false): Promise<boolean> {
    const { id, view } = this.#table;
    if (this.asking || !view) return false;
    this.asking = true;
    this.#done = Infinity;
    try {
      const asked = { do: "act", table: id, version: view.version, action: action as never, if_goes_on: ifGoesOn } as const;
      const answer = await connection.ask(asked);
      this.#done = answer.is === "done" ? (answer.version ?? 0) : 0;
      if (answer.is === "previewed") this.#received(this.#table.previews.received(action as Action, answer));
      return answer.is === "done";
    } catch (problem) {
      this.#done = 0;
      this.refused(problem);
      return false;
    } finally {
      this.shown();
    }
  }

  /** What is shown may hold what the last action made. */
  shown(): void {
    if ((this.#table.view?.version ?? 0) >= this.#done) this.asking = false;
  }

  /** Ask which rule forbids this. Nothing is played: a preview that is refused says why. */
  async why(attempt: Action): Promise<void> {
    if (this.#table.past) return;
    try {
      await connection.ask({ do: "preview", table: this.#table.id, action: attempt as never });
    } catch (problem) {
      this.whyNot = asProblem(problem);
    }
  }

  /** The server did not do something: what was half chosen is let go, and the reason is shown. */
  refused(problem: unknown): void {
    const reason = asProblem(problem);
    this.cancel();
    this.whyNot = reason;
  }
}
