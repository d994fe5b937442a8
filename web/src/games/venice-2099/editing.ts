// Positions of Venice 2099 in the board editor: tiles change places; pawns and coins stand on squares; cards and treasures
// lie with the players. A quarter whose card was played is under water.

import { rest, trayOf, without, type Editing, type Position } from "../../editor/editing";
import { t } from "../../words/index.svelte";
import EditedPiece from "./EditedPiece.svelte";
import { cardName, tileName, treasureName } from "./labels";
import { readCard, readTile, squareOf, type Color, type View } from "./view";

interface Standing extends Position {
  board: Record<string, string>;
  phase: View["phase"];
  pawns: string[][];
  played: string[][];
  coins: number[];
  gondolas: number[];
  treasures: Partial<Record<Color, number>>[];
  coins_on?: Record<string, number>;
  fallen?: View["fallen"];
  hands: string[][];
}

const COLORS: Color[] = ["black", "brown", "azure", "red", "violet", "green"];
const VALUES = "2345678X";
const PILES = [1, 3, 7, 15]; // coins after one purchase, two, three and four
const PHASES: Standing["phase"][] = ["place", "turn", "moved", "bought", "rescue", "over"];
const GONDOLAS = 2;

/** "pawn:0", "coins:3", "treasure:red", "card:red5", "tile:red5". */
export function readPiece(piece: string): [kind: string, what: string] {
  const [kind = "", what = ""] = piece.split(":");
  return [kind, what];
}

const squareAt = (place: string | null): string | null => (place?.startsWith("cell:") ? place.slice(5) : null);
const listAt = (place: string | null, name: string): number | null => {
  const found = RegExp(`^${name}\\[(\\d)\\]$`).exec(trayOf(place) ?? "");
  return found ? Number(found[1]) : null;
};
const rank = (card: string): number => 10 * VALUES.indexOf(card.at(-1)!) + COLORS.indexOf(card.slice(0, -1) as Color);
const inOrder = (cards: string[]): string[] => [...cards].sort((one, other) => rank(one) - rank(other));
const isSunk = ({ played, board }: Standing, at: string): boolean => played.some((cards) => cards.includes(board[at]!));

function movePawn(next: Standing, seat: number, from: string | null, to: string | null): boolean {
  if (from && next.fallen?.from === from) delete next.fallen;
  else if (from) next.pawns[seat] = without(next.pawns[seat]!, from);
  if (!to) return true;
  if (next.phase === "rescue" && isSunk(next, to)) next.fallen = { seat, from: to };
  else next.pawns = next.pawns.map((squares, each) => [...without(squares, to), ...(each === seat ? [to] : [])]);
  return true;
}

function moveCoins(next: Standing, count: number, from: string | null, to: string | null): boolean {
  const piles = { ...next.coins_on };
  if (from) delete piles[from];
  if (to) piles[to] = count;
  next.coins_on = piles;
  return true;
}

function moveTreasure(next: Standing, color: Color, from: string | null, to: string | null): boolean {
  const [giver, taker] = [listAt(from, "treasures"), listAt(to, "treasures")];
  if (to !== null && taker === null) return false;
  const add = (seat: number, by: number): void => {
    const { [color]: held = 0, ...others } = next.treasures[seat]!;
    next.treasures[seat] = held + by ? { ...others, [color]: held + by } : others;
  };
  if (giver !== null) add(giver, -1);
  if (taker !== null) add(taker, 1);
  return true;
}

function moveCard(next: Standing, card: string, from: string | null, to: string | null): boolean {
  const lists = ["hands", "played"] as const;
  if (to !== null && lists.every((name) => listAt(to, name) === null)) return false;
  for (const name of lists) {
    const [giver, taker] = [listAt(from, name), listAt(to, name)];
    if (giver !== null) next[name][giver] = without(next[name][giver]!, card);
    if (taker !== null) next[name][taker] = inOrder([...next[name][taker]!, card]);
  }
  return true;
}

/** Two tiles change places, with what stands on the squares staying there. */
function moveTile({ board }: Standing, from: string | null, to: string | null): boolean {
  if (!from || !to) return false;
  [board[from], board[to]] = [board[to]!, board[from]!];
  return true;
}

function move(position: Standing, piece: string, from: string | null, to: string | null): Standing | null {
  const next = structuredClone(position);
  const [kind, what] = readPiece(piece);
  if (kind === "treasure") return moveTreasure(next, what as Color, from, to) ? next : null;
  if (kind === "card") return moveCard(next, what, from, to) ? next : null;
  const [left, at] = [squareAt(from), squareAt(to)];
  if (to !== null && at === null) return null;
  const done = kind === "pawn" ? movePawn(next, Number(what), left, at) : kind === "coins" ? moveCoins(next, Number(what), left, at) : moveTile(next, left, at);
  return done ? next : null;
}

function pieceAt(position: Standing, spot: string): string | null {
  const at = squareAt(spot);
  if (at === null) return null;
  const owner = position.fallen?.from === at ? position.fallen.seat : position.pawns.findIndex((squares) => squares.includes(at));
  if (owner >= 0) return `pawn:${owner}`;
  const coins = position.coins_on?.[at];
  return coins ? `coins:${coins}` : `tile:${position.board[at]}`;
}

function clear(position: Standing): Standing {
  const { fallen: _, coins_on: __, ...kept } = position;
  const hands = position.hands.map((hand, seat) => inOrder([...hand, ...position.played[seat]!]));
  return {
    ...kept,
    phase: "place",
    turn: 0,
    hands,
    played: hands.map(() => []),
    pawns: hands.map(() => []),
    coins: hands.map((hand) => hand.length + 1),
    gondolas: hands.map(() => GONDOLAS),
    treasures: hands.map(() => ({})),
  };
}

function spots(field: string, position: Standing): string[] {
  const [, name, seat, at] = /^(\w+)(?:\[(\d)\])?(?:\.(\w+))?/.exec(field) ?? [];
  const squares =
    name === "pawns" ? (seat ? position.pawns[Number(seat)]! : position.pawns.flat())
    : name === "coins_on" ? (at ? [at] : Object.keys(position.coins_on ?? {}))
    : name === "played" && seat ? position.played[Number(seat)]!.flatMap((card) => squareOf(position as never, card) ?? [])
    : name === "fallen" && position.fallen ? [position.fallen.from]
    : [];
  return squares.map((square) => `cell:${square}`);
}

export const editing: Editing<Standing, View> = {
  Piece: EditedPiece,
  name(piece, seats) {
    const [kind, what] = readPiece(piece);
    if (kind === "pawn") return t("editor:venice-2099.pawn", { who: seats[Number(what)] });
    if (kind === "coins") return t("editor:venice-2099.coins", { count: Number(what) });
    if (kind === "treasure") return treasureName(what as Color);
    return kind === "card" ? cardName(readCard(what)) : tileName(what);
  },
  trays(position, { seats }) {
    const inPlay = Object.values(position.board).filter((tile) => readTile(tile) && !tile.endsWith("2"));
    const away = inOrder(rest(inPlay, [...position.hands, ...position.played].flat()));
    const treasuresOf = (seat: number): string[] => COLORS.flatMap((color) => Array<string>(position.treasures[seat]![color] ?? 0).fill(`treasure:${color}`));
    const pieces = [...seats.map((_, seat) => `pawn:${seat}`), ...PILES.map((count) => `coins:${count}`), ...COLORS.map((color) => `treasure:${color}`)];
    return [
      { path: "pieces", label: t("editor:venice-2099.pieces"), pieces, supply: true },
      { path: "put-away", label: t("editor:venice-2099.put-away"), pieces: away.map((card) => `card:${card}`), supply: true },
      ...seats.flatMap((who, seat) => [
        { path: `hands[${seat}]`, label: t("editor:tray.hand", { who }), pieces: position.hands[seat]!.map((card) => `card:${card}`) },
        { path: `played[${seat}]`, label: t("editor:venice-2099.played", { who }), pieces: position.played[seat]!.map((card) => `card:${card}`) },
        { path: `treasures[${seat}]`, label: t("editor:venice-2099.treasures", { who }), pieces: treasuresOf(seat) },
      ]),
    ];
  },
  fields: (_, { seats }) => [
    { path: "turn", label: t("editor:field.turn"), kind: "choice", choices: seats.map((label, value) => ({ value, label })) },
    { path: "phase", label: t("editor:field.phase"), kind: "choice", choices: PHASES.map((value) => ({ value, label: t(`editor:venice-2099.phases.${value}`) })) },
    ...seats.flatMap((who, seat) => [
      { path: `coins[${seat}]`, label: t("editor:venice-2099.coinsOf", { who }), kind: "number" as const, least: 0, most: 15 },
      { path: `gondolas[${seat}]`, label: t("editor:venice-2099.gondolasOf", { who }), kind: "number" as const, least: 0, most: GONDOLAS },
    ]),
  ],
  pieceAt,
  move,
  settle: ({ fallen, ...position }) => (position.phase === "rescue" && fallen ? { ...position, fallen } : position),
  draw: (view, position) => {
    const { board, phase, turn, pawns, played, coins, gondolas, treasures, coins_on = {}, fallen = null } = position;
    const water = Object.keys(board).filter((at) => isSunk(position, at));
    const over = phase === "over";
    return { ...view, board, phase, over, turn: over ? null : turn, active: turn, pawns, played, coins, gondolas, treasures, coins_on, fallen, water };
  },
  clear,
  spots,
  dealt: [],
};
