// Changes are shown one after the other, each for a moment, so that one can see who did what.

import { motion } from "../settings.svelte";
import type { Changed } from "../wire";

const BEAT = 420; // milliseconds that another's action is shown before the next
const MAX_WAITING = 6; // changes; when more wait, the page catches up at once

export class Pace {
  #show: (change: Changed) => void;
  #waiting: Changed[] = [];
  #showing = false;
  #goOn: () => void = () => {};

  constructor(show: (change: Changed) => void) {
    this.#show = show;
  }

  /** Is there more than what is shown? */
  get behind(): boolean {
    return this.#waiting.length > 0;
  }

  add(change: Changed): void {
    this.#waiting.push(change);
    if (!this.#showing) void this.#showWaiting();
  }

  /** What waits is not shown any more. */
  clear(): void {
    this.#waiting = [];
  }

  /** Do not wait for what moves. */
  skip(): void {
    for (const change of this.#waiting.splice(0)) this.#show(change);
    this.#goOn();
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
      this.#goOn = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
