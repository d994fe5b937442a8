// A lesson: what the learner has done in it is kept, so that it goes on where it was left.

import type { Action } from "../games/face";
import { asProblem } from "../problem";
import { server } from "../server";
import type { LessonState } from "../wire";
import { Practice, type Try } from "./practice.svelte";

const NOTHING = { actions: [], action: null, preview: false };

export class Lesson extends Practice<LessonState> {
  readonly game: string;
  readonly id: string;
  /** What the learner has done so far. */
  actions: Action[] = $state.raw([]);
  #changed: () => void;

  constructor(game: string, id: string, actions: Action[], changed: () => void) {
    super();
    this.game = game;
    this.id = id;
    this.actions = actions;
    this.#changed = changed;
  }

  get done(): boolean {
    return this.state !== null && this.state.task === null;
  }

  /** From its first task again. */
  restart(): void {
    this.actions = [];
    void this.begin();
  }

  /** The lesson as it was left; from its beginning if it has changed since. */
  protected async load(): Promise<LessonState> {
    if (this.actions.length) {
      try {
        return await this.try({});
      } catch (problem) {
        asProblem(problem);
        this.actions = [];
      }
    }
    return await this.try({});
  }

  protected begun(): void {
    this.#changed();
  }

  protected try(asked: Try): Promise<LessonState> {
    return server.lesson(this.game, this.id, { ...NOTHING, actions: this.actions as never[], ...(asked as object) });
  }

  protected played(action: Action, state: LessonState): void {
    this.actions = [...this.actions, action];
    this.state = state;
    this.#changed();
  }
}
