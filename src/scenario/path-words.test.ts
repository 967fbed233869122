// What knobs and kernels are called.

import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import type { KnobValue, OwnSwitch, RunMeta } from "../engine/gen/types.ts";
import { meta } from "../testing/page-state.ts";
import { kernelText, settingWords } from "./path-words.ts";

const kernelWith = (own: readonly Omit<OwnSwitch, "of_version">[]): string => {
  const knobs = [
    { path: "kernel.version", value: "6.12", origin: "scenario" },
  ] as unknown as RunMeta["knobs"];
  return kernelText({
    ...meta(),
    kernel: "6.12 with raw words",
    knobs,
    own_switches: own.map((each) => ({ ...each, of_version: "" })),
  });
};

test("a kernel that is not all of its version is told with the names and values that the sides' heads have", () => {
  expect(kernelWith([{ path: "kernel.rules.has_preempt_short", value: false }])).toBe(
    "6.12 with PREEMPT_SHORT off",
  );
  expect(kernelWith([{ path: "kernel.bandwidth", value: "4.19" }])).toBe(
    "6.12 with CFS bandwidth 4.19",
  );
  const costs = { a: 1 } as unknown as KnobValue;
  expect(kernelWith([{ path: "kernel.preempt", value: costs }])).toMatch(/^6[.]12 with own \w/);
});

test("no switch of the kernel is called by its raw path, and no flag `true` or `false`", () => {
  for (const { path, default: value } of KNOBS.filter((knob) => knob.path.startsWith("kernel."))) {
    const words = settingWords(path, value);
    expect(kernelWith([{ path, value }])).toBe(`6.12 with ${words}`);
    expect(words, path).not.toMatch(/kernel[.]|has_| (?:true|false)$/);
  }
});
