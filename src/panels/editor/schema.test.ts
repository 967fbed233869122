import { expect, test } from "vitest";
import { valueOf } from "./Fields.tsx";
import {
  childSchema,
  knownKeys,
  nameable,
  rangeWords,
  SCENARIO,
  schemaAt,
  starter,
  unitOf,
  type Schema,
} from "./schema.ts";

const at = (...path: (string | number)[]): Schema => schemaAt(path) ?? {};

test("every place of the form is found in the schema, named parts and lists too", () => {
  expect(at("machine", "cpus").maximum).toBe(1024);
  expect(at("workload", "tasks", "web", "phases", "serve", "runtime1").type).toBe("integer");
  expect(at("workload", "tasks", "web", "run1", "p99.9").type).toBe("integer");
  expect(at("cgroups", "user.slice/web", "cpu_max").default).toBe("max");
  expect(schemaAt(["machine", "cpu"])).toBeUndefined();
  expect(nameable(at("workload", "tasks"))).toBeDefined();
  expect(nameable(at("machine"))).toBeUndefined();
});

test("a key of three spellings is offered once", () => {
  const keys = knownKeys(at("workload", "cyclictest"), []).map(({ key }) => key);
  expect(keys).toContain("interval");
  expect(keys).not.toContain("interval_us");
  expect(knownKeys(at("kernel"), []).map(({ key }) => key)).toContain("sched_rt_runtime_us");
});

test("of two forms that of the keys that stand there is offered", () => {
  const view = at("steps", 0, "view");
  expect(knownKeys(view, ["moment"]).map(({ key }) => key)).toContain("before");
  expect(knownKeys(view, ["moment"]).map(({ key }) => key)).not.toContain("from");
});

test("numbers have the unit that the schema says, times carry theirs", () => {
  expect(unitOf(at("workload", "tasks", "a", "run"), "run")).toBe("µs");
  expect(unitOf(at("kernel", "sched_rr_timeslice_ms"), "sched_rr_timeslice_ms")).toBe("ms");
  expect(unitOf(at("duration"), "duration")).toBe("");
  const range = "a whole number from 1 to 3600000000 µs";
  expect(rangeWords(at("workload", "tasks", "a", "runtime"), "runtime")).toBe(range);
  expect(rangeWords(at("workload", "tasks", "a", "run"), "run")).toBe(`${range}; or an object`);
});

test("every key of the schema has something it can start as", () => {
  const visit = (schema: Schema, path: string, depth: number): void => {
    for (const { key, schema: each } of knownKeys(schema, [])) {
      expect(starter(each, key), `${path}.${key}`).toBeDefined();
      const child = childSchema(schema, key);
      if (child !== undefined && depth < 4) visit(child, `${path}.${key}`, depth + 1);
    }
  };
  visit(SCENARIO, "", 0);
});

test("a time typed with µs stands in the file with us, as the reader takes it; other texts stay as they were typed", () => {
  const interval = schemaAt(["workload", "cyclictest", "interval"]) ?? {};
  expect(["50µs", " 1.5 µs ", "50us", "2ms"].map((typed) => valueOf(typed, interval))).toEqual([
    "50us",
    "1.5us",
    "50us",
    "2ms",
  ]);
  expect(valueOf("about 50µs", schemaAt(["title"]) ?? {})).toBe("about 50µs");
});
