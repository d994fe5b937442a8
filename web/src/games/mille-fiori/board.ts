// The printed board as data: which cells there are and what each shows. Where they are drawn is in layout.ts.

export const GROUPS = ["workshops", "residences", "nobles", "commoners", "trade"] as const;
export type Group = (typeof GROUPS)[number];
export const AREAS = [...GROUPS, "harbor"] as const;
export type Area = (typeof AREAS)[number];

export const AREA_OF_TYPE = {
  pigment: "workshops",
  quartz: "workshops",
  ash: "workshops",
  lime: "workshops",
  residence: "residences",
  lion: "nobles",
  coin: "nobles",
  cross: "nobles",
  fish: "commoners",
  shell: "commoners",
  crab: "commoners",
  goblet: "trade",
  carafe: "trade",
  earrings: "trade",
  swan: "trade",
  harbor: "harbor",
} as const satisfies Record<string, Area>;
export type CardType = keyof typeof AREA_OF_TYPE;

export interface Cell {
  id: string;
  area: Area;
  type: CardType; // the emblem it shows
  row: number;
  place: number; // in its row, from 0
  x: number; // in half steps where rows are shifted, else the place
  number: number | null; // a residence's
}

const WORKSHOPS: [x: number, type: CardType][][] = [
  [[1, "pigment"], [3, "ash"], [5, "pigment"], [7, "lime"], [9, "ash"], [11, "lime"], [15, "ash"]],
  [[0, "quartz"], [2, "lime"], [4, "quartz"], [6, "ash"], [8, "pigment"], [10, "quartz"], [14, "pigment"], [16, "quartz"]],
  [[1, "pigment"], [3, "ash"], [7, "quartz"], [9, "lime"], [11, "pigment"], [13, "quartz"], [15, "lime"], [17, "pigment"]],
  [[2, "quartz"], [6, "lime"], [8, "pigment"], [10, "ash"], [12, "lime"], [14, "pigment"], [16, "ash"]],
];
/** The three workshops around each extra-card symbol. */
export const TRIPLES = [
  [0, 7, 8], [1, 2, 9], [3, 10, 11], [4, 5, 12], [6, 13, 14],
  [15, 16, 23], [17, 24, 25], [18, 19, 26], [20, 27, 28], [21, 22, 29],
] as const;
const NUMBERS = [2, 4, 3, 5, 1, 4, 2, 3, 1, 5, 10, 2, 3, 4, 5, 10, 1, 5, 4, 3];
const NOBLES: CardType[][] = [
  ["cross", "coin", "lion", "cross", "coin"],
  ["lion", "cross", "coin", "lion"],
  ["coin", "lion", "cross"],
];
const COMMONERS: CardType[][] = [
  ["crab", "shell", "fish", "crab", "shell"],
  ["fish", "crab", "shell", "fish"],
  ["shell", "fish", "crab"],
];
export const GOODS = ["goblet", "carafe", "earrings", "swan"] as const;
export const ROWS = 5;
const SHIPS = 3;
export const LEVEL_POINTS = [1, 3, 6] as const;
export const FLEET_POINTS = [0, 1, 3, 6, 10] as const; // by goods in the row
export const BONUS_POINTS = [20, 15, 10, 5] as const;
export const SEA_POINTS = [0, 1, 1, 1, 3, 1, 10, 0, 1, 5, 1, 1, 10, 10, 1, 5, 0, 1, 1, 1, 10] as const;
export const SEA_END = 20;
export const SEA_EXTRA: readonly number[] = [7, 16, 20];

function workshops(): Cell[] {
  const cells = WORKSHOPS.flatMap((cells, row) =>
    cells.map(([x, type], place) => ({ area: "workshops" as const, type, row, place, x, number: null })),
  );
  return cells.map((cell, number) => ({ ...cell, id: `W${number}` }));
}

function pyramid(area: "nobles" | "commoners", letter: string, rows: CardType[][]): Cell[] {
  return rows.flatMap((types, row) =>
    types.map((type, place) => ({ id: `${letter}${"bmt"[row]}${place}`, area, type, row, place, x: 2 * place + row, number: null })),
  );
}

const rows = [...Array(ROWS).keys()];

export const CELLS: readonly Cell[] = [
  ...workshops(),
  ...NUMBERS.map((number, place) => ({ id: `R${place}`, area: "residences" as const, type: "residence" as const, row: 0, place, x: place, number })),
  ...pyramid("nobles", "N", NOBLES),
  ...pyramid("commoners", "C", COMMONERS),
  ...GOODS.flatMap((type, x) => rows.map((row) => ({ id: `T${type}${row}`, area: "trade" as const, type, row, place: x, x, number: null }))),
  ...rows.flatMap((row) =>
    [...Array(SHIPS).keys()].map((x) => ({ id: `H${row}${x}`, area: "harbor" as const, type: "harbor" as const, row, place: x, x, number: null })),
  ),
];
export const CELL = new Map(CELLS.map((cell) => [cell.id, cell]));
