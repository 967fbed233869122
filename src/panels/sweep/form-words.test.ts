// Which knobs the sweep's form offers.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { findKnob } from "../../scenario/knob-values.ts";
import { metricWords } from "../../state/figures/headline.ts";
import { knobUnit, withUnit } from "./bound.ts";
import { offLineWords, questionOf, sweptPaths } from "./form-words.ts";

const web = SCENARIOS.find(({ slug }) => slug === "quota-web-p95") as ScenarioEntry;

test("the knobs of programs that do not run are not offered; all are while nothing is known of a run", () => {
  const offered = sweptPaths(web, ["machine.cpus", "workload.web.rate"], KNOBS);
  expect(offered).toContain("workload.web.hops");
  expect(offered).toContain("kernel.hz");
  expect(
    offered.filter((path) => path.startsWith("workload.") && !path.startsWith("workload.web.")),
  ).toEqual([]);
  expect(sweptPaths(web, [], KNOBS)).toContain("workload.cyclictest.threads");
});

test("of a search the field that cannot be read is told, with its form, before those that are still empty", () => {
  const depth = metricWords("rq_lock.max_waiters");
  const wrong = (typed: {
    readonly bound?: string;
    readonly from?: string;
    readonly to?: string;
  }): unknown => {
    const search = { metric: depth.path, variant: "", bound: "", from: "", to: "", ...typed };
    return questionOf(search, findKnob(KNOBS, "machine.cpus"), depth, 5);
  };
  expect(wrong({ bound: "few" })).toEqual({
    ok: false,
    field: "bound",
    words: "expected a number, got “few”",
  });
  expect(wrong({ bound: "3", to: "many" })).toMatchObject({
    field: "to",
    words: "expected a whole number from 1 to 1024, got “many”",
  });
  expect(wrong({ bound: "3", from: "8", to: "4" })).toMatchObject({
    field: "to",
    words: "expected more than “8”, where the range begins, got “4”",
  });
});

test("a search over a switch says that there is no smallest value, and asks for none", () => {
  const depth = metricWords("rq_lock.max_waiters");
  const push = findKnob(KNOBS, "kernel.rules.has_preempt_short");
  if (push === undefined) throw new Error("no such switch");
  const words = offLineWords(push) ?? "";
  expect(words).toMatch(/^PREEMPT_SHORT is on or off: there is no smallest value to look for[.]/);
  const typed = { metric: depth.path, variant: "", bound: "3", from: "off", to: "on" };
  expect(questionOf(typed, push, depth, 5)).toEqual({ ok: false, field: "path", words });
  for (const { type, ...knob } of KNOBS)
    expect(offLineWords({ type, ...knob }) === undefined, knob.path).toBe(
      type === "integer" || type === "time" || knob.path.endsWith(".cpu_max"),
    );
});

test("an end of the range of a time is read bare, in the unit in which the page shows the knob", () => {
  const late = metricWords("latency.web.p95_ns");
  const knob = KNOBS.find(({ type }) => type === "time");
  if (knob === undefined) throw new Error("no knob is a time");
  const ends = (now: string, from: string, to: string): unknown => {
    const unit = knobUnit(knob, now);
    return questionOf(
      {
        metric: late.path,
        variant: "",
        bound: "3 ms",
        from: withUnit(from, unit),
        to: withUnit(to, unit),
      },
      knob,
      late,
      5,
    );
  };
  expect(ends("5ms", "2", "10")).toMatchObject({
    ok: true,
    value: { from: 2_000_000, to: 10_000_000 },
  });
  expect(ends("300us", "50", "1.5 ms")).toMatchObject({
    ok: true,
    value: { from: 50_000, to: 1_500_000 },
  });
  expect(
    knobUnit(findKnob(KNOBS, "machine.cpus") ?? knob, 4),
    "a number has no unit",
  ).toBeUndefined();
});
