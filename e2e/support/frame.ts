// How the page shares its window out.

import type { Lab } from "./lab.ts";

interface Measured {
  readonly share: number;
  readonly scrolls: boolean;
  readonly beside: boolean;
  /** What part of the window the stage has in sight, above the bar of time. */
  readonly inSight: number;
  /**
   * What is in sight of the lanes of each side shown, CSS px from top to bottom, above the bar of
   * time.
   */
  readonly lanesPx: readonly number[];
}

/** What part of the window the stage has, whether the page scrolls, and whether A lies over B. */
export async function measureFrame(lab: Lab): Promise<Measured> {
  return lab.page.evaluate(() => {
    const box = (id: string): DOMRect | undefined =>
      document.querySelector(`[data-testid="${id}"]`)?.getBoundingClientRect();
    const stage = box("stage");
    const root = document.documentElement;
    const share =
      stage === undefined
        ? 0
        : (stage.width * stage.height) / (window.innerWidth * window.innerHeight);
    const scrolls = root.scrollHeight > root.clientHeight || root.scrollWidth > root.clientWidth;
    const lanes = ["a", "b"].flatMap((side) => box(`lanes-${side}`) ?? []);
    const foot = Math.min(window.innerHeight, box("transport")?.top ?? window.innerHeight);
    const inSight =
      stage === undefined
        ? 0
        : Math.max(0, Math.min(foot, stage.bottom) - Math.max(0, stage.top)) / window.innerHeight;
    const lanesPx = lanes.map(({ top, bottom }) => Math.min(foot, bottom) - Math.max(0, top));
    return {
      share,
      scrolls,
      inSight,
      beside: (box("timeline-a")?.bottom ?? 0) > (box("timeline-b")?.top ?? 0) + 1,
      lanesPx,
    };
  });
}
