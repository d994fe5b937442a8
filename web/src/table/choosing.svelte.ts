// Choosing an action piece by piece: a source, then a target, in any order, among the legal actions.

import type { Action } from "../games/face";
import type { Asking } from "../settings.svelte";
import type { OneTable } from "./table.svelte";

export class Choosing {
  /** What is chosen so far: some fields of an action. */
  picked: Record<string, unknown> = $state.raw({});

  #table: OneTable;

  constructor(table: OneTable) {
    this.#table = table;
  }

  get legal(): Action[] {
    return this.#table.choices;
  }

  /** The legal actions that have these fields, whatever is chosen so far. */
  having(fields: Record<string, unknown>): Action[] {
    return this.legal.filter((action) => fits(action, fields));
  }

  get started(): boolean {
    return Object.keys(this.picked).length > 0;
  }

  /** Could this be chosen next (or instead)? */
  allows(fields: Record<string, unknown>): boolean {
    const wanted = { ...this.picked, ...fields };
    return this.legal.some((action) => fits(action, wanted));
  }

  /** The action that choosing this next would complete; null if none fits, or more than one. */
  completed(fields: Record<string, unknown>): Action | null {
    const wanted = { ...this.picked, ...fields };
    const found = this.legal.filter((action) => covers(action, wanted));
    return found.length === 1 ? found[0]! : null;
  }

  is(fields: Record<string, unknown>): boolean {
    return Object.entries(fields).every(([name, value]) => same(this.picked[name], value));
  }

  /**
   * Choose these fields. A complete action is proposed. If no legal action has these fields, the server is asked why
   * `attempt` is not allowed. `confirm` is by default what the settings say.
   */
  pick(fields: Record<string, unknown>, attempt?: Action, confirm?: Asking): void {
    const wanted = { ...this.picked, ...fields };
    if (this.is(fields) && this.started) {
      this.drop(fields); // chosen again: deselect it
      this.#table.acting.whyNot = null;
    } else if (this.allows(fields)) {
      this.picked = wanted;
      this.#table.acting.whyNot = null;
      const complete = this.completed({});
      if (complete) this.#table.acting.propose(complete, confirm);
    } else if (attempt) {
      this.#table.acting.why(attempt);
    } else if (this.having(fields).length) {
      this.picked = fields; // it replaces what was chosen before
    }
  }

  drop(fields: Record<string, unknown>): void {
    const kept = Object.entries(this.picked).filter(([name]) => !(name in fields));
    this.picked = Object.fromEntries(kept);
    this.#table.acting.withdraw();
  }

  clear(): void {
    this.picked = {};
  }
}

/** Does the action have these fields? */
export function fits(action: Action, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([name, value]) => same(action[name], value));
}

/** Are all fields of the action chosen? (`do` is optional.) */
function covers(action: Action, fields: Record<string, unknown>): boolean {
  return fits(action, fields) && Object.keys(action).every((name) => name === "do" || name in fields);
}

/** Fields are plain values, or tiles and cards made of them. */
const same = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other));
