// The faces of the games, all at once, and their words in the language that is asked for.

import type { Face } from "../games/face";
import { settings, type Language } from "../settings.svelte";
import { loadWords, startWords } from "../words/index.svelte";

export const FACES = import.meta.glob<{ face: Face }>("../games/*/index.ts", { eager: true });

let started = false;

/** From now on, texts are in this language; those of the game are loaded. */
export async function speak(language: Language, game: string): Promise<void> {
  settings.language = language;
  if (!started) await startWords();
  started = true;
  await loadWords(language, game);
}
