import { expect, test } from "vitest";
import { mismatch, notesOf } from "./notes.mjs";

const CHANGELOG = `# Changelog

## Unreleased

Nothing yet.

## 0.2.1 — 2026-12-01

### The page
- One thing.

## 0.2.0 — 2026-11-29

The first release.
`;

test("a version's notes are the text between its heading and the next one", () => {
  expect(notesOf(CHANGELOG, "0.2.1")).toBe("### The page\n- One thing.");
  expect(notesOf(CHANGELOG, "0.2.0")).toBe("The first release.");
  expect(notesOf(CHANGELOG, "0.2")).toBeUndefined();
});

test("a tag is refused unless package, crates and tag name one version", () => {
  expect(mismatch("v0.2.0", { package: "0.2.0", cargo: "0.2.0" })).toBeUndefined();
  expect(mismatch("v0.2.1", { package: "0.2.0", cargo: "0.2.0" })).toContain("v0.2.1");
  expect(mismatch("v0.2.0", { package: "0.2.0", cargo: "0.1.0" })).toContain("Cargo.toml 0.1.0");
});
