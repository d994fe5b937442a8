// Moving through a recorded game: by actions, by turns, by leaps, and by itself.

import type { OneTable } from "../table/table.svelte";
import { actionIn, Address } from "./address";
import type { Recording } from "./recording.svelte";
import { turnFrom, turnsOf, type Turn } from "./turns";

/** How long an action is shown, in milliseconds, by how fast that is called. */
export const SPEEDS = { "½": 2600, "1": 1300, "3": 430 } as const;
export type Speed = keyof typeof SPEEDS;

export class Player {
  readonly turns: Turn[];
  playing = $state(false);
  speed: Speed = $state("1");
  #recording: Recording;
  #table: OneTable;
  #address: Address;

  constructor(recording: Recording, table: OneTable, address = new Address()) {
    this.#recording = recording;
    this.#table = table;
    this.#address = address;
    this.turns = turnsOf(recording.seats);
  }

  /** Keep the address and play on; call in a component's setup. */
  start(): void {
    $effect(() => this.#address.keep(this.#recording.number));
    $effect(() => () => this.#address.leave());
    $effect(() => {
      const { shown, total } = this.#recording;
      if (!this.playing) return;
      const timer = setTimeout(() => (shown < total ? this.#show(shown + 1) : this.pause()), shown < total ? SPEEDS[this.speed] : 0);
      return () => clearTimeout(timer);
    });
  }

  /** One action further, or back. */
  step(by: 1 | -1): void {
    this.to(this.#recording.number + by);
  }

  /** One turn further, or back; with `same`, of the seat that acted last. */
  turn(by: 1 | -1, same = false): void {
    const { number, seats } = this.#recording;
    this.to(turnFrom(this.turns, number, by, same ? (seats[Math.max(number - 1, 0)] ?? null) : null));
  }

  /** Show this position; whatever plays stops. */
  to(number: number): void {
    this.pause();
    this.#show(number);
  }

  /** The same, from somewhere else in the game: "back" in the browser returns there. */
  leap(number: number, from: number = this.#recording.number): void {
    this.#address.leap(from, number);
    this.to(number);
  }

  /** The browser's "back" or "forward" has changed the address. */
  returned(): void {
    this.#address.leave();
    this.to(actionIn(location.hash) ?? 0);
  }

  toggle(): void {
    if (!this.playing && this.#recording.number >= this.#recording.total) this.#show(0);
    this.playing = !this.playing;
  }

  pause(): void {
    this.playing = false;
  }

  faster(): void {
    const all = Object.keys(SPEEDS).sort() as Speed[];
    this.speed = all[(all.indexOf(this.speed) + 1) % all.length]!;
  }

  #show(number: number): void {
    this.#table.skip();
    this.#recording.to(number);
  }
}
