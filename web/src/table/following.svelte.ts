// What the server sends about a table: passes views and lines on, and keeps who is present and the server's time.

import type { Follower, TableFrame } from "../connection.svelte";
import type { Problem } from "../problem";
import type { TableView } from "../wire";
import type { OneTable } from "./table.svelte";

export class Following implements Follower {
  readonly id: string;
  /** The latest version received; the one shown may be older. */
  seen = 0;
  /** By how many milliseconds this device's clock is ahead of the server's. */
  skew = 0;
  /** The seats whose players are connected, and the number of spectators. */
  here: number[] = $state.raw([]);
  spectators = $state(0);
  /** The seat through whose eyes a spectator wants to see the game; null: none. */
  seat: number | null = $state(null);
  /** Why the table cannot be shown at all. */
  lost: Problem | null = $state.raw(null);
  #table: OneTable;

  constructor(table: OneTable) {
    this.id = table.id;
    this.#table = table;
  }

  start(): () => void {
    const { link } = this.#table;
    link.follow(this);
    return () => link.unfollow(this);
  }

  /** From now on, see the game as this seat does, if the table allows it. */
  watch(seat: number | null): void {
    this.seat = seat;
    this.seen = 0; // all of it looks different now
    this.#table.link.follow(this);
  }

  hear(frame: TableFrame): void {
    if (frame.is === "here") {
      this.here = frame.seats;
      this.spectators = frame.spectators;
      return;
    }
    this.#table.witness?.hear(frame);
    this.#arrived(frame.view);
    if (frame.is === "table") this.#table.begin(frame);
    else this.#table.update(frame);
  }

  refused(problem: Problem): void {
    if (this.seat === null) this.lost = problem;
    else this.watch(null); // that is no longer allowed: by now this person may have a seat
  }

  #arrived(view: TableView): void {
    this.seen = view.version;
    this.skew = Date.now() - view.at;
    this.here = view.seats.filter((chair) => chair.here).map((chair) => chair.seat);
  }
}
