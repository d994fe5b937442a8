// Why an action may be good: the round that it wins, or the line that it completes.

import { signed } from "../../parts/numbers";
import type { Message } from "../../words/index.svelte";
import { lineArguments, type View } from "./view";
import type { Event } from "./wire";

export function reason(events: Event[], game: View): Message | null {
  const won = events.find((event) => event.key === "round-lighthouse" || event.key === "round-full");
  if (won && won.arguments["seat"] === game.seat) return { key: "neptune-vesta:reason.round", args: { round: won.arguments["round"] } };
  const lines = events.flatMap((event) => (event.key === "line" ? [event.arguments] : []));
  const [first] = lines.sort((one, other) => Math.abs(other.points) - Math.abs(one.points));
  if (!first) return null;
  const args = { seat: first.seat, ...lineArguments(first.line), points: signed(first.points) };
  return { key: "neptune-vesta:reason.line", args };
}
