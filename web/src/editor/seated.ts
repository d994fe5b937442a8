// A table at which nobody sits, so that boards can call the seats by their names.

import type { GameView } from "../games/face";
import type { TableView } from "../wire";

export const seated = (game: GameView, names: string[]): TableView => ({
  table: "",
  version: 0,
  status: "playing",
  settings: { game: game.game, players: game.players, options: game.options, clock: { kind: "none", seconds: 0, increment: 0 }, listed: false, hints: false, grace: 0, rated: false, open_hands: false },
  commitment: "",
  seats: names.map((name, seat) => ({ seat, color: "", kind: "person", name, level: null, here: false, left_at: null, resigned: false })),
  mine: [],
  host: false,
  deciders: [],
  may: [],
  clocks: [],
  at: 0,
  game,
  result: null,
  secret: null,
  previous: null,
  next: null,
  origin: null,
  from_file: false,
  fair: null,
});
