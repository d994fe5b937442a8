// Numbers as people write them: with a minus sign, which is as wide as a plus, and not with a hyphen.

export const withMinus = (value: number | string): string => String(value).replace("-", "−");

/** A change: with its sign. */
export const signed = (change: number): string => (change < 0 ? withMinus(change) : `+${change}`);
