// What a seat sees of Neptune & Vesta, and how cells and lines are named. What a line is worth comes from the server.

import { signed } from "../../parts/numbers";
import { t } from "../../words/index.svelte";
import type { Unseen, View } from "./wire";

export type { View };
export type Color = keyof Unseen;
export type Tiles = View["board"]; // by the name of the cell
export type Tile = Tiles[string];

export const COLORS: readonly Color[] = ["red", "blue"];
export const END = 10; // of the lighthouse's track, on either side
export const COLUMNS = "abcde";
export const ROWS = "12345";

/** The cells of a zone as "Rb3", row by row. */
export const cellsOf = (color: Color): string[] =>
  [...ROWS].flatMap((row) => [...COLUMNS].map((column) => zoneLetter(color) + column + row));

const zoneLetter = (color: Color): string => (color === "red" ? "R" : "B");
export const colorOf = (place: string): Color => (place.startsWith("R") ? "red" : "blue");
export const colorOfSeat = (seat: number): Color => COLORS[seat] ?? "red";

/** The lines of a zone: "Rb" is a column, "R3" a row. */
export const linesOf = (color: Color): string[] => [...ROWS, ...COLUMNS].map((name) => zoneLetter(color) + name);
export const isColumn = (line: string): boolean => COLUMNS.includes(line[1]!);
const isOn = (cell: string, line: string): boolean => cell[0] === line[0] && cell.slice(1).includes(line[1]!);
export const linesThrough = (cell: string): string[] => [cell[0]! + cell[2]!, cell[0]! + cell[1]!];
export const cellsOn = (line: string): string[] => cellsOf(colorOf(line)).filter((cell) => isOn(cell, line));

/** How many tiles of each color are on a line, their sums, and which values are there more than once. */
interface Holding {
  red: number;
  blue: number;
  sums: Record<Color, number>;
  equal: { value: number; times: number }[];
}

export function holding(line: string, board: Tiles): Holding {
  const tiles = cellsOn(line).flatMap((cell) => (board[cell] ? [board[cell]] : []));
  const times = new Map<number, number>();
  const values = (of: Color): number[] => tiles.flatMap(([color, value]) => (color === of ? [value] : []));
  const sum = (of: Color): number => values(of).reduce((before, value) => before + value, 0);
  for (const [, value] of tiles) times.set(value, (times.get(value) ?? 0) + 1);
  return {
    red: values("red").length,
    blue: values("blue").length,
    sums: { red: sum("red"), blue: sum("blue") },
    equal: [...times].filter(([, count]) => count > 1).map(([value, count]) => ({ value, times: count })),
  };
}

export const cellArguments = (cell: string) => ({ zone: colorOf(cell), column: cell[1]!, row: cell[2]! });

export const lineArguments = (line: string) => ({
  zone: colorOf(line),
  kind: isColumn(line) ? "column" : "row",
  name: line[1]!,
});

const TELLING = 3; // tiles: what a line counts with fewer says nothing yet

/** "Column b: 2 red (sum 11), 1 blue (sum 4); equal values: 4 (twice); +1 as it stands". */
export function tellLine(line: string, board: Tiles, now: View["lines"]): string {
  const { equal, sums, ...held } = holding(line, board);
  const counts = now[line];
  const values = equal.map((each) => t("neptune-vesta:line.equal", { ...each })).join(", ");
  const tiles = COLORS.filter((color) => held[color]).map((color) => t("neptune-vesta:line.tiles", { color, count: held[color], sum: sums[color] }));
  return t("neptune-vesta:line.holds", {
    ...lineArguments(line),
    tiles: tiles.join(", "),
    worth: counts && held.red + held.blue >= TELLING ? (counts.seat === null ? "open" : "done") : "none",
    points: signed(counts?.points ?? 0),
    god: colorOfSeat(counts?.seat ?? 0),
    full: tiles.length ? "some" : "none",
    equal: equal.length ? "some" : "none",
    values,
  });
}

export function tellCell(cell: string, board: Tiles): string {
  const tile = board[cell];
  const held = tile ? { held: tile[0], value: tile[1] } : { held: "free", value: 0 };
  return t("neptune-vesta:cell.label", { ...cellArguments(cell), ...held });
}

/** Whose side of the track the lighthouse is on, and how far out. */
export const trackArguments = (lighthouse: number) => ({
  side: lighthouse > 0 ? "red" : lighthouse < 0 ? "blue" : "nobody",
  place: Math.abs(lighthouse),
});
