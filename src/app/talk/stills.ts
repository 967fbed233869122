// Pictures of slides for the speaker's window, which runs no engine: the talk's window draws the
// answer of a step from the runs that it has.

import { chosenOf } from "../../panels/picture/picture-contents.ts";
import { timelineSidesOf } from "../../panels/page/timeline-sides.ts";
import { reduce } from "../../state/reduce/reducer.ts";
import type { State } from "../../state/shape/state.ts";
import { readyRuns } from "../../state/steps/resolve.ts";
import { drawn } from "../../timeline/picture/picture.ts";

/** The page's size of a picture, 1920 x 1080, in half as many dots. */
const RATIO = 0.5;

/**
 * The picture in which a step of the open scenario ends; undefined while its runs are not there,
 * and for a step that flips knobs, whose runs come when the step is opened.
 */
export async function stillOf(
  state: State,
  index: number,
  origin: string,
): Promise<ImageBitmap | undefined> {
  const opened = reduce(state, { type: "step_opened", index });
  if (readyRuns(opened) === undefined || opened.step.waiting) return undefined;
  const size = { size: "1920x1080", look: "screen" } as const;
  const { picture } = chosenOf(opened, timelineSidesOf(opened), size, origin);
  return createImageBitmap(drawn({ ...picture, corner: [] }, RATIO));
}
