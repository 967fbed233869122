import { beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { DriverOnBench, loadEngine } from "../engine/testing.ts";
import { sampleStretch, taskSpans, TraceStore } from "./index.ts";

beforeAll(loadEngine);

/** What the trace of a shipped variant says of a tool's longest sample. */
function longest(
  slug: string,
  variant: number,
  kind: string,
  meaning: string,
): readonly [ns: number, found: ReturnType<typeof sampleStretch>, store: TraceStore] {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  const bench = new DriverOnBench();
  const set = Object.entries(entry?.variants[variant]?.set ?? {});
  bench.start(1, { slug, text: entry?.text ?? "", set, maxRecords: 8_000_000 });
  let store: TraceStore | undefined;
  for (const message of bench.finish()) {
    if (message.type === "meta") store = new TraceStore(message.meta);
    else if (message.type === "chunk") store?.append(message.reached.simulatedNs, message.trace, message.wakes);
    else if (message.type === "finished" && store !== undefined) {
      const ns = message.report.metrics.tool_samples?.[`${kind}.${meaning}`]?.max_ns ?? -1;
      return [ns, sampleStretch(store, kind, ns), store];
    }
  }
  throw new Error("the run did not finish");
}

const KNOWN = [
  ["quota-average-lies", "gc_main", "cycle"],
  ["quota-boundary", "gc_main", "cycle"],
  ["quota-burst", "gc_main", "cycle"],
  ["pipe-across-models", "pipe", "elapsed"],
  ["priority-inheritance", "strong", "wants"],
] as const;

test.each(KNOWN)(
  "the longest sample of %s is found on both sides, exactly as long as the engine says, and its task's states fill it",
  (slug, kind, meaning) => {
    for (const variant of [0, 1]) {
      const [ns, found, store] = longest(slug, variant, kind, meaning);
      if (found === undefined) throw new Error("not found");
      expect(found.toNs - found.fromNs).toBe(ns);
      const spans = taskSpans(store, found.task, found.fromNs, found.toNs, Number.MAX_SAFE_INTEGER);
      expect(spans.reduce((sum, span) => sum + span.toNs - span.fromNs, 0)).toBe(ns);
    }
  },
  60_000,
);

test("a sample that begins or ends in the middle of user code is not guessed", () => {
  const [ns, found] = longest("schbench", 0, "schbench_worker", "wakeup");
  expect(ns).toBeGreaterThan(0);
  expect(found).toBeUndefined();
}, 60_000);
