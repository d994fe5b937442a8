// What the page needs from each game: how to draw it and how to put it into words. No rules: those stay on the server.

import type { Component } from "svelte";
import type { Choosing } from "../table/choosing.svelte";
import type { OneTable } from "../table/table.svelte";
import type { Event, GameView, Line, TableView } from "../wire";
import type { Arguments, Message } from "../words/index.svelte";

export type { Event, GameView };

/** An action as the server lists and accepts it. */
export type Action = { do: string } & Record<string, unknown>;

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface BoardProps<V extends GameView> {
  table: OneTable;
  game: V;
  choosing: Choosing;
  /** False while the board shows the past: nothing can be chosen then. */
  live: boolean;
  /** The box to fill in a still picture (../still); without it, the box is measured on the page. */
  size?: Size;
}

/** Points that fly from a spot of the board to a seat's score. */
export interface Flight {
  from: string; // the spot's id
  seat: number;
  points: number;
}

/** Where an action takes place, as ids of spots; what is not on the board now is left out when it is drawn. */
export interface Places {
  from?: string; // where a piece comes from
  to: string[]; // where it goes, or what is chosen
  gone: string[]; // what sinks or is taken away
  hand?: string; // what it is done with beside the board: a card or tile of the hand, or a button
}

export interface Face<V extends GameView = GameView> {
  /**
   * Draws the board; fills the box it is put in, whatever its shape. A still picture consists of the SVGs among it, one
   * upon the other, each over the whole box unless its attributes say where it lies.
   */
  Board: Component<BoardProps<V>>;
  /** Draws what the player holds and the choices that have no place on the board; no higher than it needs to be. */
  Hand: Component<BoardProps<V>>;
  /** What everyone can see that a seat owns: in one line below its name and score, or (`told`) a line of words for each. */
  Pieces: Component<{ game: V; seat: number; told: boolean }>;
  /** How the game went, shown with the result, if the scores alone do not tell it. */
  Account?: Component<{ view: TableView; lines: Line[] }>;
  /** A small picture, made of the game's pieces, for one of the three lines that say how the game is won. */
  HowToWin?: Component<{ part: "goal" | "turn" | "end" }>;
  /** At a glance: what scores what and what each symbol is, with this number of players and these options. */
  Reference?: Component<{ players: number; options: Record<string, number | string> }>;
  /** The size of a still picture of the board if no other is asked for. Without it there are none. */
  still?: Size;
  /** The colors of the seats, as CSS values; their shapes are the same in all games (parts/Mark.svelte). */
  colors: string[];
  /** What to do now, as this seat is told; `seat` is null for spectators. */
  now(game: V, seat: number | null): Message;
  /** An action in words, such as "7 on c1 of the blue zone". */
  action(action: Action, game: V): Message;
  /** What the log says of an action whose events do not say it: a sentence about {who}. Null if they do. */
  done(action: Action, events: Event[]): Message | null;
  /** The arguments of an event, a refusal or an impossible position ("position.KEY"), with game words put into the player's language. */
  arguments(key: string, args: Arguments, game: V): Arguments;
  /** Where an action takes place, given what it did or would do. */
  places(action: Action, events: Event[], game: V): Places;
  /** Why a bot may suggest an action, by what it is certain to do; null if nothing of that is worth telling. */
  reason(action: Action, events: Event[], game: V): Message | null;
  /** What flies to the scores when this happens. */
  flights(event: Event, game: V): Flight[];
}
