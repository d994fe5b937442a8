// Text as outlines, so that a picture looks the same where our typeface is not installed.

import data from "./letters.json";
import { element, type Element, type Node } from "./tree";

export interface Type {
  size: number;
  weight: number;
  spacing: number; // between letters
  anchor: string; // "start", "middle" or "end"
}

type Outline = [width: number, path: string];
const KERNING = data.kerning as unknown as Record<string, Record<string, number>>;
const LETTERS = data.letters as unknown as Record<string, Record<string, Outline>>;
/** The size at which outlines are not scaled. */
export const UNIT = data.unit;
const WIDE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u; // as wide as they are high
const NARROW = 0.65; // the width of all other letters that have no outline
const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const WEIGHTS = Object.keys(LETTERS).map(Number);

/** The letters of a text that begins, ends or has its middle at x, on the line y. */
export function outlined(text: string, x: number, y: number, { size, weight, spacing, anchor }: Type): Element {
  const nearest = nearestWeight(weight);
  const scale = size / UNIT;
  let [far, before] = [0, ""];
  const letters: Node[] = [...text.trim().replace(/\s+/g, " ")].flatMap((letter) => {
    const [width, d] = outlineOf(letter, nearest);
    const at = far + (KERNING[nearest]?.[before + letter] ?? 0);
    far = at + width + spacing / scale;
    before = letter;
    return d ? [element("path", { ...(at ? { transform: `translate(${at} 0)` } : {}), d })] : [];
  });
  const start = x - scale * far * ({ middle: 0.5, end: 1 }[anchor] ?? 0);
  return element("g", { transform: `translate(${start} ${y}) scale(${scale})` }, letters);
}

/** How wide a text is; the width of letters without an outline is a guess. */
export function widthOf(text: string, { size, weight, spacing }: Type): number {
  const nearest = nearestWeight(weight);
  let [far, before] = [0, ""];
  for (const letter of text) {
    far += (LETTERS[nearest]?.[letter]?.[0] ?? (WIDE.test(letter) ? 1 : NARROW) * UNIT) + (KERNING[nearest]?.[before + letter] ?? 0) + (spacing * UNIT) / size;
    before = letter;
  }
  return (far * size) / UNIT;
}

/** As much of a text as fits into this width. */
export function fitted(text: string, width: number, type: Type): string {
  if (widthOf(text, type) <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf([...letters, "…"].join(""), type) > width) letters.pop();
  const end = FROM_RIGHT.test(letters.at(-1)!) ? "…\u200f" : "…"; // on the side where it goes on
  return letters.join("").trimEnd() + end;
}

/** Are there outlines of all its letters? */
export const isSpelled = (text: string, weight: number): boolean => [...text].every((letter) => LETTERS[nearestWeight(weight)]?.[letter]);

const nearestWeight = (weight: number): number =>
  WEIGHTS.reduce((one, other) => (Math.abs(other - weight) < Math.abs(one - weight) ? other : one));

function outlineOf(letter: string, weight: number): Outline {
  const found = LETTERS[weight]?.[letter];
  if (!found) throw new Error(`There is no outline of the letter ${JSON.stringify(letter)}: add it to web/letters.py.`);
  return found;
}
