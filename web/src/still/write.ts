// The finished picture as text.

import { all, write, type Element } from "./tree";

/** The picture as text, with short ids that no other picture on the same page has. */
export function written(picture: Element): string {
  const text = write(picture);
  const own = hash(text);
  const ids = all([picture]).flatMap(({ attributes }) => attributes["id"] ?? []);
  const names = new Map(ids.map((id, number) => [id, `${own}${number.toString(36)}`]));
  return text.replace(/( id="| href="#|="url\(#)([\w-]+)/g, (_, before: string, id: string) => `${before}${names.get(id)}`);
}

/** A few letters that differ from text to text (FNV-1a). */
function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return `b${((sum >>> 0) % 36 ** 4).toString(36).padStart(4, "0")}`;
}
