// A file or a sheet of paper cannot be scrolled, so it says how many of the rows it has.

import type { ReactElement } from "react";
import { useMedia } from "../../lib/use-media.ts";
import type { Plot } from "../plot/plot.ts";
import { cpusOf } from "../plot/lane-rows.ts";

/** The number of CPUs in the picture, in words; empty where all fit. */
export function cutWords({ rows, scrollTop, height, trace }: Plot): string {
  const whole = rows.rows.filter(
    (row) => row.top >= scrollTop && row.top + row.height <= scrollTop + height + 1,
  );
  const cpus = new Set(whole.flatMap(cpusOf)).size;
  return cpus === trace.lanes.length ? "" : `${cpus} of ${trace.lanes.length} CPUs shown`;
}

/** On paper alone. */
export function CutWords({
  plot,
  id,
}: {
  readonly plot: Plot;
  readonly id: string;
}): ReactElement | null {
  const words = cutWords(plot);
  return useMedia("print") && words !== "" ? (
    <span className="tl-lock" data-testid={`cut-${id}`}>
      {words}
    </span>
  ) : null;
}
