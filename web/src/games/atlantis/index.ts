import { capitalized, list, t, type Arguments, type Message } from "../../words/index.svelte";
import type { Face, Flight, Places } from "../face";
import Board from "./Board.svelte";
import { placeName, tileName } from "./gestures";
import Hand from "./Hand.svelte";
import HowToWin from "./HowToWin.svelte";
import { SEATS } from "./looks";
import Pieces from "./Pieces.svelte";
import { reason } from "./reason";
import Reference from "./Reference.svelte";
import { ITEMS, MAINLAND, wayOf, type AtlantisView, type Cards, type Item, type Tile } from "./view";
import type { Action, Event, Move, On } from "./wire";

/** What is to be done now. */
function now(game: AtlantisView, seat: number | null): Message {
  if (game.over) return { key: "atlantis:now.over" };
  const args = { seat: game.turn, due: game.move?.due ?? 0 };
  if (seat === null || game.turn !== seat) return { key: `atlantis:now.wait.${game.phase}`, args };
  const can = (name: Action["do"]): "yes" | "no" => (game.legal.some((action) => action.do === name) ? "yes" : "no");
  if (game.phase === "turn" && can("draw") === "yes") return { key: "atlantis:now.draw", args: { ...args, buy: can("buy"), bridge: can("bridge") } };
  return { key: `atlantis:now.${game.phase}`, args: { ...args, buy: can("buy"), bridge: can("bridge") } };
}

const itemName = (item: string): string => t(`atlantis:item.${item}`);

/** An action in words. */
function action(act: Action, game: AtlantisView): Message {
  switch (act.do) {
    case "move":
    case "on":
      return moving(act, game);
    case "pay":
      if (act.tile) return { key: "atlantis:action.payTile", args: { tile: tileName(act.tile) } };
      return { key: "atlantis:action.payCard", args: { card: act.card ? capitalized(itemName(act.card)) : "" } };
    case "buy":
      return { key: "atlantis:action.buy", args: { tile: tileName(act.tile), count: game.cards_bought[act.tile[1]] } };
    case "bridge": {
      const gap = game.gaps.find((each) => each.after === act.after);
      return { key: "atlantis:action.bridge", args: { after: act.after, before: gap?.before ?? act.after + 1 } };
    }
    default:
      return { key: `atlantis:action.${act.do}` };
  }
}

function moving(act: Move | On, game: AtlantisView): Message {
  const card = capitalized(itemName(act.card));
  const way = wayOf(game, act);
  if (way) return { key: "atlantis:action.way", args: { card, from: placeName(way.from), to: placeName(way.to), cost: way.cost } };
  if (act.do === "on") return { key: "atlantis:action.on", args: { card } };
  return { key: "atlantis:action.move", args: { card, from: placeName(act.from) } };
}

const done = (act: Action): Message | null => (act.do === "end" ? { key: "atlantis:log.end" } : null);

function places(act: Action, events: Event[], game: AtlantisView): Places {
  const gone = events.flatMap((event) => (event.key === "took" ? [`space:${event.arguments.space}`] : []));
  const hand = handSpot(act);
  if (act.do === "bridge") return { to: [`gap:${act.after}`], gone, hand };
  if (act.do !== "move" && act.do !== "on") return { to: [], gone, hand };
  const played = events.find((event) => event.key === "card")?.arguments ?? wayOf(game, act);
  return played ? { from: `space:${played.from}`, to: [`space:${played.to}`], gone, hand } : { to: [], gone, hand };
}

/** The card, the tile or the button that chooses it. */
function handSpot(act: Action): string {
  switch (act.do) {
    case "move":
    case "on":
      return `card:${act.card}`;
    case "pay":
      return act.tile ? `tile:${act.tile.join("-")}` : `card:${act.card}`;
    case "buy":
      return `tile:${act.tile.join("-")}`;
    case "draw":
      return "deck";
    default:
      return act.do;
  }
}

const PLACES = ["from", "to", "space", "place"];

/** Items, tiles and places in words. */
function inWords(_key: string, args: Arguments): Arguments {
  const known: Arguments = { ...args };
  for (const name of PLACES) if (typeof args[name] === "number") known[name] = placeName(args[name]);
  if (typeof args["card"] === "string") known["card"] = itemName(args["card"]);
  if (Array.isArray(args["tile"])) known["tile"] = tileName(args["tile"] as Tile);
  if (Array.isArray(args["own"])) known["own"] = list((args["own"] as Tile[]).map(tileName));
  if (typeof args["piece"] === "string") known["piece"] = pieceName(args["piece"]);
  if (typeof args["hand"] === "object" && args["hand"]) known["hand"] = handWords(args["hand"] as Cards);
  if (args["points"] !== undefined) known["lost"] = Math.abs(Number(args["points"]));
  return known;
}

/** "lyre 5" is a tile, "lyre" a card. */
function pieceName(piece: string): string {
  const [item, value] = piece.split(" ") as [Item, string?];
  return value ? tileName([item, Number(value)]) : t("atlantis:hand.one", { card: itemName(item) });
}

function handWords(hand: Cards): string {
  const held = ITEMS.filter((item) => hand[item]);
  const words = held.map((item) => t("atlantis:hand.some", { card: itemName(item), count: hand[item] }));
  return words.length ? list(words) : t("atlantis:hand.empty");
}

/** Tiles come from where they lay, cards from the deck. */
function flights({ key, arguments: facts }: Event): Flight[] {
  switch (key) {
    case "took":
      return [{ from: `space:${facts.space}`, seat: facts.seat, points: facts.points }];
    case "drew":
      return [{ from: "deck", seat: facts.seat, points: facts.points }];
    case "settled":
      return [{ from: `space:${MAINLAND}`, seat: facts.seat, points: facts.points }];
    default:
      return [];
  }
}

const still = { width: 930, height: 600 };

export const face: Face<AtlantisView> = { Board, Hand, Pieces, still, HowToWin, Reference, colors: SEATS, now, action, done, places, reason, arguments: inWords, flights };
