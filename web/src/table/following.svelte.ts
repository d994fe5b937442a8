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
  /** Why the table cannot be shown at all. */
  lost: Problem | null = $state.raw(null);
  #table: OneTable;

  constructor(table: OneTable) {
    this.id = table.id;
    this.#table = table;
  }

  start(): () => void {
    const { connection } = this.#table;
    connection.follow(this);
    return () => connection.unfollow(this);
  }

  hear(frame: TableFrame): void {
    if (frame.is === "here") {
      this.here = frame.seats;
      this.spectators = frame.spectators;
      return;
    }
    this.#arrived(frame.view);
    if (frame.is === "table") this.#table.begin(frame);
    else this.#table.update(frame);
  }

  refused(problem: Problem): void {
    this.lost = problem;
  }

  #arrived(view: TableView): void {
    this.seen = view.version;
    this.skew = Date.now() - view.at;
    this.here = view.seats.filter((chair) => chair.here).map((chair) => chair.seat);
  }
}
