// Why an action may be good: a pawn that arrives, a tile that it takes, a crossing that it makes free.

import type { Message } from "../../words/index.svelte";
import { tileName } from "./gestures";
import { MAINLAND, type AtlantisView } from "./view";
import type { Action, Event } from "./wire";

export function reason(act: Action, events: Event[], game: AtlantisView): Message | null {
  if (events.some((event) => event.key === "arrived")) return { key: "atlantis:reason.arrived" };
  if (events.some((event) => event.key === "card" && event.arguments.to === MAINLAND)) return { key: "atlantis:reason.home" };
  const took = events.find((event) => event.key === "took");
  if (took) return { key: "atlantis:reason.took", args: { tile: tileName(took.arguments.tile) } };
  const gap = act.do === "bridge" ? game.gaps.find((each) => each.after === act.after) : undefined;
  return gap?.cost ? { key: "atlantis:reason.bridge", args: { cost: gap.cost } } : null;
}
