import { signed } from "../../parts/numbers";
import { list } from "../../words/index.svelte";
import type { Arguments, Message } from "../../words/index.svelte";
import type { Face, Flight, Places } from "../face";
import type { Action, Event } from "./wire";
import Account from "./Account.svelte";
import Board from "./Board.svelte";
import Hand from "./Hand.svelte";
import HowToWin from "./HowToWin.svelte";
import Pieces from "./Pieces.svelte";
import { reason } from "./reason";
import Reference from "./Reference.svelte";
import { cellArguments, colorOfSeat, lineArguments, trackArguments, type View } from "./view";

function now(game: View, seat: number | null): Message {
  if (game.over) return over(game, seat);
  const turn = game.turn ?? 0;
  const god = colorOfSeat(turn);
  return { key: `neptune-vesta:now.${turn === seat ? "place" : "wait"}`, args: { seat: turn, god } };
}

function over(game: View, seat: number | null): Message {
  const [winner, another] = game.winners;
  if (winner === undefined || another !== undefined) return { key: "neptune-vesta:now.both" };
  const [won, lost] = [game.wins[winner] ?? 0, game.wins[1 - winner] ?? 0];
  const outcome = seat === null ? "look" : winner === seat ? "won" : "lost";
  return { key: "neptune-vesta:now.over", args: { seat: winner, god: colorOfSeat(winner), outcome, won, lost } };
}

const placing = (key: string, { tile, at }: Action): Message => ({
  key: `neptune-vesta:${key}`,
  args: { tile, ...cellArguments(at) },
});

/** Splits cells and lines into their parts and adds signs to numbers, as the texts need them. */
function inWords(key: string, args: Arguments): Arguments {
  switch (key) {
    case "line":
    case "advice.one-missing":
      return { ...args, ...lineArguments(String(args["line"])), points: signed(Number(args["points"])) };
    case "lighthouse":
      return { ...args, ...trackArguments(Number(args["lighthouse"])) };
    case "advice.wins":
    case "advice.scores":
    case "cell-taken":
      return { ...args, ...cellArguments(String(args["at"])) };
    case "not-in-hand": {
      const hand = Array.isArray(args["hand"]) ? [...new Set(args["hand"].map(String))] : [];
      return { ...args, hand: list(hand, "disjunction") };
    }
    default:
      return { ...args, god: typeof args["seat"] === "number" ? colorOfSeat(args["seat"]) : "nobody" };
  }
}

/** The score is the number of rounds won. A line's points go to the lighthouse instead; the board animates that. */
function flights(event: Event): Flight[] {
  if (event.key !== "round-lighthouse" && event.key !== "round-full") return [];
  return [{ from: "lighthouse", seat: event.arguments.seat, points: 1 }];
}

function places({ at, tile }: Action, events: Event[]): Places {
  if (events.some(({ key }) => key === "round-start")) return { to: [], gone: [] }; // the next round has an empty board
  return { to: [`cell:${at}`], gone: [], hand: `hand:${tile}` };
}

export const face: Face<View> = {
  Board,
  Hand,
  Pieces,
  Account,
  HowToWin,
  Reference,
  still: { width: 940, height: 596 },
  colors: ["#cf4830", "#2a7fc0"],
  now,
  action: (chosen) => placing("action.place", chosen as Action),
  done: (chosen) => placing("log.place", chosen as Action),
  places: (chosen, events) => places(chosen as Action, events as Event[]),
  reason: (_, events, game) => reason(events as Event[], game),
  arguments: inWords,
  flights,
};
