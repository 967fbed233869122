// What lies over the rows that the caption does not speak of.

import type { ReactElement } from "react";
import type { LaneRow } from "./rows.ts";
import { cpusOf } from "./rows.ts";

/** Rows that the caption does not speak of keep 40 % of their ink. No canvas is drawn anew for it. */
export function Faint({
  rows,
  scrollTop,
  emphasis,
}: {
  readonly rows: readonly LaneRow[];
  readonly scrollTop: number;
  readonly emphasis: readonly number[];
}): ReactElement[] {
  const faint = emphasis.length === 0 ? [] : rows.filter((row) => !cpusOf(row).some((cpu) => emphasis.includes(cpu)));
  // Every row may be another's neighbour: a block of them is one box.
  const blocks: { top: number; bottom: number }[] = [];
  for (const { top, height } of faint) {
    const last = blocks.at(-1);
    if (last?.bottom === top) last.bottom = top + height;
    else blocks.push({ top, bottom: top + height });
  }
  return blocks.map(({ top, bottom }) => (
    <div key={top} className="tl-faint" style={{ top: top - scrollTop, height: bottom - top }} data-testid="faint" aria-hidden="true" />
  ));
}
