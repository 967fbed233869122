// What leaves the page as shapes: every mark, the lanes, hostile words, and the same bytes every
// time.

import { expect, test } from "vitest";
import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { LabelLayer } from "../draw/label-layer.ts";
import { THEMES } from "../plot/timeline-theme.ts";
import { LanePainter } from "../lanes/paint.ts";
import { LANE_LEGEND } from "../lanes/swatches.ts";
import { MARKS } from "../marks/registry.ts";
import { sceneOf } from "../marks/story.ts";
import { inked } from "../marks/testing.ts";
import { lanesLegendIn } from "./legend.ts";
import { linesOf } from "./word-lines.ts";
import { Recorder, type Ruler } from "./recorder.ts";
import type { Shape } from "./shapes.ts";
import { queueWords } from "./draw-heads.ts";
import { hexOf, pixelRects } from "./shapes.ts";
import { svgOf } from "./svg.ts";
import { vectorLanes } from "./vector-lanes.ts";

const SCENE = sceneOf(THEMES.light);
const PAGE = {
  width: 1248,
  height: 112,
  scale: 1,
  background: "#ffffff",
  title: "story",
  about: "here",
};
const RULER = {
  measureText: (text: string) => ({ width: text.length * 6 }) as TextMetrics,
  font: "",
  textBaseline: "middle",
} as Ruler;

function recorded(draw: (context: CanvasRenderingContext2D) => void): readonly Shape[] {
  const recorder = new Recorder(RULER);
  recorder.canvas = { width: 26, height: 14 };
  draw(recorder as unknown as CanvasRenderingContext2D);
  return recorder.shapes;
}

test.each(MARKS.map((mark) => [mark.id, mark] as const))(
  "%s: what a canvas is asked for is recorded",
  (_id, mark) => {
    const draw = (context: CanvasRenderingContext2D): void => {
      const labels = new LabelLayer();
      labels.begin(context, SCENE.plot);
      mark.draw(context, SCENE, labels);
      labels.write(context, SCENE.plot);
    };
    const shapes = recorded(draw);
    const { words } = inked(draw);
    expect(shapes.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []))).toEqual(words);
    expect(shapes.some(({ kind }) => kind === "rect" || kind === "path")).toBe(true);
    for (const { swatch } of mark.legend)
      expect(recorded((context) => swatch(context, THEMES.light, 26, 14)).length).toBeGreaterThan(
        0,
      );
  },
);

test("the swatches of the lanes, which are images on screen, are rectangles", () => {
  for (const { words, swatch } of LANE_LEGEND) {
    const shapes = recorded((context) => swatch(context, THEMES.light, 26, 14));
    const area = shapes.reduce(
      (sum, shape) => (shape.kind === "rect" ? sum + shape.box.width * shape.box.height : sum),
      0,
    );
    expect(area, words).toBe(26 * 14);
  }
});

test("lanes as rectangles have the ink of the image where it is one flat colour", () => {
  const { plot } = SCENE;
  const data = new Uint32Array(1200 * 112);
  new LanePainter().paintInto({ data, width: 1200, height: 112 }, plot);
  const shapes =
    vectorLanes(plot, { x: 0, y: 0, width: plot.width, height: plot.height }, 20_000) ?? [];
  let seen = 0;
  for (const shape of shapes) {
    if (shape.kind !== "rect" || shape.box.width < 8 || shape.box.height < 5) continue;
    const x = Math.round(shape.box.x - plot.gutter + shape.box.width / 2);
    const y = Math.round(shape.box.y + shape.box.height / 2);
    expect(shape.colour).toBe(hexOf(data[y * 1200 + x] ?? 0));
    seen += 1;
  }
  expect(seen).toBeGreaterThan(3);
});

test("the legend names what CPUs do in the stretch shown, and nothing else that they could do", () => {
  const { trace } = SCENE;
  for (const [from, to] of [
    [0, trace.endNs],
    [0, 1],
  ] as const) {
    const sums = trace.lanes.map((lane) => lane.windowNs(from, to, trace.endNs));
    const spins = sums.some((ns) => (ns[CPU_STATE.Spin] ?? 0) > 0);
    const words = lanesLegendIn([SCENE], from, to).map((entry) => entry.words);
    expect(words.includes("spinning for a lock")).toBe(spins);
    expect(words).toContain("asleep, idle");
    expect(words).not.toContain("stopped: SMI, host");
  }
});

test("lanes that take more shapes than allowed are given up", () => {
  expect(vectorLanes(SCENE.plot, { x: 0, y: 0, width: 1248, height: 112 }, 5)).toBeUndefined();
});

test("hostile words are text in the file and nothing else", () => {
  const hostile = `</text><script>alert(1)</script>&"'\u202e\u0000\ud800`;
  const shapes = recorded((context) => context.fillText(hostile, 0, 0));
  const svg = svgOf(shapes, { ...PAGE, title: hostile.slice(0, 30), about: "<a>" });
  expect(svg).not.toContain("<script");
  expect(svg).toContain("&lt;/text&gt;&lt;script&gt;");
  expect(svg).toContain("\\u{202e}\\u{0}\uFFFD");
});

test("the same picture gives the same bytes", () => {
  const draw = (): string => {
    const shapes = recorded((context) => {
      for (const mark of MARKS) mark.draw(context, SCENE, new LabelLayer());
    });
    return svgOf(shapes, PAGE);
  };
  expect(draw()).toBe(draw());
});

test("pixels become as few rectangles as rows of one colour allow, and transparent ones none", () => {
  const [a, b] = [0xff0000ff, 0xff00ff00];
  const data = Uint32Array.from([a, a, 0, b, a, a, 0, b]);
  expect(pixelRects({ data, width: 4, height: 2 })).toEqual([
    { x: 0, y: 0, width: 2, height: 2, colour: "#ff0000" },
    { x: 3, y: 0, width: 1, height: 2, colour: "#00ff00" },
  ]);
});

test("words break at spaces, a long word anywhere, and what has no room ends in dots", () => {
  const widthOf = (text: string): number => text.length;
  expect(linesOf("one two three", 8, 3, widthOf)).toEqual(["one two", "three"]);
  expect(linesOf("of everything", 11, 3, widthOf)).toEqual(["of", "everything"]);
  expect(linesOf("abcdefghij", 4, 3, widthOf)).toEqual(["abcd", "efgh", "ij"]);
  expect(linesOf("abcdefghij", 4, 2, widthOf)).toEqual(["abcd", "efg…"]);
  expect(linesOf("", 4, 2, widthOf)).toEqual([]);
});

test("of a queue that has no room as many are named as have, and the others are counted", () => {
  const within = (room: number) => (words: string) => words.length <= room;
  const moment = { holder: 142, queue: Array.from({ length: 510 }, (_, at) => at) };
  expect(queueWords({ ...moment, queue: [3, 9] }, within(60))).toBe(
    " · held by CPU 142 · waiting: 3 9",
  );
  expect(queueWords(moment, within(46))).toBe(" · held by CPU 142 · waiting: 0 1 2 3 4 + 505");
  expect(queueWords(moment, within(20))).toBe(" · held by CPU 142");
  expect(queueWords(moment, within(9))).toBe("");
});
