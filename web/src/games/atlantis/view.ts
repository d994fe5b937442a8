// What the server shows of a game of Atlantis, and how its places are numbered.

import type { Action } from "../face";
import type { AtlantisView, Tile, Way } from "./wire";

export type { AtlantisView, Gap, Land, Pay, Tile, Way } from "./wire";
export type Item = Tile[0];
export type Cards = AtlantisView["discards"];

export const ITEMS: readonly Item[] = ["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"];
export const ATLANTIS = 0;
export const SPACES = 52;
export const MAINLAND = 53;

/** The action that goes this way. */
export function wayAction(game: AtlantisView, way: Way): Action {
  return game.phase === "chain" ? { do: "on", card: way.card } : { do: "move", from: way.from, card: way.card };
}

/** The way that an action goes, if it is one that moves a pawn. */
export function wayOf(game: AtlantisView, action: Action | null | undefined): Way | undefined {
  if (action?.do !== "move" && action?.do !== "on") return undefined;
  return game.previews.find((way) => way.card === action["card"] && (action.do === "on" || way.from === action["from"]));
}

export const sameTile = (one: Tile, other: Tile): boolean => one[0] === other[0] && one[1] === other[1];
