// Arrow keys move the focus from spot to spot: to the nearest one in that direction.

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const SIDEWAYS = 2.2; // how much more a distance to the side counts than one straight ahead

/** For the element that holds all spots (`use:arrows`). */
export function arrows(node: HTMLElement): { destroy(): void } {
  function key(event: KeyboardEvent): void {
    const direction = DIRECTIONS[event.key];
    const from = document.activeElement?.closest("[data-spot]");
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target as Element;
    if (target !== document.body && !node.contains(target)) return;
    if (target.closest("input, textarea, select, dialog, [data-own-arrows]")) return;
    const spots = [...node.querySelectorAll<HTMLElement | SVGElement>("[data-spot]")];
    const next = from ? nearest(from, spots, direction) : (spots.find((spot) => "legal" in spot.dataset) ?? spots[0]);
    if (!next) return;
    event.preventDefault();
    next.focus({ preventScroll: false });
  }
  // On the window: while nothing has the focus, an arrow key moves it to the first spot that can be chosen.
  addEventListener("keydown", key);
  return { destroy: () => removeEventListener("keydown", key) };
}

type Point = [number, number];

function middle(element: Element): Point {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function nearest<E extends Element>(from: Element, spots: E[], [dx, dy]: [number, number]): E | undefined {
  const [x, y] = middle(from);
  let best: E | undefined;
  let least = Infinity;
  for (const spot of spots) {
    if (spot === from) continue;
    const [sx, sy] = middle(spot);
    const ahead = (sx - x) * dx + (sy - y) * dy;
    const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
    const far = ahead + SIDEWAYS * aside;
    if (ahead > 1 && far < least) {
      least = far;
      best = spot;
    }
  }
  return best;
}
