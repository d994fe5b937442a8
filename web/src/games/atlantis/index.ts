import { list, t, type Arguments, type Told } from "../../words/index.svelte";
import type { Action, Event, Face, Flight } from "../face";
import Board from "./Board.svelte";
import { capital, placeName, tileName } from "./gestures";
import Hand from "./Hand.svelte";
import { SEATS } from "./looks";
import Pieces from "./Pieces.svelte";
import { ITEMS, MAINLAND, wayOf, type AtlantisView, type Cards, type Item, type Tile } from "./view";

/** What is to be done now. */
function now(game: AtlantisView, seat: number | null): Told {
  if (game.over) return { key: "atlantis:now.over" };
  const args = { seat: game.turn, due: game.move?.due ?? 0 };
  if (seat === null || game.turn !== seat) return { key: `atlantis:now.wait.${game.phase}`, args };
  const can = (name: string): "yes" | "no" => (game.legal.some((action) => action.do === name) ? "yes" : "no");
  if (game.phase === "turn" && can("draw") === "yes") return { key: "atlantis:now.draw", args: { ...args, buy: can("buy"), bridge: can("bridge") } };
  return { key: `atlantis:now.${game.phase}`, args: { ...args, buy: can("buy"), bridge: can("bridge") } };
}

const itemName = (item: unknown): string => t(`atlantis:item.${String(item)}`);

/** An action in words. */
function action(act: Action, game: AtlantisView): Told {
  const way = wayOf(game, act);
  const card = act["card"] ? capital(itemName(act["card"])) : "";
  const args: Arguments = { card, tile: act["tile"] ? tileName(act["tile"] as Tile) : "" };
  switch (act.do) {
    case "move":
    case "on":
      return {
        key: way ? "atlantis:action.way" : `atlantis:action.${act.do}`,
        args: { ...args, from: placeName(way?.from ?? Number(act["from"])), to: way ? placeName(way.to) : "", cost: way?.cost ?? 0 },
      };
    case "pay":
      return { key: act["tile"] ? "atlantis:action.payTile" : "atlantis:action.payCard", args };
    case "buy":
      return { key: "atlantis:action.buy", args: { ...args, count: Math.floor((act["tile"] as Tile)[1] / 2) } };
    case "bridge": {
      const gap = game.gaps.find((each) => each.after === act["after"]);
      const after = Number(act["after"]);
      return { key: "atlantis:action.bridge", args: { after, before: gap?.before ?? after + 1 } };
    }
    default:
      return { key: `atlantis:action.${act.do}` };
  }
}

const PLACES = ["from", "to", "space", "place"];

/** Items, tiles and places in words. */
function inWords(_key: string, args: Arguments): Arguments {
  const told: Arguments = { ...args };
  for (const name of PLACES) if (typeof args[name] === "number") told[name] = placeName(args[name]);
  if (typeof args["card"] === "string") told["card"] = itemName(args["card"]);
  if (Array.isArray(args["tile"])) told["tile"] = tileName(args["tile"] as Tile);
  if (Array.isArray(args["own"])) told["own"] = list((args["own"] as Tile[]).map(tileName));
  if (typeof args["piece"] === "string") told["piece"] = pieceName(args["piece"]);
  if (typeof args["hand"] === "object" && args["hand"]) told["hand"] = handWords(args["hand"] as Cards);
  if (args["points"] !== undefined) told["lost"] = Math.abs(Number(args["points"]));
  return told;
}

/** "lyre 5" is a tile, "lyre" a card. */
function pieceName(piece: string): string {
  const [item, value] = piece.split(" ");
  return value ? tileName([item as Item, Number(value)]) : t("atlantis:hand.one", { card: itemName(item) });
}

function handWords(hand: Cards): string {
  const held = ITEMS.filter((item) => hand[item]);
  const words = held.map((item) => t("atlantis:hand.some", { card: itemName(item), count: hand[item] }));
  return words.length ? list(words) : t("atlantis:hand.empty");
}

/** Tiles come from where they lay, cards from the deck. */
function flights(event: Event): Flight[] {
  const seat = Number(event.arguments["seat"]);
  const points = Number(event.arguments["points"]);
  if (event.key === "took") return [{ from: `space:${String(event.arguments["space"])}`, seat, points }];
  if (event.key === "drew" && event.arguments["cards"]) return [{ from: "deck", seat, points: Number(event.arguments["cards"]) }];
  if (event.key === "settled" && points) return [{ from: `space:${MAINLAND}`, seat, points }];
  return [];
}

export const face: Face<AtlantisView> = { Board, Hand, Pieces, colors: SEATS, now, action, arguments: inWords, flights };
