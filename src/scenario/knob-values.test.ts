// Values as text and back.

import fc from "fast-check";
import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import type { Knob } from "../engine/gen/types.ts";
import {
  findKnob,
  keysOf,
  parseCpuMax,
  parseTime,
  parseValue,
  readCpuMax,
  saidValue,
  valueText,
  valueWords,
  writeCpuMax,
  writeTime,
  writtenOver,
} from "./knob-values.ts";
import { ownEntry } from "./viewer-scenario.ts";
import { applyFix } from "./text-fixes.ts";

test("every whole number of ns comes back from its shortest text", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000_000_000 }), (ns) => {
      expect(parseTime(writeTime(ns))).toBe(ns);
    }),
  );
});

test("a time has a unit and is whole in ns", () => {
  expect(["3us", "1.5ms", "0.5us", "2 s", "7µs"].map(parseTime)).toEqual([
    3_000, 1_500_000, 500, 2_000_000_000, 7_000,
  ]);
  expect(["3", "us", "-1us", "1.0001ns", "1h"].map(parseTime)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a choice's name of before is read as its name of now", () => {
  const bandwidth = findKnob(KNOBS, "kernel.bandwidth");
  if (bandwidth === undefined) throw new Error("no knob of CFS bandwidth");
  expect(parseValue(bandwidth, "seed_v4")).toEqual({ ok: true, value: "chiluk_v4" });
  expect(parseValue(bandwidth, "seed_v1_v2_v5")).toEqual({ ok: true, value: "chiluk_v1_v2_v5" });
  expect(parseValue(bandwidth, "seed_v9").ok).toBe(false);
});

test("what the page says of a value it refuses has µs, whichever sign was typed", () => {
  const knob = KNOBS.find(({ type, max }) => type === "time" && max !== undefined);
  if (knob === undefined) throw new Error("no knob with a time");
  for (const text of ["5", "1h"]) {
    const parsed = parseValue(knob, text);
    expect(parsed.ok ? "" : parsed.expected).toMatch(/^a time with a unit, (?!.*\dus)/);
  }
  expect(parseCpuMax("quota", "999us")).toEqual({
    ok: false,
    expected: "max, or a time of 1 ms or more in whole µs",
  });
  expect(JSON.stringify(parseCpuMax("quota", "1.5"))).toContain(
    "1.5 CPUs are 150 ms in a period of 100 ms",
  );
  expect(JSON.stringify(parseCpuMax("quota", "50000"))).toContain("such as 50000us");
  expect([parseCpuMax("quota", "1500µs"), parseCpuMax("quota", "1500us")]).toEqual(
    Array(2).fill({ ok: true, value: "1500us" }),
  );
});

test("run time and periods are said with their units, what is no such value as it is written", () => {
  expect(saidValue("cgroups.web.cpu_max", "20000 10000")).toBe("20 ms / 10 ms");
  expect(saidValue("cgroups.web.cpu_max", "max 100000")).toBe("max");
  expect(saidValue("cgroups.web.cpu_max", "nonsense")).toBe("nonsense");
  expect(saidValue("cgroups.web.cpu_max_burst", 100_000)).toBe("100 ms");
  expect(saidValue("kernel.cfs_bandwidth_slice_us", 500)).toBe("500 µs");
  expect(saidValue("kernel.rt_push_ipi", "on")).toBe("on");
});

test("a quota that is written to cpu.max without a period keeps the period, as in the kernel; no other value does", () => {
  const path = "cgroups.web.cpu_max";
  expect(writtenOver(path, "20000 10000", "50000")).toBe("50000 10000");
  expect(writtenOver(path, "20000", "50000")).toBe("50000");
  expect(writtenOver(path, undefined, "50000")).toBe("50000");
  expect(writtenOver(path, "20000 10000", "50000 100000")).toBe("50000 100000");
  expect(writtenOver(path, "20000 10000", "max")).toBe("max");
  expect(writtenOver("cgroups.web.cpu_max_burst", "20000 10000", 50_000)).toBe(50_000);
});

test("every knob's own default is a value it takes, as files have it and as the page shows it", () => {
  for (const knob of KNOBS)
    for (const text of [valueText(knob.default), valueWords(knob.default)])
      expect([knob.path, parseValue(knob, text)]).toEqual([
        knob.path,
        { ok: true, value: knob.default },
      ]);
});

test("a value is typed by its knob: 5.10 is a version, not a number", () => {
  const version: Knob = {
    path: "kernel.version",
    label: "version",
    type: "enum",
    choices: [{ value: "5.1" }, { value: "5.10" }],
    default: "5.1",
    applies: "boot",
  };
  expect(parseValue(version, "5.10")).toEqual({ ok: true, value: "5.10" });
  expect(parseValue({ ...version, type: "integer", min: 1, max: 9 }, "12")).toEqual({
    ok: false,
    expected: "a whole number from 1 to 9",
  });
});

test("a fix replaces what stands at the error's place, and nothing else", () => {
  const text = '{\n  "machine": { "cpus": 40, "costz": "x" }\n}';
  expect(applyFix(text, { message: "", path: "", line: 2, column: 28, suggestion: "costs" })).toBe(
    text.replace("costz", "costs"),
  );
  expect(
    applyFix('{ "version": 5.10 }', {
      message: "",
      path: "",
      line: 1,
      column: 14,
      suggestion: '"5.10"',
    }),
  ).toBe('{ "version": "5.10" }');
  expect(applyFix(text, { message: "", path: "", line: 2, column: 28 })).toBeUndefined();
});

test("a broken text of one's own still makes a page, with nothing made up", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const entry = ownEntry(text);
      expect(entry.text).toBe(text);
      expect(entry.variants.every((variant) => typeof variant.name === "string")).toBe(true);
    }),
  );
});

test("a group's knob is an instance of a pattern and is called by its group, dots in the name included", () => {
  const pattern: Knob = {
    path: "cgroups.<name>.cpu_max",
    label: "cpu.max",
    type: "text",
    default: "max",
    applies: "live",
  };
  expect(keysOf('cgroups."user.slice/web".cpu_max')).toEqual([
    "cgroups",
    "user.slice/web",
    "cpu_max",
  ]);
  expect(keysOf("machine.cpus")).toEqual(["machine", "cpus"]);
  expect(findKnob([pattern], 'cgroups."user.slice/web".cpu_max')).toMatchObject({
    label: "user.slice/web: cpu.max",
    type: "text",
  });
  expect(findKnob([pattern], "cgroups.web.cpu_max")?.path).toBe("cgroups.web.cpu_max");
  expect([findKnob([pattern], "cgroups.web.cpu_min"), findKnob([pattern], "machine.cpus")]).toEqual(
    [undefined, undefined],
  );
});

test("cpu.max is two times, and the text they come to", () => {
  expect(readCpuMax("10000 100000")).toEqual({ quota: "10ms", period: "100ms" });
  expect(readCpuMax("max")).toEqual({ quota: "max", period: "100ms" });
  expect(["", "10ms", "1 2 3", "-1 5"].map(readCpuMax)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([
    writeCpuMax({ quota: "1500us", period: "1s" }),
    writeCpuMax({ quota: "max", period: "10ms" }),
  ]).toEqual(["1500 1000000", "max 10000"]);
  expect(["10ms", "max", "1.5 ms"].map((text) => parseCpuMax("quota", text))).toEqual([
    { ok: true, value: "10ms" },
    { ok: true, value: "max" },
    { ok: true, value: "1500us" },
  ]);
  expect(["999us", "5", "1.0000001s", ""].map((text) => parseCpuMax("quota", text).ok)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(["1ms", "1s", "2s", "max"].map((text) => parseCpuMax("period", text).ok)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a list of CPUs may repeat itself, and is written as the kernel prints it", () => {
  const read = (path: string, text: string): unknown => {
    const knob = findKnob(KNOBS, path);
    return knob && parseValue(knob, text);
  };
  expect(read("kernel.nohz_full", "0,0,0")).toEqual({ ok: true, value: "0" });
  expect(read("machine.partitions", "3,0-2;7,6")).toEqual({ ok: true, value: "0-3;6-7" });
  expect(["none", "all of them", "0-3:1/2"].map((text) => read("kernel.nohz_full", text))).toEqual(
    ["none", "all of them", "0-3:1/2"].map((value) => ({ ok: true, value })),
  );
});
