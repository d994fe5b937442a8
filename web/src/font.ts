// Our typeface: asked for as soon as the page starts, so that the first text appears in it and nothing moves later.

const PATIENCE = 1500; // milliseconds to wait for it: on a slow connection the text comes first
const LETTERS = { en: "a", it: "a", ru: "aя" }; // of the subsets that a language needs

/** Ends when text can be shown in the typeface, or after a moment in a similar one. */
export async function fontReady(language: keyof typeof LETTERS): Promise<void> {
  const loading = document.fonts.load('1rem "Commissioner"', LETTERS[language]).then(() => {});
  const patience = new Promise<void>((done) => setTimeout(done, PATIENCE));
  await Promise.race([loading, patience]).catch(() => {}); // without it, the page is as good in another font
}
