// All texts of the page, in the player's language: `t(key, arguments)` with ICU messages.
//
// The page's texts are in words/PART/LANGUAGE.json, a game's in games/GAME/words/LANGUAGE.json. Their keys are
// "PART:key" and "GAME:key"; a key without a prefix belongs to "common". The texts of a game's lessons are in
// games/GAME/lessons/LANGUAGE.json, their keys are "GAME-lessons:key"; why positions are impossible is in
// games/GAME/positions/LANGUAGE.json, with keys "GAME-positions:key". Only the player's language is loaded.

import i18next, { type i18n } from "i18next";
import ICU from "i18next-icu";
import { settings, type Language } from "../settings.svelte";

export type Arguments = Record<string, unknown>;

/** A text to show: a key and its arguments, so that it can be shown in any language. */
export interface Message {
  key: string;
  args?: Arguments;
}

const PARTS = ["common", "front", "table", "learn", "replay", "me", "editor", "puzzles", "share"];
type Loader = () => Promise<{ default: Record<string, unknown> }>;
const PAGE = import.meta.glob<{ default: Record<string, unknown> }>("./*/*.json") as Record<string, Loader>;
const GAMES = import.meta.glob<{ default: Record<string, unknown> }>("../games/*/words/*.json") as Record<string, Loader>;
const LESSONS = import.meta.glob<{ default: Record<string, unknown> }>("../games/*/lessons/*.json") as Record<string, Loader>;
const POSITIONS = import.meta.glob<{ default: Record<string, unknown> }>("../games/*/positions/*.json") as Record<string, Loader>;

const engine: i18n = i18next.createInstance();
let loaded = $state(0); // incremented when texts arrive, so that everything is rendered again

export async function startWords(): Promise<void> {
  await engine.use(new ICU()).init({
    lng: settings.language,
    fallbackLng: false,
    ns: [],
    resources: {},
    keySeparator: ".",
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await loadWords(settings.language);
}

/** The prefix of the keys of a game's lessons. */
export const lessonWords = (game: string): string => `${game}-lessons`;

/** The prefix of the keys that say why a position of a game is impossible. */
export const positionWords = (game: string): string => `${game}-positions`;

/** Switch to this language: load the texts of the page, and those of this game and of its lessons or its positions. */
export async function loadWords(language: Language, game?: string, more?: "lessons" | "positions"): Promise<void> {
  const wanted = PARTS.map((part) => [part, PAGE[`./${part}/${language}.json`]] as const);
  if (game) wanted.push([game, GAMES[`../games/${game}/words/${language}.json`]]);
  if (game && more === "lessons") wanted.push([lessonWords(game), LESSONS[`../games/${game}/lessons/${language}.json`]]);
  if (game && more === "positions") wanted.push([positionWords(game), POSITIONS[`../games/${game}/positions/${language}.json`]]);
  await Promise.all(
    wanted.map(async ([space, load]) => {
      if (load && !engine.hasResourceBundle(language, space))
        engine.addResourceBundle(language, space, (await load()).default, true, true);
    }),
  );
  if (engine.language !== language) await engine.changeLanguage(language);
  loaded += 1;
}

function split(key: string): [space: string, rest: string] {
  const at = key.indexOf(":");
  return at < 0 ? ["common", key] : [key.slice(0, at), key.slice(at + 1)];
}

/** The text for a key: "PART:key", or "GAME:key" for a game's own. */
export function t(key: string, args: Arguments = {}): string {
  void loaded;
  const [space, rest] = split(key);
  return engine.t(rest, { ...args, ns: space });
}

export function has(key: string): boolean {
  void loaded;
  const [space, rest] = split(key);
  return engine.exists(rest, { ns: space });
}

export const say = (message: Message): string => t(message.key, message.args);

/** A name within other text, isolated so that its writing direction does not affect the text around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;

/** With a capital letter, as a sentence begins. */
export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase(settings.language) + text.slice(1);

/** "a, b and c" as the language lists things. */
export function list(things: string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(settings.language, { type }).format(things);
}
