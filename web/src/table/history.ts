// Which lines of the log are shown, and how much of them.

import type { Line } from "../wire";

/** The versions of the actions that were taken back. */
export const takenBack = (lines: Line[]): Set<number> => new Set(lines.flatMap((line) => line.undone));

/**
 * The log as players who share a device may see it. The server shows a secret choice to the seat that made it, but
 * here the next player would read it too, so it is hidden. A game has such choices if some lines came without their action.
 */
export function behindCurtain(lines: Line[], seat: number | null): Line[] {
  if (!lines.some((line) => line.kind === "acted" && line.action === null)) return lines;
  return lines.map((line) => (line.seat === seat && line.value ? { ...line, value: null } : line));
}
