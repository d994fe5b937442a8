// What things on the table are, in the player's language.

import { nameInText } from "../../table/names";
import type { TableView } from "../../wire";
import { has, t } from "../../words/index.svelte";
import { ownerOn, quartersAbove, readTile, squareOf, worth, type Color, type Quarter, type Venice } from "./view";

const words = (key: string, args: Record<string, unknown> = {}): string => t(`venice-2099:${key}`, args);

export const quarterName = ({ color, value }: Quarter): string => words("quarter.name", { color: words(`quarter.${color}`), value });
export const cardName = ({ color, value }: Quarter): string => words("card.name", { color: words(`card.${color}`), value });
export const treasureName = (color: Color): string => words(`treasure.${color}`);

export function tileName(tile: string): string {
  const quarter = readTile(tile);
  return quarter ? quarterName(quarter) : words("platform");
}

/** A square and everything on it. */
export function squareLabel(game: Venice, view: TableView, at: string): string {
  const what = tileName(game.board[at]!);
  if (game.water.includes(at)) return joined([words("square.water", { at, what }), fallenOn(game, view, at)]);
  const coins = game.coins_on[at] ?? 0;
  const owner = ownerOn(game, at);
  return joined([
    words("square.tile", { at, what }),
    coins ? words("square.coins", { coins }) : "", // the numbers in the order in which they are seen
    owner === null ? "" : words("square.pawn", pawnOf(view, owner)),
    game.hand?.includes(game.board[at]!) ? words("square.held") : "",
  ]);
}

/** The same, and what it is good for. */
export function squareExplained(game: Venice, view: TableView, at: string): string {
  const label = squareLabel(game, view, at);
  const quarter = readTile(game.board[at]!);
  if (game.water.includes(at)) return label;
  if (!quarter) return joined([label, words("explain.platform")]);
  const price = words("explain.price", { price: (game.coins_on[at] ?? 0) + 1 });
  const unseen = game.unseen.includes(game.board[at]!) ? words("explain.unseen") : "";
  return joined([label, quarterWorth(game, quarter), price, unseen]);
}

function quarterWorth(game: Venice, { color, value }: Quarter): string {
  if (value === "2") return words("explain.two");
  if (value !== "X") return words("explain.value", { value: Number(value) });
  const kind = game.options["x_scores"] === "values" ? "values" : "count";
  return words("explain.x", { kind, quarters: quartersAbove(game, color) });
}

function fallenOn(game: Venice, view: TableView, at: string): string {
  return game.fallen?.from === at ? words("square.fallen", pawnOf(view, game.fallen.seat)) : "";
}

function pawnOf(view: TableView, seat: number): Record<string, unknown> {
  return { who: nameInText(view, seat), you: view.mine.length === 1 && view.mine[0] === seat ? "yes" : "no" };
}

const sentence = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
const joined = (parts: string[]): string => parts.filter((part) => part).join(" ");

/** The treasures of a color: what one is worth now, how many are left, and how many the player has. */
export function treasureLabel(game: Venice, color: Color): string {
  const quarters = quartersAbove(game, color);
  const own = game.seat === null ? 0 : (game.treasures[game.seat]?.[color] ?? 0);
  const emblem = words(`emblem.${color}`);
  const counts = { quarters, worth: worth(quarters), left: game.stock[color], own };
  return sentence(words("treasure.label", { what: treasureName(color), emblem, ...counts }));
}

/** A card of the hand, and what it does. */
export function cardLabel(game: Venice, card: string): string {
  const quarter = readTile(card) as Quarter;
  const lowest = game.hand?.[0]?.endsWith(quarter.value) ? "yes" : "no";
  return sentence(words("card.label", { card: cardName(quarter), lowest, at: squareOf(game, card) }));
}

/** The arguments of the rules' events and refusals with the game's words for them. */
export function inWords(args: Record<string, unknown>, game: Venice): Record<string, unknown> {
  const { moves } = game.options;
  const told: Record<string, unknown> = { ...args, moves, phase: game.phase, fell: game.fallen?.from ?? "" };
  const { color, tile, card } = args;
  if (typeof color === "string" && has(`venice-2099:treasure.${color}`)) told["treasure"] = treasureName(color as Color);
  if (typeof tile === "string") told["tile"] = tileName(tile);
  if (typeof card === "string") told["card"] = cardName(readTile(card) as Quarter);
  if (Array.isArray(args["hand"])) told["lowest"] = String(args["hand"][0] ?? "").slice(-1);
  if (Array.isArray(args["winners"])) told["count"] = args["winners"].length;
  return told;
}
