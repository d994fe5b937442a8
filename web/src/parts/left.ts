// How long something will still take, in words.

import { t } from "../words/index.svelte";

const MINUTES_FROM = 100; // seconds
const COARSE_FROM = 20; // seconds: from here on in steps of five

/** "About 40 seconds left."; null: nobody knows, it takes longer than usual. */
export function left(seconds: number | null): string {
  if (seconds === null) return t("left.long");
  if (seconds >= MINUTES_FROM) return t("left.minutes", { minutes: Math.round(seconds / 60) });
  const step = seconds > COARSE_FROM ? 5 : 1;
  return t("left.seconds", { seconds: Math.max(1, Math.round(seconds / step) * step) });
}
