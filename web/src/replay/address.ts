// The action that is shown, as the part of the address after #.

const REST = 300; // milliseconds: browsers allow only so many changes of the address

/** Instead of an action: the review is wanted. */
export const REVIEW = "#review";

/** The number of actions that an address names; null if it names none. */
export function actionIn(hash: string): number | null {
  return /^#\d{1,6}$/.test(hash) ? Number(hash.slice(1)) : null;
}

export class Address {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Step by step the address follows; "back" leads to where the last leap began. */
  keep(number: number): void {
    clearTimeout(this.#timer);
    if ((actionIn(location.hash) ?? 0) === number) return;
    this.#timer = setTimeout(() => history.replaceState(null, "", `#${number}`), REST);
  }

  /** A leap from one action to another, which "back" takes back. */
  leap(from: number, to: number): void {
    if (from === to) return;
    clearTimeout(this.#timer);
    history.replaceState(null, "", `#${from}`);
    history.pushState(null, "", `#${to}`);
  }

  /** Another page, or another action, has the address now. */
  leave(): void {
    clearTimeout(this.#timer);
  }
}

/** In a frame of another site, whose "back" is not ours, the address stays as it is. */
export class FixedAddress extends Address {
  override keep(): void {}
  override leap(): void {}
}
