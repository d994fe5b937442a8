// Opening a recorded game: everything that is needed before its first position is shown.

import { server } from "../server";
import type { TableView } from "../wire";
import { Recording } from "./recording.svelte";
import { fromFile, fromTable, tableOf } from "./source";
import { asLine, Steps } from "./steps";

/** The recording of a finished game; while the game runs, only its table. */
export async function openTable(id: string): Promise<Recording | TableView> {
  const { view } = await server.look(id);
  if (view.status !== "over") return view;
  const source = fromTable(id);
  const { actions } = await source.steps({ seat: null, first: 0, count: 1, views: false });
  const steps = new Steps(source, actions);
  return new Recording(source, steps, view, await steps.log(null));
}

export async function openFile(text: string): Promise<Recording> {
  const source = fromFile(text);
  const replay = await source.steps({ seat: null, first: 0, count: 500, views: false });
  const steps = new Steps(source, replay.actions);
  const whole = replay.steps.length > replay.actions;
  return new Recording(source, steps, tableOf(replay), whole ? replay.steps.map(asLine) : await steps.log(null));
}
