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

/**
 * On one device the next player reads the same log. The server tells a secret choice to the seat that made it;
 * here nobody is told. A game has such choices if some lines came without their action.
 */
export function behindCurtain(lines: Line[], seat: number | null): Line[] {
  if (!lines.some((line) => line.kind === "acted" && line.action === null)) return lines;
  return lines.map((line) => (line.seat === seat && line.value && !line.events.length ? { ...line, value: null } : line));
}
