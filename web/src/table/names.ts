// What the players are called.

import { t } from "../words/index.svelte";
import type { TableView } from "../wire";

/** A seat's name for who looks: "you", a person's name, or the bot's. */
export function seatName(view: TableView, seat: number): string {
  const chair = view.seats[seat];
  if (!chair) return "";
  if (view.mine.length === 1 && view.mine[0] === seat) return t("seat.you");
  if (chair.kind === "bot" && chair.level) return t(`level.${chair.level}`);
  return chair.name ?? t("seat.open");
}
