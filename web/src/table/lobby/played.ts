// A table's settings in words: the options of its game and the clock.

import { chosen, inWords } from "../../front/catalogue.svelte";
import { settings } from "../../settings.svelte";
import { t } from "../../words/index.svelte";
import type { Clock, GameInfo, Settings } from "../../wire";

/** A duration in the largest unit that gives a whole number. */
export function duration(seconds: number): string {
  const [unit, size] = ([["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const).find(
    ([, each]) => seconds >= each && seconds % each === 0,
  ) ?? ["second", 1];
  return new Intl.NumberFormat(settings.language, { style: "unit", unit, unitDisplay: "short" }).format(seconds / size);
}

export function clockWords(clock: Clock): string {
  return t(`front:setup.clockWords.${clock.kind}`, { time: duration(clock.seconds), increment: duration(clock.increment) });
}

interface Ruling {
  name: string;
  about: string;
  clause: string;
}

/** Every option of the game as this table plays it. */
export function rulings(game: GameInfo, played: Settings): Ruling[] {
  return game.options.map((option) => {
    const choice = chosen(option, played.options);
    return { name: inWords(option.about), about: choice ? inWords(choice.about) : "", clause: option.clause };
  });
}
