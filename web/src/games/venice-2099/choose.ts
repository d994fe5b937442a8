// What a click means at this moment: which fields of an action it chooses,
// and which action to ask about if it is not allowed.

import type { Choosing } from "../../table/choosing.svelte";
import type { OneTable } from "../../table/table.svelte";
import { beside, ownerOn, readTile, squareOf, tileOf, type Color, type Prophecy, type View } from "./view";
import type { Action, Buy } from "./wire";

export interface Moment {
  table: OneTable;
  choosing: Choosing;
  game: View;
}

type Fields = Record<string, unknown>;

export interface Choice {
  /** Everything that is chosen after the click. */
  fields: Fields;
  /** The action to ask about when it is not allowed. */
  attempt: Action;
}

interface Picked {
  do?: Action["do"];
  from?: string;
  to?: string;
  at?: string;
}

const whole = (action: Action): Choice => ({ fields: action, attempt: action });

/** What is chosen so far. */
export const picked = (choosing: Choosing): Picked => choosing.picked as Picked;

const having = (choosing: Choosing, fields: Fields): Action[] => choosing.having(fields) as Action[];

export function isLegal({ choosing }: Moment, { fields }: Choice): boolean {
  return having(choosing, fields).length > 0;
}

/**
 * Should it be highlighted as the next thing to choose? Pawns are, and targets once a pawn is chosen, though a target
 * may be chosen first. After a target, only pawns that can go there are.
 */
export function isNext({ choosing, game }: Moment, { fields }: Choice): boolean {
  if (game.phase === "place" || game.phase === "rescue") return true;
  const { from, to } = picked(choosing);
  if ("to" in fields) return from !== undefined || (to !== undefined && "from" in fields);
  return to === undefined;
}

/** The action that the click completes, if it does. */
export function completes({ choosing }: Moment, { fields }: Choice): Action | null {
  const { length } = Object.keys(fields);
  return having(choosing, fields).find((action) => Object.keys(action).length === length) ?? null;
}

/** Choose it, or deselect it if it was chosen already. If it is not allowed, ask why and keep the choice so far. */
export function take(moment: Moment, choice: Choice): void {
  const { table, choosing } = moment;
  if (!isLegal(moment, choice)) return void table.acting.why(choice.attempt);
  const again = choosing.started && choosing.is(choice.fields);
  table.acting.cancel();
  if (!again) choosing.pick(choice.fields, choice.attempt);
}

// ------------------------------------------------------------ the things on the table

export const ownPawns = (game: View): string[] => (game.seat === null ? [] : (game.pawns[game.seat] ?? []));

/** Is it where the player's own pawn has just fallen? */
export const isFallen = (game: View, at: string): boolean =>
  game.fallen !== null && game.fallen.from === at && game.fallen.seat === game.seat;

/** A square: where a pawn is placed or rescued, which pawn moves, where it goes, or where something is bought. */
export function squareChoice(moment: Moment, at: string): Choice {
  const { choosing, game } = moment;
  if (game.phase === "place") return whole({ do: "place", at });
  if (game.phase === "rescue") return isFallen(game, at) ? gondolaChoice(moment) : whole({ do: "rescue", to: at });
  if (picked(choosing).do === "buy") return whole({ do: "buy", at });
  return ownPawns(game).includes(at) ? pawnChoice(moment, at) : targetChoice(moment, at);
}

const modeOf = (choosing: Choosing): "gondola" | "walk" => (picked(choosing).do === "gondola" ? "gondola" : "walk");

function pawnChoice(moment: Moment, from: string): Choice {
  const chosen = picked(moment.choosing);
  const mode = modeOf(moment.choosing);
  if (chosen.to && !chosen.from) {
    const both = whole({ do: mode, from, to: chosen.to });
    if (isLegal(moment, both)) return both;
  }
  return { fields: { do: mode, from }, attempt: { do: mode, from, to: beside(from) } };
}

function targetChoice({ choosing, game }: Moment, to: string): Choice {
  const mode = modeOf(choosing);
  const { from } = picked(choosing);
  if (from) return whole({ do: mode, from, to });
  const own = ownPawns(game)[0];
  const attempt = own && ownerOn(game, to) === null ? { from: own, to } : { from: to, to: beside(to) };
  return { fields: { do: mode, to }, attempt: { do: mode, ...attempt } };
}

/** A treasure of a color: bought by the pawn that stands on it; if several do, the pawn is chosen next. */
export function treasureChoice({ choosing, game }: Moment, color: Color): Choice {
  const onColor = (at: string): boolean => readTile(game.board[at]!)?.color === color;
  const sold = (having(choosing, { do: "buy" }) as Buy[]).filter(({ at }) => onColor(at));
  const chosen = sold.find(({ at }) => at === picked(choosing).from) ?? (sold.length === 1 ? sold[0] : null);
  if (chosen) return whole(chosen);
  if (sold.length) return { fields: { do: "buy" }, attempt: sold[0]! };
  const at = ownPawns(game).find(onColor) ?? Object.keys(game.board).find(onColor)!;
  return whole({ do: "buy", at });
}

/** A gondola: for a pawn that is chosen before or afterwards, or for the one that fell. */
export function gondolaChoice({ choosing, game }: Moment): Choice {
  if (game.fallen) return { fields: { do: "rescue" }, attempt: { do: "rescue", to: game.fallen.from } };
  const { from } = picked(choosing);
  const own = ownPawns(game)[0] ?? "a1";
  return {
    fields: from ? { do: "gondola", from } : { do: "gondola" },
    attempt: { do: "gondola", from: from ?? own, to: beside(own) },
  };
}

export const cardChoice = ({ color, value }: Prophecy): Choice => whole({ do: "card", color, value });
export const sinkChoice = (): Choice => whole({ do: "sink" });

/** The squares that an action is about, to show them on the board. */
export function squaresOf(action: Action, game: View): { from: string | null; to: string | null } {
  switch (action.do) {
    case "walk":
    case "gondola":
      return { from: action.from, to: action.to };
    case "place":
    case "buy":
      return { from: null, to: action.at };
    case "rescue":
      return { from: game.fallen?.from ?? null, to: action.to };
    case "card":
      return { from: null, to: squareOf(game, tileOf(action)) ?? null };
    case "sink":
      return { from: null, to: null };
  }
}
