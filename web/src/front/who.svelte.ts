// My identity on the server. A new browser becomes a guest and gets a cookie.

import { server } from "../server";
import type { Me } from "../wire";

const ENDED = "laguna.ended";

function endNoted(): boolean {
  try {
    return localStorage.getItem(ENDED) !== null;
  } catch {
    return false; // a private window may refuse
  }
}

class Who {
  /** Null until the server has answered. */
  me: Me | null = $state.raw(null);
  /** The log-in of this browser has ended, and nobody has read that yet: not even a reload forgets it. */
  ended = $state(endNoted());
  #asked: Promise<void> | null = null;

  /** Resolves when the server knows this browser; before that, no table can be requested. */
  known(): Promise<void> {
    this.#asked ??= server.me().then(
      (me) => this.#is(me),
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
    this.#is(me);
  }

  #is(me: Me): void {
    this.me = me;
    if (me.session_ended) this.noteEnd(true);
    else if (me.account && this.ended) this.noteEnd(false); // logged in again, in another window
  }

  noteEnd(ended: boolean): void {
    this.ended = ended;
    try {
      if (ended) localStorage.setItem(ENDED, "");
      else localStorage.removeItem(ENDED);
    } catch {
      // then it is said until the page is closed
    }
  }

  async rename(name: string): Promise<void> {
    await this.known();
    this.me = await server.rename(name);
  }
}

export const who = new Who();
