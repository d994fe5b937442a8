// What a click on each thing means: which fields of an action it chooses,
// and which action to ask about if it is not allowed.

import type { Action } from "../face";
import { fits, type Choosing } from "../../table/choosing.svelte";
import type { OneTable } from "../../table/table.svelte";
import { t } from "../../words/index.svelte";
import { ATLANTIS, MAINLAND, wayAction, wayOf, type AtlantisView, type Gap, type Item, type Tile, type Way } from "./view";

type Fields = Record<string, unknown>;

/** Whether and how a thing can be chosen now; the props for its Spot. */
export interface Handle {
  legal: boolean;
  chosen: boolean;
  action: Action | null;
  pick: () => void;
}

export class Gestures {
  readonly table: OneTable;
  readonly choosing: Choosing;
  readonly game: AtlantisView;

  constructor(table: OneTable, choosing: Choosing, game: AtlantisView) {
    this.table = table;
    this.choosing = choosing;
    this.game = game;
  }

  /** The ways that fit what is chosen so far. */
  get ways(): Way[] {
    const { choosing, game } = this;
    if (!choosing.legal.length) return [];
    return game.previews.filter((way) => fits(wayAction(game, way), choosing.picked));
  }

  // ------------------------------------------------------------ places of the path

  place(place: number): Handle {
    const { choosing } = this;
    if (choosing.picked["do"] === "bridge") return this.#bridgeTo(place);
    const action = this.#leadsTo(place);
    const leaves = choosing.allows({ from: place });
    const arrives = action !== null && (!leaves || this.#underWay);
    const chosen = choosing.picked["from"] === place;
    const awaited = wayOf(this.game, this.table.acting.proposal?.action)?.to === place;
    return {
      legal: chosen || leaves || arrives,
      chosen: chosen || awaited,
      action: arrives ? action : leaves ? choosing.completed({ from: place }) : null,
      pick: () => {
        if (awaited) return; // it waits for confirmation: a second click means nothing new
        if (chosen) choosing.drop({ from: place });
        else if (arrives && action) choosing.pick(without(action, "do"));
        else if (leaves) choosing.pick({ from: place });
        else void this.#whyNotTo(place);
      },
    };
  }

  get #underWay(): boolean {
    return this.game.phase === "chain" || "from" in this.choosing.picked;
  }

  /** The one action that leads there; null if there is none, or if a card or pawn must be chosen first. */
  #leadsTo(place: number): Action | null {
    const ways = this.ways.filter((way) => way.to === place);
    return ways.length === 1 ? wayAction(this.game, ways[0]!) : null;
  }

  #bridgeTo(place: number): Handle {
    const action = { do: "bridge", after: place };
    return {
      legal: this.choosing.allows(action),
      chosen: false,
      action: this.choosing.completed(action),
      pick: () => this.choosing.pick(action, action),
    };
  }

  /** Why can no pawn go there, or start from there? */
  async #whyNotTo(place: number): Promise<void> {
    const { choosing, game, table } = this;
    if (this.ways.some((way) => way.to === place)) return this.#tell("atlantis:hint.which");
    const from = choosing.picked["from"];
    const item = game.board[place]?.tile[0];
    const card = item && this.#underWay ? item : ((choosing.picked["card"] as Item | undefined) ?? this.#anyCard);
    let attempt: Action = { do: "draw" };
    if (game.phase === "chain") attempt = { do: "on", card };
    if (game.phase === "turn") {
      const start = typeof from === "number" ? from : place < MAINLAND ? place : this.#anyPawn;
      attempt = { do: "move", from: start, card };
    }
    const way = wayOf(game, attempt);
    if (way && choosing.legal.length)
      return this.#tell("atlantis:hint.elsewhere", { card: t(`atlantis:item.${card}`), to: placeName(way.to) });
    await table.acting.why(attempt);
  }

  #tell(key: string, args: Fields = {}): void {
    this.table.acting.advise(t(key, args));
  }

  // ------------------------------------------------------------ what a player holds

  card(card: Item): Handle {
    const { phase } = this.game;
    const from = (this.choosing.picked["from"] as number | undefined) ?? this.#anyPawn;
    const attempt: Action =
      phase === "turn" ? { do: "move", from, card } : phase === "pay" ? { do: "pay", card } : { do: "on", card };
    return this.#handle({ card }, attempt, "from");
  }

  tile(tile: Tile): Handle {
    return this.#handle({ tile }, { do: this.game.phase === "pay" ? "pay" : "buy", tile });
  }

  gap(gap: Gap): Handle {
    return this.#handle({ after: gap.after }, { do: "bridge", after: gap.after }, "do");
  }

  /** The bridge that is not built yet: it is chosen first, then a gap. */
  get bridge(): Handle {
    const after = (this.game.gaps.find((gap) => !gap.bridge) ?? this.game.gaps[0])?.after ?? 1;
    return this.#handle({ do: "bridge" }, { do: "bridge", after });
  }

  get draw(): Handle {
    return this.#plain("draw");
  }

  get end(): Handle {
    return this.#plain("end");
  }

  #plain(name: string): Handle {
    const action = { do: name };
    const legal = this.choosing.legal.some((each) => each.do === name);
    return {
      legal,
      chosen: this.table.acting.proposal?.action.do === name,
      action: legal ? action : null,
      pick: () => void (legal ? this.table.acting.propose(action) : this.table.acting.why(action)),
    };
  }

  /** A thing that chooses these fields. Of the fields chosen before, only `kept` can stay; others are dropped. */
  #handle(fields: Fields, attempt: Action, kept = ""): Handle {
    const { choosing } = this;
    const chosen = choosing.started && choosing.is(fields);
    const alone = Object.keys(choosing.picked).some((name) => name !== kept && !(name in fields));
    const possible = alone ? choosing.having(fields).length > 0 : choosing.allows(fields);
    return {
      legal: chosen || possible,
      chosen,
      action: alone ? null : choosing.completed(fields),
      pick: () => {
        if (alone) choosing.clear();
        choosing.pick(fields, attempt);
      },
    };
  }

  get #anyPawn(): number {
    const own = this.game.pawns[this.game.seat ?? 0] ?? [];
    return own.find((place) => place < MAINLAND) ?? ATLANTIS;
  }

  get #anyCard(): Item {
    return (Object.keys(this.game.hand ?? {})[0] as Item | undefined) ?? "amphora";
  }
}

function without(action: Action, name: string): Fields {
  return Object.fromEntries(Object.entries(action).filter(([key]) => key !== name));
}

/** A place of the path in words. */
export function placeName(place: number): string {
  if (place <= ATLANTIS) return t("atlantis:place.atlantis");
  if (place >= MAINLAND) return t("atlantis:place.mainland");
  return t("atlantis:place.space", { number: place });
}

export const tileName = ([item, value]: Tile): string => t("atlantis:tile", { item: t(`atlantis:item.${item}`), value });

/** What a tile scores, and how many cards it buys now. */
export const tileWorth = ([, value]: Tile, game: AtlantisView): string =>
  t("atlantis:board.worth", { value, cards: game.cards_bought[value] ?? 0 });
