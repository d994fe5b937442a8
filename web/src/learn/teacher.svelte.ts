// A teacher for a first game against bots: before an action what to look at, after it what would have been stronger.
// All of it comes from the server: advice from what the seat may know, chances from a search.

import type { Event } from "../games/face";
import type { OneTable } from "../table/table.svelte";
import type { Advised, HintChoice, HintGiven, Line } from "../wire";
import { keepTeacher, wantsTeacher } from "./progress";

const SECONDS = 0.5; // of a bot's thinking about each of the player's decisions
const STRONGER = 0.05; // a chance of winning that is higher by this much is worth telling

/** What the player has done, and a stronger action if there was one. */
export interface Verdict {
  line: Line;
  best: HintChoice | null;
  /** The chance of winning that the player's own action left; null if the search did not look at it closely. */
  own: number | null;
}

export class Teacher {
  on = $state(false);
  advice: Event[] = $state.raw([]);
  verdict: Verdict | null = $state.raw(null);
  #table: OneTable;
  #thought: HintGiven | null = null;
  #version = -1; // for which it was asked

  constructor(table: OneTable) {
    this.#table = table;
  }

  /** Can there be a teacher at this table? Only if everybody else is a bot, and hints are allowed. */
  get possible(): boolean {
    const { view } = this.#table;
    if (!view || view.status !== "playing" || !view.settings.hints || view.mine.length !== 1) return false;
    return view.seats.every(({ kind, seat }) => kind === "bot" || view.mine.includes(seat));
  }

  start(game: string): void {
    this.on = this.possible && wantsTeacher(game);
  }

  turn(on: boolean): void {
    const game = this.#table.view?.settings.game;
    if (game) keepTeacher(game, on);
    this.on = on;
    this.advice = [];
    this.verdict = null;
    this.#version = -1;
    void this.look();
  }

  /** The player has to decide: find out what there is to say. */
  async look(): Promise<void> {
    const { view, link, id, myTurn } = this.#table;
    if (!this.on || !myTurn || !view?.game || view.version === this.#version) return;
    const version = (this.#version = view.version);
    this.#thought = null;
    const advised = (await link.ask({ do: "advise", table: id }).catch(() => null)) as Advised | null;
    if (this.#version !== version) return;
    this.advice = (advised?.advice ?? []) as Event[];
    if (view.game.legal.length < 2) return; // there is nothing to choose
    const given = (await link.ask({ do: "hint", table: id, seconds: SECONDS }).catch(() => null)) as HintGiven | null;
    if (this.#version === version) this.#thought = given;
  }

  /** Something has happened: was it the player's own action? */
  hear(lines: Line[]): void {
    const { view } = this.#table;
    const line = lines.find((each) => each.kind === "acted" && !each.bot && view?.mine.includes(each.seat ?? -1));
    if (!this.on || !line) return;
    this.advice = [];
    const choices = this.#thought?.choices ?? [];
    const same = (choice: HintChoice): boolean => JSON.stringify(choice.value) === JSON.stringify(line.value);
    const [best, own] = [choices[0] ?? null, choices.find(same) ?? null];
    const stronger = best && !same(best) && (own === null || best.chance - own.chance >= STRONGER) ? best : null;
    this.verdict = { line, best: stronger, own: own?.chance ?? null };
    this.#thought = null;
  }
}
