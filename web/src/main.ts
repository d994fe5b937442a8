import { mount } from "svelte";
import App from "./App.svelte";
import "./page.css";
import { applySettings } from "./settings.svelte";
import { startWords } from "./words/index.svelte";

applySettings();
await startWords();
mount(App, { target: document.getElementById("page")! });
