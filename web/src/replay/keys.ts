// Keys that work anywhere on the page, except where they have a meaning of their own.

type Press = (shift: boolean) => unknown;

const OWN = "dialog, select, textarea, input:not([type=range])"; // all keys
const PRESSED = "button, a, summary"; // the space bar
const SCROLLED = "[data-own-arrows]"; // up and down, Home and End, if it has the focus itself
const SCROLLING = ["ArrowUp", "ArrowDown", "Home", "End"];

/** A listener for the window, before any other hears the key. */
export function keysOf(presses: Record<string, Press>): (event: KeyboardEvent) => void {
  return (event) => {
    const press = presses[event.key];
    const target = event.target instanceof Element ? event.target : document.body;
    if (!press || event.altKey || event.ctrlKey || event.metaKey || target.closest(OWN)) return;
    if (event.key === " " && target.closest(PRESSED)) return;
    if (event.key.startsWith("Arrow") && target.closest("[data-spot]")) return; // from spot to spot
    if (SCROLLING.includes(event.key) && target.matches(SCROLLED)) return;
    event.preventDefault();
    event.stopPropagation();
    press(event.shiftKey);
  };
}
