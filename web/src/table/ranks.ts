// Who came first, second, third.

import type { Result } from "../wire";

/** What the places depend on. */
export type Ranked = Pick<Result, "winners" | "scores">;

/** The place of each seat: the winners are first, the others follow by their scores; equal scores share a place. */
export function ranks({ winners, scores }: Ranked): number[] {
  return scores.map((score, seat) => {
    if (winners.includes(seat)) return 1;
    const ahead = scores.filter((other, each) => winners.includes(each) || other > score);
    return ahead.length + 1;
  });
}
