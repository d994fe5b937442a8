// What a player would most likely pay with: the least value, and of that tiles rather than cards.

import type { Action } from "../face";
import { type AtlantisView, type Cards, type Item, type Tile } from "./view";

interface Bill {
  pieces: Action[];
  lost: number;
  cards: number;
}

const cheaper = (one: Bill, other: Bill | undefined): boolean =>
  !other ||
  one.lost < other.lost ||
  (one.lost === other.lost && (one.cards < other.cards || (one.cards === other.cards && one.pieces.length < other.pieces.length)));

/** The pieces that would pay what is owed; empty if nothing is. */
export function likelyPayment(game: AtlantisView, seat: number): Action[] {
  const due = game.move?.due ?? 0;
  const bills: (Bill | undefined)[] = [{ pieces: [], lost: 0, cards: 0 }]; // by what they pay, all above `due` as one
  for (const piece of purse(game.tiles[seat] ?? [], game.hand ?? {})) {
    for (let paid = due - 1; paid >= 0; paid--) {
      const bill = bills[paid];
      if (!bill) continue;
      const next = add(bill, piece);
      const sum = Math.min(paid + worth(piece), due);
      if (cheaper(next, bills[sum])) bills[sum] = next;
    }
  }
  return due > 0 ? (bills[due]?.pieces ?? []) : [];
}

function purse(tiles: Tile[], hand: Cards): Action[] {
  const cards = Object.entries(hand) as [Item, number][];
  return [
    ...tiles.map((tile) => ({ do: "pay", tile })),
    ...cards.flatMap(([card, count]) => Array.from({ length: count }, () => ({ do: "pay", card }))),
  ];
}

/** What a tile or card counts for. */
export const worth = (piece: Action): number => (piece["tile"] as Tile | undefined)?.[1] ?? 1;

const add = (bill: Bill, piece: Action): Bill => ({
  pieces: [...bill.pieces, piece],
  lost: bill.lost + worth(piece),
  cards: bill.cards + ("card" in piece ? 1 : 0),
});
