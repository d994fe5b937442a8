// What the server tells of a game of Mille Fiori.

import type { Action, GameView } from "../face";
import { AREA_OF_TYPE, type Area, type CardType, type Group } from "./board";

export interface MilleView extends GameView {
  phase: "keep" | "play" | "extra" | "over";
  round: number;
  rounds: number;
  pick: number;
  picks: number;
  doge: number;
  board: Record<string, number>; // cell: whose lozenge lies there
  bonus: Record<Group, number[]>; // seats, from 20 points downward
  supply: number[];
  reserve: number[];
  ships: number[];
  display: string[];
  discards: string[];
  deck_size: number;
  card: string | null; // the card in play, if it may be seen
  hand: string[] | null;
  hand_sizes: number[];
  kept: string | null;
  remembered: (string[] | null)[] | null;
  reason: "lozenges" | "deck" | null;
  /** Who still has to choose, and what oneself has chosen, where all choose at once. */
  deciders?: number[];
  chosen?: Action | null;
}

export interface CardValue {
  type: CardType;
  wheel: number;
}

/** "lion3" as the actions write it. */
export function cardOf(name: string): CardValue {
  return { type: name.slice(0, -1) as CardType, wheel: Number(name.slice(-1)) };
}

export const cardName = (card: CardValue): string => `${card.type}${card.wheel}`;

/** Who has to decide now. */
export function deciders(game: MilleView): number[] {
  if (game.over) return [];
  return game.deciders ?? (game.turn === null ? [] : [game.turn]);
}

export const decides = (game: MilleView): boolean => game.seat !== null && deciders(game).includes(game.seat);

/** The card that who looks has to play now. */
export function toPlay(game: MilleView): CardValue | null {
  return game.phase === "play" && game.card && decides(game) ? cardOf(game.card) : null;
}

/** The card chosen from the hand while it waits for a yes or for the others. */
export function chosenCard(game: MilleView, picked: Record<string, unknown>): CardValue | null {
  const card = picked["card"] ?? game.chosen?.["card"];
  return (card as CardValue | undefined) ?? null;
}

/** The area that matters for what is being decided, if any. */
export function areaAtHand(game: MilleView, picked: Record<string, unknown>): Area | null {
  const card = toPlay(game) ?? (decides(game) ? chosenCard(game, picked) : null);
  return card && AREA_OF_TYPE[card.type];
}
