// My identity on the server. A new browser becomes a guest and gets a cookie.

import { server } from "../server";
import type { Me } from "../wire";

class Who {
  /** Null until the server has answered. */
  me: Me | null = $state.raw(null);
  #asked: Promise<void> | null = null;

  /** Resolves when the server knows this browser; before that, no table can be requested. */
  known(): Promise<void> {
    this.#asked ??= server.me().then(
      (me) => void (this.me = me),
      (problem: unknown) => {
        this.#asked = null; // the next caller asks again
        throw problem;
      },
    );
    return this.#asked;
  }

  /** Ask again: after a logout this is a different person, and everything on the page changes with it. */
  async askAgain(): Promise<void> {
    const me = await server.me();
    if (this.me && this.me.account !== me.account) location.assign("/");
    this.me = me;
  }

  async rename(name: string): Promise<void> {
    await this.known();
    this.me = await server.rename(name);
  }
}

export const who = new Who();
