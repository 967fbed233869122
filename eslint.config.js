import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import { describedDisables } from "./scripts/lint/described-disables.mjs";
import { importLaw } from "./scripts/lint/import-law.mjs";

/** @type {Record<string, "readonly">} */
const NODE_GLOBALS = {
  process: "readonly",
  console: "readonly",
  URL: "readonly",
  fetch: "readonly",
  performance: "readonly",
  Buffer: "readonly",
};

/** @type {Record<string, "readonly">} */
const BROWSER_GLOBALS = {
  window: "readonly",
  document: "readonly",
  URL: "readonly",
  KeyboardEvent: "readonly",
};
/** @type {Record<string, "readonly">} */
const WORKER_GLOBALS = {
  self: "readonly",
  URL: "readonly",
  fetch: "readonly",
  caches: "readonly",
  Response: "readonly",
  URLSearchParams: "readonly",
};

/**
 * Set by `npm run test:long`: the rules that compile each component anew or ask for every symbol
 * take a third of the time.
 */
const THOROUGH = process.env["LINT_THOROUGH"] !== undefined;

export default tseslint.config(
  // Generated files are compared with what Rust writes, and the compiler reads them.
  {
    ignores: [
      "dist/",
      "target/",
      "node_modules/",
      "src/engine/wasm/",
      "src/engine/gen/",
      "test-results/",
      ".readers/",
      ".python/",
      "python/schedscope/_site/",
      "playwright-report/",
      "**/*.d.mts",
    ],
  },
  js.configs.recommended,
  {
    plugins: {
      schedscope: {
        rules: { "described-disables": describedDisables, "import-law": importLaw },
      },
    },
    rules: { "schedscope/described-disables": "error" },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Numbers are written into labels and attributes everywhere; what else a template would hide
      // stays refused.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      ...(THOROUGH ? {} : { "@typescript-eslint/no-deprecated": "off" }),
    },
  },
  // Components and hooks live there.
  {
    files: ["src/{app,charts,effects,lib,panels,stage,timeline}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts"],
    ...(THOROUGH
      ? { extends: [reactHooks.configs.flat.recommended] }
      : {
          plugins: { "react-hooks": reactHooks },
          rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "warn" },
        }),
  },
  {
    files: ["src/**/*.{ts,tsx}"],
    rules: {
      "schedscope/import-law": "error",
      "no-console": "error",
      // A browser lets a screen reader speak an output at every change: whether that answers the
      // viewer is to be decided for each.
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "JSXOpeningElement[name.name='output']:not(:has(JSXAttribute[name.name='aria-live']))",
          message:
            "Say by aria-live whether a screen reader speaks this output: polite where it answers the viewer, else off.",
        },
      ],
    },
  },
  {
    files: ["src/**/*.{ts,tsx}", "scripts/**/*.{mjs,ts}"],
    ignores: ["**/*.test.{ts,tsx}"],
    rules: {
      "max-lines-per-function": ["error", { max: 70, skipComments: true, skipBlankLines: true }],
      "max-lines": ["error", { max: 500 }],
    },
  },
  { files: ["**/*.mjs", "*.js"], languageOptions: { globals: NODE_GLOBALS } },
  { files: ["public/helpers/*.js"], languageOptions: { globals: BROWSER_GLOBALS } },
  { files: ["public/offline-worker.js"], languageOptions: { globals: WORKER_GLOBALS } },
);
