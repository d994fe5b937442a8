// Why the server did not do it, and how the page says so.

import { has, t } from "./words/index.svelte";
import type { Problem as Body } from "./wire";

/** What the server says: the key and arguments to say it with, the clause if it was a rule, the English sentence. */
export class Problem extends Error implements Body {
  readonly key: string;
  readonly sentence: string;
  readonly clause: string | null;
  readonly arguments: Record<string, unknown>;

  constructor(body: Body) {
    super(body.sentence);
    this.key = body.key;
    this.sentence = body.sentence;
    this.clause = body.clause;
    this.arguments = body.arguments;
  }
}

/** What was caught, if the server refused; anything else is a mistake in the page and is thrown again. */
export function asProblem(caught: unknown): Problem {
  if (caught instanceof Problem) return caught;
  throw caught;
}

/** In the player's words; where the page has none, the server's English sentence. */
export const tellProblem = (problem: Problem): string =>
  has(`refusal.${problem.key}`) ? t(`refusal.${problem.key}`, problem.arguments) : problem.sentence;
