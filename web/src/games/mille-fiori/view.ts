// What the server shows of a game of Mille Fiori, and which card is to be decided on.

import { AREA_OF_TYPE, type Area } from "./board";
import type { Card, View } from "./wire";

export type { Card, View };

/** "lion3" as the actions write it. */
export function cardOf(name: string): Card {
  return { type: name.slice(0, -1) as Card["type"], wheel: Number(name.slice(-1)) };
}

export const cardName = (card: Card): string => `${card.type}${card.wheel}`;

export const decides = (game: View): boolean => game.seat !== null && game.deciders.includes(game.seat);

/** The card that the viewer has to play now. */
export function toPlay(game: View): Card | null {
  return game.phase === "play" && game.card && decides(game) ? cardOf(game.card) : null;
}

/** The card chosen from the hand, while it waits for confirmation or for the other players. */
export function chosenCard(game: View, picked: Record<string, unknown>): Card | null {
  return (picked["card"] as Card | undefined) ?? game.chosen?.card ?? null;
}

/** The area that the card to be decided on goes to, if there is one. */
export function areaAtHand(game: View, picked: Record<string, unknown>): Area | null {
  const card = toPlay(game) ?? (decides(game) ? chosenCard(game, picked) : null);
  return card && AREA_OF_TYPE[card.type];
}
