// A puzzle: a table whose server is asked anew for each action, with all right actions so far.

import type { Answer, Asked, Follower, Link } from "../connection.svelte";
import type { Action, GameView } from "../games/face";
import { asProblem, Problem } from "../problem";
import { server } from "../server";
import type { PuzzleInfo, PuzzleState } from "../wire";

const NOT_HERE = new Problem({ key: "not-in-puzzles", sentence: "That is not possible in a puzzle.", clause: null, arguments: {} });
const NOTHING = { actions: [], action: null, preview: false, give_up: false };

export class Puzzle implements Link {
  readonly game: string;
  readonly info: PuzzleInfo;
  /** The day whose puzzle it is; null if it is any other. */
  readonly day: string | null;
  state: PuzzleState | null = $state.raw(null);
  /** The position before each action of the solution that was found or shown. */
  positions: GameView[] = $state.raw([]);
  #actions: Action[] = []; // that were right
  #follower: Follower | null = null;
  #judged: (right: boolean) => void;

  constructor(game: string, info: PuzzleInfo, day: string | null, judged: (right: boolean) => void) {
    this.game = game;
    this.info = info;
    this.day = day;
    this.#judged = judged;
  }

  follow(follower: Follower): void {
    this.#follower = follower;
    void this.#begin();
  }

  unfollow(): void {
    this.#follower = null;
  }

  /** After a wrong action: back to the position before it. */
  again(): void {
    void this.#begin();
  }

  async #begin(): Promise<void> {
    try {
      this.state = await this.#try({});
      this.positions = [...this.positions.slice(0, this.#actions.length), this.state.view.game as GameView];
      this.#follower?.hear({ is: "table", view: this.state.view, lines: this.state.lines });
    } catch (problem) {
      this.#follower?.refused(asProblem(problem));
    }
  }

  /** What is left of the solution is played on the board. */
  async giveUp(): Promise<void> {
    this.#judged(false);
    if (this.state?.result === "wrong") await this.#begin();
    try {
      const state = await this.#try({ give_up: true });
      this.state = state;
      this.positions = [...this.positions, ...state.changes.map(({ view }) => view.game as GameView)];
      for (const change of state.changes) this.#follower?.hear(change);
    } catch (problem) {
      this.#follower?.refused(asProblem(problem));
    }
  }

  #try(asked: { action?: Action; preview?: boolean; give_up?: boolean }): Promise<PuzzleState> {
    return server.puzzle(this.game, this.info.id, { ...NOTHING, actions: this.#actions as never[], ...(asked as object) });
  }

  async ask(asked: Asked): Promise<Answer> {
    if (asked.do !== "act" && asked.do !== "preview") throw NOT_HERE;
    const action: Action = asked.action as never;
    if (asked.do === "preview" || asked.if_goes_on) {
      const { preview } = await this.#try({ action, preview: true });
      if (preview && (asked.do === "preview" || !preview.goes_on)) return preview;
    }
    const state = await this.#try({ action });
    if (state.result === "wrong") this.#judged(false);
    else {
      this.#actions = [...this.#actions, action];
      this.positions = [...this.positions, state.view.game as GameView];
      if (state.result === "solved") this.#judged(true);
    }
    this.state = state;
    for (const change of state.changes) this.#follower?.hear(change);
    return { is: "done", id: 0, version: state.changes[0]?.view.version ?? 0, table: null };
  }
}
