// Pictures as recorded shapes: what is drawn where, through the recorder behind SVG export. A
// change to a lane, a mark or a track is a difference between lines that can be read.
//
// To record anew: npx vitest run src/timeline/picture/goldens.test.ts -u

import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { LegendEntry } from "../draw/legend-entry.ts";
import { LANE_LEGEND } from "../lanes/swatches.ts";
import { provideImageData } from "../marks/testing.ts";
import { drawPicture } from "./draw-picture.ts";
import { GOLDEN_VIEWS, type GoldenView } from "./golden-views.ts";
import { layoutOf } from "./layout.ts";
import type { Ruler } from "./recorder.ts";
import { shapeLines } from "./shape-lines.ts";
import { Shapes } from "./surfaces.ts";

/** Letters of one width, so that no font of a machine moves a word. */
const RULER = {
  font: "",
  textBaseline: "middle",
  measureText(text: string) {
    const [, size = "10"] = /([\d.]+)px /.exec(this.font) ?? [];
    return { width: text.length * Number(size) * 0.6 } as TextMetrics;
  },
} as Ruler;

/** The legend of the lanes. */
const LANES: ReadonlySet<LegendEntry> = new Set(LANE_LEGEND);

beforeAll(provideImageData);

function linesOfView({ picture, withLegend }: GoldenView): string {
  const measure = (text: string, font: string): number => {
    RULER.font = font;
    return RULER.measureText(text).width;
  };
  const layout = layoutOf(picture, measure, 1);
  const surface = new Shapes(Infinity, RULER);
  // A swatch of the lanes is an image: some 50 shapes that the lanes themselves show better.
  const legend = layout.legend.filter(({ entry }) => withLegend && !LANES.has(entry));
  drawPicture(surface, { ...layout, legend }, picture);
  return shapeLines(surface.shapes, layout.theme);
}

test.each(Object.entries(GOLDEN_VIEWS))("%s is drawn as recorded", async (name, view) => {
  await expect(linesOfView(view)).toMatchFileSnapshot(`goldens/${name}.txt`);
});

test("every recorded picture has a view", () => {
  const folder = new URL("goldens/", import.meta.url);
  const recorded = readdirSync(folder).map((file) => file.replace(".txt", ""));
  expect(recorded.sort()).toEqual(Object.keys(GOLDEN_VIEWS).sort());
});
