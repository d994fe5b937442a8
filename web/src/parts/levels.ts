// The bots that people play against: names and strengths.

import { offer } from "../front/catalogue.svelte";
import { has, t } from "../words/index.svelte";

/** What bots were called before: such a name may still be stored in this browser, or come from an older server. */
const FORMER_NAMES: Record<string, string> = { shell: "turtle" };

export const MOST = 4; // the strength of the strongest

export const currentLevel = (level: string): string => FORMER_NAMES[level] ?? level;

/** A bot's name in the player's language; bots that are not offered to people have only the one they are called by. */
export function levelName(level: string): string {
  const key = `level.${currentLevel(level)}`;
  return has(key) ? t(key) : level;
}

/** From 1 to `MOST`; 0 if it is not known. */
export const strengthOf = (level: string): number => offer.levels.find((each) => each.name === currentLevel(level))?.strength ?? 0;

/** A bot in a list to choose from. */
export function levelChoice(level: string): string {
  return t("levelChoice", { name: levelName(level), strength: strengthOf(level), most: MOST });
}
