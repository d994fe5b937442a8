// Where everything is: one layout for wide boxes, one for tall ones. Both keep what is adjacent on the printed board.

import { CELLS, GROUPS, TRIPLES, type Area, type Cell, type Group } from "./board";

export type Point = readonly [x: number, y: number];
export interface Rect { x: number; y: number; w: number; h: number }
/** What can be zoomed in on: the harbor together with trade, whose goods its ships carry. */
export type Place = Group | "sea" | "display";
export const PLACES: readonly Place[] = [...GROUPS, "sea", "display"];
export const placeOf = (area: Area): Place => (area === "harbor" ? "trade" : area);

export interface Layout {
  width: number;
  height: number;
  cells: Map<string, Point>;
  extras: Point[]; // the extra-card symbols among the workshops
  bonus: Record<Group, { size: number; points: Point[] }>;
  sea: Point[];
  seaSize: number; // radius of a space
  panels: Record<Place, Rect>;
  street: string; // the outline of the residences
  titles: Partial<Record<Place, Point>>; // where they are not in the corner
  lenses: Partial<Record<Place, Point>>; // the magnifying glass, where there is no title
  display: Rect; // where its cards lie
  piles: { deck: Point; discards: Point; size: number };
}

// From the middle of a lozenge to its corners.
export const HALF_WIDTH = 30;
export const HALF_HEIGHT = 38;

const SEA_SPACES = 21; // including the one where the ships start
const MAX_SCALE = 1.2; // pixels per unit when zoomed in

type Put = (cell: Cell) => Point;

/** A row of lozenges (x step, y step); shifted rows count x in half steps. */
const grid = (x0: number, y0: number, dx: number, dy: number): Put => (cell) => [x0 + dx * cell.x, y0 + dy * cell.row];

/** Four bonus cells as one large lozenge, or in a row. */
const cluster = (x: number, y: number, size: number): { size: number; points: Point[] } => ({
  size,
  points: [[x, y - 40 * size], [x - 31 * size, y], [x + 31 * size, y], [x, y + 40 * size]],
});
const inRow = (x: number, y: number, size: number): { size: number; points: Point[] } => ({
  size,
  points: [0, 1, 2, 3].map((i) => [x + 64 * size * i, y] as const),
});

function place(by: Record<Area, Put>): Map<string, Point> {
  return new Map(CELLS.map((cell) => [cell.id, by[cell.area](cell)]));
}

function symbols(cells: Map<string, Point>): Point[] {
  return TRIPLES.map((triple) => {
    const around = triple.map((cell) => cells.get(`W${cell}`)!);
    const mean = (axis: 0 | 1): number => around.reduce((sum, point) => sum + point[axis], 0) / 3;
    return [mean(0), mean(1)];
  });
}

function wideResidence(cell: Cell): Point {
  if (cell.place < 8) return [838 + 70 * cell.place, 62];
  const down = cell.place - 8;
  return [1391 + (down % 2 ? 17 : -17), 126 + 49 * down];
}

function wide(): Layout {
  const cells = place({
    workshops: grid(62, 98, 31, 60),
    residences: wideResidence,
    nobles: grid(742, 492, 31, -42),
    commoners: grid(884, 710, 31, -42),
    trade: grid(304, 418, 62, 75),
    harbor: grid(58, 418, 62, 75),
  });
  return {
    width: 1450,
    height: 864,
    cells,
    extras: symbols(cells),
    bonus: {
      workshops: cluster(706, 180, 1),
      residences: cluster(1272, 192, 0.92),
      nobles: cluster(1136, 440, 1),
      commoners: cluster(746, 673, 1),
      trade: cluster(582, 560, 1),
    },
    sea: [...Array(SEA_SPACES).keys()].map((space) => [52 + 67.3 * space, 818 + 7 * Math.sin(space * 1.3)] as const),
    seaSize: 25,
    panels: {
      workshops: { x: 12, y: 12, w: 768, h: 316 },
      residences: { x: 792, y: 12, w: 646, h: 752 },
      nobles: { x: 664, y: 340, w: 554, h: 206 },
      commoners: { x: 664, y: 558, w: 554, h: 206 },
      trade: { x: 12, y: 340, w: 640, h: 424 },
      sea: { x: 12, y: 774, w: 1426, h: 82 },
      display: { x: 792, y: 124, w: 402, h: 204 },
    },
    titles: { residences: [1219, 284] },
    lenses: {},
    street:
      "M804 12H1426Q1438 12 1438 24V752Q1438 764 1426 764H1354Q1342 764 1342 752V328H1218Q1206 328 1206 316V112H804Q792 112 792 100V24Q792 12 804 12Z",
    display: { x: 802, y: 156, w: 386, h: 166 },
    piles: { deck: [1280, 440], discards: [1280, 590], size: 1.2 },
  };
}

const tallSea = (space: number): Point => (space <= 10 ? [62 + 79 * space, 960] : [862 - 82 * (space - 11) - 10, 1036]);

function tall(): Layout {
  const cells = place({
    workshops: grid(58, 92, 31, 60),
    residences: (cell) => [864 + (cell.place % 2 ? 17 : -17), 186 + 33.4 * cell.place],
    nobles: grid(525, 526, 31, -41),
    commoners: grid(525, 788, 31, -41),
    trade: grid(266, 396, 61, 76),
    harbor: grid(48, 396, 61, 76),
  });
  return {
    width: 920,
    height: 1080,
    cells,
    extras: symbols(cells),
    bonus: {
      workshops: cluster(726, 170, 0.95),
      residences: cluster(864, 88, 0.72),
      nobles: inRow(655, 356, 0.65),
      commoners: inRow(655, 618, 0.65),
      trade: inRow(262, 785, 0.8),
    },
    sea: [...Array(SEA_SPACES).keys()].map(tallSea),
    seaSize: 28,
    panels: {
      workshops: { x: 10, y: 10, w: 799, h: 304 },
      residences: { x: 817, y: 10, w: 95, h: 826 },
      nobles: { x: 489, y: 322, w: 320, h: 252 },
      commoners: { x: 489, y: 584, w: 320, h: 252 },
      trade: { x: 10, y: 322, w: 471, h: 514 },
      sea: { x: 10, y: 920, w: 902, h: 152 },
      display: { x: 10, y: 844, w: 902, h: 68 },
    },
    titles: {},
    lenses: { residences: [836, 32], sea: [44, 1034] },
    street: "M829 10H900Q912 10 912 22V824Q912 836 900 836H829Q817 836 817 824V22Q817 10 829 10Z",
    display: { x: 18, y: 849, w: 770, h: 58 },
    piles: { deck: [828, 878], discards: [880, 878], size: 0.66 },
  };
}

export const WIDE = wide();
export const TALL = tall();

const WINDOW = 165; // how much of a long row is shown on each side of what matters

/** What is shown when zoomed in: an area, or the part of a long row around what comes next. */
export function closeUp(layout: Layout, at: Place, next: Point): Rect {
  if (at === "workshops") return around(layout, at);
  if (at !== "residences" && at !== "sea") return layout.panels[at];
  return { x: next[0] - WINDOW, y: next[1] - WINDOW, w: 2 * WINDOW, h: 2 * WINDOW };
}

/** The cells of an area without its bonus cells. */
function around(layout: Layout, area: Area): Rect {
  const points = CELLS.filter((cell) => cell.area === area).map((cell) => layout.cells.get(cell.id)!);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - HALF_WIDTH, Math.min(...ys) - HALF_HEIGHT];
  return { x, y, w: Math.max(...xs) + HALF_WIDTH - x, h: Math.max(...ys) + HALF_HEIGHT - y };
}

/** The CSS transform after which the rectangle fills the box that the layout filled; nothing beyond its edges is shown. */
export function zoomTo(layout: Layout, rect: Rect, box: { width: number; height: number; top: number }): string {
  const fit = Math.min(box.width / layout.width, box.height / layout.height);
  const size = Math.min(box.width / (rect.w + 10), (box.height - box.top) / (rect.h + 10), MAX_SCALE);
  const along = (length: number, from: number, to: number, middle: number): number => {
    const margin = (to - fit * length) / 2; // of the whole board, which fills the box from 0
    const wanted = (from + to) / 2 - size * middle;
    const least = Math.min(to - size * length, from);
    return Math.min(Math.max(wanted, least), from) - (size / fit) * margin;
  };
  const x = along(layout.width, 0, box.width, rect.x + rect.w / 2);
  const y = along(layout.height, box.top, box.height, rect.y + rect.h / 2);
  return `translate(${x}px, ${y}px) scale(${size / fit})`;
}
