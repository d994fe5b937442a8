// Why an action may be good: the points that it brings, and an extra card.

import type { Message } from "../../words/index.svelte";
import type { View } from "./view";
import type { Event } from "./wire";

export function reason(events: Event[], game: View): Message | null {
  const mine = (seat: number): boolean => seat === game.seat;
  let [points, others, extra] = [0, 0, false];
  for (const { key, arguments: facts } of events) {
    if (key === "extra-card") extra ||= mine(facts.seat);
    if (key !== "points" && key !== "bonus") continue;
    if (mine(facts.seat)) points += facts.points;
    else others += facts.points;
  }
  if (points) return { key: "mille-fiori:reason.points", args: { points, others, extra: extra ? "yes" : "no" } };
  return extra ? { key: "mille-fiori:reason.extra" } : null;
}
