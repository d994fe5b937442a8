// What a visitor can see and reach on the page, read in one go. Evaluates to an object of functions.
(() => {
  const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const first = (selector) => [...document.querySelectorAll(selector)].find(visible) ?? null;
  const ids = (selector) => [...document.querySelectorAll(selector)].map((spot) => spot.dataset.spot);
  // What is inert is on its way out, such as a card that was played.
  const LEGAL = "[data-spot][data-legal]:not([data-chosen], [inert], [inert] *)";
  const legal = () => (document.querySelector("[data-curtain]") ? [] : ids(LEGAL));
  // No text looks like this, but a key without a text does.
  const JUNK = /\bundefined\b|\bnull\b|\bNaN\b|\[object|[{}]|\b[a-z]{2,}[:.][a-z]{2,}\b/;

  const state = () => ({
    legal: legal(),
    chosen: ids("[data-spot][data-chosen]"),
    confirm: first("[data-do=confirm]") !== null,
    curtain: first("[data-do=unveil]") !== null,
    over: first("[data-over]") !== null,
    scores: [...document.querySelectorAll("[data-score]")].map((score) => score.textContent.trim()),
  });

  // What must be true of the page at every moment.
  const wrong = () => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`it scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
    for (const seat of document.querySelectorAll("[data-seat]")) {
      const { right } = seat.getBoundingClientRect();
      if (visible(seat) && right > root.clientWidth + 1) found.push(`seat ${seat.dataset.seat} is cut off: ${right} > ${root.clientWidth}`);
    }
    const seen = new Set();
    for (const spot of document.querySelectorAll("[data-spot]")) {
      const label = spot.getAttribute("aria-label") ?? "";
      if (!label.trim() || JUNK.test(label)) found.push(`${spot.dataset.spot} is called "${label}"`);
      if (seen.has(spot.dataset.spot)) found.push(`${spot.dataset.spot} is there twice`);
      seen.add(spot.dataset.spot);
    }
    for (const control of document.querySelectorAll("button, a[href], input, select, [role=button]")) {
      const name = control.ariaLabel || control.textContent || control.title || control.labels?.[0]?.textContent || "";
      if (visible(control) && (!name.trim() || JUNK.test(name))) found.push(`a control is called "${name}": ${control.outerHTML.slice(0, 120)}`);
    }
    const words = document.querySelector("main")?.innerText ?? "";
    const junk = words.match(JUNK);
    if (junk) found.push(`it says "${words.slice(Math.max(0, junk.index - 30), junk.index + 40)}"`);
    return found;
  };

  // A point where a click or a finger reaches this element and nothing else; null if there is none.
  const point = (element) => {
    const box = element.getBoundingClientRect();
    const steps = [0.5, 0.3, 0.7, 0.15, 0.85, 0.05, 0.95];
    for (const down of steps)
      for (const across of steps) {
        const [x, y] = [box.left + box.width * across, box.top + box.height * down];
        const hit = document.elementFromPoint(x, y);
        if (hit && (hit.closest("[data-spot]") === element || element.contains(hit))) return [x, y];
      }
    return null;
  };
  const spot = (id) => document.querySelector(`[data-spot="${CSS.escape(id)}"]`);

  return (globalThis.reading = { state, wrong, point, spot, first, visible });
})()
