// Where a recorded game comes from: a finished table of this server, or a game file.

import { server, type Part } from "../server";
import type { NewTable, Replay, TableView } from "../wire";

export interface Source {
  /** The table's id; null for a file. */
  readonly table: string | null;
  /** The text of the file; null for a table. */
  readonly file: string | null;
  /** How many steps are requested at once. */
  readonly window: number;
  steps(part: Part): Promise<Replay>;
  /** Where a new table begins that goes on after so many actions. */
  start(actions: number): Promise<Pick<NewTable, "origin" | "position">>;
}

export const fromTable = (table: string): Source => ({
  table,
  file: null,
  window: 40,
  steps: (part) => server.replay(table, part),
  start: async (actions) => ({ origin: { table, actions } }),
});

/** The server checks a file anew with every request: it is asked seldom, for more at once. */
export const fromFile = (text: string): Source => ({
  table: null,
  file: text,
  window: 250,
  steps: (part) => server.fileReplay(text, part),
  start: async (actions) => ({ position: (await server.filePosition(text, actions)).position }),
});

/** A table for the game of a file: what it does not tell is left empty. */
export function tableOf({ game, players, options, seats, result }: Replay): TableView {
  const clock = { kind: "none", seconds: 0, increment: 0 } as const;
  return {
    table: "",
    version: 0,
    status: result ? "over" : "playing",
    settings: { game, players, options, clock, listed: false, hints: false, grace: 0, rated: false, open_hands: false },
    commitment: "",
    seats: seats.map((name, seat) => ({ seat, color: "", kind: "person", name, level: null, here: true, left_at: null, resigned: false })),
    mine: [],
    host: false,
    deciders: [],
    may: [],
    clocks: [],
    at: 0,
    game: null,
    result,
    secret: null,
    previous: null,
    next: null,
    origin: null,
    from_file: true,
    fair: null,
  };
}
