// The only socket to the server: it reconnects automatically, and every request gets an answer or a refusal.

import { who } from "./front/who.svelte";
import { Problem } from "./problem";
import { PROTOCOL, type Advised, type Changed, type ClientFrame, type Done, type Here, type HintGiven, type Previewed, type ServerFrame, type Table } from "./wire";

type WithoutId<F> = F extends unknown ? Omit<F, "id"> : never;
/** A request without its id, which `ask` adds. */
export type Asked = WithoutId<ClientFrame>;
export type Answer = Done | HintGiven | Advised | Previewed;
export type TableFrame = Table | Changed | Here;

export interface Follower {
  readonly id: string;
  readonly seen: number;
  /** The seat through whose eyes it wants to see the game, if the table allows that. */
  readonly seat?: number | null;
  hear(frame: TableFrame): void;
  /** The table cannot be followed. */
  refused(problem: Problem): void;
}

/** Where requests about tables go, and where what happens at them comes from. */
export interface Link {
  /** All of it has happened already: nobody is thinking. */
  readonly recorded?: boolean;
  ask(asked: Asked): Promise<Answer>;
  follow(follower: Follower): void;
  unfollow(follower: Follower): void;
}

interface Waiting {
  done(answer: Answer): void;
  failed(problem: Problem): void;
}

const LONGEST_PAUSE = 10_000; // milliseconds between attempts to reconnect
const LOST = new Problem({ key: "lost", sentence: "The connection was lost.", clause: null, arguments: {} });

const BUSY = ["too-many", "busy", "unavailable"]; // refusals that are temporary
const ASK_AGAIN = 2000; // milliseconds

class Connection implements Link {
  /** Is the server reachable? While it is not, the page says so. */
  open = $state(false);
  /** The server is newer than this page: reloading helps. */
  outdated = $state(false);

  #socket: WebSocket | null = null;
  #following = new Map<string, Follower>();
  #waiting = new Map<number, Waiting>();
  #last = 0;
  #connecting = false;
  #known = false; // the server knows who we are: it greeted the last socket, and did not log us out
  #loggedOut = false;
  #pause = 250; // milliseconds until the next attempt to reconnect
  #heard = 0;
  #heartbeat = 30_000;
  #watch: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    // The browser often knows before the socket does.
    addEventListener("offline", () => this.#socket?.close());
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  /** Pass what happens at this table to the follower from now on. */
  follow(follower: Follower): void {
    this.#following.set(follower.id, follower);
    if (this.#socket === null && !this.#connecting) void this.#connect();
    else if (this.open) this.#requestFollow(follower);
  }

  unfollow(follower: Follower): void {
    if (this.#following.get(follower.id) !== follower) return;
    this.#following.delete(follower.id);
    if (this.open) this.ask({ do: "unfollow", table: follower.id }).catch(() => {});
  }

  /** Send a request; the promise resolves with the answer, or rejects with the refusal. */
  ask(asked: Asked): Promise<Answer> {
    const id = ++this.#last;
    const frame = JSON.stringify({ ...asked, id });
    return new Promise((done, failed) => {
      if (!this.open) return failed(LOST);
      this.#waiting.set(id, { done, failed });
      this.#socket?.send(frame);
    });
  }

  async #connect(): Promise<void> {
    this.#connecting = true;
    // A new browser becomes a guest by asking for its identity; without one the server opens no socket.
    if (!this.#known) await who.askAgain().catch(() => {});
    this.#connecting = false;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#socket = socket;
    socket.onmessage = (message) => this.#hear(JSON.parse(String(message.data)) as ServerFrame);
    socket.onclose = () => this.#closed(socket);
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#known = this.open && !this.#loggedOut;
    this.#loggedOut = false;
    this.open = false;
    clearInterval(this.#watch);
    for (const { failed } of this.#waiting.values()) failed(LOST);
    this.#waiting.clear();
    this.#retry = setTimeout(() => void this.#connect(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  /** Try again right away. */
  #hurry(): void {
    if (this.#connecting || this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#retry);
    void this.#connect();
  }

  #hear(frame: ServerFrame): void {
    this.#heard = Date.now();
    switch (frame.is) {
      case "hello":
        this.outdated = frame.protocol !== PROTOCOL;
        this.#heartbeat = frame.heartbeat * 1000;
        this.#opened();
        return;
      case "done":
      case "hint":
      case "advised":
      case "previewed":
        this.#waiting.get(frame.id)?.done(frame);
        this.#waiting.delete(frame.id);
        return;
      case "refused":
        this.#waiting.get(frame.id)?.failed(new Problem(frame));
        this.#waiting.delete(frame.id);
        return;
      case "table":
      case "changed":
        this.#following.get(frame.view.table)?.hear(frame);
        return;
      case "here":
        this.#following.get(frame.table)?.hear(frame);
        return;
      case "bye":
        this.#loggedOut = frame.key === "logged-out";
        if (frame.again !== null) this.#pause = Math.max(frame.again * 1000, this.#pause);
        return;
    }
  }

  #opened(): void {
    this.open = true;
    this.#pause = 250;
    for (const follower of this.#following.values()) this.#requestFollow(follower);
    clearInterval(this.#watch);
    this.#watch = setInterval(() => this.#closeIfSilent(), 5000);
  }

  /** Ask to follow the table, and ask a busy server again. After a lost connection, `#opened` asks again. */
  #requestFollow(follower: Follower): void {
    const again = (): void => {
      if (this.open && this.#following.get(follower.id) === follower) this.#requestFollow(follower);
    };
    const refused = (problem: Problem): void => {
      if (BUSY.includes(problem.key)) setTimeout(again, ASK_AGAIN);
      else if (problem !== LOST) follower.refused(problem);
    };
    this.ask({ do: "follow", table: follower.id, seen: follower.seen, seat: follower.seat ?? null }).catch(refused);
  }

  /** Close a connection that died silently; the server sends heartbeats when nothing happens. */
  #closeIfSilent(): void {
    if (Date.now() - this.#heard > 2.5 * this.#heartbeat) this.#socket?.close();
  }
}

export const connection = new Connection();
