// How the page is built: relative addresses everywhere, so that `dist/` works from any folder of
// any static host.

import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { offlineList } from "./scripts/site/offline.ts";
import { lessonTalks } from "./scripts/site/dev.ts";
import { shippedFiguresModule } from "./scripts/site/shipped-figures.ts";
import { staticPages } from "./scripts/site/pages.ts";
import { picturesModule } from "./scripts/site/pictures.ts";

const root = import.meta.dirname;
const siteUrl = process.env["SITE_URL"]?.replace(/\/+$/, "") || undefined;

/**
 * The dev server injects inline scripts and styles and talks over a socket; only there the policy
 * gives way.
 */
function relaxPolicyInDev(): Plugin {
  return {
    name: "schedscope-dev-policy",
    apply: "serve",
    transformIndexHtml: (html) =>
      html
        .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
        .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        .replace(/; require-trusted-types-for[^"]*/, "")
        .replace("connect-src 'self'", "connect-src 'self' ws:"),
  };
}

export default defineConfig({
  root,
  base: "./",
  plugins: [
    react(),
    relaxPolicyInDev(),
    lessonTalks(root),
    shippedFiguresModule(root),
    picturesModule(root),
    staticPages(root, siteUrl),
    offlineList(root),
  ],
  resolve: { alias: { "d3-transition": `${root}/src/lib/no-transition.ts` } },
  worker: { format: "es" },
  server: { host: "127.0.0.1" },
  build: {
    target: "es2022",
    // The policy allows no data: fonts or scripts, and a separate file is cached once for all
    // pages.
    assetsInlineLimit: 0,
    // A part that is fetched when it is asked for names its style sheets beforehand, not its
    // scripts: their names would be 1 kB of the first script.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === "js" ? needed.filter((name) => name.endsWith(".css")) : needed,
    },
    reportCompressedSize: false,
    // `npm start` shows what the bundler says to people who only want the page: sizes have budgets
    // of their own (size-limit).
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // What the first picture needs is one script: cut apart, because parts of it are asked
          // for again later, it compresses worse. What is asked for ahead of it is another, small
          // one.
          groups: [
            { name: "ahead", test: /\/src\/app\/ahead\.ts$/, priority: 1 },
            { name: "page", test: /\/src\/app\/main\.tsx$/ },
            // Each more script is named in the page's: what is about the copy of the site is one.
            { name: "offline", test: /\/src\/(?:panels\/offline|effects\/offline|lib\/save-data)/ },
          ],
        },
      },
    },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
    testTimeout: 60_000,
    isolate: false,
    setupFiles: ["scripts/test/property-seed.ts"],
  },
});
