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

/** Groups that do nothing dissolve; a group in a group that only moves it becomes one with it. */
export function flat(nodes: Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [node];
    const children = flat(node.children);
    const names = Object.keys(node.attributes);
    if (node.tag === "g" && !names.length) return children;
    const [only] = children;
    if (node.tag === "g" && children.length === 1 && isElement(only!) && only.tag === "g" && names.join() === "transform") {
      const transform = [node.attributes["transform"], only.attributes["transform"]].filter(Boolean).join(" ");
      return [element("g", { ...only.attributes, transform }, only.children)];
    }
    return [element(node.tag, node.attributes, children)];
  });
}

/** Numbers with as many digits as can be seen. */
export function shortened(nodes: Node[]): Node[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const attributes = Object.entries(node.attributes).map(([name, value]) => [name, name === "id" || name === "href" ? value : shortNumbers(value)] as const);
    return element(node.tag, Object.fromEntries(attributes), shortened(node.children));
  });
}

const shortNumbers = (value: string): string =>
  value.includes("#") ? value : value.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, (text) => shortNumber(Number(text)));

function shortNumber(number: number): string {
  const size = Math.abs(number);
  const text = String(Number(number.toFixed(size >= 100 ? 1 : size >= 1 ? 2 : 4)));
  return text.replace(/^(-?)0\./, "$1.");
}

/** The nodes with everything that occurs more than once, wherever it lies, drawn once and used again. */
export function shared(nodes: Node[]): Node[] {
  const counts = new Map<string, number>();
  const keys = new Map<Element, string>();
  const definitions = new Map<string, Element>();

  function count(node: Node): void {
    if (!isElement(node) || UNDRAWN.includes(node.tag)) return;
    const { transform: _, ...rest } = node.attributes;
    const key = write(element(node.tag, rest, node.children));
    keys.set(node, key);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    if (!before) node.children.forEach(count); // what is in it counts once, as it will be drawn once
  }

  function replaced(node: Node): Node {
    if (!isElement(node) || UNDRAWN.includes(node.tag)) return node;
    const key = keys.get(node) ?? "";
    const { transform, ...rest } = node.attributes;
    if ((counts.get(key) ?? 0) < 2 || key.length < MIN_SHARED || node.tag === "svg") return element(node.tag, node.attributes, node.children.map(replaced));
    const known = definitions.get(key);
    const id = known?.attributes["id"] ?? `shared-${definitions.size}`;
    if (!known) {
      const definition = element(node.tag, { id, ...rest });
      definitions.set(key, definition);
      definition.children = node.children.map(replaced);
    }
    return element("use", { href: `#${id}`, ...(transform ? { transform } : {}) });
  }

  nodes.forEach(count);
  const drawn = nodes.map(replaced);
  return definitions.size ? [element("defs", {}, [...definitions.values()]), ...drawn] : drawn;
}

const REFERENCE = /#([\w-]+)/;

/** The ids that something refers to. */
function referred(nodes: Node[]): Set<string> {
  const values = [...all(nodes)].flatMap(({ attributes }) => Object.entries(attributes)).filter(([name, value]) => name === "href" || value.startsWith("url("));
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

/** The picture with short ids that no other picture on the same page has. */
export function named(picture: Element): Element {
  const own = hash(write(picture));
  const ids = new Map<string, string>();
  for (const { attributes } of all([picture])) if (attributes["id"] !== undefined) ids.set(attributes["id"], `${own}${ids.size.toString(36)}`);
  for (const { attributes } of all([picture]))
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "id") attributes[name] = ids.get(value)!;
      else if (name === "href" || value.startsWith("url(")) attributes[name] = value.replace(REFERENCE, (_, id: string) => `#${ids.get(id)}`);
    }
  return picture;
}

/** A few letters that differ from text to text (FNV-1a). */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return `b${(sum >>> 0).toString(36)}-`;
}
