// Who I am to the server. A browser that it does not know yet becomes a guest, and gets a cookie.

import { server } from "../server";
import type { Me } from "../wire";

class Who {
  /** Null until the server has told. */
  me: Me | null = $state.raw(null);
  #asked: Promise<void> | null = null;

  /** Resolves when the server knows this browser; before that no table can be asked for. */
  known(): Promise<void> {
    this.#asked ??= server.me().then(
      (me) => void (this.me = me),
      (problem: unknown) => {
        this.#asked = null; // the next who needs it asks again
        throw problem;
      },
    );
    return this.#asked;
  }

  /** Ask anew: whoever was logged out meanwhile is somebody else now, and so is everything on the page. */
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
