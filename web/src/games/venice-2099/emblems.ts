// Each color of the city has a tint and an emblem, so that nobody needs to see the color.

import type { Color } from "./view";

/** Dark enough for light text. */
export const TINTS: Record<Color, string> = {
  black: "#2b2c38",
  brown: "#7d4a21",
  azure: "#12719f",
  red: "#b02533",
  violet: "#6a3a9e",
  green: "#2a7340",
};

interface Drawing {
  fill: string;
  line?: string;
}

/** Drawn around 0,0, about 24 units from edge to edge. */
export const EMBLEMS: Record<Color, Drawing> = {
  // an anchor
  black: {
    fill: "M-12 5L-9.4-1.5L-5 4Z M12 5L9.4-1.5L5 4Z",
    line: "M0-5.5V10.5 M-5.5-2.5H5.5 M-9 3C-8.5 9-4 10.8 0 10.8S8.5 9 9 3 M0-5.5a2.8 2.8 0 1 1 .01 0",
  },
  // a bridge over a canal
  brown: {
    fill: "M-12 8V2C-8 2-5-4 0-4S8 2 12 2V8H7A7 6.5 0 0 0-7 8Z",
    line: "M-12-2.5C-8-2.5-5-8.5 0-8.5S8-2.5 12-2.5 M-5.5-6V-1 M5.5-6V-1 M0-8V-3",
  },
  // a fish
  azure: { fill: "M-12 0C-8-8 2-8.5 6.5-1.2L12-7V7L6.5 1.2C2 8.5-8 8-12 0Z M-6.6-3.4a1.6 1.6 0 1 0 .01 0Z" },
  // a bell tower
  red: { fill: "M0-13L4.2-5.5H-4.2Z M-5-4.5H5V-1H-5Z M-3.8 0H3.8V9.5H6.5V12H-6.5V9.5H-3.8Z M-1.2 2.5V6H1.2V2.5Z" },
  // a mask
  violet: {
    fill:
      "M-12.5-6C-7-8.5-3-6 0-6S7-8.5 12.5-6C13 3 8.5 8 4.5 6.8C2.3 6 1.2 3 0 3S-2.3 6-4.5 6.8C-8.5 8-13 3-12.5-6Z" +
      "M-9.2-1.8C-7.5-4.4-4-4.2-2.4-1C-4.6 1.4-7.6 1.2-9.2-1.8Z M9.2-1.8C7.5-4.4 4-4.2 2.4-1C4.6 1.4 7.6 1.2 9.2-1.8Z",
  },
  // a leaf
  green: { fill: "M-8 6C-13-7 0-13 11-11.5C12.5 2 6 12.5-6 8.4L-9.5 12L-11.4 10.2Z M-5.6 6.4L5.6-6.6L4.4-7.6L-7 5.4Z" },
};

/** What a treasure is worth, how many quarters of its color are above water, how many are left: each around 0,0, 16 units wide. */
export const STAR = "M0-8L2.3-2.6L8-2.2L3.6 1.6L5 7.3L0 4.2L-5 7.3L-3.6 1.6L-8-2.2L-2.3-2.6Z";
export const HOUSE = "M-7 7V-1L0-7L7-1V7H2V2H-2V7Z";
export const STONE = "M-4-7H4L7.5-2L0 7.5L-7.5-2Z";
