// Numbers and dates as the reader's language writes them.

import { withMinus } from "../parts/numbers";
import { settings } from "../settings.svelte";

const numbers = (options: Intl.NumberFormatOptions) => (value: number): string =>
  withMinus(new Intl.NumberFormat(settings.language, options).format(value));

export const percent = numbers({ style: "percent" });

export const decimal = numbers({ maximumFractionDigits: 1 });

export const signed = numbers({ signDisplay: "exceptZero" });

export const date = (at: number): string => new Intl.DateTimeFormat(settings.language, { dateStyle: "medium" }).format(at);
