// Makes a picture smaller: what occurs again is drawn once and used again.

import { DEFINING, element, isElement, type Element, type Node } from "./tree";

const MIN_SHARED = 64; // characters: what is shorter is drawn again

/** What an element is, wherever it lies: equal ones have the same number. */
interface Look {
  number: number;
  length: number; // of what is written for it
}

/** The nodes with everything that occurs more than once, wherever it lies, drawn once and used again. */
export function shared(nodes: Node[]): Node[] {
  const known = new Map<string, Look>();
  const looks = new Map<Element, Look>();
  const counts: number[] = []; // by the number of a look
  const outlines = new Map<string, number>(); // how often each path is drawn, in whatever colors
  const definitions = new Map<Look | string, Element>();

  function look(node: Node): Look {
    if (!isElement(node)) return { number: -1, length: node.length };
    let [own, length] = [node.tag, node.tag.length];
    for (const name in node.attributes) if (name !== "transform") own += ` ${name}=${node.attributes[name]}`;
    for (const child of node.children) {
      const inner = look(child);
      own += isElement(child) ? `<${inner.number} ${child.attributes["transform"] ?? ""}>` : child;
      length += inner.length;
    }
    let found = known.get(own);
    if (!found) {
      found = { number: known.size, length: length + own.length };
      known.set(own, found);
    }
    looks.set(node, found);
    return found;
  }

  function count(node: Node): void {
    if (!isElement(node) || DEFINING.includes(node.tag)) return;
    const { number } = looks.get(node)!;
    counts[number] = (counts[number] ?? 0) + 1;
    if (counts[number] > 1) return; // what is in it counts once, as it will be drawn once
    const { d } = node.attributes;
    if (d) outlines.set(d, (outlines.get(d) ?? 0) + 1);
    node.children.forEach(count);
  }

  function replaced(node: Node): Node {
    if (!isElement(node) || DEFINING.includes(node.tag)) return node;
    const own = looks.get(node)!;
    const { transform, ...rest } = node.attributes;
    const moved: Record<string, string> = transform ? { transform } : {};
    if (counts[own.number]! > 1 && own.length >= MIN_SHARED && node.tag !== "svg")
      return element("use", { href: define(own, node.tag, rest, node.children), ...moved });
    const { d = "", ...paint } = rest;
    if (d.length >= MIN_SHARED && outlines.get(d)! > 1) return element("use", { href: define(d, "path", { d }, []), ...paint, ...moved });
    return element(node.tag, node.attributes, node.children.map(replaced));
  }

  /** A reference to the definition of what looks like this, which is made when it is first needed. */
  function define(what: Look | string, tag: string, attributes: Record<string, string>, children: Node[]): string {
    let definition = definitions.get(what);
    if (!definition) {
      definition = element(tag, { id: `shared-${definitions.size}`, ...attributes });
      definitions.set(what, definition);
      definition.children = children.map(replaced);
    }
    return `#${definition.attributes["id"]}`;
  }

  nodes.forEach(look);
  nodes.forEach(count);
  const drawn = nodes.map(replaced);
  return definitions.size ? [element("defs", {}, [...definitions.values()]), ...drawn] : drawn;
}
