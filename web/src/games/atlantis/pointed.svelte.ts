// The card under the pointer: the board shows where it would lead while it is in the hand.

import type { Item } from "./view";

export const pointed: { card: Item | null } = $state({ card: null });
