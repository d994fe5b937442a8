// Styles become attributes of the elements themselves, and texts outlines: what is left is an SVG that needs neither
// style sheets nor variables nor a typeface.

import { declarationsOf, type Sheet, type Subject } from "./css";
import { isSpelled, outlined, UNIT } from "./letters";
import { element, isElement, type Element, type Node } from "./tree";

/** What an element passes on to those in it: variables, and how text is set. */
type Inherited = Record<string, string>;

const TEXT = new Set(["font-size", "font-weight", "letter-spacing", "text-anchor"]);
const PAINT = new Set([
  "clip-path", "display", "fill", "fill-opacity", "fill-rule", "opacity", "paint-order", "stop-color", "stop-opacity", "stroke", "stroke-dasharray",
  "stroke-linecap", "stroke-linejoin", "stroke-opacity", "stroke-width", "transform", "visibility",
]);
/** What only a page needs; the names of spots and places stay, as marks are drawn around them. */
const DROPPED = new Set(["class", "style", "role", "tabindex", "type", "xmlns", "inert"]);
const isDropped = (name: string): boolean => DROPPED.has(name) || (name.startsWith("data-") && name !== "data-spot" && name !== "data-place");

/** Does a property change how a still picture looks? */
export const isSeen = (property: string): boolean => property.startsWith("--") || PAINT.has(property) || TEXT.has(property);

const subjectOf = ({ tag, attributes }: Element, parent: Subject | null, before: Subject | null): Subject => ({
  tag,
  attributes,
  parent,
  before,
  classes: attributes["class"]?.split(/\s+/) ?? [],
});

/** Is it not to be seen, with all that is in it? */
export const isHidden = ({ opacity, visibility, display }: Record<string, string>): boolean =>
  opacity === "0" || visibility === "hidden" || display === "none";

/** The nodes with the styles that the sheet has for them; hidden ones are empty. */
export function styled(nodes: Node[], sheet: Sheet, parent: Subject | null = null, inherited: Inherited = {}): Node[] {
  let before: Subject | null = null;
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const subject = subjectOf(node, parent, before);
    before = subject;
    return styledElement(node, subject, sheet, inherited);
  });
}

function styledElement(node: Element, subject: Subject, sheet: Sheet, inherited: Inherited): Element {
  const { style } = node.attributes;
  const ruled = sheet.declarations(subject);
  const declared = style ? [...ruled, ...declarationsOf(style).filter(([name]) => isSeen(name))] : ruled;
  let passed = inherited;
  const pass = (name: string, value: string): void => {
    if (passed === inherited) passed = { ...inherited };
    passed[name] = value;
  };
  for (const [name, value] of declared) if (name.startsWith("--")) pass(name, resolved(value, passed));
  const attributes: Record<string, string> = {};
  const put = (name: string, value: string): void => {
    const known = resolved(value, passed);
    if (TEXT.has(name)) pass(name, known);
    else attributes[name] = known;
  };
  for (const name in node.attributes) if (!isDropped(name)) put(name, node.attributes[name]!);
  for (const [name, value] of declared) if (!name.startsWith("--")) put(name, name === "transform" ? transformed(value) : value);
  if (isHidden(attributes)) return element(node.tag, attributes);
  if (node.tag !== "text") return element(node.tag, attributes, styled(node.children, sheet, subject, passed));
  const anyScript = node.attributes["data-any"] !== undefined && !isSpelled(node.children.join(""), Number(passed["font-weight"]));
  return anyScript ? asText(node, attributes, passed) : asOutlines(node, attributes, passed);
}

/** A name in a script that our typeface does not have: whoever shows the picture has to draw it. */
function asText(node: Element, attributes: Record<string, string>, passed: Inherited): Element {
  const type = Object.fromEntries([...TEXT].flatMap((name) => (passed[name] === undefined ? [] : [[name, passed[name]]])));
  return element("text", { ...attributes, ...type, "font-family": "Noto Sans, DejaVu Sans, Arial, sans-serif" }, node.children);
}

function asOutlines(node: Element, { x, y, transform, ...paint }: Record<string, string>, passed: Inherited): Element {
  const size = Number(passed["font-size"]);
  const spacing = passed["letter-spacing"] ?? "0";
  const letters = outlined(node.children.join(""), Number(x ?? 0), Number(y ?? 0), {
    size,
    weight: Number(passed["font-weight"] ?? 400),
    spacing: parseFloat(spacing) * (spacing.endsWith("em") ? size : 1),
    anchor: passed["text-anchor"] ?? "start",
  });
  const width = paint["stroke-width"];
  if (width) paint["stroke-width"] = String((Number(width) * UNIT) / size);
  letters.attributes = { ...paint, transform: [transform, letters.attributes["transform"]].filter(Boolean).join(" ") };
  return letters;
}

/** A value without variables, products and units. */
function resolved(value: string, variables: Inherited): string {
  let text = value;
  if (!value.includes("(") && !value.includes("px")) return value;
  while (text.includes("var(")) text = text.replace(/var\((--[\w-]+)\)/g, (_, name: string) => variables[name] ?? "none");
  text = text.replace(/calc\(([\d.]+) \* ([\d.]+)\)/g, (_, one: string, other: string) => String(Number(one) * Number(other)));
  return text.replace(/([\d.])px\b/g, "$1");
}

/** A transform of CSS as the attribute has it. */
const transformed = (value: string): string =>
  value
    .replace(/translateY\(([^)]*)\)/g, "translate(0 $1)")
    .replace(/translateX\(([^)]*)\)/g, "translate($1 0)")
    .replace(/deg\b/g, "")
    .replace(/\s*,\s*/g, " ");
