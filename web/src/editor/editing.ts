// What the board editor needs of a game: its pieces, the places beside the board, and what a position says when a piece is
// put somewhere (games/GAME/editing.ts). No rules: any piece may go to any place of its kind, and the server says what is
// wrong with the position.

import type { Component } from "svelte";
import type { GameView } from "../games/face";

/** The content of a position file. */
export interface Position {
  game: string;
  players: number;
  options: Record<string, number | string>;
  turn: number;
}

/** A place for pieces beside the board: a hand, a supply, what was played. */
export interface Tray {
  /** The path of what it holds in the position, such as "hands[0]"; a supply has a name of its own. */
  path: string;
  label: string;
  pieces: string[];
  /** Not a part of the position: what is taken from it is new there, and what is put back is removed. */
  supply?: boolean;
}

interface AnyField {
  path: string;
  label: string;
}

/** A detail of the position that has no place on the board. */
export type Field = AnyField &
  ({ kind: "number"; least: number; most: number } | { kind: "choice"; choices: { value: unknown; label: string }[] });

/** What the server last called possible: complete, also with what a position may leave out; and the players' names. */
export interface Surroundings<P> {
  whole: P;
  seats: string[];
}

/** Places are the ids of spots on the board, or "tray:PATH". */
export interface Editing<P extends Position = Position, V extends GameView = GameView> {
  /** Draws a piece in a picture of its own, as high as its box. */
  Piece: Component<{ piece: string }>;
  /** What a piece is called. */
  name(piece: string, seats: string[]): string;
  trays(position: P, around: Surroundings<P>): Tray[];
  fields(position: P, around: Surroundings<P>): Field[];
  /** The piece on a spot of the board that is taken up from there; null if there is none. */
  pieceAt(position: P, spot: string): string | null;
  /** The position after a piece was moved; from null: new, to null: removed. Null if it does not belong there. */
  move(position: P, piece: string, from: string | null, to: string | null): P | null;
  /** After a detail was changed: what is only there in some phases comes or goes with it. */
  settle?(position: P): P;
  /** The position as a board, until the server has said what else there is to see: the rest is as it was before. */
  draw(view: V, position: P): V;
  /** The position without all that was put on the board, if that makes sense. */
  clear?(position: P): P;
  /** The spots of the board that a field of the position is about, such as "board.Rc3". */
  spots(field: string, position: P): string[];
  /** Fields that are left out of a position that is changed: the server deals them anew. */
  dealt: (keyof P & string)[];
}

const EDITINGS = import.meta.glob<{ editing: Editing }>("../games/*/editing.ts");

/** The games whose positions can be edited on their board. */
export const EDITED = Object.keys(EDITINGS).map((path) => path.split("/").at(-2)!);

export async function loadEditing(game: string): Promise<Editing | null> {
  const load = EDITINGS[`../games/${game}/editing.ts`];
  return load ? (await load()).editing : null;
}

// ------------------------------------------------------------ paths such as "wins[0]" and "gone.cards"

const steps = (path: string): string[] => path.split(/[.[\]]/).filter(Boolean);

type Fields = Record<string, unknown>;

export function valueAt(position: Position, path: string): unknown {
  return steps(path).reduce<unknown>((value, step) => (value as Fields | undefined)?.[step], position);
}

/** The position with another value there. */
export function withValue<P extends Position>(position: P, path: string, value: unknown): P {
  const next = structuredClone(position);
  const way = steps(path);
  const last = way.pop()!;
  let inside = next as unknown as Fields;
  for (const step of way) inside = (inside[step] ??= {}) as Fields;
  inside[last] = value;
  return next;
}

/** Is a field that a sentence is about this part of the position, in it, or around it? */
export function concerns(field: string, path: string): boolean {
  const [one, other] = [steps(field), steps(path)];
  return Array.from({ length: Math.min(one.length, other.length) }, (_, at) => at).every((at) => one[at] === other[at]);
}

// ------------------------------------------------------------ lists of pieces

/** The list without one of these. */
export function without<T>(list: readonly T[], one: T): T[] {
  const at = list.findIndex((each) => JSON.stringify(each) === JSON.stringify(one));
  return at < 0 ? [...list] : list.toSpliced(at, 1);
}

/** What is left of the first list without all of the second. */
export const rest = (all: string[], used: string[]): string[] => used.reduce(without<string>, all);

/** "tray:hands[0]" as "hands[0]"; null for a spot of the board. */
export const trayOf = (place: string | null): string | null => (place?.startsWith("tray:") ? place.slice(5) : null);
