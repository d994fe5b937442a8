// How the rounds of a game went, read from its log.

import { takenBack } from "../../table/history";
import type { Line } from "../../wire";
import type { Event } from "./wire";

type LineEvent = Extract<Event, { key: "line" }>;

export interface Round {
  round: number;
  /** Its end; null if the game ended before. */
  end: Event | null;
  /** The places of the lighthouse, beginning with 0. */
  way: number[];
  /** The lines that moved the lighthouse furthest, in the order in which they were completed. */
  decisive: LineEvent[];
}

const DECISIVE = 3;
const isEnd = ({ key }: Event): boolean => key === "round-lighthouse" || key === "round-full" || key === "round-draw";

export function rounds(lines: Line[]): Round[] {
  const gone = takenBack(lines);
  const events = lines.filter((line) => !gone.has(line.version)).flatMap((line) => line.events as Event[]);
  const told: Round[] = [];
  let [way, completed]: [number[], LineEvent[]] = [[0], []];

  const close = (end: Event | null): void => {
    const most = [...completed].sort((one, other) => Math.abs(other.arguments.points) - Math.abs(one.arguments.points)).slice(0, DECISIVE);
    told.push({ round: told.length + 1, end, way, decisive: completed.filter((line) => most.includes(line)) });
    [way, completed] = [[0], []];
  };

  for (const event of events) {
    if (event.key === "line") completed.push(event);
    else if (event.key === "lighthouse") way.push(event.arguments.lighthouse);
    else if (isEnd(event)) close(event);
  }
  if (way.length > 1) close(null);
  return told;
}
