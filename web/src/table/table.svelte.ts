// A table as this browser follows it: what is shown, what can be chosen, and what is asked of the server.

import { connection, type Asked } from "../connection.svelte";
import type { Action, Event, GameView } from "../games/face";
import { Refusal, server } from "../server";
import { motion, settings } from "../settings.svelte";
import type { Changed, Done, HintGiven, Line, Previewed, ServerFrame, Table, TableView } from "../wire";
import { Choosing } from "./choosing.svelte";
import { behindCurtain } from "./history";
import { Redo } from "./redo.svelte";

/** What an action would do, as far as it is certain. */
export interface Preview {
  action: Action;
  events: Event[] | null; // null while the server is asked
  goesOn: boolean; // the turn goes on after it
}

/** Why something is not allowed. */
export interface WhyNot {
  key: string;
  clause: string | null;
  arguments: Record<string, unknown>;
  sentence: string;
}

const BEAT = 420; // milliseconds that another's action is shown before the next
const MAX_WAITING = 6; // changes; when more wait, the page catches up at once

export class OneTable {
  readonly id: string;
  readonly choosing: Choosing;
  readonly redo: Redo;

  /** What is shown; null until the server has told. */
  view: TableView | null = $state.raw(null);
  lines: Line[] = $state.raw([]);
  /** Those connected, and how many look on. */
  here: number[] = $state.raw([]);
  spectators = $state(0);

  /** An action that waits for the player's yes. */
  proposal: Preview | null = $state.raw(null);
  /** What the pointer or the keyboard is on: its effect is told. */
  considered: Preview | null = $state.raw(null);
  /** What something is, told while it is pointed at. */
  explained: string | null = $state(null);
  whyNot: WhyNot | null = $state.raw(null);
  hints: HintGiven | null = $state.raw(null);
  hinting = $state(false); // a bot is thinking about a hint
  asking = $state(false); // an action is on its way
  lost: WhyNot | null = $state.raw(null); // the table cannot be shown at all

  /** A moment of the past that is looked at: the number of its last action. */
  past: { number: number; game: GameView } | null = $state.raw(null);
  /** The version the player had seen when the turn came to others: what is later is marked in the log. */
  lastSeen = $state(0);

  seen = 0;
  /** By how many milliseconds this device's clock is ahead of the server's. */
  skew = 0;
  #waiting: Changed[] = [];
  #showing = false;
  #done = 0; // the version that the last action made
  #previews = new Map<string, Preview>();
  #listeners = new Set<(lines: Line[]) => void>();

  constructor(id: string) {
    this.id = id;
    this.choosing = new Choosing(this);
    this.redo = new Redo(this);
  }

  start(): () => void {
    connection.follow(this);
    return () => connection.unfollow(this);
  }

  // ------------------------------------------------------------ what is shown

  get game(): GameView | null {
    return this.past?.game ?? this.view?.game ?? null;
  }

  /** The seat through whose eyes the table is seen. */
  get seat(): number | null {
    return this.view?.game?.seat ?? null;
  }

  get myTurn(): boolean {
    return this.view !== null && this.view.deciders.some((seat) => this.view!.mine.includes(seat));
  }

  /** Do several people play on this device? */
  get hotSeat(): boolean {
    return (this.view?.mine.length ?? 0) > 1;
  }

  /** The legal actions that can be chosen now: none while the past is shown or an action is on its way. */
  get choices(): Action[] {
    if (this.past || this.asking || this.#waiting.length || !this.may("act")) return [];
    return this.view?.game?.legal ?? [];
  }

  may(request: string): boolean {
    return this.view?.may.includes(request) ?? false;
  }

  /** Be told of the lines that each change brings, when it is shown. */
  onLines(listener: (lines: Line[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(frame: ServerFrame): void {
    if (frame.is === "table") {
      this.#arrived(frame.view);
      this.#waiting = [];
      this.lines = frame.lines;
      this.lastSeen = this.#lastOfMine(frame);
      this.#show(frame.view, []);
    } else if (frame.is === "changed") {
      this.#arrived(frame.view);
      this.#waiting.push(frame);
      void this.#showWaiting();
    } else if (frame.is === "here") {
      this.here = frame.seats;
      this.spectators = frame.spectators;
    } else if (frame.is === "refused") {
      this.lost = frame;
    }
  }

  #arrived(view: TableView): void {
    this.seen = view.version;
    this.skew = Date.now() - view.at;
    this.here = view.seats.filter((chair) => chair.here).map((chair) => chair.seat);
  }

  #lastOfMine({ view, lines }: Table): number {
    if (view.mine.length > 1) return 0;
    const mine = lines.findLast((line) => line.kind === "acted" && !line.bot && view.mine.includes(line.seat ?? -1));
    return mine?.version ?? 0;
  }

  /** Changes one after the other, each for a moment, so that one can see who did what. */
  async #showWaiting(): Promise<void> {
    if (this.#showing) return;
    this.#showing = true;
    for (let change = this.#waiting.shift(); change; change = this.#waiting.shift()) {
      this.#show(change.view, change.lines);
      const acted = change.lines.some((line) => line.kind === "acted");
      if (acted && motion.beat && this.#waiting.length < MAX_WAITING) await this.#moment(BEAT * motion.beat);
    }
    this.#showing = false;
  }

  #skip: () => void = () => {};

  #moment(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      this.#skip = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  /** Do not wait for what moves. */
  skip(): void {
    for (const change of this.#waiting.splice(0)) this.#show(change.view, change.lines);
    this.#skip();
  }

  #show(view: TableView, lines: Line[]): void {
    const wasMine = this.myTurn;
    const sameMoment = this.view !== null && isSameMoment(this.view, view);
    this.redo.hear(lines, this.view, this.lines);
    this.view = view;
    if (lines.length) this.lines = [...this.lines, ...lines];
    if (this.hotSeat) this.lines = behindCurtain(this.lines, this.seat);
    if (view.version >= this.#done) this.asking = false;
    this.#previews.clear();
    if (!sameMoment) this.#forget();
    if (wasMine && !this.myTurn && !this.hotSeat) this.lastSeen = view.version;
    for (const listener of this.#listeners) listener(lines);
  }

  /** What was half chosen, and what was told about it, belongs to a moment that is over. */
  #forget(): void {
    this.considered = null;
    this.hints = null;
    this.cancel();
  }

  // ------------------------------------------------------------ acting

  /** The player has chosen this action: it is done at once or waits for a yes, as the settings say. */
  async propose(action: Action): Promise<void> {
    this.whyNot = null;
    const { confirm } = settings;
    if (confirm === "none") return void (await this.act(action));
    this.proposal = { action, events: null, goesOn: false };
    try {
      const preview = await this.preview(action);
      if (this.proposal?.action !== action) return; // withdrawn meanwhile
      this.proposal = preview;
      if (confirm === "turn" && preview.goesOn) await this.act(action);
    } catch (problem) {
      this.#refused(problem);
    }
  }

  /** Is a yes wanted? Known once the server has told whether the turn goes on. */
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
    this.choosing.clear();
  }

  /** Do it; nothing else can be chosen until what it made is shown. An action in notation is taken too. */
  async act(action: Action | string): Promise<boolean> {
    if (this.asking || !this.view) return false;
    this.asking = true;
    this.#done = Infinity;
    try {
      const asked = { do: "act", table: this.id, version: this.view.version, action: action as never } as const;
      const done = (await connection.ask(asked)) as Done;
      this.#done = done.version ?? 0;
      return true;
    } catch (problem) {
      this.#done = 0;
      this.#refused(problem);
      return false;
    } finally {
      if (this.view.version >= this.#done) this.asking = false;
    }
  }

  /** Ask the server for anything at this table; a refusal is shown. True if it was done. */
  async ask(asked: Asked): Promise<boolean> {
    try {
      await connection.ask(asked);
      return true;
    } catch (problem) {
      this.#refused(problem);
      return false;
    }
  }

  #refused(problem: unknown): void {
    if (!(problem instanceof Refusal)) throw problem;
    this.proposal = null;
    this.choosing.clear();
    this.whyNot = { ...problem, sentence: problem.message };
  }

  async preview(action: Action): Promise<Preview> {
    const key = JSON.stringify(action);
    const known = this.#previews.get(key);
    if (known || !this.view) return known ?? { action, events: [], goesOn: true };
    const { version } = this.view;
    const told = (await connection.ask({ do: "preview", table: this.id, action: action as never })) as Previewed;
    const preview = { action, events: told.events, goesOn: told.goes_on };
    if (this.view.version === version) this.#previews.set(key, preview);
    return preview;
  }

  /** Tell what this would do, while the pointer is on it. */
  async consider(action: Action | null, explanation: string | null): Promise<void> {
    this.explained = explanation;
    this.considered = action && { action, events: null, goesOn: false };
    if (!action) return;
    try {
      const preview = await this.preview(action);
      if (this.considered?.action === action) this.considered = preview;
    } catch {
      // what it would do cannot be told now; choosing it says why
    }
  }

  /** Ask which rule forbids this. Nothing is played: a preview that is refused says why. */
  async why(attempt: Action): Promise<void> {
    if (this.past) return;
    try {
      await connection.ask({ do: "preview", table: this.id, action: attempt as never });
    } catch (problem) {
      if (problem instanceof Refusal) this.whyNot = { ...problem, sentence: problem.message };
    }
  }

  async hint(): Promise<void> {
    this.hinting = true;
    try {
      const given = (await connection.ask({ do: "hint", table: this.id, seconds: 1 })) as HintGiven;
      if (given.version === this.view?.version) this.hints = given;
    } catch (problem) {
      this.#refused(problem);
    } finally {
      this.hinting = false;
    }
  }

  takeBack(turn = false): Promise<boolean> {
    return this.ask({ do: "take-back", table: this.id, version: this.view?.version ?? 0, turn });
  }

  // ------------------------------------------------------------ the past

  async lookBack(number: number): Promise<void> {
    try {
      const replay = await server.past(this.id, number, this.seat);
      const step = replay.steps[0];
      if (step) this.past = { number, game: step.view };
      this.cancel();
    } catch (problem) {
      this.#refused(problem);
    }
  }

  toNow(): void {
    this.past = null;
  }
}

/** Somebody may talk, come, or choose in secret: what the player can do is still the same. */
function isSameMoment(before: TableView, after: TableView): boolean {
  const [old, now] = [before.game, after.game];
  if (!old || !now || before.status !== after.status) return false;
  const atOnce = before.deciders.length > 1; // the choice of who is first in turn counts as an action
  if (old.seat !== now.seat || (old.actions !== now.actions && !atOnce)) return false;
  return JSON.stringify(old.legal) === JSON.stringify(now.legal);
}
