// The address bar through its public door: actions and history in, addresses and state out.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { keepAddress, openAddress, type AddressHost, type Catalogue } from "./address-bar.ts";
import { TEMPLATE } from "../../scenario/template.ts";
import { knobValue } from "../../state/select/selectors.ts";
import { rootOf } from "../../links/place.ts";
import { initialState } from "../../state/shape/state.ts";
import { makeStore, type Store } from "../../state/store.ts";

const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;
const TREE = SCENARIOS.find((entry) => entry.slug === "quota-tree") as ScenarioEntry;
const CATALOGUE: Catalogue = {
  root: "/",
  scenarios: [HERD, TREE],
  knobs: KNOBS,
  draft: () => "",
  start: TEMPLATE,
};

/** A window's address bar with its history. */
class Bar implements AddressHost {
  readonly entries: string[];
  at = 0;
  replaced = 0;
  private readonly listeners = new Map<string, () => void>();
  constructor(path: string) {
    this.entries = [path];
  }
  get location(): { readonly pathname: string; readonly hash: string } {
    const url = new URL(this.entries[this.at] ?? "/", "http://host");
    return { pathname: url.pathname, hash: url.hash };
  }
  readonly history = {
    pushState: (_data: unknown, _unused: string, url: string): void => {
      this.entries.splice(this.at + 1, Infinity, url);
      this.at += 1;
    },
    replaceState: (_data: unknown, _unused: string, url: string): void => {
      this.entries[this.at] = url;
      this.replaced += 1;
    },
  };
  addEventListener(type: string, listener: () => void): void {
    this.listeners.set(type, listener);
  }
  removeEventListener(type: string): void {
    this.listeners.delete(type);
  }
  go(step: number): void {
    this.at += step;
    this.listeners.get("popstate")?.();
  }
}

function open(path: string, root = "/"): { readonly bar: Bar; readonly store: Store } {
  const bar = new Bar(path);
  const store = makeStore(initialState(HERD, "dark"));
  const catalogue = { ...CATALOGUE, root };
  openAddress(store, bar.location, catalogue, true);
  keepAddress(store, bar, catalogue, () => Date.now());
  return { bar, store };
}

const cpus = (store: Store, value: number, settled = true): void =>
  store.dispatch({ type: "knob_set", where: "both", path: "machine.cpus", value, settled });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("the root is where the page's own files lie, whatever its address", () => {
  expect(
    [
      "http://host/assets/index-a1.js",
      "https://host/deep/sub/assets/index-a1.js",
      "http://host/src/app/main.tsx",
    ].map(rootOf),
  ).toEqual(["/", "/deep/sub/", "/"]);
});

test("the way back to another look at the same runs is no step of undo; one to other knobs is", () => {
  const { bar, store } = open("/s/rt-pull-herd/");
  store.dispatch({
    type: "selected",
    side: "a",
    selection: { kind: "wake", task: "cyclictest.0", nth: 3 },
  });
  vi.runAllTimers();
  expect(bar.entries).toHaveLength(2);
  bar.go(-1);
  expect([store.getState().selection, store.getState().undo.past]).toEqual([undefined, []]);
  cpus(store, 96);
  vi.runAllTimers();
  bar.go(-1);
  expect(store.getState().undo.past).toHaveLength(2);
});

test("a settled knob makes one history entry; back and forward bring the knobs", () => {
  const { bar, store } = open("/folder/s/rt-pull-herd/", "/folder/");
  cpus(store, 96);
  vi.runAllTimers();
  expect(bar.entries).toEqual([
    "/folder/s/rt-pull-herd/",
    expect.stringMatching(
      /^\/folder\/s\/rt-pull-herd\/#v=3\.\d+&k\.machine\.cpus=96&c=[0-9a-f]{8}$/,
    ),
  ]);
  bar.go(-1);
  expect(knobValue(store.getState(), "a", "machine.cpus")).toBe(40);
  bar.go(1);
  expect(knobValue(store.getState(), "a", "machine.cpus")).toBe(96);
  vi.runAllTimers();
  expect(bar.entries).toHaveLength(2);
});

test("a drag replaces, at most once a second, and its release makes the entry", () => {
  const { bar, store } = open("/s/rt-pull-herd/");
  for (let value = 41; value < 141; value += 1) {
    cpus(store, value, false);
    vi.advanceTimersByTime(50);
  }
  expect(bar.entries).toHaveLength(1);
  expect(bar.replaced).toBeGreaterThan(1);
  expect(bar.replaced).toBeLessThanOrEqual(6);
  store.dispatch({ type: "knob_settled" });
  cpus(store, 200);
  vi.runAllTimers();
  expect(bar.entries).toHaveLength(2);
});

test("a settled knob is in the address within 300 ms, also right after another write and while one is due", () => {
  const { bar, store } = open("/s/rt-pull-herd/");
  cpus(store, 96);
  vi.advanceTimersByTime(0);
  expect(bar.entries).toHaveLength(2);
  cpus(store, 97, false);
  cpus(store, 98);
  vi.advanceTimersByTime(300);
  expect(bar.entries).toHaveLength(3);
  expect(bar.entries[2]).toContain("machine.cpus=98");
});

test("an untouched page keeps its bare path", () => {
  const { bar, store } = open("/");
  store.dispatch({ type: "playhead_set", ns: 5 });
  store.dispatch({ type: "side_focused", side: "b" });
  vi.runAllTimers();
  expect(bar.entries).toEqual(["/"]);
});

test("a broken link opens nothing and stays in the bar as it came", () => {
  const { bar, store } = open("/s/rt-pull-herd/#v=1.169&seed=9&k.mach");
  expect(store.getState().linkProblem).toMatchObject({
    code: "cut",
    slug: "rt-pull-herd",
    arrived: 21,
    length: 169,
  });
  cpus(store, 8);
  vi.runAllTimers();
  expect(bar.entries).toEqual(["/s/rt-pull-herd/#v=1.169&seed=9&k.mach"]);
});

test("an unknown preset is named, and nothing is opened in its place", () => {
  expect(open("/s/no-such/").store.getState().linkProblem).toEqual({
    code: "no_preset",
    slug: "no-such",
  });
});

test("a path that names no page is refused with the nearest, and what the fragment says stays with it", () => {
  const problemAt = (path: string): unknown => open(path, "/x/").store.getState().linkProblem;
  expect(problemAt("/x/s/rt-pull-hedr/#v=2.9")).toEqual({
    code: "no_preset",
    slug: "rt-pull-hedr",
    near: "s/rt-pull-herd/#v=2.9",
  });
  expect(problemAt("/x/s/Quota-Tree/#v=2.9")).toEqual({
    code: "no_page",
    slug: undefined,
    path: "s/Quota-Tree/",
    near: "s/quota-tree/#v=2.9",
  });
  expect(problemAt("/x/embed/quota-tree/")).toMatchObject({
    code: "no_page",
    path: "embed/quota-tree/",
    near: "s/quota-tree/",
  });
  expect(problemAt("/x/labs")).toMatchObject({ code: "no_page", near: "lab/" });
  expect(problemAt("/x/glosary/")).toMatchObject({ code: "no_page", near: "glossary/" });
  expect(problemAt("/x/learn/first/")).toEqual({
    code: "no_page",
    slug: undefined,
    path: "learn/first/",
  });
  expect(problemAt("/x/#v=2.35&k.machine.cpus=96&c=a3e76dd9"), "changes of nothing").toMatchObject({
    code: "no_page",
    path: "",
  });
});

test("the page's own addresses open, with and without their file and their slash", () => {
  for (const path of [
    "/x",
    "/x/",
    "/x/index.html",
    "/x/lab",
    "/x/lab/index.html",
    "/x/s/rt-pull-herd",
    "/x/s/rt-pull-herd/index.html",
  ]) {
    expect(open(path, "/x/").store.getState().linkProblem, path).toBeUndefined();
  }
});

test("one's own scenario travels in the link", () => {
  const { bar, store } = open("/lab/");
  expect(store.getState().entry.text, "something that runs, to be changed").toBe(TEMPLATE);
  const text = HERD.text.replace('"seed": 7', '"seed": 70');
  store.dispatch({ type: "scenario_written", entry: { ...HERD, text, slug: "lab" } });
  vi.runAllTimers();
  const again = open(bar.entries.at(-1) ?? "").store.getState();
  expect(again.route).toBe("own");
  expect(again.entry.text).toBe(text);
  expect(again.entry.variants).toEqual(HERD.variants);
});
