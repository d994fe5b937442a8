// Which page is shown: /, /new/GAME, /table/ID, /rules/GAME#CLAUSE, /guide/GAME, /learn/GAME, /replay/ID#ACTION, /replay, /embed/ID, /watch; and links to seats, /#link=TOKEN.

import { who } from "./front/who.svelte";
import { asProblem, type Problem } from "./problem";
import { server } from "./server";

interface Route {
  name: "front" | "new" | "table" | "rules" | "guide" | "learn" | "replay" | "embed" | "watch";
  id: string;
  clause: string;
  /** Why the opened link leads nowhere. */
  problem: Problem | null;
}

export const route: Route = $state({ name: "front", id: "", clause: "", problem: null });

const LINK = "#link=";

const isTable = (id: string): boolean => /^[\w-]{22}$/.test(id);

function isKnown(name: string, id: string): boolean {
  if (name === "table" || name === "embed") return isTable(id);
  if (name === "replay") return !id || isTable(id);
  if (name === "watch") return !id;
  return ["new", "rules", "guide", "learn"].includes(name) && /^[a-z0-9-]{1,40}$/.test(id);
}

function read(): void {
  const [, name = "", id = ""] = location.pathname.split("/");
  const known = isKnown(name, id);
  Object.assign(route, { name: known ? name : "front", id: known ? id : "", clause: location.hash.slice(1) });
  if (location.hash.startsWith(LINK)) void openLink(location.hash.slice(LINK.length));
}

export function go(path: string): void {
  history.pushState(null, "", path);
  route.problem = null;
  read();
  if (!location.hash) scrollTo(0, 0);
}

/** Links within the page do not reload it. */
function click(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname + link.hash);
}

/** A seat link gives the seat to this browser and leads to its table; it is not kept in the history. */
async function openLink(link: string): Promise<void> {
  try {
    await who.known();
    const { table } = await server.openLink(link);
    history.replaceState(null, "", table ? `/table/${table}` : "/");
  } catch (problem) {
    history.replaceState(null, "", "/");
    route.problem = asProblem(problem);
  }
  read();
}

export function startRouting(): void {
  addEventListener("popstate", read);
  document.addEventListener("click", click);
  read();
}
