import type { Action, Event, Face, Flight } from "../face";
import type { Told } from "../../words/index.svelte";
import Board from "./Board.svelte";
import Hand from "./Hand.svelte";
import { cardName, inWords, treasureName } from "./labels";
import Pieces from "./Pieces.svelte";
import { readTile, type Color, type Venice } from "./view";

const told = (key: string, args: Record<string, unknown> = {}): Told => ({ key: `venice-2099:${key}`, args });

/** What the active player may still do before the card. */
function open(game: Venice): string {
  const moves = game.legal.some(({ do: kind }) => kind === "walk" || kind === "gondola");
  const buys = game.legal.some(({ do: kind }) => kind === "buy");
  return moves ? (buys ? "both" : "move") : buys ? "buy" : "none";
}

function nowMine(game: Venice, seat: number): Told {
  if (game.phase === "place") return told("now.place", { number: (game.pawns[seat]?.length ?? 0) + 1 });
  if (game.phase === "rescue") return told("now.rescue", { at: game.fallen?.from });
  return told("now.turn", { open: open(game), value: game.hand?.[0]?.slice(-1) });
}

function now(game: Venice, seat: number | null): Told {
  if (game.over || game.turn === null) return told("now.over");
  if (game.turn === seat) return nowMine(game, seat);
  return told("now.wait", { seat: game.turn, phase: game.phase, at: game.fallen?.from ?? "" });
}

function action(chosen: Action, game: Venice): Told {
  const { do: kind, color, value, at } = chosen;
  const args: Record<string, unknown> = { ...chosen, fell: game.fallen?.from ?? "" };
  if (kind === "card") args["card"] = cardName({ color: color as Color, value: String(value) });
  const ground = kind === "buy" ? readTile(game.board[String(at)] ?? "platform") : null;
  if (ground) args["treasure"] = treasureName(ground.color);
  return told(`action.${kind}`, args);
}

/** At the end the points fly from the treasures and from the quarters that the pawns stand on. */
function flights({ key, arguments: args }: Event, game: Venice): Flight[] {
  const seat = args["seat"];
  const lines = typeof seat === "number" ? game.breakdown?.[seat] : null;
  if (typeof seat !== "number" || !lines) return [];
  if (key === "treasures") return lines.treasures.map(({ color, points }) => ({ from: `treasure:${color}`, seat, points }));
  const clause = key === "x-pawns" ? "V19" : "V18";
  if (key !== "pawns" && key !== "x-pawns") return [];
  return lines.pawns
    .filter((pawn) => pawn.clause === clause && pawn.points > 0)
    .map(({ at, points }) => ({ from: `cell:${at}`, seat, points }));
}

export const face: Face<Venice> = {
  Board,
  Hand,
  Pieces,
  // Light, so that pawns stand out on every quarter.
  colors: ["#ffd34e", "#5fe0d6", "#ff9a66", "#f8f4ea", "#ffa6d6"],
  now,
  action,
  arguments: (_key, args, game) => inWords(args, game),
  flights,
};
