// The card that is pointed at in the hand: the board shows where its quarter lies.

export const pointing: { card: string | null } = $state({ card: null });

/** For the element around a card (`use:pointsAt={card}`): the pointer or the keyboard on it points at its quarter. */
export function pointsAt(node: HTMLElement, card: string): { destroy(): void } {
  const come = (): void => void (pointing.card = card);
  const go = (): void => {
    // Deferred: a card that is removed loses the focus while the page is being updated, when state must not change.
    queueMicrotask(() => {
      if (pointing.card === card) pointing.card = null;
    });
  };
  const heard = { pointerenter: come, focusin: come, pointerleave: go, focusout: go };
  for (const [name, listener] of Object.entries(heard)) node.addEventListener(name, listener);
  return {
    destroy() {
      go();
      for (const [name, listener] of Object.entries(heard)) node.removeEventListener(name, listener);
    },
  };
}
