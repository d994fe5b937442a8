// Descriptions of the things on the table, in the player's language.

import { isMe, nameInText } from "../../table/names";
import type { TableView } from "../../wire";
import { capitalized, list, t, type Arguments } from "../../words/index.svelte";
import { ownerOn, readCard, readTile, squareOf, type Color, type Quarter, type View } from "./view";
import type { Bought, ForSale, Sank, Winners } from "./wire";

const words = (key: string, args: Arguments = {}): string => t(`venice-2099:${key}`, args);

const quarterName = ({ color, value }: Quarter): string => words("quarter.name", { color: words(`quarter.${color}`), value });
export const cardName = ({ color, value }: Quarter): string => words("card.name", { color: words(`card.${color}`), value });
export const treasureName = (color: Color): string => words(`treasure.${color}`);

export function tileName(tile: string): string {
  const quarter = readTile(tile);
  return quarter ? quarterName(quarter) : words("platform");
}

/** A square and everything on it. */
export function squareLabel(game: View, view: TableView | null, at: string): string {
  const what = tileName(game.board[at]!);
  if (game.water.includes(at)) return joined([words("square.water", { at, what }), fallenOn(game, view, at)]);
  const coins = game.coins_on[at] ?? 0;
  const owner = ownerOn(game, at);
  return joined([
    words("square.tile", { at, what }),
    coins ? words("square.coins", { coins }) : "", // the numbers in the order in which they appear on the tile
    owner === null ? "" : words("square.pawn", pawnOf(game, view, owner)),
    game.hand?.includes(game.board[at]!) ? words("square.held") : "",
  ]);
}

/** The same, and what it is good for. */
export function squareExplained(game: View, view: TableView | null, at: string): string {
  const label = squareLabel(game, view, at);
  const quarter = readTile(game.board[at]!);
  if (game.water.includes(at)) return joined([label, words("explain.water")]);
  if (!quarter) return joined([label, words("explain.platform")]);
  const sold = game.market.find(({ color }) => color === quarter.color);
  const price = game.prices[at] && sold ? words("explain.price", { price: game.prices[at], treasure: treasureName(sold.color), worth: sold.worth }) : "";
  const unseen = game.unseen.includes(game.board[at]!) ? words("explain.unseen") : "";
  return joined([label, pawnWorth(game, quarter, at), price, unseen]);
}

function pawnWorth(game: View, { value }: Quarter, at: string): string {
  const points = game.pawn_points[at];
  if (value === "2") return words("explain.two");
  if (value !== "X") return words("explain.value", { value: points });
  return words("explain.x", { kind: game.options["x_scores"], points });
}

function fallenOn(game: View, view: TableView | null, at: string): string {
  return game.fallen?.from === at ? words("square.fallen", pawnOf(game, view, game.fallen.seat)) : "";
}

function pawnOf(game: View, view: TableView | null, seat: number): Arguments {
  return view ? { who: nameInText(view, seat), you: isMe(view, seat) ? "yes" : "no" } : { who: game.seats[seat], you: "no" };
}

const joined = (parts: string[]): string => parts.filter((part) => part).join(" ");

/** The treasures of a color: what one is worth now, how many are left, and how many the player has. */
export function treasureLabel(game: View, { color, left, quarters, worth }: ForSale): string {
  const own = game.seat === null ? 0 : (game.treasures[game.seat]?.[color] ?? 0);
  const emblem = words(`emblem.${color}`);
  return capitalized(words("treasure.label", { what: treasureName(color), emblem, quarters, worth, left, own }));
}

/** A card of the hand, and what it does. */
export function cardLabel(game: View, card: string): string {
  const quarter = readCard(card);
  const lowest = quarter.value === game.lowest ? "yes" : "no";
  return capitalized(words("card.label", { card: cardName(quarter), lowest, at: squareOf(game, card) }));
}

/** The same, and what would be lost with the quarter. */
export function cardExplained(game: View, view: TableView | null, card: string): string {
  const at = squareOf(game, card);
  return joined([cardLabel(game, card), at ? squareLabel(game, view, at) : ""]);
}

/** The arguments of an event, a refusal or an advice, with the game's terms put into the player's language. */
export function inWords(args: Arguments, game: View): Arguments {
  const { color, tile, card, winners } = args as Partial<Bought & Sank & Winners & { card: string }>;
  const own = args["own"] === undefined ? {} : { own: args["own"] ? "yes" : "no" };
  const known: Arguments = { ...args, moves: game.options["moves"], phase: game.phase, fell: game.fallen?.from ?? "", ...own };
  if (color) Object.assign(known, { treasure: treasureName(color), quarter: words(`onQuarter.${color}`) });
  if (tile) known["tile"] = tileName(tile);
  if (card) known["card"] = cardName(readCard(card));
  if (winners) known["count"] = winners.length;
  if (Array.isArray(args["squares"])) Object.assign(known, { squares: list(args["squares"].map(String)), count: args["squares"].length });
  return known;
}
