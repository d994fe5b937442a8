// Draws a board as an SVG of its own, without a browser: the page's components are rendered as on a server. The Python
// package runs this script; see laguna/drawing.

import { render } from "svelte/server";
import type { GameView } from "../games/face";
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
  const face = FACES[`../games/${view.game}/index.ts`]?.face;
  if (!face?.still) return { faceless: true };
  await speak(language, view.game);
  const [width, height] = size ?? [face.still.width, face.still.height];
  const { head, body } = render(Still, { props: { face, game: view, size: { width, height } } });
  const onPage = (nodes: Node[]): Node[] => inPage(nodes, view.game, face, sheetOf(head));
  const layers = pictures(onPage(parse(body)), { width, height });
  const spots = mark.length ? boxes(mark, layers) : new Map<string, Box>();
  const missing = mark.filter((name) => !spots.has(name));
  if (missing.length) return { missing, spots: [...spotsIn(layers)] };
  const rings = onPage(mark.flatMap((name) => ring(spots.get(name)!)));
  return { svg: finished(title, [...layers, ...rings], { width, height }) };
}

function ring({ x, y, width, height }: Box): Element[] {
  const [wide, high] = [width + 2 * RING.around, height + 2 * RING.around];
  const place = { x: x - RING.around, y: y - RING.around, width: wide, height: high, rx: Math.min(RING.corner, wide / 5, high / 5) };
  const attributes = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]));
  const line = (color: string, thick: number): Element => element("rect", { ...attributes, fill: "none", stroke: `var(--${color})`, "stroke-width": String(thick) });
  return [line("hint-ink", RING.halo), line("hint", RING.width)];
}
