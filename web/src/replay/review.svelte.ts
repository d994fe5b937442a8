// The review of a finished game: asked for, followed while it is made, and read.

import { asProblem, type Problem } from "../problem";
import { go } from "../route.svelte";
import { server } from "../server";
import type { HintChoice, Outlook, Review, ReviewedAction } from "../wire";
import { REVIEW } from "./address";
import type { Recording } from "./recording.svelte";

const ASK_AGAIN = 1000; // milliseconds
const BUSY = ["unreachable", "unavailable", "too-many", "lost"]; // refusals that are temporary: a server may start again
const SWINGS = 5; // how many are marked, at most
const SWING = 0.1; // by how much a chance changes at least in one

/** An action for which something clearly better was possible. */
export type Mistake = ReviewedAction & { best: HintChoice };

export interface Swing {
  rank: number; // from the first to the last
  number: number; // of the action
  seat: number; // whose chance changed most
  change: number;
}

export class Reviewing {
  review: Review | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  /** It has been asked for and is not complete yet. */
  running = $state(false);
  #recording: Recording;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  /** Only what is over is reviewed; a file may stop before. */
  get possible(): boolean {
    return this.#recording.table.status === "over";
  }

  /** What is known of each position, by the number of actions before it. */
  outlooks: (Outlook | null)[] = $derived.by(() => {
    const { total, table } = this.#recording;
    const known: (Outlook | null)[] = Array.from({ length: total + 1 }, () => null);
    if (!this.review?.start) return known;
    known[0] = this.review.start;
    const expected = table.seats.map(() => this.review!.start!); // by each seat when it acted last
    for (const { number, seat, outlook, forced } of this.review.actions) {
      if (!forced) expected[seat] = outlook;
      known[number] = mean(expected);
    }
    if (known[total] && table.result?.how === "played") known[total] = this.review.actions.at(-1)!.outlook; // the result
    return known;
  });

  /** Mine first, then the costliest. */
  mistakes: Mistake[] = $derived.by(() => {
    const { mine } = this.#recording.table;
    const others = ({ seat }: Mistake): number => (mine.includes(seat) ? 0 : 1);
    const found = (this.review?.actions ?? []).filter((action): action is Mistake => action.best !== null);
    return found.sort((one, other) => others(one) - others(other) || other.loss - one.loss);
  });

  /** Where the chances changed most, in the order of the game: it takes a round until all seats have noticed. */
  swings: Swing[] = $derived.by(() => {
    const { total, table } = this.#recording;
    const round = table.seats.length;
    const last = table.result?.how === "played" ? total - 1 : total; // the result is no surprise of the last action
    const found = this.outlooks.slice(0, last).flatMap((before, at) => {
      const after = this.outlooks[Math.min(at + round, last)];
      return before && after ? [largest(before, after, at + 1)] : [];
    });
    return found
      .filter(({ change }) => Math.abs(change) >= SWING)
      .sort((one, other) => Math.abs(other.change) - Math.abs(one.change))
      .reduce<typeof found>((kept, swing) => (kept.some(({ number }) => Math.abs(number - swing.number) < round) ? kept : [...kept, swing]), [])
      .slice(0, SWINGS)
      .sort((one, other) => one.number - other.number)
      .map((swing, at) => ({ ...swing, rank: at + 1 }));
  });

  /** The mistake that was made in the position that is shown. */
  get here(): Mistake | null {
    return this.mistakes.find(({ number }) => number === this.#recording.shown + 1) ?? null;
  }

  /** The mistake after (or before) the position that is wanted. */
  next(by: 1 | -1): Mistake | null {
    const { number } = this.#recording;
    const inOrder = this.mistakes.toSorted((one, other) => by * (one.number - other.number));
    return inOrder.find((mistake) => by * (mistake.number - 1 - number) > 0) ?? null;
  }

  /** Show what has been reviewed before, and follow a review that is under way; have nothing else reviewed. */
  async look(): Promise<void> {
    const { table } = this.#recording.source;
    if (table === null || this.running) return;
    try {
      const found = await server.review(table, false);
      if (found.done && !this.running) this.review = found;
    } catch (problem) {
      asProblem(problem); // the button says more
    }
    if (this.review) void this.start();
  }

  /** Have it reviewed, and follow that. A file becomes a table first: its replay opens with the review. */
  async start(): Promise<void> {
    const { table, file } = this.#recording.source;
    if (this.running) return;
    if (file !== null) return this.#startOf(file);
    if (table === null) return;
    this.running = true;
    this.problem = null;
    while (this.running && !this.review?.complete) {
      await this.#ask(table);
      if (this.running && !this.review?.complete) await new Promise((later) => setTimeout(later, ASK_AGAIN));
    }
    this.running = false;
  }

  async #startOf(file: string): Promise<void> {
    this.running = true;
    this.problem = null;
    try {
      const { table } = await server.openFile(file);
      if (this.running) go(`/replay/${table}${REVIEW}`);
    } catch (failed) {
      this.problem = asProblem(failed);
    } finally {
      this.running = false;
    }
  }

  async #ask(table: string): Promise<void> {
    try {
      this.review = await server.review(table, true);
    } catch (failed) {
      const problem = asProblem(failed);
      if (BUSY.includes(problem.key)) return;
      this.problem = problem;
      this.running = false;
    }
  }

  /** The page is left: the server goes on by itself. */
  stop(): void {
    this.running = false;
  }
}

/**
 * Each seat expects something else, as it knows its own hand only: from one's opinion to the next's there would be leaps
 * that no action caused, so that the game is told by what all of them expect.
 */
function mean(expected: Outlook[]): Outlook {
  const over = (rows: number[][]): number[] => rows[0]!.map((_, seat) => rows.reduce((sum, row) => sum + row[seat]!, 0) / rows.length);
  const scores = expected.flatMap((outlook) => (outlook.scores ? [outlook.scores] : []));
  return { chances: over(expected.map(({ chances }) => chances)), scores: scores.length ? over(scores) : null };
}

function largest(before: Outlook, after: Outlook, number: number): Omit<Swing, "rank"> {
  const changes = after.chances.map((chance, seat) => Math.round(1000 * (chance - (before.chances[seat] ?? 0))) / 1000);
  const seat = changes.reduce((most, change, at) => (Math.abs(change) > Math.abs(changes[most]!) ? at : most), 0);
  return { number, seat, change: changes[seat]! };
}

export const percent = (chance: number): number => Math.round(100 * chance);
