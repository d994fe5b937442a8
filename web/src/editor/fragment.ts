// A position in the address of the page, so that a link is enough to share it: #position=… is its JSON, compressed (deflate)
// and written in base64url; #table=ID/N is a finished game after N actions.

import { MAX_BYTES } from "../parts/files";
import { Problem } from "../problem";
import type { Position } from "./editing";

const POSITION = "position=";
const TABLE = /^table=([\w-]{22})(?:\/(\d{1,5}))?$/;
const BROKEN = new Problem({ key: "broken-position-link", sentence: "This link to a position is damaged.", clause: null, arguments: {} });

export type Fragment = { position: Position } | { table: string; actions: number | null } | null;

export async function pack(position: Position): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(position)), new CompressionStream("deflate-raw"));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return POSITION + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** What an address asks for; null if nothing. Throws a Problem if it cannot be read. */
export async function unpack(fragment: string): Promise<Fragment> {
  const table = TABLE.exec(fragment);
  if (table) return { table: table[1]!, actions: table[2] === undefined ? null : Number(table[2]) };
  if (!fragment.startsWith(POSITION)) return null;
  try {
    const text = atob(fragment.slice(POSITION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const position: unknown = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof position === "object" && position !== null) return { position: position as Position }; // the server checks it
  } catch {
    // it is said below
  }
  throw BROKEN;
}

/** The bytes after a stream; an error if there are too many. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) throw new Error("too long");
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
