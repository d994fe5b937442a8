// Draws the card of a game: a picture to send around, with the board at the end, the players and their scores.

import type { Component } from "svelte";
import { render } from "svelte/server";
import type { GameView, Size } from "../games/face";
import { levelName } from "../parts/levels";
import { face as plain } from "../plain";
import PlainPicture from "../plain/Picture.svelte";
import type { Language } from "../settings.svelte";
import { isolated } from "../words/index.svelte";
import { ranks, type Ranked } from "../table/ranks";
import Card, { CARD, STAGE, type Frame, type Row } from "./Card.svelte";
import { FACES, speak } from "./faces";
import { finished, inPage, pictures, sheetOf } from "./picture";
import Still from "./Still.svelte";
import { element, parse, type Node } from "./tree";

interface Request {
  game: string;
  title: string;
  language: Language;
  /** The board at the end; null: the game's own picture is drawn, which says nothing about any table. */
  view: GameView | null;
  seats: Player[]; // none if the game is not over
  winners: number[];
  scores: number[];
}

interface Player {
  name: string;
  level: string | null; // of a bot
  resigned: boolean;
}

const PICTURES = import.meta.glob<{ default: Component }>("../games/*/Picture.svelte", { eager: true });
const PICTURE: Size = { width: 160, height: 100 }; // the units of a game's own picture

export async function card({ game, title, language, view, seats, winners, scores }: Request): Promise<{ svg: string }> {
  const face = FACES[`../games/${game}/index.ts`]?.face ?? plain;
  await speak(language, game);
  const drawn = (Drawn: Component<never>, props: object): Node[] => {
    const { head, body } = render(Drawn as Component, { props });
    return inPage(parse(body), game, face, sheetOf(head));
  };
  const onBoard = view !== null && face.still !== undefined;
  const size = onBoard ? face.still! : PICTURE;
  const shown = onBoard ? drawn(Still as Component<never>, { face, game: view, size }) : drawn((PICTURES[`../games/${game}/Picture.svelte`]?.default ?? PlainPicture) as Component<never>, {});
  const frame = within(STAGE, size);
  const rows = rowsOf(seats, { winners, scores });
  const around = drawn(Card as Component<never>, { title, rows, frame });
  const place = Object.fromEntries(Object.entries(frame).map(([name, value]) => [name, String(value)]));
  const stage = element("svg", { ...place, viewBox: `0 0 ${size.width} ${size.height}` }, pictures(shown, size));
  const about = rows.map(({ name, score }) => `${isolated(name)} ${score}`).join(", ");
  return { svg: finished(title, [...around, stage], CARD, about) };
}

/** The largest frame of this shape in the middle of the box. */
function within(box: Frame, { width, height }: Size): Frame {
  const scale = Math.min(box.width / width, box.height / height);
  return { x: box.x + (box.width - scale * width) / 2, y: box.y + (box.height - scale * height) / 2, width: scale * width, height: scale * height };
}

/** The players, the winners first. */
function rowsOf(seats: Player[], { winners, scores }: Ranked): Row[] {
  const rank = ranks({ winners, scores });
  const rows = seats.map(({ name, level, resigned }, seat): Row => ({
    seat,
    name: level ? levelName(level) : name.normalize("NFC"),
    score: scores[seat]!,
    won: winners.includes(seat),
    resigned,
  }));
  return rows.sort((one, other) => rank[one.seat]! - rank[other.seat]!);
}
