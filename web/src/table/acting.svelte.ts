// From a complete choice to the action: confirmed if the settings ask for it, sent, or refused with the reason.

import type { Action } from "../games/face";
import { asProblem, Problem } from "../problem";
import { settings, type Asking } from "../settings.svelte";
import { pendingPreview, type Preview } from "./previews";
import type { OneTable } from "./table.svelte";

export class Acting {
  /** An action that is on its way, or waits for confirmation. */
  proposal: Preview | null = $state.raw(null);
  /** Why the last attempt is not allowed. */
  whyNot: Problem | null = $state.raw(null);
  /** What it was attempted with: the thing, explained. */
  about: string | null = $state(null);
  /** An action is on its way. */
  asking = $state(false);
  #table: OneTable;
  #done = 0; // the version that the last action led to

  constructor(table: OneTable) {
    this.#table = table;
  }

  /** The player has chosen this action: depending on the settings it is played at once or waits for confirmation. */
  async propose(action: Action, confirm: Asking = settings.confirm): Promise<void> {
    const { previews } = this.#table;
    this.whyNot = null;
    if (confirm === "none") return void (await this.act(action));
    this.proposal = pendingPreview(action);
    const known = previews.known(action);
    if (confirm === "turn" && (!known || known.goesOn)) return void (await this.act(action, true));
    try {
      const preview = known ?? (await previews.ask(action));
      this.#received({ ...preview, action }); // the preview may be of an equal action that was pointed at
    } catch (problem) {
      this.refused(problem);
    }
  }

  /** The server has answered what the proposed action would do; the proposal may have been withdrawn meanwhile. */
  #received(preview: Preview): void {
    if (this.proposal?.action === preview.action) this.proposal = preview;
  }

  /** Is confirmation needed? If only the end of a turn needs it, the server's answer shows whether this is one. */
  get needsConfirmation(): boolean {
    return this.proposal !== null && (this.proposal.events !== null || settings.confirm === "every");
  }

  async confirm(): Promise<void> {
    if (this.proposal && this.needsConfirmation) await this.act(this.proposal.action);
  }

  withdraw(): void {
    this.proposal = null;
  }

  /** Discard everything chosen so far. */
  cancel(): void {
    this.proposal = null;
    this.whyNot = null;
    this.#table.choosing.clear();
  }

  /**
   * Play an action, given as a structure or in notation; true if it was played. Nothing else can be chosen until its
   * result is shown. With `ifGoesOn`, an action that may end the turn is not played: the server answers with a preview.
   */
  async act(action: Action | string, ifGoesOn = false): Promise<boolean> {
    const { id, view } = this.#table;
    if (this.asking || !view) return false;
    this.asking = true;
    this.#done = Infinity;
    try {
      const asked = { do: "act", table: id, version: view.version, action: action as never, if_goes_on: ifGoesOn, head: view.fair?.head ?? null } as const;
      const answer = await this.#table.link.ask(asked);
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

  /** A new view is shown: if it includes the last action, the player can choose again. */
  shown(): void {
    if ((this.#table.view?.version ?? 0) >= this.#done) this.asking = false;
  }

  /** Ask which rule forbids this. Nothing is played: the refusal of a preview says why. */
  async why(attempt: Action): Promise<void> {
    if (this.#table.past) return;
    const about = this.#table.pointing.explained;
    try {
      await this.#table.link.ask({ do: "preview", table: this.#table.id, action: attempt as never });
    } catch (problem) {
      this.whyNot = asProblem(problem);
      this.about = about;
    }
  }

  /** Nothing forbids it, but this is not how to do it. */
  advise(sentence: string): void {
    this.whyNot = new Problem({ key: "advice", sentence, clause: null, arguments: {} });
    this.about = this.#table.pointing.explained;
  }

  /** The connection is back: that it was lost need not be said any more. */
  reconnected(): void {
    if (this.whyNot?.key === "lost") this.whyNot = null;
  }

  /** The server refused something: discard what was chosen so far, and show the reason. */
  refused(problem: unknown): void {
    const reason = asProblem(problem);
    this.cancel();
    this.whyNot = reason;
    this.about = null;
  }
}
