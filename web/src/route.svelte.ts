// Which page is shown, by the address: see PAGES. Links to seats are /#link=TOKEN.

import { who } from "./front/who.svelte";
import { asProblem, type Problem } from "./problem";
import { server } from "./server";

const [A_GAME, A_TABLE, NOTHING] = [/^[a-z0-9-]{1,40}$/, /^[\w-]{22}$/, /^$/];
/** The pages, and what follows their names: /new/GAME, /table/ID, /me. What a `#` begins belongs to the page. */
const PAGES = {
  new: A_GAME,
  rules: A_GAME,
  guide: A_GAME,
  learn: A_GAME,
  editor: A_GAME,
  puzzles: A_GAME,
  table: A_TABLE,
  replay: /^([\w-]{22})?$/, // without a table: of a game file
  embed: A_TABLE,
  watch: NOTHING,
  me: NOTHING,
};

const isPage = (name: string): name is keyof typeof PAGES => Object.hasOwn(PAGES, name);

interface Route {
  name: keyof typeof PAGES | "front";
  id: string;
  clause: string;
  /** Why the opened link leads nowhere. */
  problem: Problem | null;
}

export const route: Route = $state({ name: "front", id: "", clause: "", problem: null });

const LINK = "#link=";

function read(): void {
  const [, name = "", id = ""] = location.pathname.split("/");
  const known = isPage(name) && PAGES[name].test(id);
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
