// What changes while a step plays is what the step is about: of the ink that the playhead uncovers
// on its way to the answer, at least half lies on the subject's lanes and tracks of the side that
// the caption speaks of. `npm run test:long` measures every step of every scenario.

import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../../engine/gen/knobs.ts";
import { SCENARIOS } from "../../engine/gen/scenarios.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { loadEngine } from "../../engine/testing.ts";
import { AT_ONCE } from "../../effects/runs/feeder.ts";
import { startRunner } from "../../effects/runs/runner.ts";
import { perSide, SIDES } from "../../scenario/sides.ts";
import { stepsOf } from "../../scenario/step.ts";
import { openContent } from "../../state/link/link-state.ts";
import { initialState, type State } from "../../state/shape/state.ts";
import { currentStep, sceneOf, subjectLanes } from "../../state/steps/resolve.ts";
import { makeStore } from "../../state/store.ts";
import { BenchClient } from "../../testing/real-runs.ts";
import { provideImageData } from "../../timeline/marks/testing.ts";
import { drawPicture } from "../../timeline/picture/draw-picture.ts";
import { layoutOf, type Layout, type SideLayout } from "../../timeline/picture/layout.ts";
import type { Ruler } from "../../timeline/picture/recorder.ts";
import { boundsOf, type Box, type Shape } from "../../timeline/picture/shapes.ts";
import { Shapes } from "../../timeline/picture/surfaces.ts";
import { xOf } from "../../timeline/plot/plot.ts";
import { cpusOf } from "../../timeline/plot/lane-rows.ts";
import { timelineSidesOf } from "../page/timeline-sides.ts";
import { chosenOf } from "./picture-contents.ts";

/** One of each family. */
const SAMPLE: readonly string[] = [
  "rt-pull-herd",
  "rt-push-chain",
  "quota-stranded",
  "quota-burst",
  "lazy-or-now",
  "nohz-kick",
  "self-ipi-loop",
];
const ALL = process.env["E2E_THOROUGH"] !== undefined;
const LEAST = 0.5;
/** What a row keeps of its ink that the caption does not speak of, and a side, as they are drawn. */
const KEPT = 0.4;

const RULER = {
  font: "",
  textBaseline: "middle",
  measureText(text: string) {
    const [, size = "10"] = /([\d.]+)px /.exec(this.font) ?? [];
    return { width: text.length * Number(size) * 0.6 } as TextMetrics;
  },
} as Ruler;

beforeAll(() => {
  loadEngine();
  provideImageData();
});

/** A state for each step, its runs done. */
function statesOf(entry: ScenarioEntry): readonly State[] {
  const store = makeStore(initialState(entry, "dark"));
  const content = { slug: entry.slug, scenario: undefined, both: [], a: [], b: [] };
  const opened = openContent({ ...content, view: {}, unknown: [] }, entry, KNOBS);
  store.dispatch({ type: "opened", route: "preset", opened });
  const clients = perSide(() => new BenchClient());
  startRunner(store, clients, AT_ONCE);
  return stepsOf(entry).map((_, index) => {
    store.dispatch({ type: "step_opened", index });
    for (const side of SIDES) clients[side].work();
    return store.getState();
  });
}

/** Share of the uncovered ink that lies on the subject. */
function subjectShare(state: State): number {
  const step = currentStep(state);
  const scene = step && sceneOf(state, step);
  if (scene === undefined) throw new Error("the step shows nothing");
  const choice = { size: "1920x1080", look: "screen" } as const;
  const { picture } = chosenOf(state, timelineSidesOf(state), choice, "https://example.org/");
  const measure = (text: string, font: string): number => {
    RULER.font = font;
    return RULER.measureText(text).width;
  };
  const layout = layoutOf(picture, measure, 1);
  const surface = new Shapes(Infinity, RULER);
  // Without the veils: they are counted as what they leave.
  drawPicture(surface, { ...layout, legend: [] }, { ...picture, quiet: undefined });
  const subject = subjectLanes(state);
  const ink = { subject: 0, all: 0 };
  for (const shape of surface.shapes) {
    const box = boundsOf(shape);
    const side = box && layout.sides.find((each) => holds(each, box));
    if (box === undefined || side === undefined) continue;
    const seen = uncovered(box, side, layout, scene.answerNs) * densityOf(shape, layout);
    const isQuiet = picture.quiet === side.side.id;
    const isSubject = !isQuiet && isOnSubject(box, side, subject);
    const kept = (isQuiet ? KEPT : 1) * (isSubject || isQuiet ? 1 : KEPT);
    ink.all += seen * kept;
    if (isSubject) ink.subject += seen * kept;
  }
  return ink.subject / ink.all;
}

function holds({ head, lanes }: SideLayout, { y, height }: Box): boolean {
  const middle = y + height / 2;
  return middle >= head.y + head.height && middle <= lanes.y + lanes.height;
}

/** What the playhead uncovers of a box, CSS px². */
function uncovered(
  { x, width, height }: Box,
  { left, scene }: SideLayout,
  { gutter }: Layout,
  answerNs: number,
): number {
  const to = left + xOf(scene.plot, answerNs);
  return Math.max(0, Math.min(x + width, to) - Math.max(x, left + gutter)) * height;
}

/** How much of a shape's box is ink; none where it is the background's. */
function densityOf(shape: Shape, { theme }: Layout): number {
  switch (shape.kind) {
    case "rect":
      return shape.colour.toLowerCase() === theme.background.toLowerCase() ? 0 : shape.alpha;
    case "tile":
      return 0.5;
    case "path":
      return shape.fill === undefined ? 0.1 * shape.alpha : 0.5 * shape.alpha;
    case "text":
      return 0.1 * shape.alpha;
    default:
      return 0;
  }
}

function isOnSubject(box: Box, { lanes, scene }: SideLayout, subject: readonly number[]): boolean {
  const middle = box.y + box.height / 2 - lanes.y;
  if (middle < 0 || subject.length === 0) return true;
  const row = scene.plot.rows.rows.find(
    ({ top, height }) => middle >= top && middle < top + height,
  );
  return row !== undefined && cpusOf(row).some((cpu) => subject.includes(cpu));
}

test.each(
  SCENARIOS.filter(({ slug }) => ALL || SAMPLE.includes(slug)).map(
    (entry) => [entry.slug, entry] as const,
  ),
)("%s: at least half of the ink that each step uncovers belongs to its subject", (_, entry) => {
  const shares = statesOf(entry).map((state) => Math.round(100 * subjectShare(state)));
  expect(shares.length).toBeGreaterThan(0);
  expect(
    shares.filter((share) => share < 100 * LEAST),
    `% of each step: ${shares.join(", ")}`,
  ).toEqual([]);
});
