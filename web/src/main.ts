import { mount } from "svelte";
import App from "./App.svelte";
import { fontReady } from "./font";
import "./font.css";
import { offer } from "./front/catalogue.svelte";
import { who } from "./front/who.svelte";
import "./page.css";
import { watchInput } from "./parts/input";
import { applySettings, settings } from "./settings.svelte";
import { startWords } from "./words/index.svelte";

applySettings();
watchInput();
// Every page needs these: request them while the texts load. Failures show up where they are needed.
const framed = location.pathname.startsWith("/embed/"); // in a frame of another site nobody needs to be known
if (!framed) who.known().catch(() => {});
offer.load().catch(() => {});

await Promise.all([startWords(), fontReady(settings.language)]);
mount(App, { target: document.getElementById("page")! });

if (import.meta.env.PROD && "serviceWorker" in navigator && !framed) {
  void navigator.serviceWorker.register("/sw.js").catch(() => {}); // a private window may refuse
}
