// Draws a board as an SVG of its own, without a browser: the page's components are rendered as on a server. The Python
// package runs this script; see laguna/drawing.

import { render } from "svelte/server";
import type { Action, Event, Face, GameView, Places, Size } from "../games/face";
import type { Language } from "../settings.svelte";
import { boxes, spotsIn, type Box } from "./boxes";
import { FACES, speak } from "./faces";
import { finished, inPage, pictures, sheetOf } from "./picture";
import Still from "./Still.svelte";
import { element, parse, type Element, type Node } from "./tree";

export { card } from "./card";

interface Request {
  title: string;
  view: GameView;
  mark: string[]; // ids of spots
  size: [width: number, height: number] | null; // in pixels; null: as the face says
  language: Language;
}

/** The picture; or why there is none: the game has no face here, or no spot of these names. */
type Answer = { svg: string } | { faceless: true } | { missing: string[]; spots: string[] };

const RING = { around: 2, corner: 10, width: 4.5, halo: 7.5 }; // in pixels, as the page draws hints

export async function draw({ title, view, mark, size, language }: Request): Promise<Answer> {
  const face = faceOf(view.game);
  if (!face?.still) return { faceless: true };
  await speak(language, view.game);
  const [width, height] = size ?? [face.still.width, face.still.height];
  const { layers, onPage } = drawn(face, view, { width, height });
  const spots = mark.length ? boxes(mark, layers) : new Map<string, Box>();
  const missing = mark.filter((name) => !spots.has(name));
  if (missing.length) return { missing, spots: [...spotsIn(layers)] };
  const rings = onPage(mark.flatMap((name) => ring(spots.get(name)!)));
  return { svg: finished(title, [...layers, ...rings], { width, height }) };
}

/** The size of a board's picture, and where its spots are in it. */
export async function spots({ view }: { view: GameView }): Promise<{ size: Size; spots: Record<string, Box> } | { faceless: true }> {
  const face = faceOf(view.game);
  if (!face?.still) return { faceless: true };
  await speak("en", view.game);
  const { layers } = drawn(face, view, face.still);
  return { size: face.still, spots: Object.fromEntries(boxes([...spotsIn(layers)], layers)) };
}

interface Moment {
  action: Action;
  events: Event[]; // what it did
  view: GameView; // after it
}

/** Where each action of a game took place. */
export async function places({ game, moments }: { game: string; moments: Moment[] }): Promise<{ places: Places[] } | { faceless: true }> {
  const face = faceOf(game);
  return face ? { places: moments.map(({ action, events, view }) => face.places(action, events, view)) } : { faceless: true };
}

const faceOf = (game: string): Face | undefined => FACES[`../games/${game}/index.ts`]?.face;

/** The pictures that a board is made of, and what gives others the looks of the page around it. */
function drawn(face: Face, game: GameView, size: Size): { layers: Element[]; onPage: (nodes: Node[]) => Node[] } {
  const { head, body } = render(Still, { props: { face, game, size } });
  const onPage = (nodes: Node[]): Node[] => inPage(nodes, game.game, face, sheetOf(head));
  return { layers: pictures(onPage(parse(body)), size), onPage };
}

function ring({ x, y, width, height }: Box): Element[] {
  const [wide, high] = [width + 2 * RING.around, height + 2 * RING.around];
  const place = { x: x - RING.around, y: y - RING.around, width: wide, height: high, rx: Math.min(RING.corner, wide / 5, high / 5) };
  const attributes = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]));
  const line = (color: string, thick: number): Element => element("rect", { ...attributes, fill: "none", stroke: `var(--${color})`, "stroke-width": String(thick) });
  return [line("hint-ink", RING.halo), line("hint", RING.width)];
}
