// By what the page was used last: the focus is moved only for those who use the keyboard.

let keyboard = false;

addEventListener("keydown", () => (keyboard = true), { capture: true });
addEventListener("pointerdown", () => (keyboard = false), { capture: true });

export const byKeyboard = (): boolean => keyboard;
