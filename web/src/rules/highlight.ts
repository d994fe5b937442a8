// Marks the words of a search within an element, where the browser can; nothing of the page is changed.

import { comparable } from "./markdown";

const NAME = "found";

export function highlight(element: HTMLElement | undefined, search: string): void {
  if (!("highlights" in CSS)) return;
  const words = comparable(search).split(/\s+/).filter(Boolean);
  const ranges = element && words.length ? [...rangesIn(element, words)] : [];
  CSS.highlights.set(NAME, new Highlight(...ranges));
}

function* rangesIn(element: HTMLElement, words: string[]): Generator<Range> {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    const text = comparable(node.data);
    if (text.length !== node.length) continue; // accents are written as letters of their own: positions would differ
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        yield range;
      }
    }
  }
}
