import fc from "fast-check";
import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { shapeOf } from "../../model/trace/trace-text.ts";
import { cpusOf } from "../plot/lane-rows.ts";
import { arrange } from "./arrange.ts";
import { layAround } from "./around.ts";

function storeOf(cpus: number, packageSize = cpus): TraceStore {
  return new TraceStore({ ...shapeOf(cpus, 1, 1000), package_size: packageSize });
}

function laid(cpus: number, packageSize: number, subject: readonly number[], px: number) {
  const traces = [storeOf(cpus, packageSize)];
  const lay = layAround(arrange("", traces, true, []), "", traces, subject);
  return lay?.(cpus, px);
}

const MACHINES = fc
  .record({ cpus: fc.integer({ min: 4, max: 128 }), size: fc.integer({ min: 2, max: 64 }) })
  .chain(({ cpus, size }) =>
    fc.record({
      cpus: fc.constant(cpus),
      size: fc.constant(size),
      subject: fc.uniqueArray(fc.nat(cpus - 1), { minLength: 1, maxLength: Math.ceil(cpus / 3) }),
    }),
  );

test("every CPU is in one row: alone if the step is about it, else with neighbours, of its package where these are few", () => {
  fc.assert(
    fc.property(MACHINES, ({ cpus, size, subject }) => {
      const rows = laid(cpus, size, subject, 400)?.rows ?? [];
      expect(rows.flatMap(cpusOf)).toEqual(Array.from({ length: cpus }, (_, cpu) => cpu));
      for (const row of rows) {
        const own = cpusOf(row);
        const alone = own.some((cpu) => subject.includes(cpu));
        expect(alone && own.length > 1).toBe(false);
        const packages = new Set(own.map((cpu) => Math.floor(cpu / Math.min(size, cpus))));
        // No more strips than this are drawn apart.
        if (Math.ceil(cpus / size) + subject.length <= 10) expect(packages.size).toBe(1);
      }
    }),
  );
});

test("rows lie under each other without gaps, and the step's are the highest", () => {
  fc.assert(
    fc.property(MACHINES, fc.integer({ min: 200, max: 900 }), ({ cpus, size, subject }, px) => {
      const { rows = [], height = 0 } = laid(cpus, size, subject, px) ?? {};
      let top = 0;
      for (const row of rows) {
        expect(row.top).toBe(top);
        top += row.height;
      }
      expect(height).toBe(top);
      const own = rows.filter(({ cpu, fold }) => fold === undefined && subject.includes(cpu));
      expect(own.length).toBe(subject.length);
      if (height <= px && subject.length * 40 < px)
        expect(Math.min(...own.map((row) => row.height))).toBe(
          Math.max(...rows.map((row) => row.height)),
        );
    }),
  );
});

test("a viewer's own arrangement, a step about most lanes and a step about none leave the lanes as they are", () => {
  const traces = [storeOf(8)];
  const plain = arrange("", traces, true, []);
  expect(layAround(plain, "", traces, [])).toBeUndefined();
  expect(layAround(plain, "", traces, [0, 1, 2, 3, 4, 5])).toBeUndefined();
  expect(layAround(plain, "t3", traces, [0])).toBeUndefined();
  expect(layAround(plain, "", traces, [0])).toBeDefined();
});

test("a strip says what its CPUs do together, and no press changes it", () => {
  const traces = [storeOf(20)];
  const rows = layAround(arrange("", traces, true, []), "", traces, [0])?.(20, 300).rows;
  expect(rows?.[1]?.fold).toMatchObject({ fixed: true, label: "1–19" });
});
