// Small signs that stand for a word. The first three are drawn around 0,0, 16 units wide.

/** Points that a treasure scores now. */
export const STAR = "M0-8L2.3-2.6L8-2.2L3.6 1.6L5 7.3L0 4.2L-5 7.3L-3.6 1.6L-8-2.2L-2.3-2.6Z";
/** Quarters of a color above water. */
export const HOUSE = "M-7 7V-1L0-7L7-1V7H2V2H-2V7Z";
/** Treasures that are left to buy. */
export const STONE = "M-4-7H4L7.5-2L0 7.5L-7.5-2Z";
/** On a quarter, in its square of 100 units: the player holds its card. */
export const HELD = "M-44 41C-37 33-30 33-22 41S-7 49 0 41S15 33 22 41S37 49 44 41";
