// From the markup of the page's components to a picture that stands by itself.

import type { Face, Size } from "../games/face";
import page from "../page.css?inline";
import { seatColors } from "../table/seat";
import { rulesOf, Sheet } from "./css";
import { shortened } from "./numbers";
import { shared } from "./share";
import { isSeen, styled } from "./styled";
import { flat, grouped, joined, used, visible } from "./tidy";
import { element, isElement, type Element, type Node } from "./tree";
import { written } from "./write";

const PALETTES = import.meta.glob<string>("../games/*/*.css", { eager: true, query: "?inline", import: "default" });
const sheets = new Map<string, Sheet>(); // by the style that the components of a board bring along

/** The styles of the page, with those that components bring along. */
export function sheetOf(head: string): Sheet {
  const known = sheets.get(head);
  if (known) return known;
  const components = [...head.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = ""]) => css);
  const sheet = new Sheet([page, ...Object.values(PALETTES), ...components].flatMap((css) => rulesOf(css, isSeen)));
  sheets.set(head, sheet);
  return sheet;
}

/** The nodes as they look within the page. */
export function inPage(nodes: Node[], game: string, face: Face, sheet: Sheet): Node[] {
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
export function pictures(nodes: Node[], size: Size): Element[] {
  return nodes.filter(isElement).flatMap((node) => {
    if (node.tag !== "svg") return pictures(node.children, size);
    const { preserveAspectRatio: _, ...attributes } = node.attributes;
    return [element("svg", { width: String(size.width), height: String(size.height), ...attributes }, node.children)];
  });
}

/** The picture that these nodes make, as text; `about` is for those who cannot see it. */
export function finished(title: string, nodes: Node[], { width, height }: Size, about = ""): string {
  const drawn = shortened(used(grouped(joined(flat(shared(visible(nodes)))))));
  const [wide, high] = [String(width), String(height)];
  const attributes = { xmlns: "http://www.w3.org/2000/svg", width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img" };
  return written(element("svg", attributes, [element("title", {}, [title]), ...(about ? [element("desc", {}, [about])] : []), ...drawn]));
}
