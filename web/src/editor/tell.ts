// Why a position, a file or a link was not taken, in words.

import type { Face, GameView } from "../games/face";
import { tellProblem, type Problem } from "../problem";
import { capitalized, has, list, positionWords, t, type Arguments } from "../words/index.svelte";

/** Says it in the player's language. */
export type Tell = (problem: Problem) => string;

/** `seats`: the names that {who} stands for. Where the page has no words, the server's English sentence. */
export function teller(face: Face, game: GameView, seats: string[]): Tell {
  return (problem) => {
    const { key } = problem;
    const form = key.startsWith("form-") ? `editor:form.${key.slice(5)}` : null;
    if (form && has(form)) return t("editor:form.where", { ...problem.arguments, reason: t(form, formInWords(problem.arguments)) });
    const known = [`${positionWords(game.game)}:${key}`, `editor:impossible.${key}`, `editor:refusal.${key}`].find(has);
    if (!known) return tellProblem(problem);
    const { seat, counts } = problem.arguments;
    const who = typeof seat === "number" ? { who: seats[seat] ?? seat } : {};
    const listed = Array.isArray(counts) ? { counts: list(counts.map(String)) } : {};
    return capitalized(t(known, { ...face.arguments(`position.${key}`, problem.arguments, game), ...who, ...listed }));
  };
}

const LIMITS: Record<string, string> = { ">=": "least", "<=": "most", ">": "above", "<": "below", "at least": "least", "at most": "most" };

/** The kinds of values and the limits that a message about the form of a field names. */
function formInWords({ kinds, kind, limit, ...others }: Record<string, unknown>): Arguments {
  const named = (names: unknown): string => list(String(names).split(" | ").map(kindInWords), "disjunction");
  return { ...others, kinds: named(kinds), kind: named(kind), limit: LIMITS[String(limit)] ?? "none" };
}

const kindInWords = (kind: string): string => (has(`editor:kind.${kind}`) ? t(`editor:kind.${kind}`) : kind);

/** Is it said in English only? */
export const isEnglish = (tell: Tell, problem: Problem): boolean => tell(problem) === problem.sentence;
