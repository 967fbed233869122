// A link opened in a page that shows the same scenario already, and the side in question: with real
// runs, addresses in, state out.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { loadEngine } from "../../engine/testing.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { AT_ONCE } from "../../effects/runs/feeder.ts";
import { startRunner } from "../../effects/runs/runner.ts";
import { BenchClient } from "../../testing/real-runs.ts";
import { shownViewport } from "../select/selectors.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { initialState, type State } from "../shape/state.ts";
import { currentStep, emphasisOf } from "../steps/resolve.ts";
import { makeStore, type Store } from "../store.ts";
import { addressOf, openAddress, type Catalogue } from "../../effects/address/address-bar.ts";
import { contentOf, openContent } from "./link-state.ts";
import { readLink, writeAddress } from "../../links/link.ts";

beforeAll(loadEngine);

const TEXT = {
  schema: 1,
  title: "t",
  duration: "3ms",
  machine: { cpus: 8, costs: "2012_40core_ticket" },
  kernel: { version: "3.19-push-ipi", hz: 1000, rt_push_ipi: "off" },
  workload: { cyclictest: { phase: "aligned" }, rt_noise: { tasks: 2, when: "random" } },
  variants: [
    { name: "pull", set: {} },
    { name: "push", set: { "kernel.rt_push_ipi": "on" } },
  ],
  steps: [
    {
      caption: "The queue.",
      view: { moment: "deepest_queue", before: "20us", after: "30us", side: "b" },
      focus: { lanes: "0-3", lock: "rq 0", wakeup: "cyclictest" },
      side: "b",
    },
    { caption: "The start.", view: { from: "0us", to: "100us" } },
    { caption: "Its end.", view: { from: "2900us", to: "3ms" }, side: "b" },
  ],
};
const ENTRY = { ...ownEntry(JSON.stringify(TEXT)), slug: "t" };
const CATALOGUE: Catalogue = { root: "/", scenarios: [ENTRY], knobs: KNOBS, draft: () => "" };

interface Page {
  readonly store: Store;
  /** Computes what is asked for. */
  readonly work: () => void;
  /** Goes to an address in the same tab. */
  readonly goTo: (address: string) => void;
}

function page(address: string): Page {
  const store = makeStore(initialState(ENTRY, "dark"));
  const clients = perSide(() => new BenchClient());
  const open = (to: string, fresh: boolean): void => {
    const { pathname, hash } = new URL(to, "http://host");
    openAddress(store, { pathname, hash }, CATALOGUE, fresh);
  };
  const work = (): void => SIDES.forEach((side) => clients[side].work());
  open(address, true);
  startRunner(store, clients, AT_ONCE);
  work();
  return {
    store,
    work,
    goTo: (to) => {
      open(to, false);
      work();
    },
  };
}

function linkOf(state: State): string {
  return `/${writeAddress(contentOf(state)) ?? ""}`;
}

/** What a reader of the link sees. */
function seen(state: State): object {
  const { playheadNs, selection, selectedOn, focus, onlyOneSide, layout } = state;
  const index = currentStep(state)?.caption;
  return {
    view: shownViewport(state),
    playheadNs,
    selection,
    selectedOn,
    focus,
    onlyOneSide,
    layout,
    index,
    lanes: emphasisOf(state),
  };
}

function linkWith(fields: Parameters<typeof writeAddress>[0]["view"], cpus?: number): string {
  const both = cpus === undefined ? [] : [["machine.cpus", String(cpus)] as const];
  return `/${writeAddress({ slug: "t", scenario: undefined, both, a: [], b: [], view: fields, unknown: [] }) ?? ""}`;
}

test("a link with other knobs opens in the same tab as it opens in a new one", () => {
  const links = [
    linkWith({}, 6),
    linkWith({ p: "500us" }, 6),
    linkWith({ step: "3" }, 6),
    linkWith({ step: "3", p: "2950us" }, 6),
    linkWith({ t: "1ms-2ms" }, 6),
    linkWith({ t: "1ms-2ms", p: "1500us", step: "2" }, 6),
    linkWith({ lay: "both_a" }, 6),
    linkWith({ sel: "cyclictest.3.w0" }, 6),
  ];
  for (const link of links) {
    const there = page("/s/t/");
    there.store.dispatch({ type: "playhead_set", ns: 123_456 });
    there.goTo(link);
    expect(seen(there.store.getState()), link).toEqual(seen(page(link).store.getState()));
  }
});

test("a link that names only a step shows that step, also over the same runs", () => {
  const there = page("/s/t/");
  there.goTo(linkWith({ step: "3" }));
  expect(seen(there.store.getState())).toEqual(
    seen(page(linkWith({ step: "3" })).store.getState()),
  );
});

test("going back among views of the same runs leaves the playhead where it is", () => {
  const there = page("/s/t/");
  there.store.dispatch({
    type: "viewport_set",
    viewport: { fromNs: 0, toNs: 50_000 },
    settled: true,
  });
  there.store.dispatch({ type: "playhead_set", ns: 123_456 });
  there.goTo("/s/t/");
  expect(there.store.getState().playheadNs).toBe(123_456);
});

test("what a link selects is selected, and not what its step would select", () => {
  const there = page(linkWith({ sel: "cyclictest.3.w0" }));
  expect(there.store.getState()).toMatchObject({
    selection: { task: "cyclictest.3", nth: 0 },
    selectedOn: "a",
  });
});

test("a link that names the step's own selection leaves the step's lanes marked", () => {
  const sender = page("/s/t/");
  sender.store.dispatch({ type: "lanes_set", lanes: "busy" });
  const link = linkOf(sender.store.getState());
  expect(link).toContain("&sel=");
  expect(seen(page(link).store.getState())).toEqual(seen(sender.store.getState()));
  expect(emphasisOf(page(link).store.getState())).toEqual([0, 1, 2, 3]);
});

test("a link opens on the side that its sender saw on a narrow screen, and on a wide one shows both", () => {
  for (const step of [0, 1, 2])
    for (const side of SIDES)
      for (const layout of ["stacked", "beside"] as const) {
        const sender = page("/s/t/");
        if (step > 0) sender.store.dispatch({ type: "step_opened", index: step });
        if (layout === "beside") sender.store.dispatch({ type: "beside_toggled" });
        sender.store.dispatch({ type: "side_focused", side, chosen: true });
        for (const address of [
          linkOf(sender.store.getState()),
          addressOf(sender.store.getState(), "/"),
        ]) {
          const state = page(address).store.getState();
          expect(state, address).toMatchObject({
            focus: side,
            onlyOneSide: false,
            layout,
            linkNotes: [],
          });
          expect(linkOf(state), "written again").toBe(linkOf(sender.store.getState()));
        }
      }
});

test("a side that is shown alone stays the side of the link while its step speaks of the other", () => {
  const sender = page("/s/t/");
  sender.store.dispatch({ type: "one_side_toggled" });
  sender.store.dispatch({ type: "side_focused", side: "a", chosen: true });
  const link = linkOf(sender.store.getState());
  expect(link).toContain("&lay=a&");
  expect(page(link).store.getState()).toMatchObject({ focus: "a", onlyOneSide: true });
});

test("the side chosen before the runs are done is not taken back by the step", () => {
  const store = makeStore(initialState(ENTRY, "dark"));
  const clients = perSide(() => new BenchClient());
  openAddress(store, { pathname: "/s/t/", hash: "" }, CATALOGUE, true);
  startRunner(store, clients, AT_ONCE);
  store.dispatch({ type: "side_focused", side: "a", chosen: true });
  SIDES.forEach((side) => clients[side].work());
  expect(store.getState().focus).toBe("a");
  store.dispatch({ type: "step_opened", index: 2 });
  expect(store.getState().focus, "another step has a side of its own").toBe("b");
});

test("a layout is read by its words, and one of other words is kept and named", () => {
  const read = (lay: string): ReturnType<typeof openContent> => {
    const link = readLink(linkWith({ lay }));
    if (!link.ok) throw new Error(link.problem.code);
    return openContent(link.content, ENTRY, KNOBS);
  };
  expect(read("b")).toMatchObject({ side: "b", only: true, beside: false, notes: [] });
  expect(read("beside")).toMatchObject({ side: undefined, only: false, beside: true, notes: [] });
  expect(read("both_b")).toMatchObject({ side: "b", only: false, beside: false, notes: [] });
  expect(read("beside_a")).toMatchObject({ side: "a", only: false, beside: true, notes: [] });
  for (const lay of ["both", "ab", "a_b", "beside_c", "a_beside"]) {
    expect(read(lay), lay).toMatchObject({
      side: undefined,
      only: false,
      beside: false,
      unknownFields: [["lay", lay]],
    });
    expect(read(lay).notes, lay).toHaveLength(1);
  }
});
