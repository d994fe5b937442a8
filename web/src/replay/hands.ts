// The hands of all seats beside each other: each has its own names for its spots.

export const handPrefix = (seat: number): string => `hand-${seat}/`;
