// The markup that Svelte writes on a server, as a tree that can be changed and written again.

export interface Element {
  tag: string;
  attributes: Record<string, string>;
  children: Node[];
}
export type Node = Element | string;

export const element = (tag: string, attributes: Record<string, string> = {}, children: Node[] = []): Element => ({ tag, attributes, children });
export const isElement = (node: Node): node is Element => typeof node !== "string";

const TOKEN = /<!--.*?-->|<\/[^>]*>|<([\w:-]+)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/gs;
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)")?/g;
const NAMES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

const unescape = (text: string): string => text.replace(/&(\w+);/g, (all, name: string) => NAMES[name] ?? all);
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&${Object.keys(NAMES).find((name) => NAMES[name] === sign)};`);

/** The elements and texts of well-formed markup; comments are left out. */
export function parse(markup: string): Node[] {
  const root = element("");
  const open = [root];
  for (const [text, tag, attributes = "", closed] of markup.matchAll(TOKEN)) {
    const parent = open.at(-1)!;
    if (tag) {
      const found = element(tag, Object.fromEntries([...attributes.matchAll(ATTRIBUTE)].map(([, name, value = ""]) => [name, unescape(value)])));
      parent.children.push(found);
      if (!closed) open.push(found);
    } else if (text.startsWith("</")) {
      open.pop();
    } else if (!text.startsWith("<!--") && text.trim()) {
      parent.children.push(unescape(text));
    }
  }
  return root.children;
}

export function write(node: Node): string {
  if (!isElement(node)) return escape(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
  const start = `<${node.tag}${attributes.join("")}`;
  return node.children.length ? `${start}>${node.children.map(write).join("")}</${node.tag}>` : `${start}/>`;
}

export function* all(nodes: Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    yield node;
    yield* all(node.children);
  }
}
