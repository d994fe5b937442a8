// The markup that Svelte writes on a server, as a tree that can be changed and written again.

export interface Element {
  tag: string;
  attributes: Record<string, string>;
  children: Node[];
}
export type Node = Element | string;

export const element = (tag: string, attributes: Record<string, string> = {}, children: Node[] = []): Element => ({ tag, attributes, children });
export const isElement = (node: Node): node is Element => typeof node !== "string";

/** What is not drawn where it stands, but where something refers to it. */
export const DEFINING = ["defs", "clipPath", "pattern", "linearGradient", "radialGradient"];

const ATTRIBUTE = /\s+([^\s=>/]+)(?:="([^"]*)")?/y;
const NAME = /[\w:-]+/y;
const NAMES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

const unescape = (text: string): string => (text.includes("&") ? text.replace(/&(\w+);/g, (all, name: string) => NAMES[name] ?? all) : text);
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&${Object.keys(NAMES).find((name) => NAMES[name] === sign)};`);

/** The elements and texts of well-formed markup, without comments and without what only screen readers read. */
export function parse(markup: string): Node[] {
  const root = element("");
  const open = [root];
  for (let at = 0; at < markup.length; ) {
    const parent = open.at(-1)!;
    if (markup.startsWith("<!--", at)) {
      at = markup.indexOf("-->", at) + 3;
    } else if (markup.startsWith("</", at)) {
      open.pop();
      at = markup.indexOf(">", at) + 1;
    } else if (markup[at] === "<") {
      const [found, end] = startTag(markup, at + 1);
      parent.children.push(found);
      const closed = markup[end] === "/";
      if (!closed) open.push(found);
      at = markup.indexOf(">", end) + 1;
    } else {
      const next = markup.indexOf("<", at);
      const text = markup.slice(at, next < 0 ? undefined : next);
      if (text.trim()) parent.children.push(unescape(text));
      at += text.length;
    }
  }
  return root.children;
}

/** The element whose name begins here, and where its attributes end. */
function startTag(markup: string, at: number): [Element, end: number] {
  NAME.lastIndex = at;
  const tag = NAME.exec(markup)![0];
  let end = at + tag.length;
  const attributes: Record<string, string> = {};
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(markup);
    if (!match) return [element(tag, attributes), markup[end] === " " ? end + 1 : end];
    if (!match[1]!.startsWith("aria-")) attributes[match[1]!] = unescape(match[2] ?? "");
    end = ATTRIBUTE.lastIndex;
  }
}

export function write(node: Node): string {
  if (!isElement(node)) return escape(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
  const start = `<${node.tag}${attributes.join("")}`;
  return node.children.length ? `${start}>${node.children.map(write).join("")}</${node.tag}>` : `${start}/>`;
}

/** All elements among the nodes and in them. */
export function all(nodes: Node[], found: Element[] = []): Element[] {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    found.push(node);
    all(node.children, found);
  }
  return found;
}
