// The faces of the games; each is loaded when it is first needed.

import type { Component } from "svelte";
import type { Face } from "./face";

export const GAMES = ["venice-2099", "mille-fiori", "neptune-vesta", "atlantis"] as const;
export type GameId = (typeof GAMES)[number];

const FACES = import.meta.glob<{ face: Face }>("./*/index.ts");
const PICTURES = import.meta.glob<{ default: Component }>("./*/Picture.svelte");

export const isGame = (id: string): id is GameId => (GAMES as readonly string[]).includes(id);

export async function loadFace(game: GameId): Promise<Face> {
  return (await FACES[`./${game}/index.ts`]!()).face;
}

/** The small living picture of the front page. */
export async function loadPicture(game: GameId): Promise<Component> {
  return (await PICTURES[`./${game}/Picture.svelte`]!()).default;
}
