import { expect, test } from "vitest";
import { readHandIn, writeHandIn, type HandIn } from "./hand-in.ts";
import { writeFrame } from "./link-frame.ts";

const DONE: HandIn = {
  lesson: "herd",
  seed: 5,
  bets: { 0: 2, 3: 1 },
  ways: { 5: "machine.cpus=8" },
  shown: [3],
};

test("what is handed in comes back whole, and with nothing done, too", () => {
  expect(readHandIn(writeHandIn(DONE))).toEqual({ ok: true, handIn: DONE });
  const none = { ...DONE, seed: undefined, bets: {}, ways: {}, shown: [] };
  expect(readHandIn(writeHandIn(none))).toEqual({ ok: true, handIn: none });
  const quota = { ...DONE, ways: { 5: "cgroups.app.cpu_max=200000 100000" } };
  expect(readHandIn(writeHandIn(quota))).toEqual({ ok: true, handIn: quota });
});

test("a cut, changed, newer or foreign address says what is wrong with it", () => {
  const whole = writeHandIn(DONE);
  const why = (text: string): string => {
    const read = readHandIn(text);
    return read.ok ? "" : read.why;
  };
  expect(why(whole.slice(0, -3))).toContain("end is missing");
  expect(why(whole.replace("herd", "lazy"))).toContain("changed on its way");
  expect(why(writeFrame(2, [["lesson", "herd"]]))).toContain("newer page");
  expect(why("3")).not.toBe("");
  expect(why(`${whole}${"x".repeat(5_000)}`)).toContain("at most 4000 characters");
});

test("no field carries more or other than a page writes, however it is signed", () => {
  const base = { lesson: "herd", bets: "0:1", shown: "" };
  for (const wrong of [
    { lesson: "../x" },
    { lesson: "" },
    { seed: "-1" },
    { seed: "1e9" },
    { bets: "99:1" },
    { bets: "0:11" },
    { bets: "__proto__:1" },
    { shown: "1,x" },
    { "way.5": "=1+1" },
    { "way.5": `machine.cpus=${"8".repeat(200)}` },
    { "way.5": "machine.cpus=8\u0007" },
    { "way.x": "machine.cpus=8" },
  ]) {
    const text = writeFrame(1, Object.entries({ ...base, ...wrong }));
    expect(readHandIn(text).ok, JSON.stringify(wrong)).toBe(false);
  }
  expect(readHandIn(writeFrame(1, Object.entries({ ...base, later: "x" }))).ok).toBe(true);
});
