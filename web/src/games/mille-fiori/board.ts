// The printed board as data: which cells there are and what each shows. Where they are drawn is in layout.ts.
// What anything scores comes from the server.

import type { BonusCells, Card, Points } from "./wire";

export type Group = keyof BonusCells;
export type Area = Group | "harbor";
export type CardType = Card["type"];
export const GROUPS: readonly Group[] = ["workshops", "residences", "nobles", "commoners", "trade"];

export const AREA_OF_TYPE: Record<CardType, Area> = {
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
};

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
const GOODS: NonNullable<Points["good"]>[] = ["goblet", "carafe", "earrings", "swan"];
const ROWS = 5;
const SHIPS = 3;

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
