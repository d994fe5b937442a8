import { has, list, type Arguments, type Message } from "../../words/index.svelte";
import type { Face, Flight, Places } from "../face";
import Board from "./Board.svelte";
import { AREA_OF_TYPE, CELL, type Group } from "./board";
import Hand from "./Hand.svelte";
import HowToWin from "./HowToWin.svelte";
import "./palette.css";
import Pieces from "./Pieces.svelte";
import { areaWords, cardWords, cellWords, namedCard, say } from "./say";
import { reason } from "./reason";
import Reference from "./Reference.svelte";
import { cardName, cardOf, toPlay, type View } from "./view";
import type { Action, Event, Points } from "./wire";

const message = (key: string, args: Arguments = {}): Message => ({ key: `mille-fiori:${key}`, args });

function now(game: View, seat: number | null): Message {
  if (game.over) return message("now.over", { reason: game.reason ?? "deck" });
  const waited = game.deciders;
  if (seat !== null && waited.includes(seat)) return nowForMe(game);
  if (waited.length > 1) return message("now.keep.many", { count: waited.length, kept: game.chosen ? "yes" : "no" });
  return message(`now.${game.phase}.wait`, { seat: waited[0] ?? game.turn });
}

function nowForMe(game: View): Message {
  if (game.phase === "keep") return message("now.keep.act", { pick: game.pick, picks: game.picks });
  if (game.phase === "extra") return message("now.extra.act");
  const card = toPlay(game);
  const places = game.legal.some((action) => action.do === "place");
  const args = { card: card ? cardWords(card) : "", wheel: card?.wheel ?? 0 };
  return message(places ? "now.play.act" : "now.play.sailOnly", args);
}

function action(action: Action): Message {
  switch (action.do) {
    case "keep":
    case "extra":
      return message(`action.${action.do}`, { card: cardWords(action.card) });
    case "place":
      return message(action.sail ? "action.placeAndSail" : "action.place", { cell: cellWords(action.cell) });
    default:
      return message(`action.${action.do}`);
  }
}

function done(action: Action): Message | null {
  switch (action.do) {
    case "keep":
    case "extra":
      return message(`log.${action.do}`, { card: cardWords(action.card) });
    case "decline":
      return message("log.decline");
    default:
      return null;
  }
}

/** What the points are for. */
function kindOf({ space, row, good, cell }: Points): string {
  if (space !== undefined) return "sea";
  if (row !== undefined) return "fleet";
  if (good !== undefined) return "good";
  return CELL.get(cell ?? "")?.area ?? "other";
}

/** Each argument that is a word of the game, put into the player's language. */
const IN_WORDS: Record<string, (value: never) => unknown> = {
  card: (name: string) => namedCard(name),
  cell: (id: string) => cellWords(id),
  good: (good: string) => say(`card.${good}`),
  group: (group: Group) => areaWords(group),
  pile: (pile: string) => (has(`mille-fiori:area.${pile}`) ? say(`area.${pile}`) : say(`card.${pile}`)), // cards for the same cells
  row: (row: number) => row + 1,
  hand: (names: string[]) => list(names.map(namedCard), "disjunction"),
  display: (names: string[]) => list(names.map(namedCard), "disjunction"),
  cells: (cells: string[]) => cells.length,
  first: (cells: string[]) => list(cells.map(cellWords)),
};

/** Where an advice would play a card, and what it says is missing. */
function adviceWords({ cell, space, missing }: { cell?: string; space?: number; missing?: string }): Arguments {
  const where: string[] = [];
  if (cell !== undefined) where.push(cellWords(cell));
  if (space !== undefined) where.push(say("worth.bySea", { space }));
  return { where: list(where), missing: missing === undefined ? "none" : say(`card.${missing}`) };
}

function inWords(key: string, args: Arguments): Arguments {
  const pairs = Object.entries(args).map(([name, value]) => [name, IN_WORDS[name]?.(value as never) ?? value]);
  const words = Object.fromEntries(pairs) as Arguments;
  if (key.startsWith("advice.")) Object.assign(words, adviceWords(args));
  if (key === "wrong-card") words["where"] = say(`goes.${AREA_OF_TYPE[cardOf(String(args["card"])).type]}`);
  return key === "points" ? { ...words, kind: kindOf(args as Points) } : words;
}

/** The cell, and the space of the sea where the ship has scored, or is, or will be if nothing has happened yet. */
function places(action: Action, events: Event[], game: View): Places {
  const placed = action.do === "place" ? [`cell:${action.cell}`] : [];
  const sails = action.do === "sail" || (action.do === "place" && action.sail);
  const sailed = events.find((event) => event.key === "sail" || event.key === "place-and-sail");
  const scored = events.find((event) => event.key === "points" && event.arguments.space !== undefined);
  const space = sailed ? ((scored?.arguments as Points | undefined)?.space ?? game.ships[sailed.arguments.seat]) : game.sails_to;
  const hand = handSpot(action);
  return { to: sails && space !== null ? [...placed, `sea:${space}`] : placed, gone: [], ...(hand ? { hand } : {}) };
}

/** The card or the button that chooses it; for a harbor card also whether to sail. */
function handSpot(action: Action): string | null {
  switch (action.do) {
    case "keep":
      return `hand:${cardName(action.card)}:0`;
    case "extra":
      return `display:${cardName(action.card)}`;
    case "place":
      return CELL.get(action.cell)?.area === "harbor" ? `do:${action.sail ? "with" : "without"}-ship` : null;
    default:
      return `do:${action.do}`;
  }
}

/** The spot that points come from. */
function source(event: Extract<Event, { key: "points" | "bonus" }>, game: View): string {
  if (event.key === "bonus") {
    const { group, points } = event.arguments;
    return `bonus:${group}:${game.printed.bonus.indexOf(points)}`;
  }
  const { space, row, cell } = event.arguments;
  if (space !== undefined) return `sea:${space}`;
  return row === undefined ? `cell:${cell}` : `cell:H${row}1`;
}

function flights(event: Event, game: View): Flight[] {
  if (event.key !== "points" && event.key !== "bonus") return [];
  const { seat, points } = event.arguments;
  return [{ from: source(event, game), seat, points }];
}

export const face: Face<View> = {
  Board,
  Hand,
  Pieces,
  HowToWin,
  Reference,
  still: { width: 1450, height: 864 },
  colors: ["#e0384f", "#0b6e3c", "#e3a300", "#2660d8"],
  now,
  action,
  done,
  places,
  reason: (_, events, game) => reason(events as Event[], game),
  arguments: inWords,
  flights,
};
