// Against which bots a game is played: those chosen last in this browser, or the easiest for a newcomer to the game.

import { offer } from "./catalogue.svelte";

const KEY = "laguna.opponents";
const EASIEST = "turtle"; // until the server has said whom it offers

function load(): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const pairs = Object.entries(kept && typeof kept === "object" ? kept : {});
    return Object.fromEntries(pairs.filter(([, level]) => typeof level === "string"));
  } catch {
    return {};
  }
}

class Opponents {
  #chosen: Record<string, string> = $state(load());

  /** The level of the bots for this game. */
  of(game: string): string {
    const [chosen, { levels }] = [this.#chosen[game], offer];
    const known = levels.length === 0 || levels.some((level) => level.name === chosen);
    return chosen && known ? chosen : (levels[0]?.name ?? EASIEST);
  }

  choose(game: string, level: string): void {
    this.#chosen[game] = level;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#chosen));
    } catch {
      // a private window may refuse: then it lasts only until the page is closed
    }
  }
}

export const opponents = new Opponents();
