// Cards, cells and areas in the player's words.

import { t } from "../../words/index.svelte";
import { CELL, type Area, type Cell, type Group } from "./board";
import { cardOf, type Card } from "./view";

export const say = (key: string, args: Record<string, unknown> = {}): string => t(`mille-fiori:${key}`, args);

export const areaWords = (area: Area | Group | "sea" | "display"): string => say(`area.${area}`);
export const cardWords = (card: Card): string => say("cardNamed", { type: say(`card.${card.type}`), wheel: card.wheel });
export const namedCard = (name: string): string => cardWords(cardOf(name));

/** "quartz workshop, row 2, place 3": enough to tell a cell from all others. */
export function cellWords(id: string): string {
  const cell = CELL.get(id);
  return cell ? say(`cell.${cell.area}`, cellArguments(cell)) : id;
}

function cellArguments(cell: Cell): Record<string, unknown> {
  return { type: say(`card.${cell.type}`), row: cell.row + 1, place: cell.place + 1, number: cell.number ?? 0 };
}
