// Events and refusals of the rules in the player's language; if the page has no text, the server's English sentence.

import type { Action, Event, Face, GameView } from "../games/face";
import type { Problem } from "../problem";
import { has, lessonWords, list, t, type Arguments } from "../words/index.svelte";
import type { Line, TableView } from "../wire";
import { isMe, nameInText } from "./names";

/** A seat, or several, as messages name them. */
export function whoIs(view: TableView, about: unknown): { who: string; you: string } {
  if (Array.isArray(about) && about.length !== 1) return { who: list(about.map((seat: number) => nameInText(view, seat))), you: "no" };
  const seat: unknown = Array.isArray(about) ? about[0] : about;
  if (typeof seat !== "number") return { who: "", you: "no" };
  return { who: nameInText(view, seat), you: isMe(view, seat) ? "yes" : "no" };
}

function withNames(face: Face, view: TableView, game: GameView, key: string, args: Arguments): Arguments {
  return { ...whoIs(view, args["seat"] ?? args["winners"]), ...face.arguments(key, args, game) };
}

/** What to do now; {who} is the seat that the face names, or otherwise the players who have to decide. */
export function tellNow(face: Face, view: TableView, game: GameView, seat: number | null): string {
  if (view.status === "over" && !game.over) return [tellEnd(view), t("table:plain.over")].join(" ").trim();
  const message = face.now(game, seat);
  const about = message.args?.["seat"];
  const deciders = view.deciders.map((each) => nameInText(view, each));
  const who = typeof about === "number" ? nameInText(view, about) : list(deciders);
  return t(message.key, { ...whoIs(view, about), who, ...message.args });
}

/** Why a game ended that was not played to the end: who resigned, or ran out of time. */
export function tellEnd(view: TableView): string {
  const { result, seats } = view;
  if (!result || result.how === "played") return "";
  const lost = seats.map(({ seat }) => seat).filter((seat) => !result.winners.includes(seat));
  return t(`table:over.${result.how}`, { ...whoIs(view, lost), count: lost.length });
}

/**
 * What happened in the game, or what an action would do (`ahead`). Messages may use {who},
 * {you, select, yes {…} other {…}} and {ahead, select, yes {…} other {…}}.
 */
export function tellEvent(face: Face, view: TableView, game: GameView, event: Event, ahead = false): string {
  const key = `${game.game}:event.${event.key}`;
  if (!has(key)) return event.sentence;
  return t(key, { ...withNames(face, view, game, event.key, event.arguments), ahead: ahead ? "yes" : "no" });
}

/** What a teacher says about the position. */
export function tellAdvice(face: Face, view: TableView, game: GameView, advice: Event): string {
  const key = `${game.game}:advice.${advice.key}`;
  return has(key) ? t(key, withNames(face, view, game, `advice.${advice.key}`, advice.arguments)) : advice.sentence;
}

/** What a seat did, as far as its events do not say it. */
export function tellDone(face: Face, view: TableView, line: Line): string {
  const message = line.value && face.done(line.value as Action, line.events);
  return message ? t(message.key, { ...whoIs(view, line.seat), ...message.args }) : "";
}

/** The sentences of an action: what the seat did and what came of it. "" if nothing is known of it. */
export function tellActed(face: Face, view: TableView, game: GameView, line: Line): string {
  const events = line.events.map((event) => tellEvent(face, view, game, event));
  return [tellDone(face, view, line), ...events].filter(Boolean).join(" ");
}

/** Why something is not allowed: by the rules of the game, or by the table. */
export function tellRefusal(face: Face, view: TableView, game: GameView | null, why: Problem): string {
  const ofLesson = game && why.key === "lesson" && `${lessonWords(game.game)}:${why.arguments["lesson"]}.wrong.${why.arguments["text"]}`;
  if (ofLesson && has(ofLesson)) return t(ofLesson);
  const ofGame = game && `${game.game}:refusal.${why.key}`;
  if (game && ofGame && has(ofGame)) return t(ofGame, withNames(face, view, game, why.key, why.arguments));
  return has(`table:refusal.${why.key}`) ? t(`table:refusal.${why.key}`, why.arguments) : why.sentence;
}

/** What points were given for, by clause and key of the scoring. */
export function tellSource(game: string, clause: string, key: string): string {
  const known = [key, clause].map((name) => `${game}:scoring.${name}`).find(has);
  return known ? t(known) : t("table:scoring.any", { clause });
}
