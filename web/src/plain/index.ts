// The face of games that have none of their own: what the server sends, as text and buttons.

import type { Face } from "../games/face";
import Board from "./Board.svelte";
import Hand from "./Hand.svelte";
import Pieces from "./Pieces.svelte";
import { actionText } from "./written";

export const face: Face = {
  Board,
  Hand,
  Pieces,
  colors: ["#cf4830", "#2a7fc0", "#3f8f4f", "#8a5bb0", "#c08a1e"],
  now: (game, seat) => ({
    key: game.over ? "table:plain.over" : `table:plain.${game.turn === seat ? "choose" : "wait"}`,
    args: game.turn === null ? {} : { seat: game.turn },
  }),
  action: (action) => ({ key: "table:plain.action", args: { action: actionText(action) } }),
  done: (action, events) => (events.length ? null : { key: "table:plain.done", args: { action: actionText(action) } }),
  places: (action) => ({ to: [], gone: [], hand: `action:${JSON.stringify(action)}` }),
  reason: () => null,
  arguments: (_, args) => args,
  flights: () => [],
};
