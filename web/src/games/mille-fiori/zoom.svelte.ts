// On a small screen the board is shown whole, or zoomed in on one area: the one tapped, or that of the card in play.

import { placeOf, type Place } from "./layout";
import { areaAtHand, decides, type View } from "./view";

// Pixels: if cells are narrower, the player zooms in before choosing.
const FINGER = 36;
const MOUSE = 28;

class Zoom {
  /** Are the cells of the whole board too small to choose? */
  small = $state(false);
  #wanted: { during: string; place: Place | null } | null = $state.raw(null);
  #during = $state("");
  #auto: Place | null = $state(null);

  /** What is zoomed in on; null: the whole board. */
  get at(): Place | null {
    if (!this.small) return null;
    return this.#wanted?.during === this.#during ? this.#wanted.place : this.#auto;
  }

  measure(cellWidth: number): void {
    const least = matchMedia("(pointer: coarse)").matches ? FINGER : MOUSE;
    this.small = cellWidth > 0 && cellWidth < least;
  }

  /** Zoom in on what is to be decided, until the player chooses something else to look at. */
  follow(game: View, picked: Record<string, unknown>): void {
    const area = areaAtHand(game, picked);
    this.#during = [game.phase, game.turn, game.card, game.actions, area].join();
    this.#auto = game.phase === "extra" && decides(game) ? "display" : area && placeOf(area);
  }

  to(place: Place | null): void {
    this.#wanted = { during: this.#during, place };
  }

  /** Is this place in view? */
  shows(place: Place): boolean {
    return this.at === null || this.at === place;
  }
}

export const zoom = new Zoom();
