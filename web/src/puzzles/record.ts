// How the player of this browser does with the puzzles of each game: a rating, and streaks. Kept only here.

import type { PuzzleInfo } from "../wire";

export interface Record {
  rating: number;
  /** The puzzles whose first attempt has counted, the one attempted last at the end. */
  tried: string[];
  /** Solved one after the other, each at the first attempt. */
  row: number;
  /** Days in a row on which the puzzle of the day was solved, and the last of them. */
  days: number;
  day: string | null;
}

const KEY = "laguna.puzzles";
const START = 1000;
const [STEP, FIRST_STEP, FIRST] = [24, 64, 15]; // what a puzzle can change in the rating: much for the first few
const NEAR = 4; // the next puzzle is one of so many that are nearest to the rating
const A_DAY = 86_400_000; // milliseconds
const NOTHING: Record = { rating: START, tried: [], row: 0, days: 0, day: null };

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === "string";

function read(): { [game: string]: unknown } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as { [game: string]: unknown }) : {};
  } catch {
    return {};
  }
}

export function recordIn(game: string): Record {
  const kept = read()[game];
  if (typeof kept !== "object" || kept === null) return NOTHING;
  const { rating, tried, row, days, day } = kept as { [name: string]: unknown };
  return {
    rating: isNumber(rating) ? rating : START,
    tried: Array.isArray(tried) ? tried.filter(isText) : [],
    row: isNumber(row) ? row : 0,
    days: isNumber(days) ? days : 0,
    day: isText(day) ? day : null,
  };
}

export function keepRecord(game: string, record: Record): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [game]: record }));
  } catch {
    // a private window may refuse: then it lasts only until the page is closed
  }
}

/** The day before, as the server writes days. */
const before = (day: string): string => new Date(Date.parse(day) - A_DAY).toISOString().slice(0, 10);

/** The streak of days as of this one: a day that is not over yet does not break it. */
export const daysInARow = ({ days, day }: Record, today: string): number => (day === today || day === before(today) ? days : 0);

/** After an attempt. Only the first at each puzzle counts, except that the puzzle of the day may be solved later. */
export function judged(record: Record, puzzle: PuzzleInfo, right: boolean, day: string | null): Record {
  const next = { ...record };
  if (!record.tried.includes(puzzle.id)) {
    const expected = 1 / (1 + 10 ** ((puzzle.rating - record.rating) / 400));
    const step = record.tried.length < FIRST ? FIRST_STEP : STEP;
    next.rating = Math.round(record.rating + step * (Number(right) - expected));
    next.row = right ? record.row + 1 : 0;
  }
  next.tried = [...record.tried.filter((id) => id !== puzzle.id), puzzle.id];
  if (right && day !== null && record.day !== day) {
    next.days = daysInARow(record, day) + 1;
    next.day = day;
  }
  return next;
}

/** One that was not tried yet, near the player's rating; when all were, the one whose last attempt is longest ago. */
export function nextPuzzle(puzzles: PuzzleInfo[], record: Record, current: string): PuzzleInfo | undefined {
  const others = puzzles.filter(({ id }) => id !== current);
  const fresh = others.filter(({ id }) => !record.tried.includes(id));
  if (!fresh.length) return others.sort((a, b) => record.tried.indexOf(a.id) - record.tried.indexOf(b.id))[0];
  const far = ({ rating }: PuzzleInfo): number => Math.abs(rating - record.rating);
  const near = fresh.sort((a, b) => far(a) - far(b)).slice(0, NEAR);
  return near[Math.floor(Math.random() * near.length)];
}
