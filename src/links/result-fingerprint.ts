// A short name for a result: the check value over a list of metrics frozen with link version 1
// (docs/use/links.md).

import { FINGERPRINT_V1 } from "../engine/gen/fingerprint.ts";
import type { RunReport } from "../engine/gen/types.ts";
import { crc32Hex } from "./crc32.ts";
import { metricAt } from "../scenario/metric-path.ts";

/** Eight hex digits over both sides' results. */
export function fingerprint(a: RunReport, b: RunReport | undefined): string {
  const lines = (name: string, report: RunReport): string =>
    FINGERPRINT_V1.map((path) => `${name} ${path}=${metricAt(report, path) ?? "-"}\n`).join("");
  return crc32Hex(lines("A", a) + (b === undefined ? "" : lines("B", b)));
}

/** The headline values of both sides by metric, as the link carries them: `12_2`. */
export function headlineFigures(
  headline: readonly string[],
  a: RunReport,
  b: RunReport | undefined,
): readonly (readonly [metric: string, values: string])[] {
  const value = (report: RunReport, path: string): string => `${metricAt(report, path) ?? "-"}`;
  return headline.map(
    (path) =>
      [
        path,
        [a, ...(b === undefined ? [] : [b])].map((report) => value(report, path)).join("_"),
      ] as const,
  );
}
