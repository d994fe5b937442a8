// Numbers and dates as the reader's language writes them.

import { settings } from "../settings.svelte";

export const percent = (share: number): string => new Intl.NumberFormat(settings.language, { style: "percent" }).format(share);

export const decimal = (value: number): string => new Intl.NumberFormat(settings.language, { maximumFractionDigits: 1 }).format(value);

export const signed = (value: number): string => new Intl.NumberFormat(settings.language, { signDisplay: "exceptZero" }).format(value);

export const date = (at: number): string => new Intl.DateTimeFormat(settings.language, { dateStyle: "medium" }).format(at);
