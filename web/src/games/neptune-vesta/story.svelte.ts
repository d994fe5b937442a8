// What has just happened, for as long as it is shown: lines that were completed, and a round that has ended.

import { motion } from "../../settings.svelte";
import type { Line } from "../../wire";
import { COLORS, type Tiles, type View } from "./view";
import type { Event } from "./wire";

export interface Completed {
  id: string;
  line: string;
  seat: number; // who gets the points
  points: number;
}

/** The final board of a round: the server's view already shows the next round. */
export interface Ended {
  board: Tiles;
  lighthouse: number;
  round: number;
  winner: number | null;
}

const SWEEP = 1000; // milliseconds that a completed line is shown
const END_OF_ROUND = 2800;

type RoundEnd = Extract<Event, { key: "round-lighthouse" | "round-full" | "round-draw" }>;
const isRoundEnd = (event: Event): event is RoundEnd =>
  event.key === "round-lighthouse" || event.key === "round-full" || event.key === "round-draw";
const NOTATION = /^(\d+)([RB][a-e][1-5])$/;

export class Story {
  completed: Completed[] = $state.raw([]);
  ended: Ended | null = $state.raw(null);

  #before: View | null = null;

  /** Keep the view that is shown, to tell what a later one has changed. */
  remember(game: View): void {
    this.#before = game;
  }

  /** Stop showing the end of the round. */
  skip(): void {
    this.ended = null;
  }

  /** Show what happened (nothing: it has had its moment); how long that takes, in milliseconds. */
  hear(lines: Line[], game: View): number {
    if (!lines.length) this.skip();
    const times = motion.beat ? lines.map((line) => this.#tell(line, game)) : [];
    this.#before = game; // several changes may be shown before the board is drawn again
    return Math.max(0, ...times) * motion.beat;
  }

  #tell(line: Line, game: View): number {
    const events = line.events as Event[];
    const sweep = this.#complete(line.version, events) ? SWEEP : 0;
    const end = events.find(isRoundEnd);
    if (!end || game.over) return sweep;
    this.#endRound(line, events, end);
    return END_OF_ROUND;
  }

  #complete(version: number, events: Event[]): boolean {
    const lines = events.filter((event) => event.key === "line");
    const completed = lines.map(({ arguments: { line, seat, points } }) => ({
      id: `${version}:${line}`,
      line,
      seat,
      points,
    }));
    if (!completed.length) return false;
    this.completed = [...this.completed, ...completed];
    const forget = () => (this.completed = this.completed.filter((each) => !completed.includes(each)));
    setTimeout(forget, SWEEP * motion.beat);
    return true;
  }

  #endRound(line: Line, events: Event[], end: RoundEnd): void {
    const placed = NOTATION.exec(line.action ?? "");
    if (!this.#before || !placed || line.seat === null) return;
    const moved = events.find((event) => event.key === "lighthouse");
    const ended: Ended = {
      board: { ...this.#before.board, [placed[2]!]: [COLORS[line.seat]!, Number(placed[1])] },
      lighthouse: moved?.arguments.lighthouse ?? this.#before.lighthouse,
      round: end.arguments.round,
      winner: end.arguments.seat,
    };
    this.ended = ended;
    setTimeout(() => {
      if (this.ended === ended) this.ended = null;
    }, END_OF_ROUND * motion.beat);
  }
}
