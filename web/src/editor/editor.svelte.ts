// The position that is being edited: every change is drawn at once and checked by the server, and can be undone.

import type { GameView } from "../games/face";
import { textOf } from "../parts/files";
import { asProblem, type Problem } from "../problem";
import { go, route } from "../route.svelte";
import { server } from "../server";
import type { CheckedPosition, PositionStart } from "../wire";
import { concerns, type Editing, type Position } from "./editing";
import { pack, unpack } from "./fragment";

interface Step {
  position: Position;
  /** The last position up to here that was possible: complete, and as everyone sees it. */
  whole: Position;
  view: GameView;
}

const MAX_STEPS = 500; // that can be undone

export class Editor {
  readonly game: string;
  readonly editing: Editing;
  step: Step | null = $state.raw(null);
  /** Why the position is impossible; null if it is possible, or not known yet. */
  problem: Problem | null = $state.raw(null);
  /** Is the server being asked? */
  checking = $state(false);
  /** A link to the position; null while it is impossible or unknown. */
  link: string | null = $state(null);
  /** Why something that came from outside (a file, a link, a text) was not taken. */
  refused: Problem | null = $state.raw(null);
  #past: Step[] = $state.raw([]);
  #future: Step[] = $state.raw([]);
  #asked = 0;
  #written = ""; // the fragment of the address, if it is ours

  constructor(game: string, editing: Editing) {
    this.game = game;
    this.editing = editing;
  }

  get possible(): boolean {
    return this.step !== null && !this.checking && this.problem === null;
  }

  get position(): Position {
    return this.step!.position;
  }

  /** What the board shows: what was changed, and for all else what the server said last. */
  get view(): GameView {
    const { view, position } = this.step!;
    return this.possible ? view : this.editing.draw(view, position);
  }

  // ------------------------------------------------------------ changes

  /** The position from now on. What is hidden in it is dealt anew. */
  change(position: Position): void {
    this.#add({ ...this.step!, position: this.#leftOut(position, {}) });
    void this.#check();
  }

  clear(): void {
    const cleared = this.editing.clear?.(this.position);
    if (cleared) this.change(cleared);
  }

  #add(step: Step): void {
    if (this.step) this.#past = [...this.#past.slice(1 - MAX_STEPS), this.step];
    this.#future = [];
    this.step = step;
    this.refused = null;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before || !this.step) return;
    this.#future = [...this.#future, this.step];
    this.#past = this.#past.slice(0, -1);
    this.step = before;
    void this.#check();
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after || !this.step) return;
    this.#past = [...this.#past, this.step];
    this.#future = this.#future.slice(0, -1);
    this.step = after;
    void this.#check();
  }

  async #check(): Promise<void> {
    const { position } = this;
    this.refused = null;
    const asked = this.#ask();
    try {
      const answer = await server.checkPosition({ game: this.game, position: { ...position } });
      if (asked === this.#asked) this.#found({ position, whole: asPosition(answer), view: answer.view });
    } catch (problem) {
      if (asked === this.#asked) this.problem = asProblem(problem);
    } finally {
      if (asked === this.#asked) this.checking = false;
    }
  }

  /** Only the answer to the latest question counts. */
  #ask(): number {
    this.checking = true;
    this.link = null;
    return ++this.#asked;
  }

  /** The server calls it possible. The address becomes a link to it. */
  #found(step: Step): void {
    this.step = step;
    this.problem = null;
    void this.#write(step.position);
  }

  async #write(position: Position): Promise<void> {
    const packed = await pack(position);
    if (position !== this.step?.position || location.pathname !== `/editor/${this.game}`) return;
    this.#written = route.clause = packed;
    history.replaceState(null, "", `#${packed}`);
    this.link = location.href;
  }

  // ------------------------------------------------------------ from outside: only what is possible is taken

  /** A freshly dealt position. */
  start(how: PositionStart): Promise<void> {
    return this.#take({}, () => server.startPosition(this.game, how));
  }

  /** What the address asks for; a dealt position if it asks for nothing, or for something impossible. */
  async open(fragment: string): Promise<void> {
    if (this.step && fragment === this.#written) return;
    let refused: Problem | null = null;
    try {
      const wanted = await unpack(fragment);
      if (wanted && "table" in wanted) await this.#takeFrom(wanted.table, wanted.actions);
      else if (wanted) await this.#take(wanted.position, () => server.checkPosition({ game: this.game, position: { ...wanted.position } }));
      refused = this.refused;
    } catch (problem) {
      refused = asProblem(problem);
    }
    if (!this.step) await this.start({});
    if (refused) this.#refuse(refused);
  }

  async #takeFrom(table: string, actions: number | null): Promise<void> {
    const file = JSON.stringify(await server.gameFile(table));
    await this.#take(null, () => server.filePosition(file, actions));
  }

  /** The text of a position file, or of a game file, which stands for its last position. */
  read(text: string): Promise<void> {
    return this.#take(fieldsOf(text), () => server.filePosition(text, null));
  }

  async readFile(file: File): Promise<void> {
    try {
      await this.read(await textOf(file));
    } catch (problem) {
      this.#refuse(asProblem(problem));
    }
  }

  /** `given`: what was left out of it is left out of the position, too; null: all of it is taken. */
  async #take(given: object | null, ask: () => Promise<CheckedPosition>): Promise<void> {
    const asked = this.#ask();
    try {
      const answer = await ask();
      if (asked !== this.#asked) return;
      const whole = asPosition(answer);
      if (answer.game !== this.game) return go(`/editor/${answer.game}#${await pack(whole)}`);
      this.#add({ position: given ? this.#leftOut(whole, given) : whole, whole, view: answer.view });
      this.#found(this.step!);
    } catch (problem) {
      if (asked === this.#asked) this.#refuse(asProblem(problem));
    } finally {
      if (asked === this.#asked) this.checking = false;
    }
  }

  /** The position stays what it was, and so does the address. */
  #refuse(problem: Problem): void {
    this.refused = problem;
    if (this.step && !this.problem) void this.#write(this.position);
  }

  /** The position without what is hidden, unless it was given: that is dealt anew whenever the position is played. */
  #leftOut(position: Position, given: object): Position {
    const dealt: string[] = this.editing.dealt;
    const kept = Object.entries(position).filter(([name]) => name in given || !dealt.includes(name));
    return Object.fromEntries(kept) as unknown as Position;
  }

  // ------------------------------------------------------------ what is wrong

  /** The field of the position that the problem is about. */
  get wrong(): string | null {
    const field = this.problem?.arguments["field"];
    return typeof field === "string" ? field : null;
  }

  isWrong(path: string): boolean {
    return this.wrong !== null && concerns(this.wrong, path);
  }
}

const asPosition = (answer: CheckedPosition): Position => answer.position as unknown as Position;

/** The fields of a position file; null for anything else. */
function fieldsOf(text: string): object | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !("laguna" in read) ? read : null;
  } catch {
    return null; // the server says what is wrong with it
  }
}
