// What lies over the lanes on the viewer's account, in a picture that leaves the page: the chosen
// area and the two markers.

import { xOf } from "../plot/plot.ts";
import { framesOf, reachOf } from "../tracks/area-frames.ts";
import { deltaWords } from "../tracks/marker-layer.tsx";
import type { Layout, PictureOf, SideLayout } from "./layout.ts";
import { wordsFont } from "./fonts.ts";
import type { Box } from "./shapes.ts";
import type { Surface } from "./surfaces.ts";

const EDGE_PX = 1.5;
const DASH_PX = 4;

/**
 * A frame around the area's rows on each side; around everything below the heading where it has all
 * CPUs.
 */
export function drawArea(surface: Surface, { theme, sides }: Layout, { area }: PictureOf): void {
  if (area === undefined) return;
  for (const side of sides) {
    const reach = reachOf(side.scene.plot, area);
    if (reach === undefined) continue;
    for (const { top, height } of framesIn(side, area.cpus)) {
      const box = { x: side.left + reach.left, y: top, width: reach.width, height };
      surface.box(box, (context) => {
        context.fillStyle = theme.playhead;
        for (const edge of edgesOf(box)) context.fillRect(edge.x, edge.y, edge.width, edge.height);
      });
    }
  }
}

function framesIn(
  side: SideLayout,
  cpus: readonly number[] | undefined,
): readonly Pick<Box & { top: number }, "top" | "height">[] {
  const { head, lanes, scene } = side;
  const top = head.y + head.height;
  if (cpus === undefined) return [{ top, height: lanes.y + lanes.height - top }];
  return framesOf(scene.plot, new Set(cpus)).map((frame) => ({
    top: lanes.y + frame.top,
    height: frame.height,
  }));
}

function edgesOf({ width, height }: Box): readonly Box[] {
  return [
    { x: 0, y: 0, width, height: EDGE_PX },
    { x: 0, y: height - EDGE_PX, width, height: EDGE_PX },
    { x: 0, y: 0, width: EDGE_PX, height },
    { x: width - EDGE_PX, y: 0, width: EDGE_PX, height },
  ];
}

/**
 * A dashed line down each side, named in its heading; the later one says how far it is from the
 * other.
 */
export function drawMarkers(surface: Surface, layout: Layout, { markers }: PictureOf): void {
  const { from, to } = markers;
  const delta = from === undefined || to === undefined ? "" : ` ${deltaWords(to - from)}`;
  for (const side of layout.sides) {
    drawMarker(surface, layout, side, from, "from");
    drawMarker(surface, layout, side, to, `to${delta}`);
  }
}

function drawMarker(
  surface: Surface,
  { theme, gutter }: Layout,
  side: SideLayout,
  ns: number | undefined,
  words: string,
): void {
  const { head, lanes, left, scene } = side;
  const x = ns === undefined ? -1 : xOf(scene.plot, ns);
  if (x < gutter || x > scene.plot.width) return;
  const top = head.y + head.height;
  const height = lanes.y + lanes.height - top;
  surface.box({ x: left + x, y: top, width: EDGE_PX, height }, (context) => {
    context.fillStyle = theme.text;
    for (let y = 0; y < height; y += 2 * DASH_PX)
      context.fillRect(0, y, EDGE_PX, Math.min(DASH_PX, height - y));
  });
  surface.box(
    { x: left, y: top, width: scene.plot.width, height: theme.fontPx * 1.5 },
    (context) => {
      context.font = wordsFont(theme);
      const wide = context.measureText(words).width + 6;
      const start = x + wide > scene.plot.width ? x - wide : x;
      context.fillStyle = theme.background;
      context.fillRect(start, 0, wide, theme.fontPx * 1.5);
      context.fillStyle = theme.text;
      context.textAlign = "left";
      context.textBaseline = "middle";
      context.fillText(words, start + 3, theme.fontPx * 0.75);
    },
  );
}
