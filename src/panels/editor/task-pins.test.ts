import { expect, test } from "vitest";
import { applied, readDoc } from "./edits.ts";
import { pin, pinnables, readList, writeList } from "./task-pins.ts";

const TEXT = `{ "machine": { "cpus": 8 }, "workload": { "cyclictest": { "threads": 2 }, "tasks": {
  "free": { "run": 5 }, // anywhere
  "listed": { "run": 5, "cpus": [0, 1] },
  "worded": { "cpus": "0-3,6", "run": 5 },
  "phased": { "phases": { "begin": { "run": 1, "cpus": "0-3" }, "serve": { "run": 2 } } }
} } }`;

function bound(name: string, cpus: readonly number[]): string {
  const doc = readDoc(TEXT);
  const task = pinnables(doc).find((each) => each.name === name);
  return task === undefined ? "" : applied(TEXT, pin(doc, task, cpus));
}

test("what a text says of each task's CPUs is read in every form", () => {
  expect(pinnables(readDoc(TEXT)).map(({ name, where }) => [name, where])).toEqual([
    ["free", "any CPU"],
    ["listed", "CPUs 0-1"],
    ["worded", "CPUs 0-3,6"],
    ["phased", "by phase"],
    ["cyclictest", "a CPU each"],
  ]);
});

test("binding a task writes its CPUs in the form they had and touches nothing else", () => {
  expect(bound("free", [3])).toBe(
    TEXT.replace('{ "run": 5 }, //', '{ "run": 5, "cpus": [3] }, //'),
  );
  expect(bound("listed", [5])).toBe(TEXT.replace("[0, 1]", "[5]"));
  expect(bound("worded", [1, 2, 7])).toBe(TEXT.replace("0-3,6", "1-2,7"));
  expect(bound("cyclictest", [4])).toBe(
    TEXT.replace('{ "threads": 2 }', '{ "threads": 2, "affinity": "4" }'),
  );
});

test("a bound task is bound in all its phases", () => {
  expect(bound("phased", [3])).toContain(
    '"phased": { "phases": { "begin": { "run": 1 }, "serve": { "run": 2 } }, "cpus": [3] }',
  );
});

test("a task bound to no CPU may run anywhere", () => {
  expect(bound("listed", [])).toBe(TEXT.replace(', "cpus": [0, 1]', ""));
});

test("lists of CPUs are read and written alike", () => {
  expect(readList("0-3,8")).toEqual([0, 1, 2, 3, 8]);
  expect(writeList([8, 1, 0, 2, 3])).toBe("0-3,8");
  expect(readList("many")).toEqual([]);
  expect(readList("0-999999999")).toHaveLength(1024);
});
