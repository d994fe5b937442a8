// A recorded game: a table at which everything has happened already, shown at any of its actions.

import type { Answer, Asked, Follower, Link } from "../connection.svelte";
import { asProblem, Problem } from "../problem";
import type { Line, ReplayStep, TableView } from "../wire";
import type { Source } from "./source";
import { Steps } from "./steps";

const NOT_HERE = new Problem({ key: "recorded", sentence: "This game is over.", clause: null, arguments: {} });

/** Through whose eyes it is seen: a spectator's, one seat's, or with the hands of all. */
export type Perspective = "spectator" | "all" | number;

export class Recording implements Link {
  readonly recorded = true;
  readonly source: Source;
  readonly steps: Steps;
  /** The table as it was at the end. */
  readonly table: TableView;
  /** The seat of each action, in order. */
  readonly seats: number[];
  /** How many actions have been played in the position that is wanted; it is shown as soon as it is there. */
  number = $state(0);
  perspective: Perspective = $state("spectator");
  /** The same of the position that is shown; -1: none yet. */
  shown = $state(-1);
  /** The seats that decide next there. */
  deciders: number[] = $state.raw([]);
  /** What each seat saw there, if all hands are visible. */
  hands: TableView[] = $state.raw([]);
  /** Why the wanted position is not shown. */
  problem: Problem | null = $state.raw(null);

  #follower: Follower | null = null;
  #loading = false;
  #shownTo: Perspective | null = null;

  /** `log` is what spectators can read. */
  constructor(source: Source, steps: Steps, table: TableView, log: Line[]) {
    this.source = source;
    this.steps = steps;
    this.table = table;
    this.seats = log.slice(1).map(({ seat }) => seat ?? 0);
  }

  get total(): number {
    return this.steps.total;
  }

  follow(follower: Follower): void {
    this.#follower = follower;
    this.#shownTo = null;
    void this.#catchUp();
  }

  unfollow(): void {
    this.#follower = null;
  }

  async ask(_: Asked): Promise<Answer> {
    throw NOT_HERE;
  }

  /** Show the position after so many actions. */
  to(number: number): void {
    this.number = Math.min(Math.max(Math.trunc(number) || 0, 0), this.total);
    void this.#catchUp();
  }

  seeAs(perspective: Perspective): void {
    this.perspective = perspective;
    void this.#catchUp();
  }

  /** Load and show what is wanted, one position after the other: whoever drags sees those that there is time for. */
  async #catchUp(): Promise<void> {
    if (this.#loading || !this.#follower) return;
    this.#loading = true;
    this.problem = null;
    try {
      while (this.shown !== this.number || this.#shownTo !== this.perspective) await this.#load(this.number, this.perspective);
    } catch (problem) {
      this.problem = asProblem(problem);
    } finally {
      this.#loading = false;
    }
  }

  async #load(number: number, perspective: Perspective): Promise<void> {
    const everyone = perspective === "all" ? this.table.seats.map(({ seat }) => seat) : [];
    const eyes = typeof perspective === "number" ? perspective : null;
    const [step, lines, hands] = await Promise.all([
      this.steps.at(number, eyes),
      perspective === "all" ? this.#allLines(everyone) : this.steps.log(eyes),
      Promise.all(everyone.map((seat) => this.steps.at(number, seat))),
    ]);
    const view = this.viewOf(step);
    const next = number === this.shown + 1 && perspective === this.#shownTo;
    this.hands = hands.map((each) => this.viewOf(each));
    [this.shown, this.#shownTo, this.deciders] = [number, perspective, step.deciders];
    if (next) this.#follower?.hear({ is: "changed", since: number - 1, view, lines: [lines[number]!] });
    else this.#follower?.hear({ is: "table", view, lines: lines.slice(0, number + 1) });
  }

  /** The log with what each seat chose in secret, which only its own log tells. */
  async #allLines(everyone: number[]): Promise<Line[]> {
    const [open, ...own] = await Promise.all([this.steps.log(null), ...everyone.map((seat) => this.steps.log(seat))]);
    return open!.map((line, number) => own[line.seat ?? -1]?.[number] ?? line);
  }

  /** The table at this step. Names are those that everyone sees, also for the player who looks back. */
  viewOf({ number, view, deciders }: ReplayStep): TableView {
    const ended = number === this.total && this.table.result !== null;
    const seats = this.table.seats.map((chair) =>
      ended ? { ...chair, here: true } : { ...chair, here: true, left_at: null, resigned: false, level: chair.kind === "bot" ? chair.level : null },
    );
    return {
      ...this.table,
      version: number,
      status: ended ? "over" : "playing",
      seats,
      mine: [],
      host: false,
      deciders,
      may: [],
      clocks: [],
      game: view,
      result: ended ? this.table.result : null,
    };
  }
}
