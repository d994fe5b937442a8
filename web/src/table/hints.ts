// The hints that are shown, in the list and on the board: the best few of those that the server gave.

import type { Action, Event, Face, GameView, Places } from "../games/face";
import { capitalized, t } from "../words/index.svelte";
import type { TableView } from "../wire";
import type { OneTable } from "./table.svelte";
import { whoIs } from "./tell";

const SHOWN = 3;

export interface ShownHint {
  rank: number; // 1 is the best
  /** Stands for the rank on the board. */
  sign?: string;
  action: Action;
  /** The chance of winning; null where there is nothing to choose, so that no chance can speak for it. */
  percent: number | null;
  reason: string; // empty if nothing certain speaks for it
  places: Places;
}

export function shownHints(table: OneTable, face: Face, view: TableView, game: GameView): ShownHint[] {
  const choices = table.hinting.given?.choices ?? [];
  const forced = game.legal.length === 1;
  return choices.slice(0, SHOWN).map((choice, at) => {
    const action = choice.value as Action;
    const events = choice.events as Event[];
    return {
      rank: at + 1,
      action,
      percent: forced ? null : Math.round(100 * choice.chance),
      reason: tellReason(face, view, game, action, events),
      // Nothing has happened yet: only what would be gone is known by the events.
      places: { ...face.places(action, [], game), gone: face.places(action, events, game).gone },
    };
  });
}

export function tellReason(face: Face, view: TableView, game: GameView, action: Action, events: Event[]): string {
  const why = face.reason(action, events, game);
  return why ? capitalized(t(why.key, { ...whoIs(view, why.args?.["seat"]), ...why.args })) : "";
}
