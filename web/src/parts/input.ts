// Whether the last input came from the keyboard, a finger or another pointer: the focus is moved only for keyboard
// users, and a finger cannot hover over a thing before it chooses it.

let keyboard = false;
let finger = false;

/** Call once, before there is any input. */
export function watchInput(): void {
  addEventListener("keydown", () => (keyboard = true), { capture: true });
  addEventListener(
    "pointerdown",
    ({ pointerType }) => {
      keyboard = false;
      finger = pointerType === "touch";
    },
    { capture: true },
  );
}

export const byKeyboard = (): boolean => keyboard;
export const byTouch = (): boolean => !keyboard && finger;
