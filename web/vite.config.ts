import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compress } from "./compress.ts";

// During development `npm run dev` serves the page, and a running Laguna answers its requests.
const laguna = process.env["LAGUNA_SERVER"] ?? "http://127.0.0.1:8099";

// The built page is part of the Python package; `laguna serve` serves it from there.
export default defineConfig({
  plugins: [svelte(), compress()],
  build: { outDir: "../src/laguna/page", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: { fs: { allow: [".", "../docs/rules"] }, proxy: { "/api": { target: laguna, ws: true, changeOrigin: true, headers: { origin: laguna } } } },
});
