import fc from "fast-check";
import { expect, test } from "vitest";
import { TraceStore } from "../../model/index.ts";
import { shapeOf } from "../../model/trace/trace-text.ts";
import { middleOf, Scale, xOf } from "../plot/plot.ts";
import { trackPlot } from "../tracks/testing.ts";
import { ArcMemo, bundle, type Arc, type PlaceArc } from "./arcs.ts";

const px = fc.integer({ min: -2_000, max: 4_000 });
const arcs = fc.array(
  fc.record({
    x0: px,
    y0: px,
    x1: px,
    y1: px,
    count: fc.constant(1),
    row: fc.nat(),
    faint: fc.boolean(),
    own: fc.boolean(),
  }),
  {
    minLength: 1,
    maxLength: 300,
  },
);

const countOf = (list: readonly Arc[]): number => list.reduce((sum, { count }) => sum + count, 0);
const placeOf = ({ x0, y0, x1, y1 }: Arc): string => [x0, y0, x1, y1].join(" ");

test("bundles are at most as many as asked, hold every arc and lie where one of them does", () => {
  fc.assert(
    fc.property(arcs, fc.integer({ min: 12, max: 40 }), (list, most) => {
      const bundles = bundle(list, most);
      expect(countOf(bundles)).toBe(list.length);
      const places = new Set(list.map(placeOf));
      expect(bundles.filter((each) => !places.has(placeOf(each)))).toEqual([]);
      expect(bundles.length).toBeLessThanOrEqual(most);
    }),
  );
});

test("arcs that are close become one without changing those given", () => {
  const one: Arc = { x0: 10, y0: 10, x1: 20, y1: 90, count: 1, row: 7, faint: true };
  const other: Arc = { ...one, x0: 14, row: 8 };
  expect(bundle([one, other], 4)).toEqual([{ ...one, count: 2, faint: false }]);
  expect(one.count).toBe(1);
});

test("a hundred thousand arcs are bundled with one object for all of them, and every one is in a bundle", () => {
  const rows = Uint32Array.from({ length: 100_000 }, (_, row) => row);
  const trace = new TraceStore(shapeOf(2, 1, 1_000));
  const plot = trackPlot(trace, { fromNs: 0, toNs: 1_000 }, { height: 100 });
  const written = new Set<unknown>();
  const place: PlaceArc = (_scale, row, into) => {
    written.add(into);
    Object.assign(into, {
      x0: plot.gutter + (row % 900),
      y0: row % 100,
      x1: plot.gutter + (row % 900),
      y1: (row * 7) % 100,
      own: row % 9 === 0,
    });
    return row % 10 > 0;
  };
  const { arcs: bundles, own } = new ArcMemo().of(
    { trace, plot, lock: undefined },
    () => rows,
    place,
    160,
    30,
  );
  expect(written.size).toBe(1);
  expect(countOf(bundles)).toBe(90_000);
  expect(bundles.length).toBeLessThanOrEqual(30);
  expect([...own.values()].reduce((sum, { count }) => sum + count, 0)).toBe(
    rows.filter((row) => row % 9 === 0 && row % 10 > 0).length,
  );
});

test("the same view of a run is not looked through again, another one is", () => {
  const trace = new TraceStore(shapeOf(2, 1, 1_000));
  const view = trackPlot(trace, { fromNs: 0, toNs: 1_000 }, { height: 100 });
  const memo = new ArcMemo();
  let asked = 0;
  const rows = (): Uint32Array => {
    asked += 1;
    return Uint32Array.of(3);
  };
  const place: PlaceArc = (scale, row, into) => {
    into.x0 = into.x1 = scale.x(row * 100);
    into.y0 = into.y1 = scale.middle(row % 2);
    return true;
  };
  const drawn = (plot: typeof view): readonly Arc[] =>
    memo.of({ trace, plot, lock: undefined }, rows, place, 160, 30).arcs;
  const before = drawn(view);
  expect(drawn({ ...view, viewport: { ...view.viewport } })).toBe(before);
  expect(asked).toBe(1);
  const others = [
    { viewport: { fromNs: 100, toNs: 1_000 } },
    { scrollTop: 5 },
    { width: view.width + 1 },
    { height: 99 },
    { gutter: 3 },
    { rows: { ...view.rows } },
  ];
  for (const [nth, other] of others.entries()) {
    drawn({ ...view, ...other });
    expect(asked, Object.keys(other).join()).toBe(nth + 2);
  }
});

test("a scale says of instants and CPUs where the plot says they lie", () => {
  const trace = new TraceStore(shapeOf(2, 1, 1_000));
  const plot = trackPlot(trace, { fromNs: 100, toNs: 900 }, { height: 100 });
  const scale = new Scale(plot);
  for (const ns of [0, 100, 333, 900, 1_000]) expect(scale.x(ns)).toBeCloseTo(xOf(plot, ns), 9);
  for (const cpu of [0, 1, 7]) expect(scale.middle(cpu)).toBe(middleOf(plot, cpu));
});
