// My games as the server pages them, and my results, both for the same filter.

import { asProblem, type Problem } from "../problem";
import { server } from "../server";
import type { MyResults, PlayedGame } from "../wire";

/** Empty: any. `opponents`: people, bots, or the level of a bot. */
export interface Filter {
  game: string;
  result: string;
  opponents: string;
  name: string;
  players: string;
  rated: string;
}

const COUNT = 10; // games in a page
const NONE: Filter = { game: "", result: "", opponents: "", name: "", players: "", rated: "" };

export class History {
  filter: Filter = $state({ ...NONE });
  /** Null until the server has answered. */
  games = $state.raw<PlayedGame[] | null>(null);
  results = $state.raw<MyResults | null>(null);
  problem = $state.raw<Problem | null>(null);
  next: string | null = $state(null);
  busy = $state(false);
  #asked = 0;

  get filtered(): boolean {
    return Object.values(this.filter).some((value) => value !== "");
  }

  clear(): void {
    this.filter = { ...NONE };
  }

  /** The filter as the server reads it. */
  get query(): URLSearchParams {
    const { game, result, opponents, name, players, rated } = this.filter;
    const kind = opponents === "people" || opponents === "bots" ? "against" : "level";
    const asked = { game, result, players, rated, opponent: name.trim(), [kind]: opponents };
    return new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
  }

  /** The first page, and the results. */
  async look(): Promise<void> {
    const query = this.query.toString();
    await this.#try(async () => {
      const [page, results] = await Promise.all([server.myGames(`${query}&count=${COUNT}`), server.myResults(query)]);
      return () => ([this.games, this.next, this.results] = [page.games, page.next, results]);
    });
  }

  async more(): Promise<void> {
    if (this.next === null || this.busy) return;
    const { query } = this;
    query.set("after", this.next);
    query.set("count", String(COUNT));
    await this.#try(async () => {
      const page = await server.myGames(query.toString());
      return () => ([this.games, this.next] = [[...(this.games ?? []), ...page.games], page.next]);
    });
  }

  /** Ask, and show what was found, or why nothing was; what comes after a later question was asked is dropped. */
  async #try(find: () => Promise<() => void>): Promise<void> {
    const number = ++this.#asked;
    const latest = (): boolean => number === this.#asked;
    this.busy = true;
    try {
      const show = await find();
      if (!latest()) return;
      show();
      this.problem = null;
    } catch (failed) {
      if (latest()) this.problem = asProblem(failed);
    } finally {
      if (latest()) this.busy = false;
    }
  }
}
