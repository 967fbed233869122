import { expect, test } from "vitest";
import { meta, NO_ROWS, NO_WAKES, page, PUSH, report, setKnob } from "../../testing/page-state.ts";
import { beforeWords, GHOST_RECORDS_MAX, ghostOf } from "./ghost.ts";

function before(store: ReturnType<typeof page>["store"], side: "a" | "b" = "a") {
  return store.getState().sides[side].previous;
}

test("a finished run that gives way is remembered, with its figures and its picture", () => {
  const { store, finish } = page();
  finish("a", 30);
  expect(before(store)).toBeUndefined();
  setKnob(store, "a", PUSH, "on");
  expect(before(store), "it is still on screen").toBeUndefined();
  finish("a", 2);
  expect(before(store)?.report.metrics.rq_lock.max_waiters).toBe(30);
  expect(before(store)?.trace).toBeDefined();
});

test("a run that was never finished, or is computed again as it was, is no previous run", () => {
  const { store, engines, finish } = page();
  finish("a", 30);
  setKnob(store, "a", PUSH, "on");
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onChunk(
    { simulatedNs: 10, shareDone: 1 },
    NO_ROWS,
    NO_WAKES,
    () => undefined,
  );
  setKnob(store, "a", PUSH, "auto_gt16");
  finish("a", 4);
  expect(before(store)?.report.metrics.rq_lock.max_waiters, "the one before it").toBe(30);
  setKnob(store, "a", "machine.cpus", 8);
  finish("a", 5);
  expect(before(store)?.report.metrics.rq_lock.max_waiters).toBe(4);
});

test("of a run with very many records the figures are kept, and no picture", () => {
  const { store, engines, finish } = page();
  engines.a.last.listener.onMeta(meta());
  engines.a.last.listener.onChunk(
    { simulatedNs: 10, shareDone: 1 },
    NO_ROWS,
    NO_WAKES,
    () => undefined,
  );
  engines.a.last.listener.onFinished({ ...report(30), records: GHOST_RECORDS_MAX + 1 }, undefined);
  setKnob(store, "a", PUSH, "on");
  finish("a", 2);
  expect(before(store)?.report.metrics.rq_lock.max_waiters).toBe(30);
  expect(before(store)?.trace).toBeUndefined();
});

test("nothing lies under the lanes until it is asked for; then each side's own, or A under B", () => {
  const { store, finish } = page();
  finish("a", 30);
  finish("b", 1);
  setKnob(store, "a", PUSH, "on");
  finish("a", 2);
  const words = (side: "a" | "b"): string | undefined =>
    ghostOf(store.getState().sides, store.getState().ghost, side, "pull")?.words;
  expect([words("a"), words("b")]).toEqual([undefined, undefined]);
  store.dispatch({ type: "ghost_toggled", mode: "before" });
  expect([words("a"), words("b")]).toEqual([expect.stringMatching(/^before: /), undefined]);
  store.dispatch({ type: "ghost_toggled", mode: "other" });
  expect([words("a"), words("b")]).toEqual([undefined, "over A: pull"]);
  store.dispatch({ type: "ghost_toggled", mode: "other" });
  expect([words("a"), words("b")]).toEqual([undefined, undefined]);
});

test("the words name what was different, at most two knobs of it", () => {
  const run = (...knobs: readonly (readonly [string, string | number])[]) => ({
    request: { slug: "", text: "", set: [], maxRecords: 1 },
    meta: {
      ...meta(),
      knobs: knobs.map(([path, value]) => ({ path, value, origin: "stated" as const })),
    },
  });
  const now = run(["kernel.rt_push_ipi", "on"], ["machine.cpus", 8], ["kernel.hz", 100]);
  expect(
    beforeWords(run(["kernel.rt_push_ipi", "off"], ["machine.cpus", 8], ["kernel.hz", 100]), now),
  ).toMatch(/ off$/);
  expect(
    beforeWords(run(["kernel.rt_push_ipi", "off"], ["machine.cpus", 9], ["kernel.hz", 250]), now),
  ).toMatch(/ off, .* 9 and 1 more$/);
  expect(beforeWords(now, now)).toBe("other changes in mid-run");
});
