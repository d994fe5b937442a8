// Dragging from one spot to another means choosing one and then the other.

class Dragging {
  from: string | null = $state(null);
  x = $state(0);
  y = $state(0);
  /** Ignore the click that a browser sends after a drag. */
  justEnded = false;
  #spots = new Map<string, () => void>();

  register(id: string, pick: () => void): () => void {
    this.#spots.set(id, pick);
    return () => {
      if (this.#spots.get(id) === pick) this.#spots.delete(id);
    };
  }

  start(id: string, event: PointerEvent): void {
    this.from = id;
    this.#move(event);
    const move = (moved: PointerEvent): void => this.#move(moved);
    const end = (ended: PointerEvent): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.#end(ended);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  #move(event: PointerEvent): void {
    this.x = event.clientX;
    this.y = event.clientY;
  }

  #end(event: PointerEvent): void {
    const from = this.from;
    this.from = null;
    this.justEnded = true;
    setTimeout(() => (this.justEnded = false));
    if (event.type === "pointercancel") return;
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const target = under.map((element) => element.closest("[data-spot]")).find((spot) => spot !== null);
    const id = target?.getAttribute("data-spot");
    if (id && id !== from) this.#spots.get(id)?.();
  }
}

export const dragging = new Dragging();
