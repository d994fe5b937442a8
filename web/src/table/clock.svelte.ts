// The time by the server's clock, for clocks that count down on the page.

import type { ClockView, TableView } from "../wire";
import type { OneTable } from "./table.svelte";

const LOW = 30_000; // milliseconds: time is running short

/** Ticks while it is being watched; call in a component's setup. */
export function ticking(table: () => OneTable, wanted: () => boolean): { readonly now: number } {
  let now = $state(Date.now());
  $effect(() => {
    if (!wanted()) return;
    now = Date.now();
    const timer = setInterval(() => (now = Date.now()), 250);
    return () => clearInterval(timer);
  });
  return { get now() { return now - table().following.skew; } };
}

/** The time left on a clock now, in milliseconds; null if there is no time limit. */
export function left(clock: ClockView | undefined, view: TableView, now: number): number | null {
  if (!clock || clock.left === null) return null;
  const gone = clock.running && view.status === "playing" ? Math.max(0, now - view.at) : 0;
  return Math.max(0, clock.left - gone);
}

export const isLow = (milliseconds: number): boolean => milliseconds < LOW;

/** "1:05:09", "4:07" */
export function asTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
