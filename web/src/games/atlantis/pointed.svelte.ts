// The card in the hand that is pointed at: the board shows where it would lead.

import type { Item } from "./view";

export const pointed: { card: Item | null } = $state({ card: null });
