// Requests to the server that do not need the socket.

import { Problem } from "./problem";
import type { Catalogue, CheckedPosition, Confirmation, Credentials, Device, Done, Farewell, GameRating, Leaderboard, Lessons, LessonState, LessonTry, LogIn, Me, MyResults, NewPassword, NewTable, PlayedGames, PositionCheck, PositionStart, Problem as Body, PuzzleOfTheDay, Puzzles, PuzzleState, PuzzleTry, Renewed, Replay, Review, RulesText, SeatLink, Table, TableSummary, TableView } from "./wire";

const UNREACHABLE = new Problem({ key: "unreachable", sentence: "The server cannot be reached.", clause: null, arguments: {} });

/** A body that is a text is sent as it is: it is a file. */
async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      ...(signal ? { signal } : {}),
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
  } catch {
    throw UNREACHABLE;
  }
  if (answer.status === 204) return undefined as T;
  const received: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw isProblem(received) ? new Problem(received) : UNREACHABLE;
  return received as T;
}

/** Which steps of a game, as which seat sees them (null: a spectator), and whether with their views. */
export interface Part {
  seat: number | null;
  first: number;
  count: number;
  views: boolean;
}

const asQuery = ({ seat, first, count, views }: Part): string => `first=${first}&count=${count}&views=${views}` + (seat === null ? "" : `&seat=${seat}`);

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
  /** `given.new` replaces a one-time password. */
  logIn: (given: LogIn) => ask<Me>("POST", "/log-in", given),
  changePassword: (given: NewPassword) => ask<Renewed>("POST", "/me/password", given),
  logOut: () => ask<undefined>("POST", "/log-out"),
  logOutEverywhere: () => ask<undefined>("POST", "/log-out-everywhere"),
  devices: () => ask<Device[]>("GET", "/me/devices"),
  endDevice: (device: string, confirmed: Confirmation) => ask<undefined>("POST", `/me/devices/${device}/end`, confirmed),
  endOtherDevices: (confirmed: Confirmation) => ask<undefined>("POST", "/me/devices/end-others", confirmed),
  myGames: (query: string) => ask<PlayedGames>("GET", `/me/games?${query}`),
  myResults: (query: string) => ask<MyResults>("GET", `/me/results?${query}`),
  myRatings: () => ask<GameRating[]>("GET", "/me/ratings"),
  leaderboard: (game: string) => ask<Leaderboard>("GET", `/games/${game}/ratings`),
  /** Delete my account, or forget this guest, who has no password. */
  farewell: (given: Farewell) => ask<undefined>("POST", "/me/delete", given),
  openTables: () => ask<TableSummary[]>("GET", "/tables"),
  myTables: () => ask<TableSummary[]>("GET", "/tables/mine"),
  newTable: (wish: NewTable, signal?: AbortSignal) => ask<TableView>("POST", "/tables", wish, signal),
  look: (table: string) => ask<Table>("GET", `/tables/${table}`),
  replay: (table: string, part: Part) => ask<Replay>("GET", `/tables/${table}/replay?${asQuery(part)}`),
  fileReplay: (file: string, part: Part) => ask<Replay>("POST", `/replay?${asQuery(part)}`, file),
  /** Keeps the finished game of a file as a table, which can be reviewed. */
  openFile: (file: string) => ask<Done>("POST", "/tables/file", file),
  /** The review of a finished game as far as it has come; `start` has it made. */
  review: (table: string, start: boolean) => ask<Review>(start ? "POST" : "GET", `/tables/${table}/review`),
  /** Not through the socket, which still has the name I had when it was opened. */
  sit: (table: string, seat: number | null, seal: string | null) => ask<Done>("POST", `/tables/${table}/sit`, { seat, seal }),
  share: (table: string, share: string) => ask<Done>("POST", `/tables/${table}/share`, { share }),
  seatLink: (table: string, seat: number) => ask<SeatLink>("POST", `/tables/${table}/seats/${seat}/link`),
  openLink: (link: string) => ask<{ table: string | null }>("POST", "/links", { link }),
  checkPosition: (asked: PositionCheck) => ask<CheckedPosition>("POST", "/positions", asked),
  startPosition: (game: string, how: PositionStart) => ask<CheckedPosition>("POST", `/games/${game}/position`, how),
  /** The position of a game file after so many actions (null: all), or of a position file; both as text. */
  filePosition: (file: string, actions: number | null) => ask<CheckedPosition>("POST", "/positions/file" + (actions === null ? "" : `?actions=${actions}`), file),
  gameFile: (table: string) => ask<object>("GET", `/tables/${table}/file`),
  /** The game after `number` actions, as `seat` sees it. */
  past: (table: string, number: number, seat: number | null) =>
    ask<Replay>(
      "GET",
      `/tables/${table}/replay?first=${number}&count=1` + (seat === null ? "" : `&seat=${seat}`),
    ),
};
