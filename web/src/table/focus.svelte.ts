// After an action, the element that had the focus may be gone. For keyboard users the focus then moves to what can
// be chosen next, or to the text that says what to do until there is something to choose.

import { tick } from "svelte";
import { byKeyboard } from "../parts/input";
import type { OneTable } from "./table.svelte";

export function keepFocus(getMain: () => HTMLElement | undefined, getTable: () => OneTable): void {
  let last = ""; // the spot that had the focus
  let parked = false; // the focus is on the text because nothing could be chosen

  $effect(() => {
    const main = getMain();
    const remember = (event: FocusEvent): void => {
      const element = event.target as Element;
      last = element.closest("[data-spot]")?.getAttribute("data-spot") ?? last;
      if (!element.hasAttribute("data-now")) parked = false;
    };
    main?.addEventListener("focusin", remember);
    return () => main?.removeEventListener("focusin", remember);
  });

  function regain(main: HTMLElement): void {
    const active = document.activeElement;
    const lost = active === null || active === document.body;
    if (!byKeyboard() || !(lost || (parked && active.hasAttribute("data-now")))) return;
    const same = main.querySelector<HTMLElement>(`[data-spot="${CSS.escape(last)}"][data-legal]`);
    const target = same ?? main.querySelector<HTMLElement>("[data-legal]");
    if (!target) parked = true;
    (target ?? main.querySelector<HTMLElement>("[data-now]"))?.focus();
  }

  $effect(() => {
    const [main, table] = [getMain(), getTable()];
    void [table.view, table.behind, table.acting.proposal, table.past, table.acting.asking, table.choosing.picked, table.hinting.given];
    if (main) void tick().then(() => regain(main));
  });
}
