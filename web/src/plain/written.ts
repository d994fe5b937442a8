// Names and values of a view or an action as plain text.

import type { Action, GameView } from "../games/face";

/** Every view has these; the page shows them elsewhere. */
const COMMON = ["game", "players", "options", "seats", "seat", "turn", "over", "actions", "scores", "winners", "legal"];

export const ownFields = (game: GameView): [string, unknown][] =>
  Object.entries(game).filter(([name, value]) => !COMMON.includes(name) && value !== null);

export function written(value: unknown): string {
  if (value === null) return "–";
  if (Array.isArray(value)) return value.map(written).join(", ") || "–";
  if (typeof value === "object") return pairs(Object.entries(value)) || "–";
  return String(value).replaceAll("_", " ");
}

const pairs = (entries: [string, unknown][]): string =>
  entries.map(([name, value]) => `${written(name)}: ${written(value)}`).join("; ");

/** "take 2" for one field, "move from: a1; to: b2" for several. */
export function actionText({ do: what, ...fields }: Action): string {
  const entries = Object.entries(fields);
  if (entries.length === 1) return `${written(what)} ${written(entries[0]![1])}`;
  return `${written(what)} ${pairs(entries)}`.trim();
}
