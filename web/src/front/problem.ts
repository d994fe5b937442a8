// Why the server did not do it, in the player's words; where the page has none, the server's English sentence.

import type { Refusal } from "../server";
import { has, t } from "../words/index.svelte";

export const tellProblem = (problem: Refusal): string =>
  has(`refusal.${problem.key}`) ? t(`refusal.${problem.key}`, problem.arguments) : problem.message;
