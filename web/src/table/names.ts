// The players' names.

import { levelName } from "../parts/levels";
import { isolated, t } from "../words/index.svelte";
import type { SeatView, TableView } from "../wire";

/** The name of the person on a seat; null if it is open. A name that was deleted is nobody's. */
export const personName = (chair: SeatView): string | null => (chair.kind === "person" ? (chair.name ?? t("seat.someone")) : null);

function plainName(chair: SeatView): string {
  if (chair.kind === "bot" && chair.level) return levelName(chair.level);
  return personName(chair) ?? t("seat.open");
}

export const isMe = (view: TableView, seat: number): boolean => view.mine.length === 1 && view.mine[0] === seat;

/**
 * A seat's name as the viewer sees it: "you", a person's name, or the bot's; the second of two namesakes gets a number.
 * For a name that stands by itself, in a <bdi>; within a text use `nameInText`.
 */
export function seatName(view: TableView, seat: number): string {
  const chair = view.seats[seat];
  if (!chair) return "";
  if (isMe(view, seat)) return t("seat.you");
  const name = plainName(chair);
  const before = view.seats.slice(0, seat).filter((other) => !isMe(view, other.seat) && plainName(other) === name);
  return before.length ? `${name} ${before.length + 1}` : name;
}

/** A seat's name as the viewer sees it, within other text. */
export const nameInText = (view: TableView, seat: number): string =>
  isMe(view, seat) ? seatName(view, seat) : isolated(seatName(view, seat));
