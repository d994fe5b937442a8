// Events and refusals of the rules in the player's words; where the page has none, the server's English sentence.

import type { Event, Face, GameView } from "../games/face";
import { has, t } from "../words/index.svelte";
import type { TableView } from "../wire";
import { seatName } from "./names";
import type { WhyNot } from "./table.svelte";

function withNames(face: Face, view: TableView, game: GameView, key: string, args: Record<string, unknown>): Record<string, unknown> {
  const seat = args["seat"];
  const who = typeof seat === "number" ? seatName(view, seat) : "";
  const you = typeof seat === "number" && view.mine.length === 1 && view.mine[0] === seat ? "yes" : "no";
  return { who, you, ...face.arguments(key, args, game) };
}

/** What the rules did. Messages may use {who} and {you, select, yes {…} other {…}}. */
export function tellEvent(face: Face, view: TableView, game: GameView, event: Event): string {
  const key = `${game.game}:event.${event.key}`;
  return has(key) ? t(key, withNames(face, view, game, event.key, event.arguments)) : event.sentence;
}

/** Why something is not allowed: by the rules of the game, or by the table. */
export function tellRefusal(face: Face, view: TableView, game: GameView | null, why: WhyNot): string {
  const ofGame = game && `${game.game}:refusal.${why.key}`;
  if (game && ofGame && has(ofGame)) return t(ofGame, withNames(face, view, game, why.key, why.arguments));
  return has(`table:refusal.${why.key}`) ? t(`table:refusal.${why.key}`, why.arguments) : why.sentence;
}
