// A puzzle: the right actions so far, and what came of the one that was tried last.

import type { Action, GameView } from "../games/face";
import { Practice, type Try } from "../learn/practice.svelte";
import { server } from "../server";
import type { PuzzleInfo, PuzzleState } from "../wire";

const NOTHING = { actions: [], action: null, preview: false, give_up: false };

export class Puzzle extends Practice<PuzzleState> {
  readonly game: string;
  readonly info: PuzzleInfo;
  /** The day whose puzzle it is; null if it is any other. */
  readonly day: string | null;
  /** The position before each action of the solution that was found or shown. */
  positions: GameView[] = $state.raw([]);
  #actions: Action[] = []; // that were right
  #judged: (right: boolean) => void;
  #givenUp = false;

  constructor(game: string, info: PuzzleInfo, day: string | null, judged: (right: boolean) => void) {
    super();
    this.game = game;
    this.info = info;
    this.day = day;
    this.#judged = judged;
  }

  /** After a wrong action: back to the position before it. */
  again(): void {
    void this.begin();
  }

  /** What is left of the solution is played on the board. */
  async giveUp(): Promise<void> {
    if (this.#givenUp) return;
    this.#givenUp = true;
    if (this.state?.result === "wrong") await this.begin();
    await this.attempt(async () => {
      const state = await this.try({ give_up: true });
      this.#judged(false);
      this.positions = [...this.positions, ...state.changes.map(({ view }) => view.game as GameView)];
      this.show(state);
    });
  }

  protected load(): Promise<PuzzleState> {
    return this.try({});
  }

  protected begun({ view }: PuzzleState): void {
    this.positions = [...this.positions.slice(0, this.#actions.length), view.game as GameView];
  }

  protected try(asked: Try & { give_up?: boolean }): Promise<PuzzleState> {
    return server.puzzle(this.game, this.info.id, { ...NOTHING, actions: this.#actions as never[], ...(asked as object) });
  }

  protected played(action: Action, { result, view }: PuzzleState): void {
    if (result === "wrong") return this.#judged(false);
    this.#actions = [...this.#actions, action];
    this.positions = [...this.positions, view.game as GameView];
    if (result === "solved") this.#judged(true);
  }
}
