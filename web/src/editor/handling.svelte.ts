// Pieces are moved by dragging them, or by choosing a piece and then a place, by tap or by key.

import { trayOf } from "./editing";
import type { Editor } from "./editor.svelte";

interface Held {
  piece: string;
  /** The place that it is taken from; null: a new one. */
  from: string | null;
}

const NEAR = 8; // pixels that a press may move before it is a drag
const EDGE = 48; // pixels from the edge of a list within which a drag scrolls it

export class Handling {
  /** The piece that is chosen, or dragged. */
  held: Held | null = $state.raw(null);
  /** Where the pointer drags it; null while nothing is dragged. */
  at: { x: number; y: number } | null = $state.raw(null);
  /** The place under the pointer that would take it. */
  over: string | null = $state(null);
  /** Ignore the click that a browser sends after a drag. */
  justEnded = false;
  #editor: Editor;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  release(): void {
    this.held = null;
    this.at = null;
    this.over = null;
  }

  /** Choose a piece; chosen again, it is put down. */
  choose(piece: string, from: string | null): void {
    const same = this.held?.piece === piece && this.held.from === from;
    this.held = same ? null : { piece, from };
  }

  isHeld(piece: string, from: string | null): boolean {
    return this.held?.piece === piece && this.held.from === from;
  }

  /** Put what is held there (null: away); false if it does not belong there. A new piece stays in hand for the next place. */
  put(to: string | null): boolean {
    const held = this.held;
    const next = held && this.#after(to);
    if (!next) return false;
    this.#editor.change(next);
    if (held.from !== null || this.at) this.release();
    return true;
  }

  /** Would this place take what is held? */
  takes(place: string): boolean {
    return this.#after(place) !== null;
  }

  #after(to: string | null): ReturnType<Editor["editing"]["move"]> {
    const { held } = this;
    if (!held || held.from === to) return null;
    const { editing, position } = this.#editor;
    const onBoard = held.from !== null && trayOf(held.from) === null;
    if (onBoard && editing.pieceAt(position, held.from!) !== held.piece) return null; // meanwhile it was undone
    return editing.move(position, held.piece, held.from, to);
  }

  /** A spot of the board was chosen. False if there is nothing to do: the board may do something of its own. */
  tap(spot: string): boolean {
    if (this.held) {
      if (!this.put(spot)) this.release();
      return true;
    }
    const piece = this.#editor.editing.pieceAt(this.#editor.position, spot);
    if (piece) this.choose(piece, spot);
    return piece !== null;
  }

  /** Take a piece away. */
  remove(piece: string | null, from: string | null): void {
    if (piece === null || from === null) return;
    this.held = { piece, from };
    this.put(null);
    this.release();
  }

  /** A pointer went down on a piece: it may become a drag. */
  press(event: PointerEvent, piece: string | null, from: string | null): void {
    if (!piece || event.button !== 0) return;
    const begin = { x: event.clientX, y: event.clientY };
    const move = (moved: PointerEvent): void => {
      const far = Math.hypot(moved.clientX - begin.x, moved.clientY - begin.y) >= NEAR;
      if (!this.at && !far) return;
      if (!this.at) this.held = { piece, from };
      this.at = { x: moved.clientX, y: moved.clientY };
      this.over = this.#under(moved);
      scrollAt(moved.clientX, moved.clientY);
    };
    const end = (ended: PointerEvent): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (this.at) this.#drop(ended);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** Outside of all places it is taken away. */
  #drop(event: PointerEvent): void {
    this.justEnded = true;
    setTimeout(() => (this.justEnded = false));
    const to = this.#under(event);
    const outside = placesAt(event.clientX, event.clientY).length === 0;
    if (event.type === "pointerup" && (to !== null || outside)) this.put(to);
    this.release();
  }

  /** The place there that takes what is held. */
  #under(event: PointerEvent): string | null {
    return placesAt(event.clientX, event.clientY).find((place) => this.takes(place)) ?? null;
  }
}

/** The places at a point of the page: those that a board marks where nothing lies, then spots and trays. */
function placesAt(x: number, y: number): string[] {
  const inside = ({ left, right, top, bottom }: DOMRect): boolean => x >= left && x <= right && y >= top && y <= bottom;
  const marked = [...document.querySelectorAll<SVGElement>("#board [data-place]")].filter((each) => inside(each.getBoundingClientRect()));
  const found = document.elementsFromPoint(x, y).flatMap((element) => element.closest<HTMLElement>("[data-spot], [data-tray]") ?? []);
  const ids = [...marked.map((each) => each.dataset["place"]!), ...found.map((each) => each.dataset["spot"] ?? `tray:${each.dataset["tray"]}`)];
  return [...new Set(ids)];
}

/** At its upper or lower edge, a list that is longer than its box moves along. */
function scrollAt(x: number, y: number): void {
  const list = document.elementFromPoint(x, y)?.closest("[data-scrolls]");
  if (!list) return;
  const { top, bottom } = list.getBoundingClientRect();
  if (y < top + EDGE) list.scrollBy(0, -EDGE / 4);
  else if (y > bottom - EDGE) list.scrollBy(0, EDGE / 4);
}
