// On a small screen one looks at the board or closely at one of its areas: chosen by a tap, or by the card in play.

import { placeOf, type Place } from "./layout";
import { areaAtHand, decides, type View } from "./view";

// Pixels: where cells are narrower, one looks closely before choosing.
const FINGER = 36;
const MOUSE = 28;

class Zoom {
  /** Are the cells of the whole board too small for a finger? */
  small = $state(false);
  #wanted: { during: string; place: Place | null } | null = $state.raw(null);
  #during = $state("");
  #auto: Place | null = $state(null);

  /** What is looked at closely; null: the whole board. */
  get at(): Place | null {
    if (!this.small) return null;
    return this.#wanted?.during === this.#during ? this.#wanted.place : this.#auto;
  }

  measure(cellWidth: number): void {
    const least = matchMedia("(pointer: coarse)").matches ? FINGER : MOUSE;
    this.small = cellWidth > 0 && cellWidth < least;
  }

  /** What is to be decided leads the eye, until the player looks elsewhere. */
  follow(game: View, picked: Record<string, unknown>): void {
    const area = areaAtHand(game, picked);
    this.#during = [game.phase, game.turn, game.card, game.actions, area].join();
    this.#auto = game.phase === "extra" && decides(game) ? "display" : area && placeOf(area);
  }

  to(place: Place | null): void {
    this.#wanted = { during: this.#during, place };
  }

  /** Can what lies there be seen? */
  shows(place: Place): boolean {
    return this.at === null || this.at === place;
  }
}

export const zoom = new Zoom();
