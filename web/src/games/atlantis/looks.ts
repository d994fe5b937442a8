// Colors of the seven items and the players. Each item has its emblem, each player a mark: no color stands alone.

import type { Item } from "./view";

/** Dark enough for cream writing on them. */
export const INLAY: Record<Item, string> = {
  amphora: "#a8442a",
  wreath: "#2c7040",
  olive: "#63651b",
  coins: "#8f6206",
  weapon: "#4c5763",
  lyre: "#7b3f8c",
  sickle: "#22609f",
};
export const CREAM = "#fff6e0";
export const SEATS = ["#c8323c", "#f0b429", "#6a3fa0", "#1d8a5b"];
