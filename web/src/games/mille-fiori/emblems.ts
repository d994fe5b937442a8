// The emblems of the cards, the same on the cells they go to. Around 0,0, from -12 to 12.

import type { CardType } from "./board";

export interface Drawing {
  fill: string;
  /** Strokes in the same color. */
  line?: string;
  lineWidth?: number;
  /** Strokes in the color of what is below: details. */
  cut?: string;
}

export const EMBLEMS: Record<CardType, Drawing> = {
  pigment: { fill: "M0-12C4-6 8-1 8 4A8 8 0 0 1-8 4C-8-1-4-6 0-12Z", cut: "M-4.5 4A4.5 4.5 0 0 0 0 8.5M3.5 1V2" },
  quartz: {
    fill: "M-1-12L4-7V11H-6V-7ZM5.5 1L8.5-2.5L11.5 1V11H5.5ZM-7.5 11H-12V4L-9.7 1.5L-7.5 4Z",
    cut: "M-6-7L-1-4L4-7M-1-4V11",
  },
  ash: {
    fill: "M1-12C3-6 9-3 8 4A8 8 0 0 1-8 4C-8 0-5-1-5-5.5C-2-4-1-2-1 0C2-3 2.5-8 1-12Z",
    cut: "M0 11C-4 9-3 6 0 3C2 6 4 8.5 0 11",
  },
  lime: { fill: "M-12 11L-10 2H-1.5L0 11ZM1.5 11L2.5 3H9.5L12 11ZM-7 0.5L-4.5-8H4L7 0.5Z", cut: "M-3-5H1M-7 5H-4M5 6H7" },
  residence: { fill: "M-11-2L0-12L11-2V11H4V5A4 4 0 0 0-4 5V11H-11Z", cut: "M-7-1H-3M3-1H7" },
  lion: {
    fill: "M0-12L3.6-8.6H8.6V-3.6L12 0L8.6 3.6V8.6H3.6L0 12L-3.6 8.6H-8.6V3.6L-12 0L-8.6-3.6V-8.6H-3.6Z",
    cut: "M-5.5-2A5.5 5.5 0 0 1 5.5-2C5.5 3 3 6.5 0 6.5C-3 6.5-5.5 3-5.5-2ZM-2.2-2.5V-1.5M2.2-2.5V-1.5M0 1V2.5M-2 4C-1 3 1 3 2 4",
  },
  coin: {
    fill: "M0-11.5A11.5 11.5 0 1 1 0 11.5A11.5 11.5 0 1 1 0-11.5Z",
    cut: "M0-8.5A8.5 8.5 0 1 1 0 8.5A8.5 8.5 0 1 1 0-8.5ZM-2.5-4.5H0A4.5 4.5 0 0 1 0 4.5H-2.5Z",
  },
  cross: { fill: "M-5-12L0-9L5-12L2-2L12-5L9 0L12 5L2 2L5 12L0 9L-5 12L-2 2L-12 5L-9 0L-12-5L-2-2Z" },
  fish: {
    fill: "M-12-7C-9-5-8-3-6.5-1.5C-2-8 7-8 12 0C7 8-2 8-6.5 1.5C-8 3-9 5-12 7C-11 2-11-2-12-7Z",
    cut: "M7.5-2V-1M3-5.5C1-2 1 2 3 5.5",
  },
  shell: {
    fill: "M-4.5 11L-4 8.5C-9 6-12.5 1-11.5-4C-9.5-9-4.5-11.5 0-11.5C4.5-11.5 9.5-9 11.5-4C12.5 1 9 6 4 8.5L4.5 11Z",
    cut: "M0-9.5V7M-5-8.5L-1.8 7M5-8.5L1.8 7M-9-5L-3.5 6.5M9-5L3.5 6.5",
  },
  crab: {
    fill: "M-7.5 3.5A7.5 5.5 0 1 1 7.5 3.5A7.5 5.5 0 0 1-7.5 3.5ZM-8-2C-13-4-12.5-11-8-12C-8.5-9.5-7.5-8.5-4.5-9C-4-6-5.5-3-8-2ZM8-2C13-4 12.5-11 8-12C8.5-9.5 7.5-8.5 4.5-9C4-6 5.5-3 8-2Z",
    line: "M-7 5.5L-11.5 6.5M-5.5 7.5L-8.5 11.5M7 5.5L11.5 6.5M5.5 7.5L8.5 11.5M-8-2L-5.5 0.5M8-2L5.5 0.5",
    cut: "M-2.5 1V2M2.5 1V2",
  },
  goblet: { fill: "M-8-12H8C8-4 5.5 0 1.6 1V7C4.5 8 6.5 9 6.5 11.5H-6.5C-6.5 9-4.5 8-1.6 7V1C-5.5 0-8-4-8-12Z", cut: "M-6-8C-3-6.5 3-9.5 6-8" },
  carafe: {
    fill: "M-3.5-12H3.5V-9.5H2.5V-5C6.5-3 8.5 1 8.5 5C8.5 9 6.5 11.5 3.5 11.5H-3.5C-6.5 11.5-8.5 9-8.5 5C-8.5 1-6.5-3-2.5-5V-9.5H-3.5Z",
    cut: "M-6.5 3C-3 1 3 5 6.5 3",
  },
  earrings: {
    fill: "M-6.5-5.5L-2.3 5A4.5 4.5 0 1 1-10.7 5ZM6.5-5.5L10.7 5A4.5 4.5 0 1 1 2.3 5Z",
    line: "M-6.5-5V-8.5A2.6 2.6 0 0 1-1.3-8.5V-7M6.5-5V-8.5A2.6 2.6 0 0 1 11.7-8.5V-7",
    cut: "M-6.5 5.5V7M6.5 5.5V7",
  },
  swan: {
    fill: "M-6 2C-1 0 6 0 12-6C12.5 4 7 10.5 0 10.5C-6.5 10.5-9.5 7-8.5 3ZM-9-11.5L-12.5-6.5L-7-7.5Z",
    line: "M-7 4.5C-11-1-3.5-3-4-8C-4.5-11-8-11-8.5-9",
    lineWidth: 3.2,
    cut: "M0 4.5C3 5 6 4 8 1",
  },
  harbor: { fill: "M-12 4H12L8 11.5H-8ZM1-12C7.5-9 9.5-3 8.5 2H1ZM-1-9V2H-9.5C-7.5-2-4.5-6-1-9Z", cut: "M-7 7.5H7" },
};

/** A card with a plus: an extra card. */
export const EXTRA_CARD = { frame: "M-6.5-9H6.5V9H-6.5Z", plus: "M0-4.5V4.5M-4.5 0H4.5" };
