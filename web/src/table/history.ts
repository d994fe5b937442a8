// What the log says, to be shown on this device.

import type { Line } from "../wire";

/** The versions of the actions that were taken back. */
export const takenBack = (lines: Line[]): Set<number> => new Set(lines.flatMap((line) => line.undone));

/**
 * On one device the next player reads the same log. The server tells a secret choice to the seat that made it;
 * here nobody is told. A game has such choices if some lines came without their action.
 */
export function behindCurtain(lines: Line[], seat: number | null): Line[] {
  if (!lines.some((line) => line.kind === "acted" && line.action === null)) return lines;
  return lines.map((line) => (line.seat === seat && line.value ? { ...line, value: null } : line));
}
