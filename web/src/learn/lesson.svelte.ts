// A lesson: a table whose server is asked anew for each action, with all actions so far.

import type { Answer, Asked, Follower, Link } from "../connection.svelte";
import type { Action } from "../games/face";
import { asProblem, Problem } from "../problem";
import { server } from "../server";
import type { LessonState } from "../wire";

const NOT_HERE = new Problem({ key: "not-in-lessons", sentence: "That is not possible in a lesson.", clause: null, arguments: {} });
const NOTHING = { actions: [], action: null, preview: false };

export class Lesson implements Link {
  readonly game: string;
  readonly id: string;
  /** What the learner has done so far. */
  actions: Action[] = $state.raw([]);
  state: LessonState | null = $state.raw(null);
  #follower: Follower | null = null;
  #changed: () => void;

  constructor(game: string, id: string, actions: Action[], changed: () => void) {
    this.game = game;
    this.id = id;
    this.actions = actions;
    this.#changed = changed;
  }

  get done(): boolean {
    return this.state !== null && this.state.task === null;
  }

  follow(follower: Follower): void {
    this.#follower = follower;
    void this.#begin();
  }

  unfollow(): void {
    this.#follower = null;
  }

  /** From its first task again. */
  restart(): void {
    this.actions = [];
    void this.#begin();
  }

  async #begin(): Promise<void> {
    try {
      this.#show(await this.#load());
      this.#changed();
    } catch (problem) {
      this.#follower?.refused(asProblem(problem));
    }
  }

  /** The lesson as it was left; from its beginning if it has changed since. */
  async #load(): Promise<LessonState> {
    if (this.actions.length) {
      try {
        return await this.#try({});
      } catch (problem) {
        asProblem(problem);
        this.actions = [];
      }
    }
    return await this.#try({});
  }

  #try(asked: { action?: Action; preview?: boolean }): Promise<LessonState> {
    return server.lesson(this.game, this.id, { ...NOTHING, actions: this.actions as never[], ...(asked as object) });
  }

  #show(state: LessonState): void {
    this.state = state;
    this.#follower?.hear({ is: "table", view: state.view, lines: state.lines });
  }

  async ask(asked: Asked): Promise<Answer> {
    if (asked.do !== "act" && asked.do !== "preview") throw NOT_HERE;
    const action: Action = asked.action as never;
    if (asked.do === "preview" || asked.if_goes_on) {
      const { preview } = await this.#try({ action, preview: true });
      if (preview && (asked.do === "preview" || !preview.goes_on)) return preview;
    }
    const state = await this.#try({ action });
    this.actions = [...this.actions, action];
    this.state = state;
    for (const change of state.changes) this.#follower?.hear(change);
    this.#changed();
    return { is: "done", id: 0, version: state.changes[0]?.view.version ?? 0, table: null };
  }
}
