// Positions of Mille Fiori in the board editor: lozenges on cells, ships on the sea route, cards in hands, display and piles.

import { rest, trayOf, valueAt, without, withValue, type Editing, type Position, type Tray } from "../../editor/editing";
import { t } from "../../words/index.svelte";
import { GROUPS, type Group } from "./board";
import EditedPiece from "./EditedPiece.svelte";
import { areaWords, namedCard } from "./say";
import type { View } from "./view";

interface Standing extends Position {
  phase: View["phase"];
  round: number;
  pick: number;
  board: Record<string, number>;
  bonus: Record<Group, number[]>;
  ships: number[];
  points: number[];
  hands: string[][];
  kept: (string | null)[];
  display: string[];
  discards: string[];
  extra_card?: string | null;
  deck?: string[];
}

const PHASES: View["phase"][] = ["keep", "play", "extra", "over"];
const MAX_POINTS = 999;

/** "lozenge:0", "ship:0", "card:lion3". */
export function readPiece(piece: string): { kind: string; seat: number; card: string } {
  const [kind = "", what = ""] = piece.split(":");
  return { kind, seat: Number(what), card: what };
}

function moveLozenge(next: Standing, seat: number, from: string | null, to: string | null): boolean {
  const [source, left = "", index] = from?.split(":") ?? [];
  const [target, at = "", place] = to?.split(":") ?? [];
  if (source === "cell") delete next.board[left];
  if (source === "bonus") next.bonus[left as Group] = next.bonus[left as Group].toSpliced(Number(index), 1);
  if (target === "cell") next.board[at] = seat;
  else if (target === "bonus") next.bonus[at as Group] = next.bonus[at as Group].toSpliced(Number(place), 1, seat);
  else return to === null;
  return true;
}

/** The list of cards, or the single card, that a place is. */
function cardsAt(place: string | null): string | null {
  if (place?.startsWith("display:") || place === "area:display") return "display";
  if (place === "pile:discards") return "discards";
  const tray = trayOf(place);
  return tray !== null && /^((hands|kept)\[\d\]|display|discards|extra_card)$/.test(tray) ? tray : null;
}

const isSingle = (path: string): boolean => path.startsWith("kept") || path === "extra_card";

function moveCard(position: Standing, card: string, from: string | null, to: string | null): Standing | null {
  const [left, target] = [cardsAt(from), cardsAt(to)];
  if (to !== null && to !== "pile:deck" && target === null) return null;
  let next = position;
  if (left) next = withValue(next, left, isSingle(left) ? null : without(valueAt(next, left) as string[], card));
  if (target) next = withValue(next, target, isSingle(target) ? card : [...(valueAt(next, target) as string[]), card]);
  return next;
}

function move(position: Standing, piece: string, from: string | null, to: string | null): Standing | null {
  const { kind, seat, card } = readPiece(piece);
  if (kind === "card") return moveCard(position, card, from, to);
  if (kind === "ship") return to === null || to.startsWith("sea:") ? withValue(position, `ships[${seat}]`, Number(to?.slice(4) ?? 0)) : null;
  const next = structuredClone(position);
  return moveLozenge(next, seat, from, to) ? next : null;
}

function pieceAt(position: Standing, spot: string): string | null {
  const [kind, name = "", place] = spot.split(":");
  const owner = kind === "cell" ? position.board[name] : kind === "bonus" ? position.bonus[name as Group][Number(place)] : undefined;
  if (owner !== undefined) return `lozenge:${owner}`;
  if (kind === "display") return `card:${name}`;
  if (spot === "pile:discards" && position.discards.length) return `card:${position.discards.at(-1)}`;
  const ship = kind === "sea" ? position.ships.indexOf(Number(name)) : -1;
  return ship < 0 ? null : `ship:${ship}`;
}

function allCards({ hands, kept, display, discards, extra_card, deck = [] }: Standing): string[] {
  const single = [...kept, extra_card].filter((card) => typeof card === "string");
  return [...hands.flat(), ...single, ...display, ...discards, ...deck];
}

const asPieces = (cards: string[]): string[] => cards.map((card) => `card:${card}`);

function trays(position: Standing, { whole, seats }: { whole: Standing; seats: string[] }): Tray[] {
  const { deck: _, ...open } = position;
  const deck = rest(allCards(whole), allCards(open)).sort();
  const one = (card: string | null | undefined): string[] => asPieces(card ? [card] : []);
  return [
    { path: "pieces", label: t("editor:mille-fiori.pieces"), pieces: ["lozenge", "ship"].flatMap((kind) => seats.map((_, seat) => `${kind}:${seat}`)), supply: true },
    { path: "deck", label: t("editor:mille-fiori.deck"), pieces: asPieces(deck), supply: true },
    ...seats.flatMap((who, seat) => [
      { path: `hands[${seat}]`, label: t("editor:tray.hand", { who }), pieces: asPieces(position.hands[seat]!) },
      { path: `kept[${seat}]`, label: t("editor:mille-fiori.kept", { who }), pieces: one(position.kept[seat]) },
    ]),
    ...(position.phase === "play" || position.extra_card ? [{ path: "extra_card", label: t("editor:mille-fiori.extra"), pieces: one(position.extra_card) }] : []),
    { path: "display", label: areaWords("display"), pieces: asPieces(position.display) },
    { path: "discards", label: t("editor:mille-fiori.discards"), pieces: asPieces(position.discards) },
  ];
}

function clear(position: Standing): Standing {
  const none = position.ships.map(() => 0);
  const bonus = Object.fromEntries(GROUPS.map((group) => [group, []])) as unknown as Standing["bonus"];
  const { extra_card: _, ...kept } = position;
  return { ...kept, phase: "keep", round: 1, pick: 1, turn: 0, board: {}, bonus, ships: none, points: none, kept: none.map(() => null), discards: [] };
}

function spots(field: string, position: Standing): string[] {
  const [, name, seat, part] = /^(\w+)(?:\[(\d)\])?(?:\.(\w+))?/.exec(field) ?? [];
  if (name === "board" && part) return [`cell:${part}`];
  if (name === "bonus" && part) return [0, 1, 2, 3].map((place) => `bonus:${part}:${place}`);
  if (name === "ships") return (seat ? [position.ships[Number(seat)]!] : position.ships).map((space) => `sea:${space}`);
  if (name === "discards") return ["pile:discards"];
  return [];
}

export const editing: Editing<Standing, View> = {
  Piece: EditedPiece,
  name(piece, seats) {
    const { kind, seat, card } = readPiece(piece);
    return kind === "card" ? namedCard(card) : t(`editor:mille-fiori.${kind}`, { who: seats[seat] });
  },
  trays,
  fields: (_, { seats }) => [
    { path: "turn", label: t("editor:field.turn"), kind: "choice", choices: seats.map((label, value) => ({ value, label })) },
    { path: "phase", label: t("editor:field.phase"), kind: "choice", choices: PHASES.map((value) => ({ value, label: t(`editor:mille-fiori.phases.${value}`) })) },
    { path: "round", label: t("editor:field.round"), kind: "number", least: 1, most: 10 },
    { path: "pick", label: t("editor:mille-fiori.pick"), kind: "number", least: 1, most: 4 },
    ...seats.map((who, seat) => ({ path: `points[${seat}]`, label: t("editor:field.points", { who }), kind: "number" as const, least: 0, most: MAX_POINTS })),
  ],
  pieceAt,
  move,
  draw(view, { phase, round, pick, turn, board, bonus, ships, points, hands, display, discards }) {
    const over = phase === "over";
    return { ...view, phase, round, pick, over, turn: over ? null : turn, board, bonus, ships, scores: points, display, discards, hand_sizes: hands.map((hand) => hand.length) };
  },
  clear,
  spots,
  dealt: ["deck"],
};
