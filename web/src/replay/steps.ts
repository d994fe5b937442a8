// The steps of a recorded game, requested a window at a time, and its log, which comes without the views.

import { Problem } from "../problem";
import type { Line, Replay, ReplayStep } from "../wire";
import type { Source } from "./source";

const LOG = 500; // lines that the server sends at once, at most
const TRIES = 3;

export class Steps {
  readonly total: number;
  #source: Source;
  #windows = new Map<string, Promise<ReplayStep[]>>();
  #logs = new Map<number | null, Promise<Line[]>>();

  constructor(source: Source, total: number) {
    this.#source = source;
    this.total = total;
  }

  /** The game after so many actions, as `seat` saw it; null: a spectator. */
  async at(number: number, seat: number | null): Promise<ReplayStep> {
    const { window } = this.#source;
    const place = number % window;
    const steps = await this.#window(number - place, seat);
    const next = place > window / 2 ? number - place + window : number - place - window; // it may be wanted soon
    if (next > 0 && next <= this.total && (place > window / 2 || place < window / 4)) void this.#window(next, seat).catch(() => {});
    return steps[place]!;
  }

  /** One line for each step, as `seat` may read it. */
  log(seat: number | null): Promise<Line[]> {
    return kept(this.#logs, seat, () => this.#lines(seat));
  }

  #window(first: number, seat: number | null): Promise<ReplayStep[]> {
    return kept(this.#windows, `${seat} ${first}`, async () => {
      const part = { seat, first, count: this.#source.window, views: true };
      return (await patient(() => this.#source.steps(part))).steps;
    });
  }

  async #lines(seat: number | null): Promise<Line[]> {
    const lines: Line[] = [];
    while (lines.length <= this.total) {
      const part = { seat, first: lines.length, count: LOG, views: false };
      lines.push(...(await patient(() => this.#source.steps(part))).steps.map(asLine));
    }
    return lines;
  }
}

/** What was requested before is not requested again, unless it failed. */
function kept<K, T>(all: Map<K, Promise<T>>, key: K, request: () => Promise<T>): Promise<T> {
  const known = all.get(key);
  if (known) return known;
  const asked = request();
  all.set(key, asked);
  asked.catch(() => all.delete(key));
  return asked;
}

/** Who drags through a long game may ask for too much at once: then it comes a little later. */
async function patient(request: () => Promise<Replay>): Promise<Replay> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (problem) {
      const seconds = problem instanceof Problem && problem.key === "too-many" ? Number(problem.arguments["seconds"]) : NaN;
      if (!(seconds <= 10) || tries === TRIES) throw problem;
      await new Promise((later) => setTimeout(later, seconds * 1000));
    }
  }
}

/** A step as a line of a table's log. */
export const asLine = ({ number, seat, action, value, events }: ReplayStep): Line => ({
  version: number,
  at: 0,
  kind: number ? "acted" : "started",
  seat,
  name: null,
  action,
  value,
  text: null,
  level: null,
  actions: null,
  undone: [],
  table: null,
  bot: false,
  number,
  events,
});
