// A mistake in words and as hints on the board: what was played, and what would have been better.

import type { Action, Event, Face, GameView } from "../games/face";
import { tellReason, type ShownHint } from "../table/hints";
import { tellEvent } from "../table/tell";
import { say } from "../words/index.svelte";
import type { TableView } from "../wire";
import { handPrefix } from "./hands";
import type { Perspective } from "./recording.svelte";
import { percent, type Mistake } from "./review.svelte";

const [BETTER, PLAYED] = ["!", "?"]; // as chess players annotate

export interface ToldMistake {
  played: string;
  better: string;
  /** What the better action would have brought. */
  brought: string;
  cost: number; // of the chance to win, in percent
}

/** `view` is the position before it, as its seat saw it. */
export function toldMistake(face: Face, view: TableView, mistake: Mistake): ToldMistake {
  const game = view.game as GameView;
  const [action, events] = [mistake.best.value as Action, mistake.best.events as Event[]];
  return {
    played: say(face.action(mistake.value as Action, game)),
    better: say(face.action(action, game)),
    brought: tellReason(face, view, game, action, events) || events.map((event) => tellEvent(face, view, game, event, true)).join(" "),
    cost: Math.max(percent(mistake.loss), 1),
  };
}

/** Both actions as the board draws hints; cards are marked in the hand of the seat if that is shown. */
export function mistakeHints(face: Face, view: TableView, mistake: Mistake, perspective: Perspective): ShownHint[] {
  const game = view.game as GameView;
  const places = (action: Action, events: Event[]): ShownHint["places"] => {
    const { hand, ...rest } = { ...face.places(action, [], game), gone: face.places(action, events, game).gone };
    if (hand === undefined || perspective === "spectator") return rest;
    if (perspective === "all") return { ...rest, hand: handPrefix(mistake.seat) + hand };
    return perspective === mistake.seat ? { ...rest, hand } : rest;
  };
  const { best } = mistake;
  const [better, played] = [best.value as Action, mistake.value as Action];
  return [
    { rank: 1, sign: BETTER, action: better, percent: percent(best.chance), reason: "", places: places(better, best.events as Event[]) },
    { rank: 2, sign: PLAYED, action: played, percent: percent(Math.max(best.chance - mistake.loss, 0)), reason: "", places: places(played, []) },
  ];
}
