import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The script that draws boards without a browser: the page's components as Svelte renders them on a server, in one file
// that needs nothing else. The Python package runs it; see src/still.
export default defineConfig({
  plugins: [svelte({ compilerOptions: { css: "injected" } })],
  resolve: { conditions: ["node", "import", "module", "default"] },
  ssr: { noExternal: true },
  publicDir: false,
  build: {
    ssr: "src/still/index.ts",
    outDir: "../src/laguna/drawing",
    emptyOutDir: false,
    target: "es2022",
    minify: true,
    rolldownOptions: { output: { format: "iife", name: "still", entryFileNames: "boards.js", codeSplitting: false } },
  },
});
