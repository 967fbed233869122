// What a link read means for the page: what is kept of it, what is named, and what a link of an
// older version still says.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { effectiveSet, lookUp } from "../../scenario/knob-sets.ts";
import { writeFrame, type Items } from "../../links/link-frame.ts";
import { contentOf, openContent } from "./link-state.ts";
import { type Opened } from "../shape/opened.ts";
import { compareCommand, runCommand } from "./commands.ts";
import { readLink, writeAddress } from "../../links/link.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { requestFor } from "../select/selectors.ts";
import { initialState } from "../shape/state.ts";
import { makeStore } from "../store.ts";

const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;
const STATED = ownEntry(
  JSON.stringify({
    kernel: { version: "5.4", bandwidth: "4.19", base_slice_us: 900 },
    variants: [
      { name: "as stated", set: {} },
      { name: "5.4", set: { "kernel.bandwidth": "5.4" } },
    ],
  }),
);

function open(version: number, items: Items, entry = HERD): Opened {
  const result = readLink(`s/${HERD.slug}/#${writeFrame(version, items)}`);
  if (!result.ok) throw new Error(result.problem.code);
  return openContent(result.content, entry, KNOBS);
}

/** What a page that opened this would write, read again. */
function rewritten(opened: Opened): string {
  const store = makeStore(initialState(HERD, "dark"));
  store.dispatch({ type: "opened", route: "preset", opened });
  return writeAddress(contentOf(store.getState())) ?? "";
}

test("a knob nobody knows is listed, kept and written again", () => {
  const opened = open(2, [
    ["k.machine.cpus", "24"],
    ["k.kernel.warp", "9"],
    ["note", "hi"],
  ]);
  expect(opened.notes).toHaveLength(2);
  const again = readLink(rewritten(opened));
  expect(again).toMatchObject({
    ok: true,
    content: {
      both: [
        ["machine.cpus", "24"],
        ["kernel.warp", "9"],
      ],
      unknown: [["note", "hi"]],
    },
  });
});

test("100 000 unknown keys are a count and the first ten, cut to a readable length; all are kept", () => {
  const items = Array.from(
    { length: 100_000 },
    (_, n) => [`x${n}`, n === 3 ? "y".repeat(5_000) : "1"] as const,
  );
  const opened = open(2, items);
  expect(opened.notes).toHaveLength(11);
  expect(opened.notes[0]).toContain("x0=1");
  expect(opened.notes[10]).toBe(
    "There are 100000 such items in this link; the first 10 are named.",
  );
  for (const note of opened.notes) expect(note.length).toBeLessThan(200);
  expect(opened.unknownFields).toEqual(items);
});

test("a link has as many figures as a headline can have; more are unknown keys, each kept", () => {
  const figures = Array.from(
    { length: 9 },
    (_, n) => [`was.ipi.reschedule.sent${n}`, "1_2"] as const,
  );
  const opened = open(2, [
    ...figures,
    ["was.rq_lock.wait_ns", "soon"],
    [`was.${"a.".repeat(200)}b`, "1"],
    ["fp", "0123abcd"],
  ]);
  expect(opened.expectation?.figures).toHaveLength(8);
  expect(opened.unknownFields.map(([key]) => key.slice(0, 20))).toEqual([
    "was.ipi.reschedule.s",
    "was.rq_lock.wait_ns",
    `was.${"a.".repeat(8)}`,
  ]);
});

const inForce = ({ knobs }: Opened, side: "a" | "b", path: string): unknown =>
  lookUp(effectiveSet(STATED, knobs, side), path);

test("a version changed by a link of version 1 leaves standing what the file states, by whichever of its keys", () => {
  const old = open(1, [["k.kernel.version", "6.12"]], STATED);
  expect(inForce(old, "a", "kernel.bandwidth")).toBe("4.19");
  expect(inForce(old, "b", "kernel.bandwidth"), "the variant's own").toBe("5.4");
  expect(inForce(old, "b", "kernel.base_slice")).toBe("900us");
  const stated = open(
    1,
    [
      ["k.kernel.version", "6.12"],
      ["k.kernel.bandwidth", "5.7"],
    ],
    STATED,
  );
  expect(inForce(stated, "a", "kernel.bandwidth"), "the link's own").toBe("5.7");
});

test("only the side whose version the old link changes is kept as it was, and a link of version 2 keeps nothing", () => {
  const old = open(1, [["b.kernel.version", "6.12"]], STATED);
  expect(old.knobs.a).toEqual([]);
  expect(lookUp(old.knobs.b, "kernel.base_slice")).toBe("900us");
  const now = open(2, [["k.kernel.version", "6.12"]], STATED);
  expect([now.knobs.a, now.knobs.b]).toEqual([[], []]);
});

test("changes in mid-run, playhead and the one side shown come back as they were", () => {
  const store = makeStore(initialState(HERD, "dark"));
  store.dispatch({
    type: "knob_live_set",
    change: { where: "b", path: "kernel.rt_push_ipi", value: "off", atNs: 12_345_678 },
  });
  store.dispatch({
    type: "knob_live_set",
    change: { where: "both", path: "kernel.ttwu_queue", value: "off", atNs: 20_000_000 },
  });
  store.dispatch({
    type: "viewport_set",
    viewport: { fromNs: 10_000_000, toNs: 30_000_000 },
    settled: true,
  });
  const state = {
    ...store.getState(),
    playheadNs: 15_250_000.4,
    onlyOneSide: true,
    focus: "b" as const,
  };
  const link = readLink(writeAddress(contentOf(state)) ?? "");
  if (!link.ok) throw new Error(link.problem.code);
  const opened = openContent(link.content, HERD, KNOBS);
  expect(opened.knobs.live).toEqual(state.knobs.live);
  expect(opened).toMatchObject({ playheadNs: 15_250_000, side: "b", only: true, notes: [] });
  store.dispatch({ type: "opened", route: "preset", opened });
  expect(store.getState()).toMatchObject({ playheadNs: 15_250_000, onlyOneSide: true, focus: "b" });
  expect(requestFor(store.getState(), "b").changes).toHaveLength(2);
  expect(requestFor(store.getState(), "a").changes).toHaveLength(1);
});

test("a write to a task comes back from a link, and the commands make it", () => {
  const store = makeStore(initialState(HERD, "dark"));
  const change = {
    where: "both",
    path: 'tasks."rt_noise.0".cpus',
    value: "0-3,8",
    atNs: 10_500_000,
  } as const;
  store.dispatch({ type: "knob_live_set", change });
  const link = readLink(writeAddress(contentOf(store.getState())) ?? "");
  if (!link.ok) throw new Error(link.problem.code);
  expect(openContent(link.content, HERD, KNOBS)).toMatchObject({
    knobs: { live: [change] },
    notes: [],
  });
  const flag = `--live '10500us=tasks."rt_noise.0".cpus=0-3,8'`;
  expect(compareCommand(store.getState())).toContain(flag);
  expect(runCommand(store.getState(), "b")).toContain(flag);
  store.dispatch({ type: "knob_live_set", change: { ...change, where: "a", atNs: 11_000_000 } });
  expect(runCommand(store.getState(), "b")).not.toContain("11ms");
  expect(compareCommand(store.getState()), "one side's is said by the link").toMatch(
    /^schedscope compare .*at\.a\.11000000ns/,
  );
});

test("a change of a knob that nobody knows, and a layout of a later page, are listed and kept", () => {
  const opened = open(3, [
    ["at.k.1ms.kernel.warp", "9"],
    ["at.k.soon.kernel.rt_push_ipi", "off"],
    ["lay", "diagonal"],
  ]);
  expect(opened.knobs.live).toEqual([]);
  expect(opened.unknownFields.map(([key]) => key)).toEqual([
    "at.k.soon.kernel.rt_push_ipi",
    "at.k.1ms.kernel.warp",
    "lay",
  ]);
});

test("what a sentence puts around a link does not change it", () => {
  const bare = `https://host/x/s/${HERD.slug}/#${writeFrame(3, [["k.machine.cpus", "8"]])}`;
  for (const text of [`${bare}.`, `(${bare}),`, `<${bare}>`, `“${bare}”.`, ` ${bare}!\n`])
    expect(readLink(text), text).toEqual(readLink(bare));
  expect(readLink(bare)).toMatchObject({ ok: true, content: { both: [["machine.cpus", "8"]] } });
  expect(readLink(`${bare}x.`)).toMatchObject({ ok: false, problem: { code: "changed" } });
  expect(readLink(`https://host/s/${HERD.slug}/.`)).toMatchObject({ ok: true });
});

test("a fragment with neither the beginning nor the end of a link is told from a link that was changed", () => {
  const read = (fragment: string) => readLink(`https://host/s/${HERD.slug}/#${fragment}`);
  const whole = writeFrame(3, [["seed", "9"]]);
  expect(read("hello")).toMatchObject({
    problem: { code: "changed", detail: "its end is missing, or it was changed by hand" },
  });
  expect(read(`x${whole}`)).toEqual({ ok: false, problem: { code: "changed", slug: HERD.slug } });
  expect(read(whole.replace("seed=9", "seed=8"))).toEqual({
    ok: false,
    problem: { code: "changed", slug: HERD.slug },
  });
});

test("an area is written as it was chosen and read again, on some CPUs or on all; one of another form is kept and named", () => {
  const areas = [
    { fromNs: 10_000_000, toNs: 12_345_678 },
    { fromNs: 0, toNs: 1, cpus: [0, 1, 2, 3, 7, 1023] },
  ];
  for (const area of areas) {
    const store = makeStore(initialState(HERD, "dark"));
    store.dispatch({ type: "opened", route: "preset", opened: open(3, []) });
    store.dispatch({ type: "area_set", area });
    const result = readLink(writeAddress(contentOf(store.getState())) ?? "");
    expect(result.ok && openContent(result.content, HERD, KNOBS).area).toEqual(area);
  }
  for (const wrong of [
    "10ms-9ms",
    "1ms-2ms_3-1",
    "1ms-2ms_4.4",
    "1ms-2ms_0-1024",
    "1ms-2ms_",
    "1ms-2ms_1_2",
    "all",
  ]) {
    const opened = open(3, [["area", wrong]]);
    expect([opened.area, opened.notes.length], wrong).toEqual([undefined, 1]);
    expect(rewritten(opened)).toContain(`&area=${wrong}&`);
  }
});

test("markers are read as they stand, also one alone and the later one first, and are written again", () => {
  for (const [text, markers] of [
    ["2ms-5ms", { from: 2_000_000, to: 5_000_000 }],
    ["5ms-2.5us", { from: 5_000_000, to: 2_500 }],
    ["7ms-", { from: 7_000_000, to: undefined }],
    ["-7ms", { from: undefined, to: 7_000_000 }],
  ] as const) {
    const opened = open(3, [["markers", text]]);
    expect(opened.markers).toEqual(markers);
    expect(opened.notes).toEqual([]);
    expect(readLink(rewritten(opened))).toMatchObject({ content: { view: { markers: text } } });
  }
});

test("markers of another form, or later than both runs are long, are listed as unknown and move nothing", () => {
  for (const text of [
    "-",
    "5ms",
    "2ms-5ms-9ms",
    "2ms-soon",
    "-3ms-5ms",
    "2ms-9000s",
    "9999999999s-",
    "0.0001ns-1ms",
  ]) {
    const opened = open(3, [["markers", text]]);
    expect(opened.markers, text).toEqual({});
    expect(opened.notes, text).toHaveLength(1);
    expect(opened.unknownFields, text).toEqual([["markers", text]]);
  }
  const longer = [
    ["b.duration", "9000s"],
    ["markers", "2ms-9000s"],
  ] as const;
  expect(open(3, longer).notes, "the longer of both runs").toEqual([]);
});
