// The state of a seat, as the viewer sees it.

import type { Face } from "../games/face";
import type { SeatView, TableView } from "../wire";
import type { OneTable } from "./table.svelte";

/** The CSS variables that hold the seats' colors, for a style attribute. */
export const seatColors = (face: Face): string => face.colors.map((color, seat) => `--seat-${seat}: ${color}`).join("; ");

type Standing = "resigned" | "sits-in" | "left" | "gone" | "here";

export function standing(table: OneTable, chair: SeatView): Standing {
  if (chair.resigned) return "resigned";
  if (chair.kind === "bot") return "here";
  if (chair.level !== null) return "sits-in";
  if (chair.left_at !== null) return "left";
  return table.following.here.includes(chair.seat) ? "here" : "gone";
}

/** Does a bot think about this seat's next action now? Not while its last one is still being shown. */
export const isThinking = (table: OneTable, view: TableView, chair: SeatView): boolean =>
  chair.level !== null && !table.link.recorded && view.status === "playing" && !table.behind && view.deciders.includes(chair.seat);

/** May a bot take over this seat? The view's `may` is not enough: the grace period may have ended since it was sent. */
export function mayTakeOver(view: TableView, chair: SeatView, now: number): boolean {
  if (view.status !== "playing" || (!view.mine.length && !view.host) || view.mine.includes(chair.seat)) return false;
  return chair.left_at !== null && chair.level === null && now >= chair.left_at + view.settings.grace * 1000;
}
