// Positions of Atlantis in the board editor: pawns and tiles on the path, bridges over gaps, cards and tiles with the players.

import { rest, trayOf, valueAt, without, withValue, type Editing, type Position, type Tray } from "../../editor/editing";
import { t } from "../../words/index.svelte";
import EditedPiece from "./EditedPiece.svelte";
import { tileName } from "./gestures";
import { ATLANTIS, ITEMS, MAINLAND, SPACES, type AtlantisView, type Cards, type Gap, type Item, type Land, type Tile } from "./view";

interface Standing extends Position {
  board: Record<string, Tile[]>; // from the bottom up
  pawns: number[][];
  hands: Cards[];
  tiles: Tile[][];
  bridges: (number | null)[];
  discards: Cards;
  gone: { tiles: Tile[]; cards: Cards };
  phase?: AtlantisView["phase"];
  move?: { from: number; at: number; due?: number; least?: number };
  shown?: Cards[];
  losses?: number[];
  deck?: Item[];
  chance?: unknown;
}

const PHASES: AtlantisView["phase"][] = ["turn", "chain", "pay", "after", "over"];
const HIGHEST = 2; // tiles in a stack
const MAX_DUE = 999;

const pieceOf = ([item, value]: Tile): string => `tile:${item}:${value}`;
export function readPiece(piece: string): { kind: string; seat: number; item: Item; tile: Tile } {
  const [kind = "", what = "", value = ""] = piece.split(":");
  return { kind, seat: Number(what), item: what as Item, tile: [what as Item, Number(value)] };
}

const spaceOf = (place: string | null): number | null => (place?.startsWith("space:") ? Number(place.slice(6)) : null);
const gapOf = (place: string | null): number | null => (place?.startsWith("gap:") ? Number(place.slice(4)) : null);
const isCards = (path: string | null): boolean => path !== null && /^(hands\[\d\]|discards|gone\.cards)$/.test(path);
const isTiles = (path: string | null): boolean => path !== null && /^(tiles\[\d\]|gone\.tiles)$/.test(path);

/** A new pawn is the seat's rearmost; one that is removed goes back to Atlantis. */
function movePawn(position: Standing, seat: number, from: number | null, to: string | null): Standing | null {
  const own = position.pawns[seat]!;
  const target = to === null ? ATLANTIS : spaceOf(to);
  if (target === null) return null;
  const left = from ?? Math.min(...own);
  return withValue(position, `pawns[${seat}]`, [...without(own, left), target].sort((one, other) => one - other));
}

function moveBridge(position: Standing, seat: number, to: string | null): Standing | null {
  const gap = gapOf(to);
  return to !== null && gap === null ? null : withValue(position, `bridges[${seat}]`, gap);
}

function moveCard(position: Standing, item: Item, from: string | null, to: string | null): Standing | null {
  if (to !== null && !isCards(to)) return null;
  let { shown: _, ...next }: Standing = position; // it said which cards of these hands have been seen
  const add = (path: string, by: number): void => {
    const { [item]: held = 0, ...others } = valueAt(next, path) as Cards;
    next = withValue(next, path, held + by > 0 ? { ...others, [item]: held + by } : others);
  };
  if (isCards(from)) add(from!, -1);
  if (to !== null) add(to, 1);
  return next;
}

/** The space that a tile put there falls on: a gap's first. */
function landing(position: Standing, to: string): number | null {
  const gap = gapOf(to);
  const space = gap === null ? spaceOf(to) : gap + 1;
  if (space === null || space <= ATLANTIS || space > SPACES) return null;
  const stack = position.board[space] ?? [];
  return stack.length < (gap === null ? HIGHEST : 1) ? space : null;
}

function moveTile(position: Standing, tile: Tile, from: string | null, to: string | null): Standing | null {
  const next = structuredClone(position);
  const [left, tray] = [spaceOf(from), trayOf(from)];
  if (left !== null) next.board[left] = next.board[left]!.slice(0, -1);
  if (left !== null && !next.board[left]!.length) delete next.board[left];
  const taken = isTiles(tray) ? withValue(next, tray!, without(valueAt(next, tray!) as Tile[], tile)) : next;
  if (to === null) return taken;
  const target = trayOf(to);
  if (target !== null) return isTiles(target) ? withValue(taken, target, [...(valueAt(taken, target) as Tile[]), tile]) : null;
  const space = landing(taken, to);
  return space === null ? null : withValue(taken, `board.${space}`, [...(taken.board[space] ?? []), tile]);
}

function move(position: Standing, piece: string, from: string | null, to: string | null): Standing | null {
  const { kind, seat, item, tile } = readPiece(piece);
  if (kind === "pawn") return movePawn(position, seat, spaceOf(from), to);
  if (kind === "bridge") return moveBridge(position, seat, to);
  if (kind === "tile") return moveTile(position, tile, from, to);
  return to !== null && trayOf(to) === null ? null : moveCard(position, item, trayOf(from), trayOf(to));
}

function pieceAt(position: Standing, spot: string): string | null {
  const [space, gap] = [spaceOf(spot), gapOf(spot)];
  if (gap !== null) {
    const builder = position.bridges.indexOf(gap);
    return builder < 0 ? null : `bridge:${builder}`;
  }
  if (space === null) return null;
  const walker = position.pawns.findIndex((places) => places.includes(space));
  const tile = position.board[space]?.at(-1);
  return walker >= 0 ? `pawn:${walker}` : tile ? pieceOf(tile) : null;
}

const allTiles = ({ board, tiles, gone }: Standing): string[] => [...Object.values(board).flat(), ...tiles.flat(), ...gone.tiles].map(pieceOf);
const cardsIn = (cards: Cards): string[] => ITEMS.flatMap((item) => Array<string>(cards[item] ?? 0).fill(`card:${item}`));

function trays(position: Standing, { whole, seats }: { whole: Standing; seats: string[] }): Tray[] {
  const aside = rest(allTiles(whole), allTiles(position));
  const pieces = ["pawn", "bridge"].flatMap((kind) => seats.map((_, seat) => `${kind}:${seat}`));
  return [
    { path: "pieces", label: t("editor:atlantis.pieces"), pieces, supply: true },
    { path: "cards", label: t("editor:atlantis.cards"), pieces: ITEMS.map((item) => `card:${item}`), supply: true },
    ...(aside.length ? [{ path: "aside", label: t("editor:atlantis.aside"), pieces: aside, supply: true }] : []),
    ...seats.flatMap((who, seat) => [
      { path: `hands[${seat}]`, label: t("editor:tray.hand", { who }), pieces: cardsIn(position.hands[seat]!) },
      { path: `tiles[${seat}]`, label: t("editor:atlantis.tilesOf", { who }), pieces: position.tiles[seat]!.map(pieceOf) },
    ]),
    { path: "discards", label: t("editor:atlantis.discards"), pieces: cardsIn(position.discards) },
    { path: "gone.tiles", label: t("editor:atlantis.goneTiles"), pieces: position.gone.tiles.map(pieceOf) },
    { path: "gone.cards", label: t("editor:atlantis.goneCards"), pieces: cardsIn(position.gone.cards) },
  ];
}

/** A chain or a payment is about a move, and an end about what was lost; at other times there is no such thing. */
function settle({ move: moving, losses, ...position }: Standing): Standing {
  const { phase = "turn" } = position;
  if (phase === "chain" || phase === "pay") return { ...position, move: moving ?? { from: ATLANTIS, at: Math.max(...position.pawns[position.turn]!, 1) } };
  return phase === "over" ? { ...position, losses: losses ?? position.pawns.map(() => 0) } : position;
}

/** The gaps that were there before and still are; new ones come with the server's answer. */
function gaps(known: Gap[], { board, bridges }: Standing): Gap[] {
  const isLand = (space: number): boolean => space <= ATLANTIS || space >= MAINLAND || String(space) in board;
  const isWater = ({ after, before }: Gap): boolean => {
    const between = Array.from({ length: before - after - 1 }, (_, index) => after + 1 + index);
    return isLand(after) && isLand(before) && !between.some(isLand);
  };
  const buildersOf = ({ after, before }: Gap): number[] => bridges.flatMap((space, seat) => (space !== null && space >= after && space < before ? [seat] : []));
  return known.filter(isWater).map((gap) => ({ ...gap, builders: buildersOf(gap), bridge: buildersOf(gap).length > 0 }));
}

function draw(view: AtlantisView, position: Standing): AtlantisView {
  const { pawns, tiles, bridges, discards, gone, phase = "turn", turn } = position;
  const board = Object.fromEntries(Object.entries(position.board).map(([space, stack]) => [space, { tile: stack.at(-1)!, height: stack.length as Land["height"] }]));
  const moving = position.move ? { due: 0, ...position.move } : null;
  const over = phase === "over";
  return { ...view, board, gaps: gaps(view.gaps, position), pawns, tiles, bridges, discards, gone, phase, over, turn: over ? null : turn, move: moving };
}

function spots(field: string, position: Standing): string[] {
  const [, name, seat, part] = /^(\w+)(?:\[(\d)\])?(?:\.(\w+))?/.exec(field) ?? [];
  if (name === "board" && part) return [`space:${part}`];
  if (name === "pawns") return (seat ? position.pawns[Number(seat)]! : position.pawns.flat()).map((space) => `space:${space}`);
  if (name === "bridges" && seat) return [`gap:${position.bridges[Number(seat)]}`];
  if (name === "move" && position.move) return [`space:${position.move.from}`, `space:${position.move.at}`];
  return [];
}

export const editing: Editing<Standing, AtlantisView> = {
  Piece: EditedPiece,
  name(piece, seats) {
    const { kind, seat, item, tile } = readPiece(piece);
    if (kind === "tile") return tileName(tile);
    return kind === "card" ? t("editor:atlantis.card", { item: t(`atlantis:item.${item}`) }) : t(`editor:atlantis.${kind}`, { who: seats[seat] });
  },
  trays,
  fields(position, { seats }) {
    const flag = [false, true].map((value) => ({ value, label: t(`editor:flag.${value}`) }));
    const number = (path: string, label: string, most: number, least = 0) => ({ path, label: t(`editor:atlantis.${label}`), kind: "number" as const, least, most });
    return [
      { path: "turn", label: t("editor:field.turn"), kind: "choice", choices: seats.map((label, value) => ({ value, label })) },
      { path: "phase", label: t("editor:field.phase"), kind: "choice", choices: PHASES.map((value) => ({ value, label: t(`editor:atlantis.phases.${value}`) })) },
      ...(position.move
        ? [number("move.from", "moveFrom", SPACES), number("move.at", "moveAt", MAINLAND, 1), number("move.due", "due", MAX_DUE), number("move.least", "least", 7)]
        : []),
      { path: "bought", label: t("editor:atlantis.bought"), kind: "choice", choices: flag },
      { path: "bridged", label: t("editor:atlantis.bridged"), kind: "choice", choices: flag },
      number("idle_turns", "idle", seats.length),
      ...(position.losses ?? []).map((_, seat) => ({ path: `losses[${seat}]`, label: t("editor:atlantis.loss", { who: seats[seat] }), kind: "number" as const, least: 0, most: MAX_DUE })),
    ];
  },
  pieceAt,
  move,
  settle,
  draw,
  spots,
  dealt: ["deck", "chance"],
};
