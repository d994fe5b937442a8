// The last moves, as the board marks them: what others did since the player's own last action, what an action of the
// past changed, or the one whose line in the log is pointed at.

import type { Line } from "../wire";
import { isOwn, isTold, takenBack } from "./history";
import type { OneTable } from "./table.svelte";

export interface Trace {
  line: Line;
  age: number; // in turns: 0 is the latest
}

const OLDEST = 2; // all earlier turns look as old as this

export class Traces {
  /** The line of the log that is pointed at. */
  lit: Line | null = $state.raw(null);
  #table: OneTable;

  constructor(table: OneTable) {
    this.#table = table;
  }

  /** What the board marks, the latest last. */
  get shown(): Trace[] {
    return this.lit ? [{ line: this.lit, age: 0 }] : this.#story;
  }

  /** The action that was told last. */
  get latest(): Line | null {
    return this.#story.at(-1)?.line ?? null;
  }

  /** Stop marking this line. */
  leave(line: Line): void {
    if (this.lit?.version === line.version) this.lit = null;
  }

  #story: Trace[] = $derived.by(() => {
    const { lines, past } = this.#table;
    const gone = takenBack(lines);
    const acted = lines.filter((line) => line.kind === "acted" && !gone.has(line.version));
    if (past) return acted.filter(({ number }) => number === past.number).map((line) => ({ line, age: 0 }));
    return aged(this.#table.view?.mine.length ? this.#sinceMine(acted) : lastTurns(acted.filter(isTold)));
  });

  /** What others did since the last action of the player, or, on a shared device, of the one who holds it. */
  #sinceMine(acted: Line[]): Line[] {
    const { view, seat, hotSeat } = this.#table;
    const own = hotSeat ? [seat ?? -1] : (view?.mine ?? []);
    return acted.slice(acted.findLastIndex((line) => isOwn(line, own)) + 1).filter(isTold);
  }
}

/** For spectators: the last turn of each seat. */
function lastTurns(acted: Line[]): Line[] {
  const seen = new Set<number | null>();
  let start = acted.length;
  while (start > 0) {
    const { seat } = acted[start - 1]!;
    if (seen.has(seat) && acted[start]!.seat !== seat) break;
    seen.add(seat);
    start -= 1;
  }
  return acted.slice(start);
}

function aged(lines: Line[]): Trace[] {
  let turn = 0;
  const traces = lines.toReversed().map((line, number, all) => {
    if (number && all[number - 1]!.seat !== line.seat) turn += 1;
    return { line, age: Math.min(turn, OLDEST) };
  });
  return traces.reverse();
}
