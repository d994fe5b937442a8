// Where the spots of a board are in the picture, from what is drawn in them, visible or not.

import { all, DEFINING, isElement, type Element, type Node } from "./tree";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];
type Point = [x: number, y: number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix =>
  [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];

const numbers = (text: string): number[] => (text.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g) ?? []).map(Number);

function matrixOf(transform = ""): Matrix {
  let found = IDENTITY;
  for (const [, kind, inner = ""] of transform.matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x = 0, y] = numbers(inner);
    const [cos, sin] = [Math.cos((x * Math.PI) / 180), Math.sin((x * Math.PI) / 180)];
    if (kind === "translate") found = times(found, [1, 0, 0, 1, x, y ?? 0]);
    if (kind === "scale") found = times(found, [x, 0, 0, y ?? x, 0, 0]);
    if (kind === "rotate") found = times(found, [cos, sin, -sin, cos, 0, 0]);
  }
  return found;
}

/** From the units of a picture in the picture to those around it. */
function viewMatrix({ attributes }: Element): Matrix {
  const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) => Number(attributes[name] ?? 0));
  const [left = 0, top = 0, wide = width, high = height] = numbers(attributes["viewBox"] ?? "");
  const scale = Math.min(width / wide, height / high);
  return [scale, 0, 0, scale, x + (width - scale * wide) / 2 - scale * left, y + (height - scale * high) / 2 - scale * top];
}

/** The corners of a shape, or what lies around them. */
function points({ tag, attributes }: Element): Point[] {
  const at = (name: string): number => Number(attributes[name] ?? 0);
  if (tag === "rect") return [[at("x"), at("y")], [at("x") + at("width"), at("y") + at("height")]];
  const [rx, ry] = tag === "circle" ? [at("r"), at("r")] : [at("rx"), at("ry")];
  if (tag === "circle" || tag === "ellipse") return [[at("cx") - rx, at("cy") - ry], [at("cx") + rx, at("cy") + ry]];
  return tag === "path" ? pathPoints(attributes["d"] ?? "") : [];
}

/** The points of a path, including those that bend its curves. */
function pathPoints(d: string): Point[] {
  const found: Point[] = [];
  let [x, y] = [0, 0];
  for (const [, letter = "", inner = ""] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const given = numbers(inner);
    const kind = letter.toUpperCase();
    const step = { H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7 }[kind] ?? 2;
    for (let i = 0; i + step <= given.length; i += step) {
      const [left, top] = letter === kind ? [0, 0] : [x, y];
      const part = given.slice(i, i + step);
      const across = kind === "H" ? [part[0]!, letter === kind ? y : 0] : kind === "V" ? [letter === kind ? x : 0, part[0]!] : kind === "A" ? part.slice(5) : part;
      for (let j = 0; j < across.length; j += 2) found.push([left + across[j]!, top + across[j + 1]!]);
      [x, y] = found.at(-1)!;
    }
  }
  return found;
}

function gather(nodes: Node[], around: Matrix, found: Point[]): void {
  for (const node of nodes) {
    if (!isElement(node) || DEFINING.includes(node.tag)) continue;
    const matrix = inside(node, around);
    const [a, b, c, d, e, f] = matrix;
    const corners = points(node);
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    for (const x of corners.length ? [Math.min(...xs), Math.max(...xs)] : [])
      for (const y of [Math.min(...ys), Math.max(...ys)]) found.push([a * x + c * y + e, b * x + d * y + f]);
    gather(node.children, matrix, found);
  }
}

const inside = (node: Element, around: Matrix): Matrix =>
  times(around, node.tag === "svg" ? viewMatrix(node) : matrixOf(node.attributes["transform"]));

/** The names of all spots and places in these pictures. */
export const spotsIn = (nodes: Node[]): Set<string> =>
  new Set(all(nodes).flatMap(({ attributes }) => attributes["data-place"] ?? attributes["data-spot"] ?? []));

/** The boxes of these spots in the pictures, by their names; a place counts more than a spot. */
export function boxes(names: string[], nodes: Node[], around: Matrix = IDENTITY, found = new Map<string, Box>()): Map<string, Box> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const name = node.attributes["data-place"] ?? node.attributes["data-spot"];
    if (name !== undefined && names.includes(name) && (node.attributes["data-place"] !== undefined || !found.has(name))) {
      const corners: Point[] = [];
      gather([node], around, corners);
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      found.set(name, { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y });
    }
    boxes(names, node.children, inside(node, around), found);
  }
  return found;
}
