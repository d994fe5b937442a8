// What the log says about actions that do not count any more.

import type { Line } from "../wire";

/** The versions of the actions that were taken back. */
export function takenBack(lines: Line[]): Set<number> {
  const gone = new Set<number>();
  const standing = new Map<number | null, Line[]>(); // by seat
  for (const line of lines) {
    const own = standing.get(line.seat) ?? [];
    if (line.kind === "acted") standing.set(line.seat, [...own, line]);
    if (line.kind !== "took-back") continue;
    // A choice made in secret has no number of its own yet: then it is the last one.
    const kept = Math.min(own.filter((each) => each.number <= (line.actions ?? 0)).length, own.length - 1);
    for (const each of own.slice(Math.max(0, kept))) gone.add(each.version);
    standing.set(line.seat, own.slice(0, Math.max(0, kept)));
  }
  return gone;
}
