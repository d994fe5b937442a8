// The settings of a new table while they are being chosen.

import type { ClockGiven, GameInfo, NewTable, SeatWish } from "../../wire";
import { t } from "../../words/index.svelte";
import { defaults, type Options } from "../catalogue.svelte";
import { opponents } from "../opponents.svelte";

/** Me, someone else on this device, a bot, or open for a friend. */
export type Sitter = "me" | "here" | "bot" | "open";

export interface Seat {
  who: Sitter;
  level: string;
  name: string;
}

export class Wishes {
  readonly game: GameInfo;
  seats: Seat[] = $state([]);
  options: Options = $state({});
  clock: Required<ClockGiven> = $state({ kind: "none", seconds: 0, increment: 0 });
  listed = $state(false);
  hints = $state(true);
  rated = $state(false);
  openHands = $state(false);

  constructor(game: GameInfo) {
    this.game = game;
    this.options = defaults(game);
    this.seats = Array.from({ length: game.usual_players }, (_, seat) => this.#newSeat(seat === 0 ? "me" : "bot"));
  }

  #newSeat(who: Sitter): Seat {
    return { who, level: opponents.of(this.game.id), name: "" };
  }

  /** From now on, these are the bots of this game. */
  remember(): void {
    const bot = this.seats.find((seat) => seat.who === "bot");
    if (bot) opponents.choose(this.game.id, bot.level);
  }

  get players(): number {
    return this.seats.length;
  }

  set players(count: number) {
    const kept = this.seats.slice(0, count);
    const more = Array.from({ length: count - kept.length }, () => this.#newSeat(this.rated ? "open" : "bot"));
    this.seats = [...kept, ...more];
  }

  /** There is only one of me: if I already have a seat, the two seats are swapped. */
  seat(at: number, who: Sitter): void {
    const before = this.seats[at]!.who;
    const mine = this.seats.findIndex((seat) => seat.who === "me");
    if (who === "me" && mine >= 0) this.seats[mine]!.who = before;
    this.seats[at]!.who = who;
    this.seats.forEach((seat, number) => {
      if (seat.who === "here") seat.name ||= t("front:setup.player", { number: number + 1 });
    });
  }

  /** Only people with an account of their own play a rated game, so all other seats are open. */
  rate(rated: boolean): void {
    this.rated = rated;
    if (rated) this.seats.forEach((seat) => seat.who !== "me" && (seat.who = "open"));
  }

  get open(): boolean {
    return this.seats.some((seat) => seat.who === "open");
  }

  /** In the form that the server expects; options at their default are left out. */
  get wish(): NewTable {
    const usual = defaults(this.game);
    const options = Object.fromEntries(Object.entries(this.options).filter(([name, value]) => usual[name] !== value));
    const { players, listed, rated } = this;
    const [hints, open_hands] = [this.hints && !rated, this.openHands && !rated];
    const settings = { game: this.game.id, players, options, clock: { ...this.clock }, listed, hints, rated, open_hands };
    return { settings, seats: this.seats.map(wishOf), start: !this.open };
  }
}

function wishOf(seat: Seat): SeatWish {
  if (seat.who === "bot") return { kind: "bot", level: seat.level };
  if (seat.who === "open") return { kind: "open" };
  const name = seat.name.trim();
  return { kind: "me", ...(seat.who === "here" && name ? { name } : {}) };
}
