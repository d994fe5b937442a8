// What the server tells of a game of Venice 2099, and where things are on its board.

import type { GameView } from "../face";

export const COLORS = ["black", "brown", "azure", "red", "violet", "green"] as const;
export type Color = (typeof COLORS)[number];
export type Phase = "place" | "turn" | "moved" | "bought" | "rescue" | "over";

interface Breakdown {
  treasures: { color: Color; count: number; quarters: number; each: number; points: number }[];
  pawns: { at: string; tile: string; points: number; clause: string }[];
  coins: { points: number };
  total: number;
}

export interface Venice extends GameView {
  phase: Phase;
  active: number; // whose turn it is, even while another rescues a pawn
  side: number; // squares along an edge
  board: Record<string, string>; // every square with its tile; a sunk quarter keeps its name
  water: string[];
  coins_on: Record<string, number>;
  pawns: string[][];
  fallen: { seat: number; from: string } | null;
  coins: number[];
  gondolas: number[];
  treasures: Partial<Record<Color, number>>[];
  stock: Record<Color, number>; // of the colors in play
  played: string[][];
  hand: string[] | null;
  hand_sizes: number[];
  at_least: string[]; // no card in that hand is lower
  put_away: number;
  unseen: string[];
  breakdown: Breakdown[] | null;
}

export interface Quarter {
  color: Color;
  value: string;
}

/** A quarter or a card by its name, such as "red5"; null for a platform. */
export function readTile(name: string): Quarter | null {
  return name === "platform" ? null : { color: name.slice(0, -1) as Color, value: name.slice(-1) };
}

export const tileOf = ({ color, value }: Quarter): string => color + value;

/** The square on which a quarter lies, or lay. */
export function squareOf(game: Venice, tile: string): string | undefined {
  return Object.keys(game.board).find((at) => game.board[at] === tile);
}

export function ownerOn(game: Venice, at: string): number | null {
  const seat = game.pawns.findIndex((squares) => squares.includes(at));
  return seat < 0 ? null : seat;
}

/** The colors that are in this game: with two players one is missing. */
export function colorsIn(game: Venice): Color[] {
  const tiles = Object.values(game.board);
  return COLORS.filter((color) => tiles.includes(color + "2"));
}

export function quartersAbove(game: Venice, color: Color): number {
  const squares = Object.keys(game.board).filter((at) => readTile(game.board[at]!)?.color === color);
  return squares.filter((at) => !game.water.includes(at)).length;
}

/** What a treasure is worth by the quarters of its color above water, as it is printed beside the board (V17). */
export const worth = (quarters: number): number => [0, 6, 3, 2][quarters] ?? 1;

// ------------------------------------------------------------ places in the picture

export const CELL = 100; // units of the picture from one square to the next

export interface Point {
  x: number;
  y: number;
}

/** The middle of a square. */
export function middle(at: string): Point {
  return { x: (at.charCodeAt(0) - 97) * CELL, y: (Number(at[1]) - 1) * CELL };
}

/** Where a pawn stands on a square. */
export function feet(at: string): Point {
  const { x, y } = middle(at);
  return { x: x + 21, y: y + 37 };
}

/** A square beside this one, on the board. */
export function beside(at: string): string {
  const column = at[0] === "a" ? "b" : String.fromCharCode(at.charCodeAt(0) - 1);
  return column + at[1];
}

/** How many squares a line from one to the other has. */
export function distance(from: string, to: string): number {
  const one = middle(from);
  const other = middle(to);
  return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) / CELL;
}
