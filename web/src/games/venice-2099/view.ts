// What a seat sees of Venice 2099, what its tiles are, and where things are on its board. What things cost and what
// they are worth comes from the server.

import type { Card, View } from "./wire";

export type { View };
export type Color = Card["color"];

export interface Quarter {
  color: Color;
  value: Card["value"] | "2";
}
export type Prophecy = Omit<Card, "do">;

/** A quarter by its name, such as "red5"; null for a platform. */
export function readTile(name: string): Quarter | null {
  return name === "platform" ? null : { color: name.slice(0, -1) as Color, value: name.slice(-1) as Quarter["value"] };
}

/** A card by its name, which is that of the quarter it sinks. */
export const readCard = (name: string): Prophecy => readTile(name) as Prophecy;

export const tileOf = ({ color, value }: Quarter): string => color + value;

/** The square on which a quarter lies, or lay. */
export function squareOf(game: View, tile: string): string | undefined {
  return Object.keys(game.board).find((at) => game.board[at] === tile);
}

export function ownerOn(game: View, at: string): number | null {
  const seat = game.pawns.findIndex((squares) => squares.includes(at));
  return seat < 0 ? null : seat;
}

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

/** The number of steps in a straight line from one square to the other. */
export function distance(from: string, to: string): number {
  const one = middle(from);
  const other = middle(to);
  return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y)) / CELL;
}
