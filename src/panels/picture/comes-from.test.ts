// The words that say where a picture or a sheet comes from: state in, words out.

import { expect, test } from "vitest";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { HERD, page } from "../../testing/page-state.ts";
import { comesFrom, comesFromOnPaper, shortLink } from "./comes-from.ts";

const ORIGIN = "https://example.org/schedscope/";

test("a picture and a sheet name scenario, seed, stretch, engine, digests and link", () => {
  const { store, finish } = page();
  expect(comesFrom(store.getState(), ORIGIN)[0], "before the runs are done").toMatch(
    / · runs not finished$/,
  );
  finish("a", 3);
  finish("b", 1);
  store.dispatch({ type: "viewport_set", viewport: { fromNs: 1_000, toNs: 2_000 }, settled: true });
  const [runs, address] = comesFrom(store.getState(), ORIGIN);
  expect(runs).toBe(
    "schedscope · rt-pull-herd · seed 7 · 1 µs to 2 µs · engine 0.1.0-0123abcd · digests A 1-ab B 1-ab",
  );
  expect(address).toMatch(
    /^https:\/\/example\.org\/schedscope\/s\/rt-pull-herd\/#v=3\.\d+&t=1us-2us&.*&c=[0-9a-f]{8}$/,
  );
  expect(comesFromOnPaper(store.getState(), ORIGIN)).toEqual([runs, address]);
  expect(shortLink(store.getState(), ORIGIN)).not.toMatch(/was|fp=|&e=/);
  expect(shortLink(store.getState(), ORIGIN), "in a picture's corner").toMatch(
    /^https:\/\/example\.org\/schedscope\/s\/rt-pull-herd\/#v=3\.\d+&t=1us-2us/,
  );
});

test("a sheet says how long a link is that has no room on it", () => {
  const { store } = page();
  const own = ownEntry(HERD.text);
  store.dispatch({ type: "scenario_written", entry: own });
  const [runs, address] = comesFrom(store.getState(), ORIGIN);
  expect(runs).toContain("own scenario");
  expect(address.length).toBeGreaterThan(800);
  expect(comesFromOnPaper(store.getState(), ORIGIN)).toEqual([
    runs,
    `The link has ${String(address.length)} characters, too many for paper. Share copies it.`,
  ]);
});
