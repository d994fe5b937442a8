// The subset of Markdown that our rules use, as data: headings, paragraphs, lists, tables, drawings; bold,
// emphasis, code.

export type Inline = { is: "text" | "code" | "bold" | "em" | "clause"; text: string };

export type Block =
  | { is: "heading"; level: number; id: string; words: Inline[] }
  | { is: "paragraph"; words: Inline[] }
  | { is: "image"; file: string; alt: string }
  | { is: "list"; items: Item[] }
  | { is: "table"; head: Inline[][]; rows: Inline[][][] };

/** An item of a list; `clause` if it is one of the rules' clauses. */
export interface Item {
  clause: string | null;
  words: Inline[];
}

const ITEM = /^- (?:\*\*([A-Z]\d+[a-z]?)\*\*\s+)?/;

export function blocks(text: string, clauses: ReadonlySet<string>): Block[] {
  const found: Block[] = [];
  for (const part of text.split(/\n\s*\n/)) {
    const lines = part.split("\n").filter((line) => line.trim());
    const first = lines[0];
    if (first === undefined) continue;
    const block = blockOf(first, lines, clauses);
    const before = found.at(-1);
    if (block.is === "list" && before?.is === "list") before.items.push(...block.items);
    else found.push(block);
  }
  return found;
}

function blockOf(first: string, lines: string[], clauses: ReadonlySet<string>): Block {
  const heading = /^(#+) (.*)/.exec(first);
  if (heading) return { is: "heading", level: heading[1]!.length, id: slug(heading[2]!), words: inline(heading[2]!, clauses) };
  if (first.startsWith("- ")) return { is: "list", items: items(lines, clauses) };
  if (first.startsWith("|")) return table(lines, clauses);
  const image = /^!\[(.*)\]\((.*)\)$/.exec(first);
  if (image) return { is: "image", alt: image[1]!, file: image[2]! };
  return { is: "paragraph", words: inline(lines.map((line) => line.trim()).join(" "), clauses) };
}

/** Lines that do not begin an item continue the previous one. */
function items(lines: string[], clauses: ReadonlySet<string>): Item[] {
  const texts: string[] = [];
  for (const line of lines) {
    if (line.startsWith("- ")) texts.push(line);
    else texts.push(`${texts.pop()} ${line.trim()}`);
  }
  return texts.map((text) => {
    const clause = ITEM.exec(text)?.[1] ?? null;
    return { clause, words: inline(text.replace(ITEM, ""), clauses) };
  });
}

function table(lines: string[], clauses: ReadonlySet<string>): Block {
  const rows = lines.map((line) => cells(line).map((cell) => inline(cell, clauses)));
  return { is: "table", head: rows[0] ?? [], rows: rows.slice(2) };
}

/** The cells of a row; an escaped bar is not a border. */
function cells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\b([A-Z]\d+[a-z]?)\b/g;

/** The inline parts of a line; clauses that it names become links. */
function inline(text: string, clauses: ReadonlySet<string>): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, bold, em, clause] = match;
    if (clause && !clauses.has(clause)) continue;
    if (match.index > from) found.push({ is: "text", text: text.slice(from, match.index) });
    found.push(code ? { is: "code", text: code } : bold ? { is: "bold", text: bold } : em ? { is: "em", text: em } : { is: "clause", text: clause ?? whole });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ is: "text", text: text.slice(from) });
  return found;
}

const slug = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");

// ---------------------------------------------------------------- searching

/** As it is compared in a search: without case and accents. */
export const comparable = (text: string): string => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

const textOf = (words: Inline[]): string => words.map((word) => word.text).join("");

/** What of the text contains all these words, under its headings; lists and tables keep only the items that do. */
export function found(text: Block[], search: string): Block[] {
  const wanted = comparable(search).split(/\s+/).filter(Boolean);
  const fits = (...parts: Inline[][]): boolean => {
    const inside = comparable(parts.map(textOf).join(" "));
    return wanted.every((word) => inside.includes(word));
  };
  const kept = text.flatMap((block): Block[] => {
    if (block.is === "heading") return [block];
    if (block.is === "paragraph") return fits(block.words) ? [block] : [];
    if (block.is === "image") return [];
    if (block.is === "list") {
      const items = block.items.filter(({ clause, words }) => fits([{ is: "text", text: clause ?? "" }], words));
      return items.length ? [{ ...block, items }] : [];
    }
    const rows = block.rows.filter((row) => fits(...row));
    return rows.length ? [{ ...block, rows }] : [];
  });
  return kept.filter((block, at) => block.is !== "heading" || (kept[at + 1] ?? block).is !== "heading");
}

/** How many paragraphs, clauses and rows these are. */
export function count(text: Block[]): number {
  const sizes = text.map((block) => (block.is === "list" ? block.items.length : block.is === "table" ? block.rows.length : block.is === "heading" ? 0 : 1));
  return sizes.reduce((sum, size) => sum + size, 0);
}
