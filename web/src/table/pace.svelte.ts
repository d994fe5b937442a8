// Shows changes one after the other, so that players can read who did what: each action of the others has its moment,
// the actions of one turn follow each other quicker, and nothing overlaps. One's own actions are shown at once.

import { tick } from "svelte";
import { motion } from "../settings.svelte";
import type { Changed, Line } from "../wire";
import { isOwn, isTold } from "./history";

const MOMENT = 1000; // milliseconds that another player's action is shown, at least
const PAUSE = 400; // milliseconds of it that the next action of the same turn need not wait for
const OWN = 600; // milliseconds until others' actions follow one's own
const LETTER = 20; // milliseconds to read a letter
const LONGEST = 2600; // milliseconds for reading: a longer text is in the log
const MAX_WAITING = 60; // changes: if more wait, the player was away, and the page catches up at once

export class Pace {
  /** The seat whose action is being shown; null once it has had its moment. */
  telling: number | null = $state(null);

  #show: (change: Changed) => number;
  #settled: () => void;
  #waiting: Changed[] = $state.raw([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #free = 0; // when an action of another seat may be shown, and the player may choose
  #next = 0; // when the next action of the same turn may be shown
  #shown = 0; // how many changes

  /**
   * `show` shows a change and says how many milliseconds its animations take; `settled` is called when the last
   * action has had its moment.
   */
  constructor(show: (change: Changed) => number, settled: () => void) {
    this.#show = show;
    this.#settled = settled;
  }

  /** Is there something that is not shown yet, or has not had its moment? */
  get behind(): boolean {
    return this.telling !== null || this.#waiting.length > 0;
  }

  add(change: Changed): void {
    this.#waiting = [...this.#waiting, change];
    if (this.#waiting.length > MAX_WAITING) this.skip();
    else this.#goOn();
  }

  /** Drop the changes that are not shown yet. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.telling = null;
    this.#shown += 1;
    this.#free = this.#next = 0;
  }

  /** Show everything that waits at once; true if there was something to skip. */
  skip(): boolean {
    if (!this.behind) return false;
    const waiting = this.#waiting;
    this.clear();
    for (const change of waiting) this.#show(change);
    this.#settled();
    return true;
  }

  /** Show what is due, and come back when the next is. */
  #goOn(): void {
    clearTimeout(this.#timer);
    for (;;) {
      const [change, ...later] = this.#waiting;
      const left = (change ? this.#due(change) : this.#free) - performance.now();
      if (left > 0 && (change || this.telling !== null)) {
        this.#timer = setTimeout(() => this.#goOn(), left);
        return;
      }
      if (!change) break;
      this.#waiting = later;
      this.#tell(change);
    }
    if (this.telling === null) return;
    this.telling = null;
    this.#settled();
  }

  #due(change: Changed): number {
    const told = othersIn(change);
    if (!told.length || document.hidden) return 0; // who looks elsewhere is alerted in time
    return told.every(({ seat }) => seat === this.telling) ? this.#next : this.#free;
  }

  #tell(change: Changed): void {
    const told = othersIn(change);
    const speed = document.hidden ? 0 : motion.pace;
    const own = change.lines.some((line) => line.kind === "acted" && isOwn(line, change.view.mine));
    if (own || told.length) this.telling = speed ? (told.at(-1)?.seat ?? null) : null;
    const animations = this.#show(change);
    if (!own && !told.length) return;
    const least = told.length ? Math.max(MOMENT, reading(told)) : OWN;
    const moment = Math.max(least * speed, animations);
    const begin = (): void => {
      this.#free = performance.now() + moment;
      this.#next = this.#free - PAUSE * speed;
    };
    begin();
    // A slow device takes a while to draw it: only then can it be read.
    const shown = ++this.#shown;
    void tick().then(() => shown === this.#shown && begin());
  }
}

const othersIn = ({ lines, view }: Changed): Line[] => lines.filter((line) => isTold(line) && !isOwn(line, view.mine));

/** How long it takes to read what was done. */
function reading(lines: Line[]): number {
  const letters = lines.flatMap(({ events }) => events).reduce((sum, event) => sum + event.sentence.length, 0);
  return Math.min(LETTER * letters, LONGEST);
}
