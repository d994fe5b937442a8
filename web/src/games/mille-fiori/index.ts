import type { Face } from "../face";
import Board from "./Board.svelte";
import Hand from "./Hand.svelte";
import Pieces from "./Pieces.svelte";

export const face: Face = {
  Board,
  Hand,
  Pieces,
  colors: ["#c0392b", "#1f6fb2", "#d9a400", "#2e8b57", "#8e44ad"],
  now: (game, seat) => ({ key: game.turn === seat ? "mille-fiori:now.act" : "mille-fiori:now.wait" }),
  action: (action) => ({ key: "mille-fiori:action.any", args: { notation: JSON.stringify(action) } }),
  arguments: (_key, args) => args,
  flights: () => [],
};
