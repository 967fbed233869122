import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../../engine/testing.ts";
import { largestRemainder } from "../../lib/percent.ts";
import { run } from "../testing.ts";
import type { WakeSegment } from "../trace/run-types.ts";
import { wakeRows, type WakeRow } from "./wake-rows.ts";

beforeAll(loadEngine);

function segmentsOf(
  lengths: readonly (readonly [cause: number, ns: number])[],
): readonly WakeSegment[] {
  const shares = largestRemainder(lengths.map(([, ns]) => ns));
  let fromNs = 0;
  return lengths.map(([cause, ns], index) => {
    const segment = { cause, fromNs, ns, basisPoints: shares[index] ?? 0 };
    fromNs += ns;
    return segment;
  });
}

const sum = (rows: readonly WakeRow[], of: (row: WakeRow) => number): number =>
  rows.reduce((all, row) => all + of(row), 0);

test("every stretch stands in one line, and lines and short ones add up to the whole", () => {
  const lengths = fc.array(
    fc.tuple(
      fc.nat(4),
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9_999 })),
    ),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(lengths, (all) => {
      const segments = segmentsOf(all);
      const { rows, short } = wakeRows({ segments });
      const both = [...rows, ...short];
      expect(
        both.flatMap(({ parts }) => parts).sort((one, other) => one.fromNs - other.fromNs),
      ).toEqual(segments);
      expect(sum(both, ({ basisPoints }) => basisPoints)).toBe(10_000);
      for (const { parts, cause } of both)
        expect(new Set(parts.map((part) => part.cause))).toEqual(new Set([cause]));
      expect(short.every(({ ns }) => ns * 100 < sum(both, (row) => row.ns))).toBe(true);
    }),
  );
});

test("a line's share is its time's, to the hundredth, however many stretches it holds: so is that of all short ones together", () => {
  // 495.92 hundredths of a per cent each, and 3.4 each: rounded one by one, the long ones would
  // take from the short ones.
  const long = Array.from({ length: 20 }, () => [0, 4_959] as const);
  const { rows, short } = wakeRows({
    segments: segmentsOf([
      ...long,
      ...Array.from({ length: 24 }, (_, index) => [1 + (index % 4), 34] as const),
    ]),
  });
  expect(rows.map(({ basisPoints }) => basisPoints)).toEqual([9_918]);
  expect(sum(short, ({ basisPoints }) => basisPoints)).toBe(82);
});

test("few stretches are told one by one, whatever their length", () => {
  const { rows, short } = wakeRows({
    segments: segmentsOf([
      [1, 1],
      [2, 9_999],
      [1, 1],
    ]),
  });
  expect([rows.length, short]).toEqual([3, []]);
});

test("rt-migrate: the one cause that ticks cut is one line", () => {
  const [store] = run("rt-migrate", 0);
  const wake = store.wakes.record(store.wakes.worst(1)[0] ?? 0);
  expect(wake.segments.length).toBeGreaterThan(8);
  const { rows, short } = wakeRows(wake);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.basisPoints).toBeGreaterThan(9_800);
  expect(short.length).toBeGreaterThan(1);
});
