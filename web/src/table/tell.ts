// Events and refusals of the rules in the player's language; if the page has no text, the server's English sentence.

import type { Event, Face, GameView } from "../games/face";
import type { Problem } from "../problem";
import { has, list, t, type Arguments } from "../words/index.svelte";
import type { TableView } from "../wire";
import { isMe, nameInText } from "./names";

function whoIs(view: TableView, seat: unknown): { who: string; you: string } {
  if (typeof seat !== "number") return { who: "", you: "no" };
  return { who: nameInText(view, seat), you: isMe(view, seat) ? "yes" : "no" };
}

function withNames(face: Face, view: TableView, game: GameView, key: string, args: Arguments): Arguments {
  return { ...whoIs(view, args["seat"]), ...face.arguments(key, args, game) };
}

/** What to do now; {who} is the seat that the face names, or otherwise the players who have to decide. */
export function tellNow(face: Face, view: TableView, game: GameView, seat: number | null): string {
  const message = face.now(game, seat);
  const about = message.args?.["seat"];
  const deciders = view.deciders.map((each) => nameInText(view, each));
  const who = typeof about === "number" ? nameInText(view, about) : list(deciders);
  return t(message.key, { ...whoIs(view, about), who, ...message.args });
}

/** What happened in the game. Messages may use {who} and {you, select, yes {…} other {…}}. */
export function tellEvent(face: Face, view: TableView, game: GameView, event: Event): string {
  const key = `${game.game}:event.${event.key}`;
  return has(key) ? t(key, withNames(face, view, game, event.key, event.arguments)) : event.sentence;
}

/** Why something is not allowed: by the rules of the game, or by the table. */
export function tellRefusal(face: Face, view: TableView, game: GameView | null, why: Problem): string {
  const ofGame = game && `${game.game}:refusal.${why.key}`;
  if (game && ofGame && has(ofGame)) return t(ofGame, withNames(face, view, game, why.key, why.arguments));
  return has(`table:refusal.${why.key}`) ? t(`table:refusal.${why.key}`, why.arguments) : why.sentence;
}

/** What points were given for, by clause and key of the scoring. */
export function tellSource(game: string, clause: string, key: string): string {
  const known = [key, clause].map((name) => `${game}:scoring.${name}`).find(has);
  return known ? t(known) : t("table:scoring.any", { clause });
}
