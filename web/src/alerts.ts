// Alerts players who are looking elsewhere when it is their turn: title, icon, sound, notification.

import { settings } from "./settings.svelte";
import { play } from "./sound";
import type { OneTable } from "./table/table.svelte";
import { t } from "./words/index.svelte";

const NAME = "Laguna";
// The page's icon with a light on it, shown on the player's turn. It is a file because the page allows no data: images.
const LIT = "/icon-turn.svg";

function icon(lit: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  link.dataset["usual"] ??= link.getAttribute("href") ?? "";
  const wanted = lit ? LIT : link.dataset["usual"];
  if (link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
}

function notify(words: string): void {
  if (!settings.notify || !document.hidden || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(NAME, { body: words, tag: location.pathname, icon: LIT });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // some phones show notifications only through a service worker; the title and the sound still work
  }
}

/** Watch a table until the returned function is called. To be called in an effect: it reads what it depends on. */
export function watchTable(table: OneTable, title: () => string): () => void {
  const mine = table.myTurn && table.view?.status === "playing";
  document.title = mine ? `● ${t("table:alert.title")} · ${title()}` : `${title()} · ${NAME}`;
  icon(mine);
  let before = { mine: table.myTurn, status: table.view?.status };
  const stop = table.onLines((lines) => {
    const now = { mine: table.myTurn, status: table.view?.status };
    if (now.status === "over" && before.status !== "over") {
      play("over");
      notify(t("table:alert.over", { game: title() }));
    } else if (now.mine && !before.mine) {
      play("turn");
      notify(t("table:alert.body", { game: title() }));
    } else if (lines.some((line) => line.kind === "acted")) play("placed");
    before = now;
  });
  return () => {
    stop();
    icon(false);
    document.title = NAME;
  };
}
