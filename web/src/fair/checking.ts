// Compares the file of a finished game with what this browser noted of it. docs/fair.md describes every step.

import type { TableView } from "../wire";
import { fromHex, Keyed, sealOf, sha256 } from "./hashes";
import type { Broken, Notes } from "./notes";

/**
 * `right`: our share took part, and everything fits; `without`: everything fits, but we had no share; `late`: ours did
 * not arrive in time; `missed`: the same as `right`, but a part of the game was not seen; `old`: there were no shares; `here`: browsers cannot check at this address; `unreached`: the game
 * file did not arrive; `wrong`: somebody has cheated.
 */
export type Finding = { is: "right" | "without" | "late" | "missed" | "old" | "here" | "unreached" } | { is: "wrong"; why: Wrong };
export type Wrong = Broken | "left-out" | "file";

interface GameFile {
  game: string;
  rules: number;
  players: number;
  options: Record<string, number | string>;
  seats: string[];
  actions: string[];
  start?: unknown;
  secret?: string;
  deal?: { table: string; names: string[]; seals: (string | null)[]; shares: (string | null)[] };
  head?: string;
}

const SOMEONE = "Someone"; // stands for a name that was deleted

class Cheated extends Error {
  readonly why: Wrong;

  constructor(why: Wrong) {
    super(why);
    this.why = why;
  }
}

function must(holds: boolean, why: Wrong): void {
  if (!holds) throw new Cheated(why);
}

export async function check(document: object, notes: Notes, view: TableView): Promise<Finding> {
  try {
    return await findingOf(document as GameFile, notes, view);
  } catch (error) {
    return { is: "wrong", why: error instanceof Cheated ? error.why : "file" };
  }
}

async function findingOf(file: GameFile, notes: Notes, view: TableView): Promise<Finding> {
  if (notes.broken) throw new Cheated(notes.broken);
  const { secret, deal } = file;
  if (!secret || (await sha256(fromHex(secret))) !== notes.commitment) throw new Cheated("commitment");
  if (!deal) {
    must(notes.terms === null && notes.sealed.length === 0, "file");
    return { is: "old" };
  }
  const keyed = await Keyed.with(secret);
  checkTable(file, view);
  await checkSeats(file, keyed);
  const terms = await termsOf(file, keyed);
  must(terms === notes.terms, "terms");
  await checkActions(file, keyed, terms, notes, view);
  return { is: await ourShare(file, notes) };
}

/** Is it the file of this table and its game? */
function checkTable(file: GameFile, view: TableView): void {
  const { settings } = view;
  const names = view.seats.filter((chair) => chair.kind === "person" && chair.name !== null).map((chair) => chair.name!);
  must(file.deal?.table === view.table && file.game === settings.game, "file");
  must(canonical(file.options) === canonical(settings.options), "file");
  must(file.players === view.seats.length && names.every((name) => file.seats.includes(name)), "file");
}

/** Do names, seals and shares belong together? The share of a bot follows from the secret. */
async function checkSeats({ seats, deal }: GameFile, keyed: Keyed): Promise<void> {
  const { table, names, seals, shares } = deal!;
  must([names, seals, shares].every((each) => each.length === seats.length), "file");
  for (const [seat, name] of seats.entries()) {
    must(name === SOMEONE || (await keyed.hash("laguna name", String(seat), name)) === names[seat], "file");
    const [seal, share] = [seals[seat], shares[seat]];
    if (share) must(seal ? (await sealOf(share)) === seal : (await keyed.hash("laguna bot", table, String(seat))) === share, "file");
  }
}

/** All that was fixed before the shares were opened, in one digest. */
function termsOf({ game, rules, options, start, deal }: GameFile, keyed: Keyed): Promise<string> {
  const { table, names, seals } = deal!;
  const chosen = Object.keys(options).sort().flatMap((name) => [name, String(options[name])]);
  const begins = start === undefined ? "" : canonical(start);
  const seats = names.flatMap((mark, seat) => [mark, seals[seat] ?? ""]);
  const counts = [String(chosen.length / 2), String(names.length)] as const;
  return keyed.hash("laguna terms", table, game, String(rules), counts[0], ...chosen, begins, counts[1], ...seats);
}

/** Does the chain over the actions in the file pass through all the heads that we saw, and end where it must? */
async function checkActions(file: GameFile, keyed: Keyed, terms: string, notes: Notes, view: TableView): Promise<void> {
  let head = await keyed.hash("laguna head", fromHex(terms), ...file.deal!.shares.map((share) => fromHex(share ?? "")));
  must((notes.heads[0] ?? head) === head, "actions");
  for (const [number, action] of file.actions.entries()) {
    head = await keyed.nextHead(head, action);
    must((notes.heads[number + 1] ?? head) === head, "actions");
  }
  const last = Math.max(0, ...Object.keys(notes.heads).map(Number));
  must(head === file.head && last <= file.actions.length && view.game?.actions === file.actions.length, "actions");
}

async function ourShare({ deal }: GameFile, notes: Notes): Promise<"right" | "without" | "late" | "missed"> {
  const seal = await sealOf(notes.share);
  must(notes.sealed.every((seat) => deal!.seals[seat] === seal), "seal");
  const missing = notes.sealed.some((seat) => !deal!.shares[seat]);
  must(!(missing && notes.accepted), "left-out");
  if (missing) return "late";
  if (!notes.sealed.length) return "without";
  return notes.missed ? "missed" : "right";
}

/** JSON with the names in order: the same text for the same document. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}
