// Requests to the server that do not need the socket.

import { Problem } from "./problem";
import type { Catalogue, Credentials, Done, LessonState, LessonTry, Lessons, Me, NewPassword, NewTable, Problem as Body, PuzzleOfTheDay, PuzzleState, PuzzleTry, Puzzles, Renewed, Replay, RulesText, SeatLink, TableSummary, TableView } from "./wire";

const UNREACHABLE = new Problem({ key: "unreachable", sentence: "The server cannot be reached.", clause: null, arguments: {} });

async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      ...(signal ? { signal } : {}),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
  } catch {
    throw UNREACHABLE;
  }
  if (answer.status === 204) return undefined as T;
  const received: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw isProblem(received) ? new Problem(received) : UNREACHABLE;
  return received as T;
}

function isProblem(body: unknown): body is Body {
  return typeof body === "object" && body !== null && "key" in body && "sentence" in body;
}

export const server = {
  catalogue: () => ask<Catalogue>("GET", "/games"),
  rules: (game: string, language: string) => ask<RulesText>("GET", `/games/${game}/rules?language=${language}`),
  lessons: (game: string) => ask<Lessons>("GET", `/games/${game}/lessons`),
  lesson: (game: string, lesson: string, tried: LessonTry) => ask<LessonState>("POST", `/games/${game}/lessons/${lesson}`, tried),
  puzzles: (game: string) => ask<Puzzles>("GET", `/games/${game}/puzzles`),
  puzzleOfTheDay: (game: string) => ask<PuzzleOfTheDay>("GET", `/games/${game}/puzzles/today`),
  puzzle: (game: string, puzzle: string, tried: PuzzleTry) => ask<PuzzleState>("POST", `/games/${game}/puzzles/${puzzle}`, tried),
  me: () => ask<Me>("GET", "/me"),
  rename: (name: string) => ask<Me>("POST", "/me", { name }),
  makeAccount: (given: Credentials) => ask<Renewed>("POST", "/me/account", given),
  logIn: (given: Credentials) => ask<Me>("POST", "/log-in", given),
  changePassword: (given: NewPassword) => ask<Renewed>("POST", "/me/password", given),
  logOut: () => ask<undefined>("POST", "/log-out"),
  logOutEverywhere: () => ask<undefined>("POST", "/log-out-everywhere"),
  openTables: () => ask<TableSummary[]>("GET", "/tables"),
  myTables: () => ask<TableSummary[]>("GET", "/tables/mine"),
  newTable: (wish: NewTable, signal?: AbortSignal) => ask<TableView>("POST", "/tables", wish, signal),
  /** Not through the socket, which still has the name I had when it was opened. */
  sit: (table: string, seat: number | null) => ask<Done>("POST", `/tables/${table}/sit`, { seat }),
  seatLink: (table: string, seat: number) => ask<SeatLink>("POST", `/tables/${table}/seats/${seat}/link`),
  openLink: (link: string) => ask<{ table: string | null }>("POST", "/links", { link }),
  /** The game after `number` actions, as `seat` sees it. */
  past: (table: string, number: number, seat: number | null) =>
    ask<Replay>(
      "GET",
      `/tables/${table}/replay?first=${number}&count=1` + (seat === null ? "" : `&seat=${seat}`),
    ),
};
