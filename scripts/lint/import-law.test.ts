import { expect, test } from "vitest";
import { circleThrough } from "./folder-graph.mjs";
import { lawBroken } from "./import-law.mjs";

test("a room imports only from rooms to its left, and the message names both", () => {
  expect(lawBroken("panels/knobs/Knobs.tsx", "state/shape/state.ts")).toBeUndefined();
  expect(lawBroken("state/shape/state.ts", "panels/page/page.ts")).toBe(
    "src/state must not import from src/panels: a folder imports only from its left",
  );
  expect(lawBroken("timeline/side.tsx", "charts/causes.tsx")).toContain("src/charts");
});

test("inside a room that has an order, its folders obey it, and its own files are on top", () => {
  expect(lawBroken("state/store.ts", "state/reduce/reducer.ts")).toBeUndefined();
  expect(lawBroken("state/reduce/reducer.ts", "state/store.ts")).toContain("src/state/reduce");
  expect(lawBroken("state/shape/run.ts", "state/select/selectors.ts")).toContain("only from");
  expect(lawBroken("state/new/thing.ts", "state/shape/run.ts")).toContain("not in the import law");
});

test("test support is for tests alone", () => {
  expect(lawBroken("panels/page/page.ts", "testing/page-state.ts")).toContain("it is for tests");
});

test("an import that closes a circle of folders is refused with the way round", () => {
  const graph = new Map([
    ["a", new Map([["b", ["a/one.ts", "b/two.ts"]]])],
    ["b", new Map([["c", ["b/two.ts", "c/three.ts"]]])],
  ]);
  expect(circleThrough(graph, "c/three.ts", "a/one.ts")).toBe(
    "a circle of folders: src/c → src/a (c/three.ts → a/one.ts), " +
      "src/a → src/b (a/one.ts → b/two.ts), src/b → src/c (b/two.ts → c/three.ts)",
  );
  expect(circleThrough(graph, "a/one.ts", "c/three.ts")).toBeUndefined();
});
