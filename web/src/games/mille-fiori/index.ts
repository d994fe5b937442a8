import { list, type Arguments, type Told } from "../../words/index.svelte";
import type { Action, Event, Face, Flight } from "../face";
import Board from "./Board.svelte";
import { BONUS_POINTS, type Group } from "./board";
import Hand from "./Hand.svelte";
import "./palette.css";
import Pieces from "./Pieces.svelte";
import { areaWords, cardWords, cellWords, namedCard, say } from "./say";
import { deciders, toPlay, type CardValue, type MilleView } from "./view";

const told = (key: string, args: Arguments = {}): Told => ({ key: `mille-fiori:${key}`, args });

function now(game: MilleView, seat: number | null): Told {
  if (game.over) return told("now.over", { reason: game.reason ?? "deck" });
  const waited = deciders(game);
  if (seat !== null && waited.includes(seat)) return nowForMe(game);
  if (waited.length > 1) return told("now.keep.many", { count: waited.length, kept: game.chosen ? "yes" : "no" });
  return told(`now.${game.phase}.wait`, { seat: waited[0] ?? game.turn });
}

function nowForMe(game: MilleView): Told {
  if (game.phase === "keep") return told("now.keep.act", { pick: game.pick, picks: game.picks });
  if (game.phase === "extra") return told("now.extra.act");
  const card = toPlay(game);
  const places = game.legal.some((action) => action.do === "place");
  const args = { card: card ? cardWords(card) : "", wheel: card?.wheel ?? 0 };
  return told(places ? "now.play.act" : "now.play.sailOnly", args);
}

function action(action: Action): Told {
  const args: Arguments = {};
  if (action["card"]) args["card"] = cardWords(action["card"] as CardValue);
  if (typeof action["cell"] === "string") args["cell"] = cellWords(action["cell"]);
  return told(action["sail"] === true ? "action.placeAndSail" : `action.${action.do}`, args);
}

/** For what points are: the server tells it by the arguments. */
function kindOf(args: Arguments): string {
  if ("space" in args) return "sea";
  if ("row" in args) return "fleet";
  if ("good" in args) return "good";
  const letter = String(args["cell"] ?? "").slice(0, 1);
  return { W: "workshops", R: "residences", N: "nobles", C: "commoners" }[letter] ?? "other";
}

/** Each argument that is a word of the game, put into the player's language. */
const IN_WORDS: Record<string, (value: never) => unknown> = {
  card: (name: string) => namedCard(name),
  cell: (id: string) => cellWords(id),
  good: (good: string) => say(`card.${good}`),
  group: (group: Group) => areaWords(group),
  row: (row: number) => row + 1,
  hand: (names: string[]) => list(names.map(namedCard), "disjunction"),
  display: (names: string[]) => list(names.map(namedCard), "disjunction"),
  cells: (cells: string[]) => cells.length,
};

function inWords(_key: string, args: Arguments): Arguments {
  const words = Object.entries(args).map(([name, value]) => [name, IN_WORDS[name]?.(value as never) ?? value]);
  return { kind: kindOf(args), ...(Object.fromEntries(words) as Arguments) };
}

function source({ key, arguments: args }: Event): string {
  if (key === "bonus") return `bonus:${String(args["group"])}:${BONUS_POINTS.indexOf(args["points"] as (typeof BONUS_POINTS)[number])}`;
  if ("space" in args) return `sea:${String(args["space"])}`;
  return "row" in args ? `cell:H${String(args["row"])}1` : `cell:${String(args["cell"])}`;
}

function flights(event: Event): Flight[] {
  const { seat, points } = event.arguments;
  if (typeof seat !== "number" || typeof points !== "number") return [];
  return [{ from: source(event), seat, points }];
}

export const face: Face<MilleView> = {
  Board,
  Hand,
  Pieces,
  colors: ["#e0384f", "#0b6e3c", "#e3a300", "#2660d8"],
  now,
  action,
  arguments: inWords,
  flights,
};
