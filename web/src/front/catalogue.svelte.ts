// The games that can be played here: requested once, and again while a game is being prepared.

import { server } from "../server";
import { settings } from "../settings.svelte";
import type { Catalogue, ChoiceInfo, GameInfo, LevelInfo, OptionInfo } from "../wire";

class Offer {
  /** Null until the server has answered. */
  catalogue: Catalogue | null = $state.raw(null);
  #asked: Promise<Catalogue> | null = null;

  load(): Promise<Catalogue> {
    this.#asked ??= this.refresh().catch((problem: unknown) => {
      this.#asked = null;
      throw problem;
    });
    return this.#asked;
  }

  async refresh(): Promise<Catalogue> {
    return (this.catalogue = await server.catalogue());
  }

  game(id: string): GameInfo | undefined {
    return this.catalogue?.games.find((game) => game.id === id);
  }

  get levels(): LevelInfo[] {
    return this.catalogue?.levels ?? [];
  }
}

export const offer = new Offer();

/** One of the catalogue's texts in the player's language. */
export const inWords = (texts: Record<string, string>): string => texts[settings.language] ?? texts["en"] ?? "";

/** The title of a game; empty until the server has answered. */
export const titleOf = (game: string): string => inWords(offer.game(game)?.titles ?? {});

export type Options = Record<string, number | string>;

/** The default value of each option. */
export const defaults = (game: GameInfo): Options =>
  Object.fromEntries(game.options.map((option) => [option.name, option.default]));

export const chosen = (option: OptionInfo, options: Options): ChoiceInfo | undefined =>
  option.choices.find((choice) => choice.value === (options[option.name] ?? option.default));

/** The choice of a preset that matches the options exactly; undefined if they are mixed. */
export const fitting = (preset: OptionInfo, options: Options): ChoiceInfo | undefined =>
  preset.choices.find((choice) => Object.entries(choice.sets).every(([name, value]) => options[name] === value));
