import { expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../engine/gen/types.ts";
import { findKnob } from "../scenario/knob-values.ts";
import { addressOf } from "../effects/address/address-bar.ts";
import { openContent } from "../state/link/link-state.ts";
import { readLink } from "./link.ts";
import { initialState } from "../state/shape/state.ts";
import { NO_WINDOW } from "../state/shape/sweep.ts";
import { makeStore } from "../state/store.ts";
import { readSweep, writeSweep, type SearchForm, type SweepForm } from "./sweep-form.ts";
import { linesOf, pointsOf, requestsOf } from "../state/sweep/plan.ts";
import { sweepCommands } from "../state/sweep/text.ts";

const locks = SCENARIOS.find(({ slug }) => slug === "quota-kernel-lock") ?? SCENARIOS[0];
if (locks === undefined) throw new Error("no scenario");
const LOCKS: ScenarioEntry = locks;
const known = {
  knob: (path: string) => findKnob(KNOBS, path) !== undefined,
  variant: (name: string) => locks.variants.some((variant) => variant.name === name),
};
const NO_SEARCH: SearchForm = { metric: "", variant: "", bound: "", from: "", to: "" };
const FIRST: { readonly form: SweepForm; readonly search: SearchForm } = {
  form: {
    path: "machine.cpus",
    values: "1",
    secondPath: "",
    secondValues: "",
    metrics: ["sched.ticks"],
    variants: [],
    seeds: "5",
    seedFrom: "1",
  },
  search: NO_SEARCH,
};
const FORM: SweepForm = {
  path: "kernel.hz",
  values: "100, 250..300, half typed",
  secondPath: "machine.cpus",
  secondValues: "8, 16",
  metrics: ["latency.a b.max_ns", "sched.ticks"],
  variants: locks.variants.slice(0, 1).map(({ name }) => name),
  seeds: "7",
  seedFrom: "3",
};
const SEARCH: SearchForm = {
  metric: "sched.ticks",
  variant: locks.variants[0]?.name ?? "",
  bound: "200us",
  from: "1",
  to: "9",
};

const FORMS = { form: FORM, search: SEARCH };

/** What a link of this sweep opens. */
function travelled(form: SweepForm, search: SearchForm) {
  const store = makeStore({
    ...initialState(LOCKS, "dark"),
    route: "preset",
  });
  store.dispatch({ type: "sweep_opened", entry: LOCKS, forms: { form, search } });
  const read = readLink(addressOf(store.getState(), "/"));
  if (!read.ok) throw new Error(read.problem.code);
  const opened = openContent(read.content, LOCKS, KNOBS);
  return {
    opened,
    sweep: opened.sweep === undefined ? undefined : readSweep(opened.sweep, FIRST, known),
  };
}

test("a link has the whole sweep as it was typed: two knobs, metrics, variants, seeds and the bound that is asked for", () => {
  const { opened, sweep } = travelled(FORM, SEARCH);
  expect(sweep).toEqual({ form: FORM, search: SEARCH });
  expect(opened.notes).toEqual([]);
  expect(
    travelled({ ...FORM, secondPath: "", secondValues: "" }, NO_SEARCH).sweep?.form.secondPath,
  ).toBe("");
});

test("a closed window leaves nothing in the address", () => {
  const store = makeStore({ ...initialState(locks, "dark"), route: "preset" });
  const bare = addressOf(store.getState(), "/");
  store.dispatch({ type: "sweep_opened", entry: LOCKS, forms: FORMS });
  expect(addressOf(store.getState(), "/")).toContain("sweep.over.kernel.hz=");
  store.dispatch({ type: "sweep_closed" });
  expect(addressOf(store.getState(), "/")).toBe(bare);
});

test("knobs and variants that this page does not know are left out, and a sweep of none is the window's own", () => {
  expect(readSweep([["over.no.such", "1"]], FIRST, known)).toEqual(FIRST);
  const read = readSweep(
    [
      ["over.kernel.hz", "100"],
      ["lines.kernel.hz", "250"],
      ["variant.nobody", ""],
      ["find.variant", "nobody"],
    ],
    FIRST,
    known,
  );
  expect(read.form).toMatchObject({ path: "kernel.hz", secondPath: "", variants: [] });
  expect(read.search.variant).toBe("");
  const many = Array.from({ length: 30 }, (_, index) => [`metric.m${index}`, ""] as const);
  expect(readSweep([["over.kernel.hz", "100"], ...many], FIRST, known).form.metrics).toHaveLength(
    8,
  );
});

test("every variant has a line for each value of the second knob, which wins over what was turned on both sides", () => {
  const [one, two] = locks.variants;
  const plan = {
    path: "kernel.hz",
    values: [100, 250],
    second: { path: "machine.cpus", values: [8, 16] },
    metrics: ["sched.ticks"],
    variants: [one, two].flatMap((variant) => variant?.name ?? []),
    seedFrom: 1,
    seeds: 2,
  };
  const lines = linesOf(locks, plan);
  expect(lines).toHaveLength(2 * plan.variants.length);
  expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length);
  const points = pointsOf(locks, plan);
  expect(points).toHaveLength(lines.length * 2 * 2);
  const requests = requestsOf(locks, plan, [["machine.cpus", 4]], points);
  for (const [index, point] of points.entries()) {
    expect(Object.fromEntries(requests[index]?.set ?? [])).toMatchObject({
      "machine.cpus": plan.second.values[point.variant % 2],
      "kernel.hz": plan.values[point.value],
      seed: point.seed,
    });
  }
  const commands = sweepCommands(locks, plan, [["machine.cpus", 4]], locks.slug);
  expect(commands).toHaveLength(plan.variants.length);
  expect(commands[0]).toMatch(/--over kernel\.hz=100,250 --over machine\.cpus=8,16 --seeds 1\.\.2/);
  expect(commands[0]).not.toContain("--set machine.cpus");
});

test("a sweep's part of a link that no window writes is kept in the link, said, and not looked at", () => {
  const long = "m".repeat(400);
  const texts = [
    [`metric.${long}`, ""],
    ["seeds", "1,".repeat(3_000)],
  ] as const;
  const linked = [...writeSweep(FORM, SEARCH).filter(([key]) => key !== "seeds"), ...texts];
  const sweep = { ...NO_WINDOW, shown: true, linked };
  const store = makeStore({ ...initialState(LOCKS, "dark"), route: "preset", sweep });
  const read = readLink(addressOf(store.getState(), "/"));
  if (!read.ok) throw new Error(read.problem.code);
  const opened = openContent(read.content, locks, KNOBS);
  expect(readSweep(opened.sweep ?? [], FIRST, known).form).toEqual({
    ...FORM,
    seeds: FIRST.form.seeds,
  });
  expect(opened.unknownFields.map(([key]) => key)).toEqual([`sweep.metric.${long}`, "sweep.seeds"]);
  expect(opened.notes).toHaveLength(2);
});

test("opening the window is a step of the browser's history; typing and closing are not", () => {
  const store = makeStore({ ...initialState(locks, "dark"), route: "preset" });
  const before = store.getState().commits;
  store.dispatch({ type: "sweep_opened", entry: LOCKS, forms: FORMS });
  expect(store.getState().commits).toBe(before + 1);
  store.dispatch({ type: "sweep_typed", form: { ...FORM, values: "100" } });
  store.dispatch({ type: "sweep_closed" });
  expect(store.getState().commits).toBe(before + 1);
});
