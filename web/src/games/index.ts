// The faces of the games; each is loaded when it is first needed. Games without one are shown by ../plain.

import type { Component } from "svelte";
import type { Face } from "./face";

const FACES = import.meta.glob<{ face: Face }>("./*/index.ts");
const PICTURES = import.meta.glob<{ default: Component }>("./*/Picture.svelte");

/** The games that have a face here. */
export const GAMES = Object.keys(FACES).map((path) => path.split("/")[1]!);

export async function loadFace(game: string): Promise<Face> {
  const load = FACES[`./${game}/index.ts`] ?? (() => import("../plain"));
  return (await load()).face;
}

/** The small animated picture for the front page. */
export async function loadPicture(game: string): Promise<Component> {
  const load = PICTURES[`./${game}/Picture.svelte`] ?? (() => import("../plain/Picture.svelte"));
  return (await load()).default;
}
