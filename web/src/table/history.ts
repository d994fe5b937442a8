// Which lines of the log are shown, and how much of them.

import type { Line } from "../wire";

const SILENT = ["sealed", "dealing", "shared"]; // what the browsers do by themselves, so that the deal is fair

/** The lines that tell what people did and what happened. */
export const readable = (lines: Line[]): Line[] => lines.filter((line) => !SILENT.includes(line.kind));

/** The versions of the actions that were taken back. */
export const takenBack = (lines: Line[]): Set<number> => new Set(lines.flatMap((line) => line.undone));

/** Did a player with one of these seats do it? A bot that fills in for them did not ask them. */
export const isOwn = (line: Line, mine: number[]): boolean => !line.bot && mine.includes(line.seat ?? -1);

/** Is it an action of which something can be told? Of a secret choice nothing is known but that it was made. */
export const isTold = (line: Line): boolean => line.kind === "acted" && (line.value !== null || line.events.length > 0);

/**
 * The log as players who share a device may see it. The server shows a secret choice to the seat that made it, but
 * here the next player would read it too, so it is hidden. A game has such choices if some lines came without their action.
 */
export function behindCurtain(lines: Line[], seat: number | null): Line[] {
  if (!lines.some((line) => line.kind === "acted" && line.action === null)) return lines;
  return lines.map((line) => (line.seat === seat && line.value ? { ...line, value: null } : line));
}
