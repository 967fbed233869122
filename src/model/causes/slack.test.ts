import { beforeAll, expect, test, vi } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { culpritsOf, costWords } from "./culprits.ts";
import { barsWithSlack, DELAY, SLACK, slackByKind, slackNs, slackOfRow } from "./slack.ts";
import { areaDeltas } from "../stats/area-deltas.ts";
import { run } from "../testing.ts";

beforeAll(loadEngine);

const slackSum = (bars: ReturnType<typeof barsWithSlack>): number =>
  bars.reduce((sum, { causeNs }) => sum + (causeNs[SLACK] ?? 0), 0);

test("a fair task that its timer woke has 50 us of slack; the sentence names it, and what is left of the delay stands for itself", () => {
  const [store] = run("quota-stranded", 0, [["duration", "2s"]]);
  let timed = 0;
  for (let row = 0; row < store.wakes.count; row += 1) {
    const wake = store.wakes.record(row);
    const slack = slackNs(store, wake);
    expect(slackOfRow(store, row)).toBe(slack);
    if (slack === 0) continue;
    timed += 1;
    expect(slack).toBe(50_000);
    const culprits = culpritsOf(store, wake);
    const own = culprits.find(({ words }) => words.includes("timer slack"));
    if (own !== undefined) expect(costWords(own)).toBe("50 µs");
    const delay = culprits.find(({ words }) => words.includes("its handler had not begun"));
    expect(delay?.ns ?? 0).toBeLessThanOrEqual((wake.segments[0]?.ns ?? 0) - slack);
  }
  expect(timed).toBeGreaterThan(100);
  expect([...slackByKind(store).values()].reduce((sum, ns) => sum + ns, 0)).toBe(timed * 50_000);
  expect(slackSum(barsWithSlack(store, undefined))).toBe(timed * 50_000);
  const causes = areaDeltas(store, undefined, { fromNs: 0, toNs: store.endNs }).causes;
  expect(causes.rows.find(({ name }) => name === "timer_slack")?.a).toBe(timed * 50_000);
});

test("a real-time task has none, and the bars hold what they held", () => {
  const [store] = run("rt-pull-herd", 0, [["duration", "20ms"]]);
  const bars = barsWithSlack(store, undefined);
  expect(slackSum(bars)).toBe(0);
  expect(bars.map(({ causeNs }) => causeNs[DELAY])).toEqual(
    store.latency.histogram().map(({ causeNs }) => causeNs[DELAY]),
  );
});

test("where lateness was measured it is drawn, and the rows tell how much it was each time", () => {
  const [store] = run("quota-stranded", 0, [
    ["duration", "1s"],
    ["machine.costs.timer_jitter_ns", 20_000],
  ]);
  const all = Array.from({ length: store.wakes.count }, (_, row) => slackOfRow(store, row)).filter(
    (ns) => ns > 0,
  );
  expect(new Set(all).size).toBeGreaterThan(10);
  expect(Math.max(...all)).toBeLessThanOrEqual(40_000);
});

test("the bars of a histogram ask once which timers expired, not for each wake-up", () => {
  const [store] = run("rt-pull-herd", 0);
  barsWithSlack(store, undefined);
  const asked = vi.spyOn(store.events, "rowsOf");
  barsWithSlack(store, undefined);
  slackByKind(store);
  expect(store.wakes.count).toBeGreaterThan(1_000);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
});
