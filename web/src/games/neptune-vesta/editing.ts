// Positions of Neptune & Vesta in the board editor: tiles of both colors on the cells and in the hands.

import { trayOf, without, type Editing, type Position } from "../../editor/editing";
import { t } from "../../words/index.svelte";
import EditedPiece from "./EditedPiece.svelte";
import { COLORS, END, type Color, type Tile, type Tiles, type View } from "./view";

interface Standing extends Position {
  starter: number;
  lighthouse: number;
  board: Tiles;
  hands: Record<Color, number[]>;
  round?: number;
  wins: number[];
  over?: boolean;
  stacks?: Record<Color, number[]>;
  chance?: unknown;
}

const VALUES = Array.from({ length: 10 }, (_, index) => index + 1);
const CENTERS = ["Rc3", "Bc3"];

const pieceOf = ([color, value]: Tile): string => `${color}:${value}`;
export function tileOf(piece: string): Tile {
  const [color, value] = piece.split(":");
  return [color as Color, Number(value)];
}
const cellOf = (place: string | null): string | null => (place?.startsWith("cell:") ? place.slice(5) : null);
const handOf = (place: string | null): Color | null => COLORS.find((color) => trayOf(place) === `hands.${color}`) ?? null;

function move(position: Standing, piece: string, from: string | null, to: string | null): Standing | null {
  const next = structuredClone(position);
  const [color, value] = tileOf(piece);
  const [left, leftHand, cell, hand] = [cellOf(from), handOf(from), cellOf(to), handOf(to)];
  if (left) delete next.board[left];
  if (leftHand) next.hands[leftHand] = without(next.hands[leftHand], value);
  if (cell) next.board[cell] = [color, value];
  else if (hand === color) next.hands[hand] = [...next.hands[hand], value].sort((one, other) => one - other);
  else if (to !== null) return null;
  return next;
}

function clear(position: Standing): Standing {
  const centers = Object.entries(position.board).filter(([cell]) => CENTERS.includes(cell));
  return { ...position, board: Object.fromEntries(centers), lighthouse: 0, turn: position.starter, over: false };
}

export const editing: Editing<Standing, View> = {
  Piece: EditedPiece,
  name(piece) {
    const [color, value] = tileOf(piece);
    return t("editor:neptune-vesta.tile", { color, value });
  },
  trays: ({ hands }, { seats }) => [
    ...COLORS.map((color) => ({ path: `tiles.${color}`, label: t("editor:neptune-vesta.tiles", { color }), pieces: VALUES.map((value) => pieceOf([color, value])), supply: true })),
    ...COLORS.map((color, seat) => ({ path: `hands.${color}`, label: t("editor:tray.hand", { who: seats[seat] }), pieces: hands[color].map((value) => pieceOf([color, value])) })),
  ],
  fields(position, { seats }) {
    const sides = seats.map((label, value) => ({ value, label }));
    const flag = [false, true].map((value) => ({ value, label: t(`editor:flag.${value}`) }));
    return [
      { path: "turn", label: t("editor:field.turn"), kind: "choice", choices: sides },
      { path: "starter", label: t("editor:field.starter"), kind: "choice", choices: sides },
      { path: "lighthouse", label: t("editor:neptune-vesta.lighthouse"), kind: "number", least: -END, most: END },
      { path: "round", label: t("editor:field.round"), kind: "number", least: 1, most: 3 },
      ...position.wins.map((_, seat) => ({ path: `wins[${seat}]`, label: t("editor:neptune-vesta.wins", { who: seats[seat] }), kind: "number" as const, least: 0, most: 2 })),
      { path: "over", label: t("editor:field.over"), kind: "choice", choices: flag },
    ];
  },
  pieceAt(position, spot) {
    const tile = position.board[cellOf(spot) ?? ""];
    return tile ? pieceOf(tile) : null;
  },
  move,
  draw: (view, { board, lighthouse, wins, starter, turn, round = 1, over = false }) =>
    ({ ...view, board, lighthouse, wins: [wins[0]!, wins[1]!], starter, round, over, turn: over ? null : turn, lines: {} }),
  clear,
  spots(field, { board }) {
    if (field === "lighthouse") return ["lighthouse"];
    const cell = field.split(".")[1];
    return field.startsWith("board.") ? [`cell:${cell}`] : field === "board" ? CENTERS.filter((each) => board[each]).map((each) => `cell:${each}`) : [];
  },
  dealt: ["stacks", "chance"],
};
