// Style sheets, as far as the boards use them: which declarations apply to an element. What only holds while something
// is pointed at, on small screens or in motion is left out: a still picture knows none of that.

export type Declarations = [property: string, value: string][];

/** An element as selectors see it: with its ancestors, and the siblings before it. */
export interface Subject {
  tag: string;
  classes: string[];
  attributes: Record<string, string>;
  parent: Subject | null;
  before: Subject | null;
  kind?: number; // what a sheet knows it by
}

interface Compound {
  tag: string | null;
  root: boolean;
  classes: string[];
  attributes: [name: string, value: string | null][];
  nots: Compound[];
}

interface Selector {
  compounds: Compound[]; // from left to right,
  combinators: string[]; // each between two of them: " ", ">" or "+"
  weight: number; // its specificity
}

export interface Rule {
  selector: Selector;
  declarations: Declarations;
}

const PART = /([\w-]+|\*)|\.([\w-]+)|\[([\w-]+)(?:="([^"]*)")?\]|:where\(([^()]*)\)|:not\(([^()]*)\)|(:root)|(::?[\w-]+(?:\([^()]*\))?)/g;

/** The rules of a style sheet with those of their declarations that are wanted; at-rules are left out. */
export function rulesOf(css: string, isWanted: (property: string) => boolean): Rule[] {
  const text = css.replace(/\/\*.*?\*\//gs, "").replace(/@[\w-]+[^{;]*(?:;|\{(?:[^{}]|\{[^{}]*\})*\})/g, "");
  return [...text.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors = "", body = ""]) => {
    const declarations = declarationsOf(body).filter(([property]) => isWanted(property));
    const found = !declarations.length ? [] : selectors.split(/,(?![^(]*\))/).map(selectorOf);
    return found.flatMap((selector) => (selector ? [{ selector, declarations }] : []));
  });
}

export const declarationsOf = (body: string): Declarations =>
  body.split(";").flatMap((line) => {
    const at = line.indexOf(":");
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });

/** Null if it can match nothing in a still picture. */
function selectorOf(text: string): Selector | null {
  const words = text.trim().replace(/\s*([>+])\s*/g, " $1 ").split(/\s+/);
  const selector: Selector = { compounds: [], combinators: [], weight: 0 };
  let combinator = " ";
  for (const word of words) {
    if (word === ">" || word === "+") {
      combinator = word;
      continue;
    }
    const compound = compoundOf(word);
    if (!compound) return null;
    if (selector.compounds.length) selector.combinators.push(combinator);
    selector.compounds.push(compound.found);
    selector.weight += compound.weight;
    combinator = " ";
  }
  return selector;
}

function compoundOf(word: string): { found: Compound; weight: number } | null {
  const found: Compound = { tag: null, root: false, classes: [], attributes: [], nots: [] };
  let weight = 0;
  for (const [, tag, name, attribute, value, where, not, root, other] of word.matchAll(PART)) {
    if (other) return null; // such as :hover
    if (tag && tag !== "*") {
      found.tag = tag;
      weight += 1;
    }
    if (name) found.classes.push(name);
    if (attribute) found.attributes.push([attribute, value ?? null]);
    if (root) found.root = true;
    if (name || attribute || root) weight += 100;
    const inner = where ?? not;
    const held = inner === undefined ? null : compoundOf(inner);
    if (inner !== undefined && !held) return null;
    if (held && where !== undefined) found.classes.push(...held.found.classes); // scopes of components: of no weight
    if (held && not !== undefined) {
      found.nots.push(held.found);
      weight += held.weight;
    }
  }
  return { found, weight };
}

function matchesCompound(subject: Subject, { tag, root, classes, attributes, nots }: Compound): boolean {
  if (tag !== null && tag !== subject.tag) return false;
  if (root && subject.parent) return false;
  for (const name of classes) if (!subject.classes.includes(name)) return false;
  for (const [name, value] of attributes) {
    const held = subject.attributes[name];
    if (held === undefined || (value !== null && held !== value)) return false;
  }
  return !nots.some((not) => matchesCompound(subject, not));
}

function matches(subject: Subject, { compounds, combinators }: Selector, last = compounds.length - 1): boolean {
  if (!matchesCompound(subject, compounds[last]!)) return false;
  if (last === 0) return true;
  const combinator = combinators[last - 1];
  if (combinator === "+") return subject.before !== null && matches(subject.before, { compounds, combinators, weight: 0 }, last - 1);
  for (let above = subject.parent; above; above = above.parent) {
    if (matches(above, { compounds, combinators, weight: 0 }, last - 1)) return true;
    if (combinator === ">") return false;
  }
  return false;
}

/** What selectors can tell of an element, and what applies to everything of which they can tell the same. */
interface Kind {
  number: number;
  declarations: Declarations;
}

/** Rules in the order of their weight. */
export class Sheet {
  #byName = new Map<string, [order: number, Rule][]>(); // by the class or tag of the elements that they apply to
  #kinds = new Map<string, Kind>();
  #attributes: string[]; // that selectors ask for
  #siblings: boolean; // do they ask for siblings?

  constructor(rules: Rule[]) {
    const compounds = rules.flatMap(({ selector }) => selector.compounds.flatMap((each) => [each, ...each.nots]));
    this.#attributes = [...new Set(compounds.flatMap(({ attributes }) => attributes.map(([name]) => name)))];
    this.#siblings = rules.some(({ selector }) => selector.combinators.includes("+"));
    const ordered = rules.map((rule, order) => ({ rule, order })).sort((one, other) => one.rule.selector.weight - other.rule.selector.weight || one.order - other.order);
    ordered.forEach(({ rule }, order) => {
      const { classes, tag } = rule.selector.compounds.at(-1)!;
      const name = classes[0] !== undefined ? `.${classes[0]}` : (tag ?? "*");
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), [order, rule]]);
    });
  }

  /** What applies to the element, the strongest last. Its parent and the siblings before it must have been asked about before. */
  declarations(subject: Subject): Declarations {
    let seen = `${subject.parent?.kind} ${this.#siblings ? subject.before?.kind : ""} ${subject.tag}.${subject.classes.join(".")}`;
    for (const name of this.#attributes) seen += ` ${subject.attributes[name] ?? ""}`;
    let kind = this.#kinds.get(seen);
    if (!kind) {
      kind = { number: this.#kinds.size, declarations: this.#matching(subject) };
      this.#kinds.set(seen, kind);
    }
    subject.kind = kind.number;
    return kind.declarations;
  }

  #matching(subject: Subject): Declarations {
    const names = ["*", subject.tag, ...subject.classes.map((name) => `.${name}`)];
    const found = names.flatMap((name) => this.#byName.get(name) ?? []).filter(([, rule]) => matches(subject, rule.selector));
    return found.sort(([one], [other]) => one - other).flatMap(([, rule]) => rule.declarations);
  }
}
