// What the palette finds by words that nothing on the page is called by.

import { expect, test } from "vitest";
import { KIND, KIND_NAMES } from "../../engine/gen/catalogue.ts";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { matching } from "../../lib/match.ts";
import { TraceStore } from "../../model/index.ts";
import { shapeOf, traceChunk, wakeChunk } from "../../model/trace/trace-text.ts";
import type { Page } from "../page/page.ts";
import { EVENT_WORDS } from "./event-choices.ts";
import { eventChoices, meantChoices } from "./go.ts";

// Only the catalogue is asked.
const PAGE = { catalogue: { scenarios: SCENARIOS, knobs: KNOBS } } as unknown as Page;
const ids = (query: string, scenarios: boolean): readonly string[] =>
  meantChoices(query, PAGE, scenarios).map(({ id }) => id);

test("a name of the kernel's finds the scenario that is about it, and its word in the glossary", () => {
  expect(ids("latency_nice", true)).toEqual(["scenario eevdf-slices"]);
  expect(ids("vruntime", true)).toEqual(["scenario eevdf-slices", "term vruntime"]);
  expect(ids("CONFIG_PREEMPT_LAZY", true)).toEqual(
    expect.arrayContaining(["scenario lazy-or-now", "term preempt_lazy"]),
  );
});

test("a question in one's own words finds the scenarios nearest to it", () => {
  expect(ids("why is my pod throttled", true)).toContain("scenario quota-pinned");
  expect(ids("why is my container slow", true)).toContain("scenario quota-web-p95");
});

test("beside what is called so stand the glossary's words alone; nonsense and nothing find nothing", () => {
  expect(ids("vruntime", false)).toEqual(["term vruntime"]);
  for (const query of ["", "  ", "hello world", "projetcor"])
    expect(ids(query, true), query).toEqual([]);
});

test("every kind of record that a run has is found by the trace's name, by its plain name and by its kernel function", () => {
  const rows = traceChunk(
    [KIND.SchedSwitch, KIND.RtoClear, KIND.Tick].map((kind, at) => ({
      ns: at * 10,
      kind,
      cpu: 0,
      a: 0,
      b: 1,
    })),
  );
  const trace = new TraceStore(shapeOf(2, 3, 1000));
  trace.append(1000, rows, wakeChunk([]));
  const all = eventChoices([trace]);
  expect(all.map(({ id }) => id)).toEqual([
    "event sched_switch",
    "event sim_rto_clear",
    "event sim_tick",
  ]);
  const first = (query: string): string | undefined => matching(query, all).items[0]?.id;
  for (const query of ["sched_switch", "context switch"])
    expect(first(query), query).toBe("event sched_switch");
  for (const query of ["sim_rto_clear", "rto_clear", "no longer overloaded", "rt_clear_overload"])
    expect(first(query), query).toBe("event sim_rto_clear");
  expect(eventChoices([])).toEqual([]);
});

test("every kind of record but the lanes' own has a plain name of its own", () => {
  const words = Object.values(EVENT_WORDS);
  expect(words.length).toBe(KIND_NAMES.length - 1);
  expect(new Set(words).size).toBe(words.length);
});
