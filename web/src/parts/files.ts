// Files that people drop on the page, or choose.

import { Problem } from "../problem";

export const MAX_BYTES = 1_000_000; // as the server has it
const TOO_LARGE = new Problem({ key: "too-large", sentence: "The file is larger than 1 MB.", clause: null, arguments: {} });

/** What is in the file; throws a Problem if it is too large to be a game or a position. */
export async function textOf(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw TOO_LARGE;
  return file.text();
}
