// Why the server refused, in the player's language; if the page has no text for it, the server's English sentence.

import type { Refusal } from "../server";
import { has, t } from "../words/index.svelte";

export const tellProblem = (problem: Refusal): string =>
  has(`refusal.${problem.key}`) ? t(`refusal.${problem.key}`, problem.arguments) : problem.message;
