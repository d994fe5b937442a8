// How far the player of this browser has come with the lessons of each game, and whose card has been seen.

import type { Action } from "../games/face";

interface Kept {
  /** The lesson in progress, and what was done in it. */
  lesson: string | null;
  actions: Action[];
  /** The lessons that are done. */
  done: string[];
}

const [LESSONS, SEEN, TEACHER] = ["laguna.lessons", "laguna.seen", "laguna.teacher"];
const NOTHING: Kept = { lesson: null, actions: [], done: [] };

function read(key: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function write(key: string, game: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(key), [game]: value }));
  } catch {
    // a private window may refuse: then it lasts only until the page is closed
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const isAction = (value: unknown): value is Action => typeof value === "object" && value !== null && "do" in value;

export function progressIn(game: string): Kept {
  const kept = read(LESSONS)[game];
  if (typeof kept !== "object" || kept === null) return NOTHING;
  const { lesson, actions, done } = kept as Record<string, unknown>;
  return {
    lesson: isText(lesson) ? lesson : null,
    actions: Array.isArray(actions) ? actions.filter(isAction) : [],
    done: Array.isArray(done) ? done.filter(isText) : [],
  };
}

export const keepProgress = (game: string, kept: Kept): void => write(LESSONS, game, kept);

/** Has the card that says how the game is won been shown? */
export const hasSeen = (game: string): boolean => read(SEEN)[game] === true;

export const keepSeen = (game: string): void => write(SEEN, game, true);

/** Does the player want a teacher in this game? Yes in the first one, unless chosen otherwise. */
export const wantsTeacher = (game: string): boolean => read(TEACHER)[game] !== false;

export const keepTeacher = (game: string, on: boolean): void => write(TEACHER, game, on);

/** A game is over: from the next one on there is a teacher only for those who have asked for one. */
export function keepFirstGame(game: string): void {
  if (!(game in read(TEACHER))) keepTeacher(game, false);
}
