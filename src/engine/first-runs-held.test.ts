import { afterEach, expect, test, vi } from "vitest";
import { firstRunAtOnce, firstRuns } from "./first-runs.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the prepared runs of the last three scenarios are held, and an older one's are fetched again", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return Promise.resolve({ ok: true, json: () => Promise.resolve({ text: "", runs: [] }) });
  });
  const slugs = ["schbench", "hackbench", "rt-pull-herd", "nohz-kick"];
  for (const slug of slugs) await firstRuns(slug);
  const held = (slug: string): boolean =>
    firstRunAtOnce({ slug, text: "", set: [], maxRecords: 1 }) !== undefined;
  expect(slugs.map(held)).toEqual([false, true, true, true]);
  await firstRuns("hackbench");
  expect(asked).toHaveLength(4);
  await firstRuns("schbench");
  expect(asked).toHaveLength(5);
  expect(slugs.map(held), "in order of their last use").toEqual([true, true, false, true]);
});
