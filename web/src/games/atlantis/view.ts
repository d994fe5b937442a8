// What the server shows of a game of Atlantis.

import type { Action, GameView } from "../face";

export const ITEMS = ["amphora", "wreath", "olive", "coins", "weapon", "lyre", "sickle"] as const;
export type Item = (typeof ITEMS)[number];
export type Tile = [item: Item, value: number];
export type Cards = Partial<Record<Item, number>>;

export const ATLANTIS = 0;
export const SPACES = 52;
export const MAINLAND = 53;

/** The top tile of a space of land, and how many tiles lie there. */
export interface Land {
  tile: Tile;
  height: 1 | 2;
}

/** Water between two spaces of land. */
export interface Gap {
  after: number;
  before: number;
  cost: number;
  bridge: boolean;
}

/** Where a card would lead the pawn on `from`, and what it would bring. */
export interface Way {
  from: number;
  card: Item;
  to: number;
  cost: number; // of the whole move
  goes_on: boolean; // a pawn stands there: another card must follow
  takes: { space: number; tile: Tile } | null;
}

export interface AtlantisView extends GameView {
  phase: "turn" | "chain" | "pay" | "after" | "over";
  board: Record<string, Land>;
  gaps: Gap[];
  pawns: number[][];
  tiles: Tile[][];
  bridges: (number | null)[];
  hand: Cards | null;
  hand_sizes: number[];
  deck_size: number;
  discards: Cards;
  gone: { tiles: Tile[]; cards: Cards };
  unseen: Cards;
  move: { from: number; at: number; due: number } | null;
  previews: Way[];
  losses: number[];
}

/** The action that goes this way. */
export function wayAction(game: AtlantisView, way: Way): Action {
  return game.phase === "chain" ? { do: "on", card: way.card } : { do: "move", from: way.from, card: way.card };
}

/** The way that an action goes, if it is one that moves a pawn. */
export function wayOf(game: AtlantisView, action: Action | null | undefined): Way | undefined {
  if (action?.do !== "move" && action?.do !== "on") return undefined;
  return game.previews.find((way) => way.card === action["card"] && (action.do === "on" || way.from === action["from"]));
}

/** Whose bridges lead over this gap. */
export function builders(game: AtlantisView, gap: Gap): number[] {
  const seats = game.bridges.keys();
  return [...seats].filter((seat) => {
    const named = game.bridges[seat] ?? 0;
    return gap.after <= named && named < gap.before;
  });
}

export const sameTile = (one: Tile, other: Tile): boolean => one[0] === other[0] && one[1] === other[1];
