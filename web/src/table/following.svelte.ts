// What the server sends about a table: views and lines are handed on, who is there and what time it is are kept.

import { connection, type Follower, type TableFrame } from "../connection.svelte";
import type { Problem } from "../problem";
import type { TableView } from "../wire";
import type { OneTable } from "./table.svelte";

export class Following implements Follower {
  readonly id: string;
  /** The latest version that has come; what is shown may be behind. */
  seen = 0;
  /** By how many milliseconds this device's clock is ahead of the server's. */
  skew = 0;
  /** The seats whose players are connected, and how many look on. */
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
    else this.#table.goOn(frame);
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
