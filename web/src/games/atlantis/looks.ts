// Colors of the seven items and the players. Each item also has an emblem, each player a mark.

import type { Item } from "./view";

/** The inlay of an item's tiles; some dark, some light, so that color-blind people can tell them apart too. */
export const INLAY: Record<Item, string> = {
  amphora: "#a03c24",
  wreath: "#1e5c37",
  olive: "#b3b957",
  coins: "#e3ab38",
  weapon: "#b7c0c6",
  lyre: "#74388a",
  sickle: "#1f5b9a",
};

const CREAM = "#fff6e0";

/** What is written and drawn on the inlay. */
export const INK: Record<Item, string> = {
  amphora: CREAM,
  wreath: CREAM,
  olive: "#2b3005",
  coins: "#432a00",
  weapon: "#1f2b34",
  lyre: CREAM,
  sickle: CREAM,
};

export const SEATS = ["#c8323c", "#f0b429", "#6a3fa0", "#1d8a5b"];
