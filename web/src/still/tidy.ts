// Makes a picture small: without what cannot be seen, with short numbers, and what occurs again drawn only once.

import { all, element, isElement, write, type Element, type Node } from "./tree";

const SHAPES = ["path", "rect", "circle", "ellipse"];
const UNPAINTED = ["none", "transparent"];
const UNDRAWN = ["defs", "clipPath", "pattern", "linearGradient", "radialGradient"];
const MIN_SHARED = 64; // characters: what is shorter is drawn again

/** The nodes without what is not visible. */
export function visible(nodes: Node[], fill = "black", stroke = "none"): Node[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [];
    const { opacity, visibility, display, ...kept } = node.attributes;
    if (Number(opacity ?? 1) === 0 || visibility === "hidden" || display === "none") return [];
    const [ownFill, ownStroke] = [kept["fill"] ?? fill, kept["stroke"] ?? stroke];
    if (SHAPES.includes(node.tag) && UNPAINTED.includes(ownFill) && UNPAINTED.includes(ownStroke)) return [];
    const attributes = Object.fromEntries(Object.entries(kept).filter(([name]) => !name.startsWith("data-")));
    if (opacity !== undefined && Number(opacity) !== 1) attributes["opacity"] = opacity;
    const children = visible(node.children, ownFill, ownStroke);
    return SHAPES.includes(node.tag) || children.length || node.tag === "stop" || node.attributes["href"] ? [element(node.tag, attributes, children)] : [];
  });
}

/** The nodes without groups that do nothing. */
export function flat(nodes: Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [node];
    const children = flat(node.children);
    return node.tag === "g" && !Object.keys(node.attributes).length ? children : [element(node.tag, node.attributes, children)];
  });
}

/** Numbers with as many digits as can be seen. */
export function shortened(nodes: Node[]): Node[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const attributes = { ...node.attributes };
    if (attributes["d"]) attributes["d"] = straightened(attributes["d"]);
    for (const [name, value] of Object.entries(attributes)) attributes[name] = shortNumbers(value);
    const moved = node.tag === "use" && /^translate\((\S+) (\S+)\)$/.exec(attributes["transform"] ?? "");
    if (!moved) return element(node.tag, attributes, shortened(node.children));
    const { transform: _, ...rest } = attributes;
    return element("use", { ...rest, ...(moved[1] === "0" ? {} : { x: moved[1]! }), ...(moved[2] === "0" ? {} : { y: moved[2]! }) });
  });
}

const POINT = /(-?[\d.]+) (-?[\d.]+)/g;
const NEAR = 0.05; // units: a point that is no farther from the line between its neighbors changes nothing

/** A path of straight lines without points that lie on the line between their neighbors. */
function straightened(d: string): string {
  if (!/^M[-\d.]+ [-\d.]+(?:L[-\d.]+ [-\d.]+)+Z?$/.test(d)) return d;
  const points = [...d.matchAll(POINT)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const kept: (readonly [number, number])[] = [];
  points.forEach((point, i) => {
    const [before, after] = [kept.at(-1), points[i + 1]];
    if (!before || !after || !isBetween(before, point, after)) kept.push(point);
  });
  return `M${kept.map((point) => point.join(" ")).join("L")}${d.endsWith("Z") ? "Z" : ""}`;
}

type Point = readonly [x: number, y: number];

function isBetween([ax, ay]: Point, [x, y]: Point, [bx, by]: Point): boolean {
  const [dx, dy] = [bx - ax, by - ay];
  const far = Math.abs(dx * (y - ay) - dy * (x - ax)) / Math.hypot(dx, dy);
  return far < NEAR && (x - ax) * (bx - x) >= 0 && (y - ay) * (by - y) >= 0;
}

const shortNumbers = (value: string): string =>
  value.includes("#") ? value : value.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, (text) => shortNumber(Number(text)));

function shortNumber(number: number): string {
  const size = Math.abs(number);
  const text = String(Number(number.toFixed(size >= 100 ? 1 : size >= 1 ? 2 : 4)));
  return text.replace(/^(-?)0\./, "$1.");
}

/** What an element is, wherever it lies: equal ones have the same number. */
interface Look {
  number: number;
  length: number; // of what is written for it
}

/** The nodes with everything that occurs more than once, wherever it lies, drawn once and used again. */
export function shared(nodes: Node[]): Node[] {
  const known = new Map<string, Look>();
  const looks = new Map<Element, Look>();
  const counts: number[] = []; // by the number of a look
  const outlines = new Map<string, number>(); // how often each path is drawn, in whatever colors
  const definitions = new Map<Look | string, Element>();

  function look(node: Node): Look {
    if (!isElement(node)) return { number: -1, length: node.length };
    let [own, length] = [node.tag, node.tag.length];
    for (const name in node.attributes) if (name !== "transform") own += ` ${name}=${node.attributes[name]}`;
    for (const child of node.children) {
      const inner = look(child);
      own += isElement(child) ? `<${inner.number} ${child.attributes["transform"] ?? ""}>` : child;
      length += inner.length;
    }
    let found = known.get(own);
    if (!found) {
      found = { number: known.size, length: length + own.length };
      known.set(own, found);
    }
    looks.set(node, found);
    return found;
  }

  function count(node: Node): void {
    if (!isElement(node) || UNDRAWN.includes(node.tag)) return;
    const { number } = looks.get(node)!;
    counts[number] = (counts[number] ?? 0) + 1;
    if (counts[number] > 1) return; // what is in it counts once, as it will be drawn once
    const { d } = node.attributes;
    if (d) outlines.set(d, (outlines.get(d) ?? 0) + 1);
    node.children.forEach(count);
  }

  function replaced(node: Node): Node {
    if (!isElement(node) || UNDRAWN.includes(node.tag)) return node;
    const own = looks.get(node)!;
    const { transform, ...rest } = node.attributes;
    const moved: Record<string, string> = transform ? { transform } : {};
    if (counts[own.number]! > 1 && own.length >= MIN_SHARED && node.tag !== "svg")
      return element("use", { href: define(own, node.tag, rest, node.children), ...moved });
    const { d = "", ...paint } = rest;
    if (d.length >= MIN_SHARED && outlines.get(d)! > 1) return element("use", { href: define(d, "path", { d }, []), ...paint, ...moved });
    return element(node.tag, node.attributes, node.children.map(replaced));
  }

  /** A reference to the definition of what looks like this, which is made when it is first needed. */
  function define(what: Look | string, tag: string, attributes: Record<string, string>, children: Node[]): string {
    let definition = definitions.get(what);
    if (!definition) {
      definition = element(tag, { id: `shared-${definitions.size}`, ...attributes });
      definitions.set(what, definition);
      definition.children = children.map(replaced);
    }
    return `#${definition.attributes["id"]}`;
  }

  nodes.forEach(look);
  nodes.forEach(count);
  const drawn = nodes.map(replaced);
  return definitions.size ? [element("defs", {}, [...definitions.values()]), ...drawn] : drawn;
}

/** The nodes in which a group with one thing in it is that thing, where that makes no difference. */
export function joined(nodes: Node[]): Node[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const children = joined(node.children);
    const [only] = children;
    if (node.tag !== "g" || node.attributes["id"] || children.length > 1 || !only || !isElement(only)) return element(node.tag, node.attributes, children);
    const [{ transform: outer, ...paint }, { transform: inner, ...own }] = [node.attributes, only.attributes];
    if (Object.keys(paint).length && Object.keys(own).join() !== "href") return element(node.tag, node.attributes, children);
    const transform = [outer, inner].filter(Boolean).join(" ");
    return element(only.tag, { ...own, ...paint, ...(transform ? { transform } : {}) }, only.children);
  });
}

const INHERITED = [
  "fill", "fill-opacity", "fill-rule", "paint-order", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width",
];

/** The nodes in which things that follow each other and are painted alike are a group that says so once. */
export function grouped(nodes: Node[]): Node[] {
  const runs: { paint: string; found: Node[] }[] = [];
  for (const node of nodes) {
    const paint = isElement(node) && !node.attributes["id"] ? JSON.stringify(INHERITED.map((name) => node.attributes[name])) : "";
    const last = runs.at(-1);
    const held = isElement(node) ? element(node.tag, node.attributes, grouped(node.children)) : node;
    if (paint && last?.paint === paint) last.found.push(held);
    else runs.push({ paint, found: [held] });
  }
  return runs.flatMap(({ found }) => {
    const [first] = found as Element[];
    const paint = found.length < 2 ? [] : INHERITED.flatMap((name) => (first!.attributes[name] === undefined ? [] : [[name, first!.attributes[name]] as const]));
    if (!paint.length) return found;
    const bare = (found as Element[]).map(({ tag, attributes, children }) =>
      element(tag, Object.fromEntries(Object.entries(attributes).filter(([name]) => !INHERITED.includes(name))), children),
    );
    return [element("g", Object.fromEntries(paint), bare)];
  });
}

const REFERENCE = /#([\w-]+)/;

/** The ids that something refers to. */
function referred(nodes: Node[]): Set<string> {
  const values = all(nodes).flatMap(({ attributes }) => Object.entries(attributes)).filter(([name, value]) => name === "href" || value.startsWith("url("));
  return new Set(values.map(([, value]) => REFERENCE.exec(value)![1]!));
}

/** The nodes without definitions that nothing uses. */
export function used(nodes: Node[]): Node[] {
  const wanted = referred(nodes);
  const kept = (all: Node[]): Node[] =>
    all.flatMap((node): Node[] => {
      if (!isElement(node)) return [node];
      const { id } = node.attributes;
      if (id !== undefined && !wanted.has(id)) return [];
      const children = kept(node.children);
      return node.tag === "defs" && !children.length ? [] : [element(node.tag, node.attributes, children)];
    });
  const left = kept(nodes);
  return referred(left).size < wanted.size ? used(left) : left;
}

/** The picture as text, with short ids that no other picture on the same page has. */
export function written(picture: Element): string {
  const text = write(picture);
  const own = hash(text);
  const ids = all([picture]).flatMap(({ attributes }) => attributes["id"] ?? []);
  const names = new Map(ids.map((id, number) => [id, `${own}${number.toString(36)}`]));
  return text.replace(/( id="| href="#|="url\(#)([\w-]+)/g, (_, before: string, id: string) => `${before}${names.get(id)}`);
}

/** A few letters that differ from text to text (FNV-1a). */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return `b${((sum >>> 0) % 36 ** 4).toString(36).padStart(4, "0")}`;
}
