// A table as this browser shows it, with everything that can be done at it.

import type { Asked, Link } from "../connection.svelte";
import type { Witness } from "../fair/witness.svelte";
import type { Action, GameView } from "../games/face";
import type { Changed, Line, Table, TableView } from "../wire";
import { Acting } from "./acting.svelte";
import { Choosing } from "./choosing.svelte";
import { Following } from "./following.svelte";
import { Hinting } from "./hinting.svelte";
import { behindCurtain } from "./history";
import { Lookback } from "./lookback.svelte";
import { Pace } from "./pace.svelte";
import { Pointing } from "./pointing.svelte";
import { Previews } from "./previews";
import { Traces } from "./traces.svelte";
import { Undo } from "./undo.svelte";

type Listener = (lines: Line[]) => number | void;

export class OneTable {
  readonly id: string;
  readonly link: Link;
  /** Put before the ids of its spots, where a page shows several tables. */
  readonly prefix: string;
  readonly following: Following;
  /** Who sees to it that the deal is fair; null where nobody plays. */
  witness: Witness | null = null;
  readonly previews = new Previews(this);
  readonly choosing = new Choosing(this);
  readonly pointing = new Pointing(this);
  readonly acting = new Acting(this);
  readonly hinting = new Hinting(this);
  readonly undo = new Undo(this);
  readonly lookback = new Lookback(this);
  readonly traces = new Traces(this);
  /** Is it the board of the editor? Every spot can be chosen there. */
  editing = false;

  /** The view that is shown; null until the server has sent one. */
  view: TableView | null = $state.raw(null);
  lines: Line[] = $state.raw([]);
  /** The version at which the player's last turn ended: later lines are marked in the log. */
  lastSeen = $state(0);

  #pace = new Pace(({ view, lines }) => this.#show(view, lines), () => this.#tellListeners([]));
  #listeners = new Set<Listener>();

  constructor(id: string, link: Link, prefix = "") {
    this.id = id;
    this.link = link;
    this.prefix = prefix;
    this.following = new Following(this);
  }

  // ------------------------------------------------------------ what is shown

  /** The earlier position that is shown; null if it is the current one. */
  get past(): Lookback["moment"] {
    return this.lookback.moment;
  }

  get game(): GameView | null {
    return this.past?.game ?? this.view?.game ?? null;
  }

  /** The seat through whose eyes the table is seen. */
  get seat(): number | null {
    return this.view?.game?.seat ?? null;
  }

  /** The seat whose action is being shown; null once it has had its moment. */
  get telling(): number | null {
    return this.#pace.telling;
  }

  /** Has something happened that is not shown yet, or not long enough? Nothing can be chosen until then. */
  get behind(): boolean {
    return this.#pace.behind;
  }

  /** The seats that are playing: the one whose action is being shown, then those that have to decide. */
  get deciders(): number[] {
    return this.telling === null ? (this.view?.deciders ?? []) : [this.telling];
  }

  get myTurn(): boolean {
    return !this.behind && this.view !== null && isMine(this.view);
  }

  /** Do several people play on this device? */
  get hotSeat(): boolean {
    return (this.view?.mine.length ?? 0) > 1;
  }

  /** The legal actions that can be chosen now: none while the past is shown or an action is on its way. */
  get choices(): Action[] {
    if (this.past || this.acting.asking || this.behind || !this.may("act")) return [];
    return this.view?.game?.legal ?? [];
  }

  may(request: string): boolean {
    return this.view?.may.includes(request) ?? false;
  }

  /** Send any request about this table; a refusal is shown. True if it was done. */
  async ask(asked: Asked): Promise<boolean> {
    try {
      await this.link.ask(asked);
      return true;
    } catch (problem) {
      this.acting.refused(problem);
      return false;
    }
  }

  // ------------------------------------------------------------ what happens

  /** The server has sent the whole table: it is shown at once. */
  begin({ view, lines }: Table): void {
    this.#pace.clear();
    this.lines = lines;
    this.lastSeen = lastOfMine(view, lines);
    this.#show(view, []);
  }

  /** The server has sent what happened since. */
  update(change: Changed): void {
    this.#pace.add(change);
  }

  /** Show everything that waits at once; true if there was something to skip. */
  skip(): boolean {
    return this.#pace.skip();
  }

  /**
   * Call the listener with the new lines of each change when it is shown, and with none when the last of them has had
   * its moment. It may return how many milliseconds its animation takes. Returns a function that stops it.
   */
  onLines(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** How long the longest animation takes, in milliseconds. */
  #tellListeners(lines: Line[]): number {
    return Math.max(0, ...[...this.#listeners].map((listener) => listener(lines) ?? 0));
  }

  #show(view: TableView, lines: Line[]): number {
    const wasMine = this.view !== null && isMine(this.view);
    const sameMoment = this.view !== null && isSameMoment(this.view, view);
    this.view = view;
    if (lines.length) this.lines = [...this.lines, ...lines];
    this.undo.hear(lines, this.lines, view.mine);
    if (this.hotSeat) this.lines = behindCurtain(this.lines, this.seat);
    this.previews.clear();
    this.acting.shown();
    if (!sameMoment) this.#forget();
    if (wasMine && !isMine(view) && !this.hotSeat) this.lastSeen = view.version;
    return this.#tellListeners(lines);
  }

  /** What was chosen so far, and what was said about it, belongs to an earlier moment. */
  #forget(): void {
    this.pointing.clear();
    this.hinting.close();
    this.acting.cancel();
  }
}

const isMine = (view: TableView): boolean => view.deciders.some((seat) => view.mine.includes(seat));

function lastOfMine(view: TableView, lines: Line[]): number {
  if (view.mine.length > 1) return 0;
  const mine = lines.findLast((line) => line.kind === "acted" && !line.bot && view.mine.includes(line.seat ?? -1));
  return mine?.version ?? 0;
}

/** Can the player still do the same? Others may have talked, arrived or chosen in secret meanwhile. */
function isSameMoment(before: TableView, after: TableView): boolean {
  const [old, now] = [before.game, after.game];
  if (!old || !now || before.status !== after.status) return false;
  const atOnce = before.deciders.length > 1; // several choose at once: another's choice may have counted as an action
  if (old.seat !== now.seat || (old.actions !== now.actions && !atOnce)) return false;
  return JSON.stringify(old.legal) === JSON.stringify(now.legal);
}
