// The bots that people play against: names and strengths.

import { offer } from "../front/catalogue.svelte";
import { has, t } from "../words/index.svelte";

export const MAX_STRENGTH = 5; // the strength of the strongest

/** A bot's name in the player's language; bots that are not offered to people have only the one they are called by. */
export function levelName(level: string): string {
  const key = `level.${level}`;
  return has(key) ? t(key) : level;
}

/** From 1 to `MAX_STRENGTH`; 0 if it is not known. */
export const strengthOf = (level: string): number => offer.levels.find((each) => each.name === level)?.strength ?? 0;

/** A bot in a list to choose from. */
export function levelChoice(level: string): string {
  return t("levelChoice", { name: levelName(level), strength: strengthOf(level), most: MAX_STRENGTH });
}
