// Makes a picture smaller: numbers with as many digits as can be seen, and lines without points that change nothing.

import { element, isElement, type Node } from "./tree";

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
