import { readdirSync, readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { matching } from "./first-runs.ts";
import { SCENARIOS } from "./gen/scenarios.ts";
import type { FirstRuns, Handover } from "./gen/types.ts";
import type { FromWorker, RunRequest } from "./protocol.ts";
import { DriverOnBench, loadEngine } from "./testing.ts";
import { prepare } from "./wasm/reader.js";

const prepareRun: (slug: string, text: string, setJson: string, writesTasks: boolean) => string =
  prepare;

beforeAll(loadEngine);

const folder = new URL("./wasm/first/", import.meta.url);
const read = (slug: string): string => readFileSync(new URL(`${slug}.json`, folder), "utf8");
const firstRuns = (slug: string): FirstRuns => JSON.parse(read(slug)) as FirstRuns;

test.each(SCENARIOS.map(({ slug }) => slug))(
  "what was prepared of %s is what the reader makes of it, to the byte",
  (slug) => {
    const { text, runs } = firstRuns(slug);
    const entry = SCENARIOS.find((scenario) => scenario.slug === slug);
    expect(text).toBe(entry?.text);
    expect(runs.map(({ set }) => set)).toEqual(
      entry?.variants.slice(0, 2).map(({ set }) => Object.entries(set)),
    );
    for (const { set, prepared } of runs)
      expect(JSON.parse(prepareRun(slug, text, JSON.stringify(set), false))).toEqual(prepared);
  },
);

test("every shipped scenario has its file and no other is there", () => {
  expect(readdirSync(folder).sort()).toEqual(SCENARIOS.map(({ slug }) => `${slug}.json`).sort());
});

test("only the same text with the same changes in the same order is a prepared run", () => {
  const first = firstRuns("rt-pull-herd");
  const set = first.runs[1]?.set as RunRequest["set"];
  expect(matching(first, first.text, set)).toBe(first.runs[1]?.prepared);
  expect(matching(first, `${first.text} `, set)).toBeUndefined();
  expect(matching(first, first.text, [...set, ["seed", 8]])).toBeUndefined();
  expect(matching(undefined, first.text, set)).toBeUndefined();
});

function finish(request: RunRequest, prepared?: Handover): readonly FromWorker[] {
  const bench = new DriverOnBench(0);
  bench.start(1, request, prepared);
  return bench.finish();
}

test("a prepared run tells the same as a read one, from its meta to its report", () => {
  const { text, runs } = firstRuns("rt-pull-herd");
  const set = (runs[0]?.set ?? []) as RunRequest["set"];
  const request: RunRequest = { slug: "rt-pull-herd", text, set, maxRecords: 20_000 };
  const all = finish(request);
  expect(all.at(-1)?.type).toBe("finished");
  expect(finish(request, runs[0]?.prepared)).toEqual(all);
});

test("a prepared run of another build is a fault, not a run", () => {
  const { text, runs } = firstRuns("rt-pull-herd");
  const prepared = runs[0]?.prepared as Handover;
  const request: RunRequest = { slug: "rt-pull-herd", text, set: [], maxRecords: 1_000 };
  const all = finish(request, { ...prepared, setup: `AAAA${prepared.setup.slice(4)}` });
  expect(all).toMatchObject([
    { type: "fault", message: expect.stringContaining("another build") as string },
  ]);
});

test("the size budget counts one of the largest of these files", () => {
  const limits = readFileSync(new URL("../../.size-limit.mjs", import.meta.url), "utf8");
  const slug = /\/([\w-]+)-\*\.json/.exec(limits)?.[1] ?? "";
  const size = (text: string): number =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
  const largest = Math.max(...SCENARIOS.map((scenario) => size(read(scenario.slug))));
  expect(largest - size(read(slug)), "bytes that the budget does not see").toBeLessThan(1_024);
});
