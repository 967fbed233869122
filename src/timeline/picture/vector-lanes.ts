// The lanes of one side as rectangles and repeated textures. The stacks, pins and textures are
// those of the image on screen (lanes/raster.ts): edges lie on half CSS px, textures and strokes
// are as large as on a screen of one dot to a CSS px. Only the dots in a stack's share of spinning
// are left out.

import { CPU_STATE } from "../../engine/gen/catalogue.ts";
import { CHANNELS, WAIT } from "../../model/index.ts";
import type { WaitKind } from "../../model/index.ts";
import type { Plot } from "../plot/plot.ts";
import { plotWidth } from "../plot/plot.ts";
import { clip, sampleRow } from "../lanes/paint.ts";
import { PIN_SHARE, takePins } from "../lanes/raster-pins.ts";
import { mixedInk } from "../lanes/raster-mix.ts";
import type { Held } from "../lanes/raster.ts";
import {
  drawPure,
  heldAt,
  isScarce,
  MIXED_HEIGHT,
  PURE,
  pureState,
  STACK,
  stackHeights,
  texturePeriod,
} from "../lanes/raster.ts";
import type { LaneRow } from "../plot/lane-rows.ts";
import { cpusOf, rowsInView } from "../plot/lane-rows.ts";
import type { Box, Shape, Tile } from "./shapes.ts";
import { hexOf, pixelRects } from "./shapes.ts";
import type { Inks } from "../lanes/raster-inks.ts";
import { inksOf } from "../lanes/raster-inks.ts";

/** Columns and rows to a CSS px. */
export const FINE = 2;

/** What a stretch of equal columns shows. */
type Look =
  | { readonly kind: "pure"; readonly state: number; readonly held: Held }
  | { readonly kind: "mixed"; readonly ink: number }
  | {
      readonly kind: "stack";
      readonly layers: readonly { readonly ink: number; readonly height: number }[];
    };

/**
 * The lanes in sight, from the box's left upper corner; undefined where that takes more than `most`
 * shapes.
 */
export function vectorLanes(plot: Plot, box: Box, most: number): readonly Shape[] | undefined {
  const lanes = new VectorLanes(plot, box, most);
  return lanes.draw() ? lanes.shapes : undefined;
}

class VectorLanes {
  readonly shapes: Shape[] = [];
  private readonly inks: Inks;
  private readonly columns: number;
  private readonly rows: number;
  private readonly pixelNs: number;
  private readonly phase: number;
  private readonly samples: Float32Array;
  private readonly tiles = new Map<string, Tile>();

  constructor(
    private readonly plot: Plot,
    private readonly box: Box,
    private readonly most: number,
  ) {
    const { fromNs, toNs } = plot.viewport;
    this.inks = inksOf(plot.theme);
    this.columns = Math.max(1, Math.round(plotWidth(plot) * FINE));
    this.rows = Math.max(1, Math.round(plot.height * FINE));
    this.pixelNs = (toNs - fromNs) / this.columns;
    this.phase = Math.floor(fromNs / this.pixelNs) % 840;
    this.samples = new Float32Array(this.columns * CHANNELS);
  }

  draw(): boolean {
    const rows = rowsInView(this.plot.rows, this.plot.scrollTop, this.plot.height);
    for (const row of rows) {
      this.bar(row);
      if (this.shapes.length > this.most) return false;
    }
    this.waits(rows);
    return this.shapes.length <= this.most;
  }

  private bar(row: LaneRow): void {
    const { plot, samples, columns } = this;
    const place = clip({ height: this.rows }, { ...plot, ratio: FINE }, row.barTop, row.barHeight);
    if (place === undefined || !sampleRow(plot, row, columns, samples)) return;
    const pixelNs = this.pixelNs * cpusOf(row).length;
    if (row.height >= 7)
      this.dots(0, columns, place.top + place.height - FINE, 4, this.inks.baseline, -this.phase);
    const pins = takePins(samples, columns, pixelNs * PURE).slice(0, columns);
    let from = 0;
    let look = this.lookAt(0, place.height, pixelNs);
    let name = nameOf(look);
    for (let column = 1; column <= columns; column += 1) {
      const next = column === columns ? undefined : this.lookAt(column, place.height, pixelNs);
      const nextName = nameOf(next);
      if (column < columns && nextName === name) continue;
      if (look !== undefined) this.stretch(look, name, from, column, place.top, place.height);
      from = column;
      look = next;
      name = nextName;
    }
    const ink = this.inks.state[CPU_STATE.Hardirq] ?? this.inks.background;
    const high = Math.max(1, Math.round(place.height * PIN_SHARE));
    pins.forEach((pin, column) => {
      if (pin === 1) this.rect(column, place.top, Math.min(2 * FINE, columns - column), high, ink);
    });
  }

  private lookAt(column: number, height: number, pixelNs: number): Look | undefined {
    const { samples, inks } = this;
    const at = column * CHANNELS;
    const pure = pureState(samples, at, pixelNs);
    if (pure === CPU_STATE.Idle) return undefined;
    if (pure >= 0) return { kind: "pure", state: pure, held: heldAt(samples, at, pixelNs) };
    if (height <= MIXED_HEIGHT) return { kind: "mixed", ink: mixedInk(samples, at, pixelNs, inks) };
    const heights = new Int32Array(CHANNELS);
    stackHeights(samples, at, pixelNs, height, heights);
    const layers = STACK.map((state) => {
      const scarce = isScarce(state, (samples[at + state] ?? 0) / pixelNs, height);
      return {
        ink: (scarce ? inks.faint[state] : inks.state[state]) ?? inks.background,
        height: heights[state] ?? 0,
      };
    });
    return { kind: "stack", layers: layers.filter((layer) => layer.height > 0) };
  }

  private stretch(
    look: Look,
    name: string,
    from: number,
    to: number,
    top: number,
    height: number,
  ): void {
    if (look.kind === "mixed") this.rect(from, top, to - from, height, look.ink);
    else if (look.kind === "pure") {
      const tile = this.tileOf(look, name, height);
      if (tile.width > 1) this.tile(tile, from, top, to - from, height, -this.phase);
      else
        for (const each of pixelRects(tile))
          this.coloured(from, top + each.y * FINE, to - from, each.height * FINE, each.colour);
    } else {
      let y = top + height;
      for (const layer of look.layers)
        this.rect(from, (y -= layer.height), to - from, layer.height, layer.ink);
    }
  }

  private tileOf(
    { state, held }: Extract<Look, { readonly kind: "pure" }>,
    name: string,
    height: number,
  ): Tile {
    const high = Math.ceil(height / FINE);
    return this.remembered(`${name} ${high}`, texturePeriod(state, held, high), high, (tile) => {
      const place = { left: 0, top: 0, width: tile.width, height: high };
      for (let column = 0; column < tile.width; column += 1)
        drawPure(tile, place, column, state, held, 0, this.inks);
    });
  }

  private remembered(
    key: string,
    width: number,
    height: number,
    paint: (tile: Tile) => void,
  ): Tile {
    const known = this.tiles.get(key);
    if (known !== undefined) return known;
    const tile = { data: new Uint32Array(width * height), width, height, size: 1 };
    paint(tile);
    this.tiles.set(key, tile);
    return tile;
  }

  /** One row of dots, every `every` CSS px. */
  private dots(
    from: number,
    to: number,
    y: number,
    every: number,
    ink: number,
    anchor: number,
  ): void {
    const tile = this.remembered(`dots ${every} ${ink}`, every, 1, ({ data }) => (data[0] = ink));
    this.tile(tile, from, y, to - from, FINE, anchor);
  }

  private tile(
    tile: Tile,
    x: number,
    y: number,
    width: number,
    height: number,
    anchor: number,
  ): void {
    // The texture's own beginning at or before the stretch.
    const period = tile.width * FINE;
    const first = anchor + Math.floor((x - anchor) / period) * period;
    this.shapes.push({
      kind: "tile",
      tile,
      box: this.boxOf(x, y, width, height),
      anchorX: this.boxOf(first, 0, 0, 0).x,
    });
  }

  private rect(x: number, y: number, width: number, height: number, ink: number): void {
    this.coloured(x, y, width, height, hexOf(ink));
  }

  private coloured(x: number, y: number, width: number, height: number, colour: string): void {
    this.shapes.push({ kind: "rect", box: this.boxOf(x, y, width, height), colour, alpha: 1 });
  }

  private boxOf(x: number, y: number, width: number, height: number): Box {
    return {
      x: this.box.x + this.plot.gutter + x / FINE,
      y: this.box.y + y / FINE,
      width: width / FINE,
      height: height / FINE,
    };
  }

  private waits(rows: readonly LaneRow[]): void {
    const { plot, pixelNs } = this;
    const shelves: ({ readonly top: number; readonly height: number } | undefined)[] = [];
    for (const row of rows) {
      if (row.shelfHeight > 0)
        shelves[row.cpu] ??= clip(
          { height: this.rows },
          { ...plot, ratio: FINE },
          row.top,
          row.shelfHeight,
        );
    }
    if (shelves.length === 0) return;
    const { fromNs, toNs } = plot.viewport;
    plot.trace.waits.visit(fromNs, toNs, plot.trace.endNs, (from, to, cpu, _task, kind) => {
      const shelf = shelves[cpu];
      if (shelf !== undefined && this.shapes.length <= this.most)
        this.wait(shelf, (from - fromNs) / pixelNs, (to - fromNs) / pixelNs, kind);
    });
  }

  /**
   * A wait as lanes/raster-waits.ts draws it: a mark on the floor, or a box, dotted while the task
   * is being woken.
   */
  private wait(
    { top, height }: { readonly top: number; readonly height: number },
    start: number,
    stop: number,
    kind: WaitKind,
  ): void {
    const { columns, inks } = this;
    const from = Math.max(0, Math.floor(start));
    const to = Math.min(columns, Math.max(from + 1, Math.ceil(stop)));
    const floor = top + height - FINE;
    if (from >= columns || stop <= 0) return;
    if (to - from <= 3 * FINE) return this.rect(from, floor, to - from, FINE, inks.waitFaint);
    const ink = kind === WAIT.Waking ? inks.waitSoft : inks.wait;
    for (const y of [top, floor]) {
      if (kind === WAIT.Waking) this.dots(from, to, y, 3, ink, from);
      else this.rect(from, y, to - from, FINE, ink);
    }
    if (start >= 0) this.rect(from, top, kind === WAIT.Preempted ? 2 * FINE : FINE, height, ink);
    if (stop <= columns) this.rect(to - FINE, top, FINE, height, ink);
  }
}

function nameOf(look: Look | undefined): string {
  switch (look?.kind) {
    case undefined:
      return "";
    case "pure":
      return `pure ${look.state} ${look.held}`;
    case "mixed":
      return `mixed ${look.ink}`;
    case "stack":
      return look.layers.map(({ ink, height }) => `${ink}:${height}`).join(" ");
  }
}
