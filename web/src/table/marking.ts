// Where the drawings of hints go, measured from the spots that are on the page now.

import { type Arrow, arrow, type Circle } from "./arrow";
import type { ShownHint } from "./hints";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is drawn for a hint. */
export interface Drawn {
  rank: number;
  rings: { box: Box; gone: boolean }[];
  arrow: Arrow | null;
  labels: { box: Box; text: string; size: number }[];
}

const AROUND = 2; // pixels between a spot and its ring
const TIP = 11; // pixels: the length of an arrow's head

const round = (value: number): number => Math.round(value * 2) / 2;

/** A spot's box; null if it is not on the page, or slid out of the board's sight. */
function boxOf(id: string): Box | null {
  const spot = document.querySelector(`[data-spot="${CSS.escape(id)}"]`);
  const box = spot?.getBoundingClientRect();
  if (!spot || !box || box.width + box.height === 0) return null;
  const pane = spot.closest("#board")?.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (pane && (x < pane.left || x > pane.right || y < pane.top || y > pane.bottom)) return null;
  return { x: round(box.left), y: round(box.top), width: round(box.width), height: round(box.height) };
}

const boxes = (ids: string[]): Box[] => ids.flatMap((id) => boxOf(id) ?? []);
/** Where an arrow begins or ends: halfway between the middle of a box and its edge. */
const inside = ({ x, y, width, height }: Box): Circle => ({ x: x + width / 2, y: y + height / 2, r: Math.min(width, height) / 4 });
const wider = ({ x, y, width, height }: Box): Box => ({ x: x - AROUND, y: y - AROUND, width: width + 2 * AROUND, height: height + 2 * AROUND });
const meet = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

/** Where rings go around these spots, as far as they are on the page. */
export const ringsAround = (ids: string[]): Box[] => boxes(ids).map(wider);

export function drawn(hints: ShownHint[]): Drawn[] {
  const taken: Box[] = []; // by labels; the best hints are labeled first
  return hints.map((hint) => {
    const { from, to, gone, hand } = hint.places;
    const start = from ? boxOf(from) : null;
    const [targets, lost, held] = [boxes(to), boxes(gone), boxes(hand ? [hand] : [])];
    const goal = targets[0];
    const rings = [...targets.map((box) => ({ box: wider(box), gone: false })), ...lost.map((box) => ({ box: wider(box), gone: true }))];
    const main = goal ?? lost[0] ?? held[0];
    const below = start !== null && goal !== undefined && start.y < goal.y; // an arrow from above stays in sight
    const labels = main ? [label(main, hint, true, below || main === held[0], taken)] : [];
    for (const box of held) if (box !== main) labels.push(label(box, hint, false, true, taken)); // what a card is worth stands above
    return { rank: hint.rank, rings, arrow: start && goal ? arrow(inside(start), inside(goal), TIP) : null, labels };
  });
}

/** A number on the upper or lower edge of a box; with the chance on the main one. It moves until it covers no other. */
function label(over: Box, { rank, percent, sign = String(rank) }: ShownHint, main: boolean, below: boolean, taken: Box[]): Drawn["labels"][number] {
  const size = innerWidth <= 760 || innerHeight <= 500 ? 11 : 14;
  const text = main && percent !== null ? `${sign} · ${percent}%` : sign;
  const [width, height] = [round(size * (0.75 + 0.56 * text.length)), round(size * 1.45)];
  const edge = below ? over.y + over.height : over.y;
  const box = { x: clamp(over.x + (over.width - width) / 2, innerWidth - width), y: clamp(edge - height / 2, innerHeight - height), width, height };
  while (taken.some((other) => meet(box, other))) {
    if (main) box.y += height / 2;
    else box.x += width / 2; // beside the other numbers of the same card, which stays readable
  }
  taken.push(box);
  return { box, text, size };
}

const clamp = (value: number, most: number): number => Math.max(2, Math.min(value, most - 2));
