// Why an action may be good: the most telling of what it would do, or what its square is worth.

import type { Arguments, Message } from "../../words/index.svelte";
import { readTile, type View } from "./view";
import type { Action, Event } from "./wire";

const because = (key: string, args: Arguments = {}): Message => ({ key: `venice-2099:reason.${key}`, args });

type Of<K extends Event["key"]> = Extract<Event, { key: K }>["arguments"];

function factsOf<K extends Event["key"]>(events: Event[], key: K): Of<K>[] {
  return events.flatMap((event) => (event.key === key ? [event.arguments as Of<K>] : []));
}

export function reason(chosen: Action, events: Event[], game: View): Message | null {
  if (factsOf(events, "winners").some(({ winners }) => winners.includes(game.seat ?? -1))) return because("won");
  switch (chosen.do) {
    case "card":
      return ofCard(events, game);
    case "buy":
      return ofTreasure(chosen.at, game);
    case "rescue":
      return because("rescued", { points: game.pawn_points[chosen.to] ?? 0 });
    case "place":
      return ofSquare(chosen.at, game);
    case "walk":
    case "gondola":
      return ofSquare(chosen.to, game);
    case "sink":
      return null;
  }
}

/** Another's pawn that falls tells more than one's own, and a pawn more than an empty quarter. */
function ofCard(events: Event[], game: View): Message | null {
  const fallen = factsOf(events, "fell");
  const fell = fallen.find(({ seat }) => seat !== game.seat) ?? fallen[0];
  if (fell) return because("fell", { seat: fell.seat, at: fell.at });
  const [sank] = factsOf(events, "sank");
  return sank ? because("sank", { at: sank.at }) : null;
}

function ofTreasure(at: string, game: View): Message | null {
  const color = readTile(game.board[at]!)?.color;
  const offered = game.market.find((each) => each.color === color);
  return offered ? because("bought", { worth: offered.worth }) : null;
}

function ofSquare(at: string, game: View): Message | null {
  if (readTile(game.board[at]!)?.value === "2") return because("dry");
  const points = game.pawn_points[at] ?? 0;
  return points ? because("stands", { points }) : null;
}
