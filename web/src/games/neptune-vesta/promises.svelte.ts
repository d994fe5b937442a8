// What the chosen tile would score wherever it completes a line. The server is asked: the page computes no scores.

import type { Choosing } from "../../table/choosing.svelte";
import type { OneTable } from "../../table/table.svelte";
import type { Event } from "../face";
import { COLORS, cellsOf, cellsOn, linesThrough, type Tiles, type View } from "./view";

export interface LinePoints {
  line: string;
  seat: number;
  points: number;
}

export const lineEvents = (events: Event[]): LinePoints[] =>
  events
    .filter((event) => event.key === "line")
    .map(({ arguments: { line, seat, points } }) => ({ line: String(line), seat: Number(seat), points: Number(points) }));

/** Is this the last free cell of its row or column? */
function isLast(cell: string, board: Tiles): boolean {
  return !board[cell] && linesThrough(cell).some((line) => cellsOn(line).every((each) => each === cell || board[each]));
}

export class Promises {
  made: Record<string, LinePoints[]> = $state.raw({});

  /** Ask again, for the tile that is chosen now; call it in an effect. `game` is null if nothing can be chosen. */
  ask(table: OneTable, choosing: Choosing, game: View | null): () => void {
    let wanted = true;
    const tile = choosing.picked["tile"];
    this.made = {};
    const cells = game && tile !== undefined ? COLORS.flatMap(cellsOf).filter((cell) => isLast(cell, game.board)) : [];
    for (const at of cells) {
      if (!choosing.legal.some((action) => action["tile"] === tile && action["at"] === at)) continue;
      table.previews.ask({ do: "place", tile, at }).then(
        ({ events }) => {
          if (wanted) this.made = { ...this.made, [at]: lineEvents(events ?? []) };
        },
        () => {}, // there is no preview now; choosing the action says why
      );
    }
    return () => (wanted = false);
  }
}
