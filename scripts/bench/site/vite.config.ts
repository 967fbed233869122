// Built into target/bench-site and never shipped.

import { join } from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: false,
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    outDir: join(import.meta.dirname, "../../../target/bench-site"),
    emptyOutDir: true,
  },
});
