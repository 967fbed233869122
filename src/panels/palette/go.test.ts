// What the palette finds by words that nothing on the page is called by.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { Page } from "../page.ts";
import { meantChoices } from "./go.ts";

// Only the catalogue is asked.
const PAGE = { catalogue: { scenarios: SCENARIOS, knobs: KNOBS } } as unknown as Page;
const ids = (query: string, scenarios: boolean): readonly string[] => meantChoices(query, PAGE, scenarios).map(({ id }) => id);

test("a name of the kernel's finds the scenario that is about it, and its word in the glossary", () => {
  expect(ids("latency_nice", true)).toEqual(["scenario eevdf-slices"]);
  expect(ids("vruntime", true)).toEqual(["scenario eevdf-slices", "term vruntime"]);
  expect(ids("CONFIG_PREEMPT_LAZY", true)).toEqual(expect.arrayContaining(["scenario lazy-or-now", "term preempt_lazy"]));
});

test("a question in one's own words finds the scenarios nearest to it", () => {
  expect(ids("why is my pod throttled", true)).toContain("scenario quota-pinned");
  expect(ids("why is my container slow", true)).toContain("scenario quota-web-p95");
});

test("beside what is called so stand the glossary's words alone; nonsense and nothing find nothing", () => {
  expect(ids("vruntime", false)).toEqual(["term vruntime"]);
  for (const query of ["", "  ", "hello world", "projetcor"]) expect(ids(query, true), query).toEqual([]);
});
