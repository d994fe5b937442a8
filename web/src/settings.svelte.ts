// A player's preferences, stored in this browser.

export type Language = "en" | "ru" | "it";
export const LANGUAGES: readonly Language[] = ["en", "ru", "it"];
/** Each language by the name it has for itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", ru: "Русский", it: "Italiano" };

/** Which actions need confirmation: none, those that end the turn, every one. */
export type Asking = "none" | "turn" | "every";

interface Values {
  language: Language;
  look: "system" | "light" | "dark";
  large: boolean; // larger text
  speed: 0 | 0.5 | 1 | 2; // of animations, and at which others' actions follow each other; 0: all at once
  confirm: Asking;
  sound: boolean;
  notify: boolean;
}

const KEY = "laguna.settings";

function browserLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return LANGUAGES.find((language) => wanted[0] === language) ?? LANGUAGES.find((l) => wanted.includes(l)) ?? "en";
}

const DEFAULTS: Values = {
  language: "en",
  look: "system",
  large: false,
  speed: 1,
  confirm: "turn",
  sound: false,
  notify: false,
};

function load(): Values {
  const fresh = { ...DEFAULTS, language: browserLanguage() };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...fresh, ...(typeof kept === "object" ? kept : {}) };
  } catch {
    return fresh;
  }
}

export const settings: Values = $state({ ...DEFAULTS });

/** Call once, before anything else: loads the settings, stores them, and applies them to the page's root element. */
export function applySettings(): void {
  Object.assign(settings, load());
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let systemDark = $state(dark.matches);
  let systemStill = $state(still.matches);
  dark.onchange = () => (systemDark = dark.matches);
  still.onchange = () => (systemStill = still.matches);
  $effect.root(() => {
    $effect(() => {
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // a private window may refuse: then they last only until the page is closed
      }
      const root = document.documentElement;
      root.lang = settings.language;
      root.dataset["look"] = settings.look === "system" ? (systemDark ? "dark" : "light") : settings.look;
      root.dataset["large"] = String(settings.large);
      motion.pace = settings.speed && 1 / settings.speed;
      motion.beat = systemStill ? 0 : motion.pace;
      root.style.setProperty("--beat", String(motion.beat));
    });
  });
}

/**
 * `beat` is the factor for the duration of animations; 0: no animations. `pace` is the factor for the time in which
 * others' actions can be read; 0: they are shown at once. It takes time to read even where nothing may move.
 */
export const motion = $state({ beat: 1, pace: 1 });
