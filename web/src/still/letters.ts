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
const WEIGHTS = Object.keys(LETTERS).map(Number);

/** The letters of a text that begins, ends or has its middle at x, on the line y. */
export function outlined(text: string, x: number, y: number, { size, weight, spacing, anchor }: Type): Element {
  const nearest = WEIGHTS.reduce((one, other) => (Math.abs(other - weight) < Math.abs(one - weight) ? other : one));
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

function outlineOf(letter: string, weight: number): Outline {
  const found = LETTERS[weight]?.[letter];
  if (!found) throw new Error(`There is no outline of the letter ${JSON.stringify(letter)}: add it to web/letters.py.`);
  return found;
}
