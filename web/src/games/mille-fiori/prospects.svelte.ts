// What the cards to choose from would bring if they were played now, as the server says; and which one is looked at.

import { list } from "../../words/index.svelte";
import { cardWords, cellWords, namedCard, say } from "./say";
import { cardName, chosenCard, toPlay, type Card, type View } from "./view";
import type { Prospect } from "./wire";

const looking: { at: string | null } = $state({ at: null });

/** The pointer or the keyboard is on this card: the board shows where it could go. */
export const lookAt = (name: string): void => void (looking.at = name);

/** It is no longer. Deferred: a card that is removed loses the focus while the page is being updated. */
export const lookAway = (name: string): void =>
  queueMicrotask(() => {
    if (looking.at === name) looking.at = null;
  });

export const prospectOf = (game: View, card: Card): Prospect | undefined =>
  game.prospects.find((each) => each.card === cardName(card));

/** Of the card to play; or, while one is chosen, of the card that is looked at or chosen. */
export function shownProspect(game: View, picked: Record<string, unknown>): Prospect | undefined {
  const card = toPlay(game) ?? chosenCard(game, picked);
  return game.prospects.find((each) => each.card === looking.at) ?? (card ? prospectOf(game, card) : undefined);
}

/** What a card is, where it goes, and what it would bring now. */
export function cardExplained(game: View, card: Card, what: string, tells: string): string {
  const prospect = prospectOf(game, card);
  return [`${what}.`, tells, ...(prospect ? [say("worth.card", { points: prospect.most, where: bestOf(prospect) }), ...extraBy(prospect)] : [])].join(" ");
}

/** Where it would earn an extra card, if anywhere. */
function extraBy({ extra, sails_to: space }: Prospect): string[] {
  const places = extra.map((place) => (place === "sea" ? say("worth.bySea", { space }) : cellWords(place)));
  return places.length ? [say("worth.extra", { where: list(places, "disjunction") })] : [];
}

/** Where it would bring the most. */
function bestOf({ cells, most, sails_to: space }: Prospect): string {
  const best = Object.keys(cells).find((cell) => cells[cell] === most);
  return best ? cellWords(best) : say("worth.bySea", { space });
}

/** What a lozenge on this cell would bring now, with which cards. */
export function cellWorth(game: View, cell: string): string[] {
  const cards = new Map<number, string[]>();
  for (const { card, cells } of game.prospects) {
    const points = cells[cell];
    if (points !== undefined) cards.set(points, [...(cards.get(points) ?? []), namedCard(card)]);
  }
  const worth = [...cards].sort(([one], [other]) => other - one).map(([points, names]) => say("worth.cell", { points, cards: list(names, "disjunction") }));
  return game.prospects.some(({ extra }) => extra.includes(cell)) ? [...worth, say("worth.extraHere")] : worth;
}

/** Where sailing with a card would lead, and what that would bring. */
export function sailingWorth(game: View, card: Card): string {
  const prospect = prospectOf(game, card);
  if (!prospect) return cardWords(card);
  const worth = say("worth.sail", { space: prospect.sails_to, points: prospect.sailing });
  return prospect.extra.includes("sea") ? `${worth} ${say("worth.extraHere")}` : worth;
}
