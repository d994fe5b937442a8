// Where everything lies: once for wide boxes, once for tall ones. Both keep the printed board's neighborhoods.

import { CELLS, GROUPS, SEA_END, TRIPLES, type Area, type Cell, type Group } from "./board";

export type Point = readonly [x: number, y: number];
export interface Rect { x: number; y: number; w: number; h: number }
/** What can be looked at closely: the harbor with the trade whose goods its ships carry. */
export const PLACES = [...GROUPS, "sea", "display"] as const;
export type Place = (typeof PLACES)[number];
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
  display: Rect; // where its cards lie
  piles: Point; // deck and discards
}

// A lozenge from its middle to its corners.
export const HALF_WIDTH = 30;
export const HALF_HEIGHT = 38;

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
  if (cell.place < 7) return [838 + 66 * cell.place, 62];
  const down = cell.place - 7;
  return [1281 + (down % 2 ? 17 : -17), 122 + 49 * down];
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
    width: 1340,
    height: 864,
    cells,
    extras: symbols(cells),
    bonus: {
      workshops: cluster(706, 180, 1),
      residences: cluster(1166, 196, 0.8),
      nobles: cluster(1136, 440, 1),
      commoners: cluster(744, 656, 1),
      trade: cluster(582, 560, 1),
    },
    sea: [...Array(SEA_END + 1).keys()].map((space) => [48 + 62 * space, 818 + 7 * Math.sin(space * 1.3)] as const),
    seaSize: 23,
    panels: {
      workshops: { x: 12, y: 12, w: 768, h: 316 },
      residences: { x: 792, y: 12, w: 536, h: 756 },
      nobles: { x: 664, y: 340, w: 554, h: 206 },
      commoners: { x: 664, y: 558, w: 554, h: 206 },
      trade: { x: 12, y: 340, w: 640, h: 424 },
      sea: { x: 12, y: 774, w: 1316, h: 82 },
      display: { x: 792, y: 120, w: 296, h: 208 },
    },
    street:
      "M804 12H1316Q1328 12 1328 24V752Q1328 764 1316 764H1244Q1232 764 1232 752V272H1112Q1100 272 1100 260V112H804Q792 112 792 100V24Q792 12 804 12Z",
    display: { x: 800, y: 146, w: 280, h: 178 },
    piles: [1126, 292],
  };
}

const tallSea = (space: number): Point => (space <= 10 ? [62 + 79 * space, 960] : [862 - 82 * (space - 11) - 10, 1036]);

function tall(): Layout {
  const cells = place({
    workshops: grid(58, 92, 31, 60),
    residences: (cell) => [864 + (cell.place % 2 ? 17 : -17), 186 + 33.4 * cell.place],
    nobles: grid(534, 526, 31, -41),
    commoners: grid(534, 788, 31, -41),
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
      nobles: inRow(640, 356, 0.74),
      commoners: inRow(640, 616, 0.74),
      trade: inRow(262, 785, 0.8),
    },
    sea: [...Array(SEA_END + 1).keys()].map(tallSea),
    seaSize: 28,
    panels: {
      workshops: { x: 10, y: 10, w: 790, h: 304 },
      residences: { x: 810, y: 10, w: 102, h: 826 },
      nobles: { x: 492, y: 322, w: 310, h: 252 },
      commoners: { x: 492, y: 584, w: 310, h: 252 },
      trade: { x: 10, y: 322, w: 474, h: 514 },
      sea: { x: 10, y: 920, w: 902, h: 152 },
      display: { x: 10, y: 844, w: 902, h: 68 },
    },
    street: "M822 10H900Q912 10 912 22V824Q912 836 900 836H822Q810 836 810 824V22Q810 10 822 10Z",
    display: { x: 18, y: 849, w: 770, h: 58 },
    piles: [828, 878],
  };
}

export const WIDE = wide();
export const TALL = tall();

const WINDOW = 190; // of a long row: so much before and behind what matters

/** What is shown when one looks closely: an area, or the part of a long row around what comes next. */
export function closeUp(layout: Layout, at: Place, next: Point): Rect {
  if (at !== "residences" && at !== "sea") return layout.panels[at];
  const width = 2 * WINDOW;
  const x = Math.min(Math.max(next[0] - WINDOW, 0), layout.width - width);
  const y = Math.min(Math.max(next[1] - WINDOW, 0), layout.height - width);
  return { x, y, w: width, h: width };
}
