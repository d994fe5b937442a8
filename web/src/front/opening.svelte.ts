// Opening a table. The first table of a game may have to wait until the server has compiled the game.

import { openFairly } from "../fair/opening";
import { asProblem, type Problem } from "../problem";
import { go } from "../route.svelte";
import type { NewTable, Preparation } from "../wire";
import { offer } from "./catalogue.svelte";
import { opponents } from "./opponents.svelte";
import { who } from "./who.svelte";

/** What the server is doing: compiling the game, loading it, or setting up the table. */
export type Stage = "asking" | "compiling" | "loading" | "laying";

const ASK_AGAIN = 1000; // milliseconds

class Opening {
  /** The game whose table is being opened; null if none is. */
  game: string | null = $state(null);
  stage: Stage = $state("asking");
  /** How far the game's preparation has come; null if nothing is known about it. */
  preparation: Preparation | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  #giveUp = new AbortController();

  /** Open a table and go to it. */
  async open(wish: NewTable): Promise<void> {
    if (this.game) return;
    const giveUp = (this.#giveUp = new AbortController());
    this.game = wish.settings.game;
    this.stage = "asking";
    this.preparation = null;
    this.problem = null;
    const watching = setInterval(() => void this.#look(), ASK_AGAIN);
    void this.#look();
    void import("../table/TablePage.svelte"); // fetch what comes next in the meantime
    try {
      await who.known();
      const { table } = await openFairly(wish, giveUp.signal);
      if (!giveUp.signal.aborted) go(`/table/${table}`);
    } catch (problem) {
      if (!giveUp.signal.aborted) this.problem = asProblem(problem);
    } finally {
      clearInterval(watching);
      if (this.#giveUp === giveUp) this.game = null;
    }
  }

  cancel(): void {
    this.#giveUp.abort();
    this.game = null;
    this.problem = null;
  }

  async #look(): Promise<void> {
    const catalogue = await offer.refresh().catch(() => null);
    const info = catalogue?.games.find((game) => game.id === this.game);
    if (!info) return;
    this.stage = info.ready ? "laying" : info.compiled ? "loading" : "compiling";
    if (info.preparation && !info.ready) this.preparation = info.preparation;
  }
}

export const opening = new Opening();

/** Right away against the bots chosen last, with the usual number of players. */
export async function playNow(game: string): Promise<void> {
  const players = await usualPlayers(game);
  const level = opponents.of(game);
  opponents.choose(game, level);
  const bots = Array.from({ length: players - 1 }, () => ({ kind: "bot", level }));
  await opening.open({ settings: { game, players }, seats: [{ kind: "me" }, ...bots], start: true });
}

/** A table of mine with the other seats open for friends. */
export async function invite(game: string): Promise<void> {
  await opening.open({ settings: { game, players: await usualPlayers(game) } });
}

async function usualPlayers(game: string): Promise<number> {
  const catalogue = await offer.load().catch(() => null);
  return catalogue?.games.find((each) => each.id === game)?.usual_players ?? 2;
}
