// Caches the files whose names change with their content, and a notice for when the server cannot be reached.
// Data from the server (/api) is never cached: it would be outdated.

const NOTICE = "laguna-notice-1";
const FILES = "laguna-files-1";
const NOTICE_FILES = ["/offline.html", "/offline.css", "/icon.svg"];
const MAX_FILES = 200; // kept; the oldest are deleted first

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(NOTICE).then((cache) => cache.addAll(NOTICE_FILES)));
});

self.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(pageOrNotice(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(fromCache(request));
  else if (NOTICE_FILES.includes(url.pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

/** The page as the server has it now, or the notice: a proxy's error page does not count as an answer. */
async function pageOrNotice(request) {
  try {
    const answer = await fetch(request);
    if (answer.status < 502 || answer.status > 504) return answer;
  } catch {
    // no answer at all: the same notice
  }
  return caches.match("/offline.html");
}

async function fromCache(request) {
  const cache = await caches.open(FILES);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MAX_FILES)).map((old) => cache.delete(old)));
  }
  return answer;
}

/** Delete what earlier versions of this worker cached. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== NOTICE && name !== FILES).map((name) => caches.delete(name)));
}
