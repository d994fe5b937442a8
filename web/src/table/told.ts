// The parts of a message whose shape depends on the game.

import type { Event, GameView } from "../games/face";
import type { Line, Previewed, ReplayStep, TableView } from "../wire";

/** The game as the table's view shows it; null before the start. */
export const gameOf = (view: TableView | null): GameView | null => (view?.game ?? null) as unknown as GameView | null;

export const gameThen = (step: ReplayStep): GameView => step.view as unknown as GameView;

/** What the rules did, or would do. */
export const eventsOf = (told: Line | Previewed): Event[] => told.events as unknown as Event[];
