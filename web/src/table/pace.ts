// Shows changes one after the other, each for a moment, so that players can see who did what.

import { motion } from "../settings.svelte";
import type { Changed } from "../wire";

const BEAT = 420; // milliseconds from one action to the next
const MAX_WAITING = 6; // changes; when more wait, the page catches up at once

export class Pace {
  #show: (change: Changed) => void;
  #waiting: Changed[] = [];
  #showing = false;
  #endMoment: () => void = () => {};

  constructor(show: (change: Changed) => void) {
    this.#show = show;
  }

  /** Are there changes that are not shown yet? */
  get behind(): boolean {
    return this.#waiting.length > 0;
  }

  add(change: Changed): void {
    this.#waiting.push(change);
    if (!this.#showing) void this.#showWaiting();
  }

  /** Drop the changes that are not shown yet. */
  clear(): void {
    this.#waiting = [];
  }

  /** Show everything that waits at once. */
  skip(): void {
    for (const change of this.#waiting.splice(0)) this.#show(change);
    this.#endMoment();
  }

  async #showWaiting(): Promise<void> {
    this.#showing = true;
    for (let change = this.#waiting.shift(); change; change = this.#waiting.shift()) {
      this.#show(change);
      const acted = change.lines.some((line) => line.kind === "acted");
      if (acted && motion.beat && this.#waiting.length < MAX_WAITING) await this.#moment(BEAT * motion.beat);
    }
    this.#showing = false;
  }

  #moment(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      this.#endMoment = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
