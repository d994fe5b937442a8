// What the cards to choose from would bring if they were played now, as the server says; and which one is looked at.

import { list } from "../../words/index.svelte";
import { cardWords, namedCard, say } from "./say";
import { cardName, chosenCard, toPlay, type Card, type View } from "./view";
import type { Prospect } from "./wire";

export const looking: { at: string | null } = $state({ at: null });

/** For the element around a card (`use:looksAt={name}`): the pointer or the keyboard on it shows where it could go. */
export function looksAt(node: Element, name: string): { update(name: string): void; destroy(): void } {
  let card = name;
  const come = (): void => void (looking.at = card);
  const go = (): void => {
    // Deferred: a card that is removed loses the focus while the page is being updated, when state must not change.
    queueMicrotask(() => {
      if (looking.at === card) looking.at = null;
    });
  };
  const heard = { pointerenter: come, focusin: come, pointerleave: go, focusout: go };
  for (const [event, listener] of Object.entries(heard)) node.addEventListener(event, listener);
  return {
    update: (next) => void (card = next),
    destroy() {
      go();
      for (const [event, listener] of Object.entries(heard)) node.removeEventListener(event, listener);
    },
  };
}

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
  return [`${what}.`, tells, ...(prospect ? [say("worth.card", { points: prospect.most })] : [])].join(" ");
}

/** What a lozenge on this cell would bring now, with which cards. */
export function cellWorth(game: View, cell: string): string[] {
  const cards = new Map<number, string[]>();
  for (const { card, cells } of game.prospects) {
    const points = cells[cell];
    if (points !== undefined) cards.set(points, [...(cards.get(points) ?? []), namedCard(card)]);
  }
  return [...cards].sort(([one], [other]) => other - one).map(([points, names]) => say("worth.cell", { points, cards: list(names, "disjunction") }));
}

/** Where sailing with a card would lead, and what that would bring. */
export function sailingWorth(game: View, card: Card): string {
  const prospect = prospectOf(game, card);
  return prospect ? say("worth.sail", { space: prospect.sails_to, points: prospect.sailing }) : cardWords(card);
}
