// One Tab stop for many things: Tab goes on to the next group, arrow keys move within it.

const USABLE = "[data-legal], [data-chosen], button:not([data-spot]):enabled";

interface Group {
  /** What belongs to the group. */
  items: string;
  /** A row of buttons, in which left and right move; between spots `arrows` does. */
  row?: boolean;
}

/** For the element around the group (`use:roving`): Tab stops at what was used last, or at the first thing that can be. */
export function roving(node: HTMLElement, { items, row = false }: Group): { destroy(): void } {
  let last: Element | null = null; // what had the focus
  const all = (): (HTMLElement | SVGElement)[] => [...node.querySelectorAll<HTMLElement | SVGElement>(items)];

  function choose(): void {
    const found = all();
    const kept = found.find((item) => item === last);
    const usable = found.filter((item) => item.matches(USABLE));
    const stop = kept && (kept === document.activeElement || usable.includes(kept)) ? kept : (usable[0] ?? kept ?? found[0]);
    for (const item of found) {
      const wanted = item === stop ? 0 : -1;
      if (item.tabIndex !== wanted || !item.hasAttribute("tabindex")) item.tabIndex = wanted;
    }
  }

  function focused(event: FocusEvent): void {
    last = (event.target as Element).closest(items) ?? last;
    choose();
  }

  function key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const usable = all().filter((item) => item.matches(USABLE));
    const at = usable.indexOf(document.activeElement as HTMLElement);
    if (!row || by === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    usable[(at + by + usable.length) % usable.length]?.focus();
  }

  const watch = new MutationObserver(choose);
  watch.observe(node, { subtree: true, childList: true, attributeFilter: ["data-legal", "data-chosen", "disabled"] });
  node.addEventListener("focusin", focused);
  node.addEventListener("focusout", choose); // what cannot be used any more had the stop only while it had the focus
  node.addEventListener("keydown", key);
  choose();
  return {
    destroy() {
      watch.disconnect();
      node.removeEventListener("focusin", focused);
      node.removeEventListener("focusout", choose);
      node.removeEventListener("keydown", key);
    },
  };
}
