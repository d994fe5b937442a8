// Requests to the server that do not need the socket.

import type { Catalogue, Credentials, Done, Me, NewPassword, NewTable, Problem, Renewed, Replay, RulesText, SeatLink, TableSummary, TableView } from "./wire";

/** Why the server refused: a key and arguments for a translation, and the English sentence. */
export class Refusal extends Error {
  readonly key: string;
  readonly clause: string | null;
  readonly arguments: Record<string, unknown>;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.key = problem.key;
    this.clause = problem.clause;
    this.arguments = problem.arguments;
  }
}

const UNREACHABLE: Problem = {
  key: "unreachable",
  sentence: "The server cannot be reached.",
  clause: null,
  arguments: {},
};

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
    throw new Refusal(UNREACHABLE);
  }
  if (answer.status === 204) return undefined as T;
  const told: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refusal(isProblem(told) ? told : UNREACHABLE);
  return told as T;
}

function isProblem(told: unknown): told is Problem {
  return typeof told === "object" && told !== null && "key" in told && "sentence" in told;
}

export const server = {
  catalogue: () => ask<Catalogue>("GET", "/games"),
  rules: (game: string) => ask<RulesText>("GET", `/games/${game}/rules`),
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
  /** Not through the socket, which knows me by the name I had when it was opened. */
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
