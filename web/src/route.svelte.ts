// Which page is shown: /, /new/GAME, /table/ID, /rules/GAME#CLAUSE; and links to seats, /#link=TOKEN.

import { isGame } from "./games";
import { server } from "./server";

interface Route {
  name: "front" | "new" | "table" | "rules";
  id: string;
  clause: string;
}

export const route: Route = $state({ name: "front", id: "", clause: "" });

function read(): void {
  const [, name = "", id = ""] = location.pathname.split("/");
  const known = name === "table" ? /^[\w-]{22}$/.test(id) : (name === "new" || name === "rules") && isGame(id);
  Object.assign(route, { name: known ? name : "front", id: known ? id : "", clause: location.hash.slice(1) });
}

export function go(path: string): void {
  history.pushState(null, "", path);
  read();
  scrollTo(0, 0);
}

/** Links within the page do not load it anew. */
function click(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname + link.hash);
}

async function openLink(): Promise<void> {
  if (!location.hash.startsWith("#link=")) return;
  const link = location.hash.slice("#link=".length);
  await server.me();
  const { table } = await server.openLink(link);
  history.replaceState(null, "", table ? `/table/${table}` : "/");
  read();
}

export function startRouting(): void {
  addEventListener("popstate", read);
  document.addEventListener("click", click);
  read();
  void openLink().catch(() => go("/"));
}
