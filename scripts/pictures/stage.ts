// The front page's stage before any script has run: the first step of its scenario as the page
// draws it in a window of 1440 x 900, so that the live one takes its place without a jump.

import { timelineSidesOf } from "../../src/panels/page/timeline-sides.ts";
import { aboutLocks } from "../../src/state/steps/first-look.ts";
import { shownViewport } from "../../src/state/select/selectors.ts";
import type { State } from "../../src/state/shape/state.ts";
import { focusedLock, stepCpus, subjectLanes } from "../../src/state/steps/resolve.ts";
import { heroOf } from "../../src/state/steps/subject.ts";
import { drawPicture } from "../../src/timeline/picture/draw-picture.ts";
import type { Measure } from "../../src/timeline/picture/fonts.ts";
import { layoutOf, type Layout, type PictureOf } from "../../src/timeline/picture/layout.ts";
import type { Ruler } from "../../src/timeline/picture/recorder.ts";
import { Shapes } from "../../src/timeline/picture/surfaces.ts";
import { svgOf } from "../../src/timeline/picture/svg.ts";
import type { ThemeName } from "../../src/timeline/plot/timeline-props.ts";

/** The stage's box in that window, CSS px, and from the top of side A to that of side B. */
const STAGE = { width: 1440, height: 752, step: 347 };
/** The margin that a picture has and the stage has not, CSS px. */
const MARGIN = { left: 9, top: 12, right: 12 };
/** The page heads each side by itself. */
const HEADS = { headPx: 40, fontPx: 15 };

/** An SVG of the size of the stage's box. */
export function stageOf(state: State, theme: ThemeName, ruler: Ruler): string {
  const measure: Measure = (text, font) => {
    ruler.font = font;
    return ruler.measureText(text).width;
  };
  const picture: PictureOf = {
    sides: timelineSidesOf(state),
    viewport: shownViewport(state),
    playheadNs: state.playheadNs,
    layout: "stacked",
    lock: focusedLock(state) ?? "deepest",
    aboutLocks: aboutLocks(state.entry.headline),
    lanes: state.lanes,
    stepCpus: stepCpus(state),
    subject: subjectLanes(state),
    hero: heroOf(state),
    area: undefined,
    markers: {},
    theme,
    width: MARGIN.left + STAGE.width + MARGIN.right,
    height: STAGE.height,
    scrollTop: 0,
    title: "",
    corner: [],
    pageHeads: HEADS,
  };
  const first = layoutOf(picture, measure, 1);
  // The sides share what height there is; what lies below the lanes takes what it takes.
  const layout = layoutOf(
    { ...picture, height: STAGE.height + 2 * (STAGE.step - stepOf(first)) },
    measure,
    1,
  );
  const surface = new Shapes(Infinity, ruler);
  // The legend lies below the box.
  drawPicture(surface, { ...layout, legend: [] }, picture);
  const { width, height } = STAGE;
  const { left, top } = MARGIN;
  const page = {
    width,
    height,
    left,
    top,
    scale: 1,
    background: layout.theme.background,
    title: state.entry.title,
    about: "schedscope",
  };
  return svgOf(surface.shapes, page);
}

function stepOf({ sides: [a, b] }: Layout): number {
  return a === undefined || b === undefined ? STAGE.step : b.head.y - a.head.y;
}
