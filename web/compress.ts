// Compresses the text files of the build once, as well as possible: the server sends `.br` or `.gz` to clients that accept it.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|html|svg|json|webmanifest)$/;
const MIN_SIZE = 512; // bytes: smaller files gain nothing

export function compress(): Plugin {
  let folder = "";
  return {
    name: "laguna-compress",
    apply: "build",
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
      await Promise.all(files.map((file) => pack(join(file.parentPath, file.name))));
    },
  };
}

async function pack(path: string): Promise<void> {
  const text = await readFile(path);
  if (text.length < MIN_SIZE) return;
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, brotliCompressSync(text, best));
  await writeFile(`${path}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
}
