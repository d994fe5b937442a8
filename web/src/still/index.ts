// Draws a board as an SVG of its own, without a browser: the page's components are rendered as on a server. The Python
// package runs this script; see laguna/drawing.

import { render } from "svelte/server";
import type { Face, GameView, Size } from "../games/face";
import page from "../page.css?inline";
import { settings, type Language } from "../settings.svelte";
import { seatColors } from "../table/seat";
import { loadWords, startWords } from "../words/index.svelte";
import { boxes, spotsIn, type Box } from "./boxes";
import { rulesOf, Sheet } from "./css";
import { shortened } from "./numbers";
import { shared } from "./share";
import Still from "./Still.svelte";
import { isSeen, styled } from "./styled";
import { flat, grouped, joined, used, visible } from "./tidy";
import { element, isElement, parse, type Element, type Node } from "./tree";
import { written } from "./write";

interface Request {
  title: string;
  view: GameView;
  mark: string[]; // ids of spots
  size: [width: number, height: number] | null; // in pixels; null: as the face says
  language: Language;
}

/** The picture; or why there is none: the game has no face here, or no spot of these names. */
type Answer = { svg: string } | { faceless: true } | { missing: string[]; spots: string[] };

const FACES = import.meta.glob<{ face: Face }>("../games/*/index.ts", { eager: true });
const PALETTES = import.meta.glob<string>("../games/*/*.css", { eager: true, query: "?inline", import: "default" });
const RING = { around: 2, corner: 10, width: 4.5, halo: 7.5 }; // in pixels, as the page draws hints

const sheets = new Map<string, Sheet>(); // by the style that the components of a board bring along
let started = false;

export async function draw({ title, view, mark, size, language }: Request): Promise<Answer> {
  const face = FACES[`../games/${view.game}/index.ts`]?.face;
  if (!face?.still) return { faceless: true };
  settings.language = language;
  if (!started) await startWords();
  started = true;
  await loadWords(language, view.game);
  const [width, height] = size ?? [face.still.width, face.still.height];
  const { head, body } = render(Still, { props: { face, game: view, size: { width, height } } });
  const onPage = (nodes: Node[]): Node[] => inPage(nodes, view.game, face, sheetOf(head));
  const layers = pictures(onPage(parse(body)), { width, height });
  const spots = mark.length ? boxes(mark, layers) : new Map<string, Box>();
  const missing = mark.filter((name) => !spots.has(name));
  if (missing.length) return { missing, spots: [...spotsIn(layers)] };
  const rings = onPage(mark.flatMap((name) => ring(spots.get(name)!)));
  const drawn = shortened(used(grouped(joined(flat(shared(visible([...layers, ...rings])))))));
  const [wide, high] = [String(width), String(height)];
  const picture = element("svg", { xmlns: "http://www.w3.org/2000/svg", width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img" }, drawn);
  picture.children.unshift(element("title", {}, [title]));
  return { svg: written(picture) };
}

function sheetOf(head: string): Sheet {
  const known = sheets.get(head);
  if (known) return known;
  const components = [...head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = ""]) => css);
  const sheet = new Sheet([page, ...Object.values(PALETTES), ...components].flatMap((css) => rulesOf(css, isSeen)));
  sheets.set(head, sheet);
  return sheet;
}

/** The nodes as they look within the page. */
function inPage(nodes: Node[], game: string, face: Face, sheet: Sheet): Node[] {
  const main = element("main", { class: `playing ${game}`, style: seatColors(face) }, nodes);
  const html = element("html", { "data-look": "light" }, [element("body", {}, [main])]);
  return inner(styled([html], sheet), 2);
}

/** The children of the first node's first child, and so on. */
const inner = (nodes: Node[], deep: number): Node[] => {
  const children = (nodes[0] as Element).children;
  return deep ? inner(children, deep - 1) : children;
};

/** The pictures that a board is made of, one upon the other. Each fills the box unless it says where it lies. */
function pictures(nodes: Node[], size: Size): Element[] {
  return nodes.filter(isElement).flatMap((node) => {
    if (node.tag !== "svg") return pictures(node.children, size);
    const { preserveAspectRatio: _, ...attributes } = node.attributes;
    return [element("svg", { width: String(size.width), height: String(size.height), ...attributes }, node.children)];
  });
}

function ring({ x, y, width, height }: Box): Element[] {
  const [wide, high] = [width + 2 * RING.around, height + 2 * RING.around];
  const place = { x: x - RING.around, y: y - RING.around, width: wide, height: high, rx: Math.min(RING.corner, wide / 5, high / 5) };
  const attributes = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, String(value)]));
  const line = (color: string, thick: number): Element => element("rect", { ...attributes, fill: "none", stroke: `var(--${color})`, "stroke-width": String(thick) });
  return [line("hint-ink", RING.halo), line("hint", RING.width)];
}
