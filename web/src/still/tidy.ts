// Makes a picture smaller: without what cannot be seen or does nothing, and with each color said once.

import { isHidden } from "./styled";
import { all, element, isElement, type Element, type Node } from "./tree";

const SHAPES = ["path", "rect", "circle", "ellipse"];
const UNPAINTED = ["none", "transparent"];
const IDLE = ["data-spot", "data-place", "visibility", "display"]; // they say nothing more about what can be seen

/** The nodes without what is not visible. */
export function visible(nodes: Node[], fill = "black", stroke = "none"): Node[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [];
    if (isHidden(node.attributes)) return [];
    if (node.tag === "text") return [node];
    const [ownFill, ownStroke] = [node.attributes["fill"] ?? fill, node.attributes["stroke"] ?? stroke];
    const isShape = SHAPES.includes(node.tag);
    if (isShape && UNPAINTED.includes(ownFill) && UNPAINTED.includes(ownStroke)) return [];
    const children = visible(node.children, ownFill, ownStroke);
    if (!isShape && !children.length && node.tag !== "stop" && !node.attributes["href"]) return [];
    const attributes: Record<string, string> = {};
    for (const name in node.attributes) if (!IDLE.includes(name)) attributes[name] = node.attributes[name]!;
    return [element(node.tag, attributes, children)];
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
