// Timer slack is no interrupt's delay, wherever the page says what most of a wake-up was.

import { beforeAll, expect, test } from "vitest";
import { causeWords } from "../../charts/cause-rect.tsx";
import { rtlaText } from "../../charts/Waterfall.tsx";
import { loadEngine } from "../../engine/testing.ts";
import { slackNs } from "../../model/causes/slack.ts";
import { run } from "../../model/testing.ts";
import type { TraceStore } from "../../model/trace/trace-store.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import { mostCause } from "./marked-on.ts";

beforeAll(loadEngine);

/** A wake-up whose timer had 50 µs of slack, and one of a real-time task, which has none. */
function lateOnes(): readonly [store: TraceStore, wake: WakeRecord][] {
  const [fair] = run("quota-stranded", 0, [["duration", "500ms"]]);
  const [rt] = run("rt-pull-herd", 0, [["duration", "20ms"]]);
  const wakes = (store: TraceStore): WakeRecord[] =>
    Array.from({ length: store.wakes.count }, (_, row) => store.wakes.record(row));
  const slack = wakes(fair).find((wake) => slackNs(fair, wake) > 0);
  const worst = wakes(rt).find(({ segments }) => segments.length > 1);
  if (slack === undefined || worst === undefined) throw new Error("no such wake-up");
  return [
    [fair, slack],
    [rt, worst],
  ];
}

test("a wake-up that timer slack made late is mostly timer slack, not the delay of an interrupt", () => {
  const [[fair, slack], [rt, worst]] = lateOnes() as [
    [TraceStore, WakeRecord],
    [TraceStore, WakeRecord],
  ];
  const most = mostCause(fair, slack);
  expect([causeWords(most?.cause ?? 0), most?.ns]).toEqual(["timer slack", 50_000]);
  const longest = Math.max(...worst.segments.map(({ ns }) => ns));
  expect(mostCause(rt, worst)?.ns).toBeGreaterThanOrEqual(longest);
});

test("the text for rtla has timer slack on a line of its own, and its lines add up to the latency", () => {
  for (const [store, wake] of lateOnes()) {
    const slack = slackNs(store, wake);
    const text = rtlaText(wake, slack);
    const figures = [...text.matchAll(/([\d.]+) us \( *([\d.]+) %\)/g)].map(
      ([, us = "", share = ""]) => [Number(us), Number(share)],
    );
    const sums = figures
      .slice(0, -1)
      .reduce(([us = 0, share = 0], [more = 0, part = 0]) => [us + more, share + part], [0, 0]);
    expect(sums[0]).toBeCloseTo(wake.latencyNs / 1_000, 6);
    expect(sums[1]).toBeCloseTo(100, 6);
    expect(text.includes("timer_slack"), text).toBe(slack > 0);
  }
});
