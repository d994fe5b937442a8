// Whether the last input came from the keyboard or a pointer: the focus is moved only for keyboard users.

let keyboard = false;

addEventListener("keydown", () => (keyboard = true), { capture: true });
addEventListener("pointerdown", () => (keyboard = false), { capture: true });

export const byKeyboard = (): boolean => keyboard;
