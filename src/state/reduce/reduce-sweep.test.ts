// The sweep's window through the state's public door: what closing, links and other scenarios leave.

import { expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import type { SweepForm } from "../../links/sweep-form.ts";
import type { RawSet } from "../../links/link-types.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import { HERD } from "../../testing/page-state.ts";
import { contentOf, openContent } from "../link/link-state.ts";
import { initialState } from "../shape/state.ts";
import { makeStore, type Store } from "../store.ts";

const FORM: SweepForm = {
  path: "machine.cpus",
  values: "4, 8",
  secondPath: "",
  secondValues: "",
  metrics: ["sched.ticks"],
  variants: [],
  seeds: "5",
  seedFrom: "1",
};
const SEARCH = { metric: "sched.ticks", variant: "", bound: "", from: "", to: "" };
const FORMS = { form: FORM, search: SEARCH };
const PLAN = { path: FORM.path, values: [4], metrics: [], variants: [], seedFrom: 1, seeds: 1 };

const NOTHING = { scenario: undefined, both: [], a: [], b: [], view: {}, unknown: [] };

function opened(): Store {
  const store = makeStore({ ...initialState(HERD, "dark"), route: "preset" });
  store.dispatch({ type: "sweep_opened", entry: HERD, forms: FORMS });
  store.dispatch({ type: "sweep_typed", form: { ...FORM, values: "6" } });
  store.dispatch({ type: "sweep_started", plan: PLAN, common: [], total: 1 });
  return store;
}

/** Back or forward to an address that says this of a sweep. */
function returnTo(store: Store, sweep: RawSet | undefined): void {
  const content = { slug: HERD.slug, ...NOTHING, ...(sweep !== undefined && { sweep }) };
  const opening = openContent(content, HERD, KNOBS);
  store.dispatch({ type: "returned", route: "preset", opened: opening });
}

test("a window that is closed and opened again has what was typed and what ran", () => {
  const store = opened();
  store.dispatch({ type: "sweep_closed" });
  expect(contentOf(store.getState()).sweep).toBeUndefined();
  store.dispatch({ type: "sweep_opened", entry: HERD, forms: FORMS });
  expect(store.getState().sweep.forms?.form.values).toBe("6");
  expect(store.getState().sweeping.plan).toBe(PLAN);
});

test("going back closes the window, and going forward finds it with what came of it", () => {
  const store = opened();
  const { sweep } = contentOf(store.getState());
  returnTo(store, undefined);
  expect(store.getState().sweep.shown).toBe(false);
  returnTo(store, sweep);
  expect(store.getState().sweep).toMatchObject({ shown: true, linked: undefined });
  expect(store.getState().sweeping.plan).toBe(PLAN);
});

test("another sweep in an address stays as it stands there until the window has read it", () => {
  const store = opened();
  const linked = [["over.kernel.hz", "100"]] as const;
  returnTo(store, linked);
  expect(contentOf(store.getState()).sweep).toEqual(linked);
  const { commits } = store.getState();
  store.dispatch({ type: "sweep_filled", entry: HERD, forms: FORMS });
  expect(store.getState()).toMatchObject({
    commits,
    sweep: { shown: true, linked: undefined, forms: FORMS },
    sweeping: { plan: undefined },
  });
});

test("forms that are filled in behind a closed window do not open it", () => {
  const store = makeStore(initialState(HERD, "dark"));
  store.dispatch({ type: "sweep_filled", entry: HERD, forms: FORMS });
  expect(store.getState().sweep.shown).toBe(false);
});

test("another scenario leaves the sweep of the one before, until its own window is opened", () => {
  const store = opened();
  const [other] = SCENARIOS.filter(({ slug }) => slug !== HERD.slug);
  if (other === undefined) throw new Error("one scenario only");
  const opening = openContent({ slug: other.slug, ...NOTHING }, other, KNOBS);
  store.dispatch({ type: "opened", route: "preset", opened: opening });
  expect(store.getState().sweeping.plan).toBe(PLAN);
  store.dispatch({ type: "sweep_opened", entry: other, forms: FORMS });
  expect(store.getState().sweep).toMatchObject({ entry: other, forms: FORMS });
  expect(store.getState().sweeping.plan).toBeUndefined();
});

test("nothing of a sweep is undone or redone", () => {
  const store = opened();
  expect(store.getState().undo.past).toEqual([]);
});
