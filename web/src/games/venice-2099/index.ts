import type { Arguments, Message } from "../../words/index.svelte";
import type { Face, Flight, Places } from "../face";
import Board from "./Board.svelte";
import Hand from "./Hand.svelte";
import HowToWin from "./HowToWin.svelte";
import { cardName, inWords, treasureName } from "./labels";
import Pieces from "./Pieces.svelte";
import { reason } from "./reason";
import Reference from "./Reference.svelte";
import { readTile, tileOf, type View } from "./view";
import type { Action, Event } from "./wire";

const message = (key: string, args: Arguments = {}): Message => ({ key: `venice-2099:${key}`, args });

/** What the active player may still do before the card. */
function open(game: View): string {
  const moves = game.legal.some(({ do: kind }) => kind === "walk" || kind === "gondola");
  const buys = game.legal.some(({ do: kind }) => kind === "buy");
  return moves ? (buys ? "both" : "move") : buys ? "buy" : "none";
}

function nowMine(game: View, seat: number): Message {
  if (game.phase === "place") return message("now.place", { number: (game.pawns[seat]?.length ?? 0) + 1 });
  if (game.phase === "rescue") return message("now.rescue", { at: game.fallen?.from });
  return message("now.turn", { open: open(game), value: game.lowest });
}

function now(game: View, seat: number | null): Message {
  if (game.over || game.turn === null) return message("now.over");
  if (game.turn === seat) return nowMine(game, seat);
  return message("now.wait", { seat: game.turn, phase: game.phase, at: game.fallen?.from ?? "" });
}

function action(chosen: Action, game: View): Message {
  const args: Arguments = { ...chosen, fell: game.fallen?.from ?? "" };
  if (chosen.do === "card") args["card"] = cardName(chosen);
  const ground = chosen.do === "buy" ? readTile(game.board[chosen.at]!) : null;
  if (ground) args["treasure"] = treasureName(ground.color);
  return message(`action.${chosen.do}`, args);
}

function done(chosen: Action): Message | null {
  if (chosen.do === "card") return message("log.card", { card: cardName(chosen) });
  return chosen.do === "place" || chosen.do === "walk" ? message(`log.${chosen.do}`, { ...chosen }) : null;
}

function places(chosen: Action, events: Event[], game: View): Places {
  const gone = events.flatMap((event) => (event.key === "sank" ? [`cell:${event.arguments.at}`] : []));
  switch (chosen.do) {
    case "walk":
    case "gondola":
      return { from: `cell:${chosen.from}`, to: [`cell:${chosen.to}`], gone, ...(chosen.do === "gondola" ? { hand: "gondola" } : {}) };
    case "rescue":
      return { ...(game.fallen ? { from: `cell:${game.fallen.from}` } : {}), to: [`cell:${chosen.to}`], gone, hand: "gondola" };
    case "place":
      return { to: [`cell:${chosen.at}`], gone };
    case "buy": {
      const bought = events.flatMap((event) => (event.key === "bought" ? [`treasure:${event.arguments.color}`] : []));
      return { to: [`cell:${chosen.at}`, ...bought], gone };
    }
    case "card":
      return { to: [], gone, hand: `card:${tileOf(chosen)}` };
    default:
      return { to: [], gone, hand: "sink" };
  }
}

/** At the end the points fly from the treasures and from the quarters that the pawns stand on. */
function flights(event: Event, game: View): Flight[] {
  if (event.key !== "treasures" && event.key !== "pawns" && event.key !== "x-pawns") return [];
  const { seat } = event.arguments;
  const lines = game.breakdown?.[seat];
  if (!lines) return [];
  if (event.key === "treasures") return lines.treasures.map(({ color, points }) => ({ from: `treasure:${color}`, seat, points }));
  return lines.pawns
    .filter((pawn) => pawn.clause === event.clause && pawn.points > 0)
    .map(({ at, points }) => ({ from: `cell:${at}`, seat, points }));
}

export const face: Face<View> = {
  Board,
  Hand,
  Pieces,
  HowToWin,
  Reference,
  still: { width: 760, height: 600 },
  // Light, so that pawns stand out on every quarter.
  colors: ["#ffd34e", "#5fe0d6", "#ff9a66", "#f8f4ea", "#ffa6d6"],
  now,
  action,
  done,
  places,
  reason,
  arguments: (_key, args, game) => inWords(args, game),
  flights,
};
