// Why a position, a file or a link was not taken, in words.

import { tellProblem, type Problem } from "../problem";
import { has, t } from "../words/index.svelte";

export const tell = (problem: Problem): string =>
  has(`editor:refusal.${problem.key}`) ? t(`editor:refusal.${problem.key}`, problem.arguments) : tellProblem(problem);

/** What is wrong with a position or a game file is said in English only. */
export const isEnglish = (problem: Problem): boolean => tell(problem) === problem.sentence;
