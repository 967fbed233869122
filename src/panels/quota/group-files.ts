// The files of a control group that say how its tasks were kept from running, line by line as the
// kernel prints them: cpu.stat, cpu.stat.local, cpu.pressure. Arithmetic and words, no drawing.

import type { GroupMetrics, PressureLine } from "../../engine/gen/types.ts";
import type { Table } from "../../lib/csv.ts";
import { formatCount } from "../../lib/format.ts";
import { cpuStat } from "../../state/figures/quota-books.ts";

/** A line of a file, on one side. */
export interface FileLine {
  readonly file: "cpu.stat" | "cpu.stat.local" | "cpu.pressure";
  readonly name: string;
  readonly text: string;
  /** The whole line of cpu.pressure behind its first word, as the kernel prints it. */
  readonly printed?: string;
  /**
   * The number behind the text, of cpu.pressure in hundredths of a per cent; none where this kernel
   * has no such line.
   */
  readonly value: number | undefined;
}

const OWN = "Time its run queues were throttled by its own limit, all CPUs together.";
const LOCAL =
  "Time its run queues had tasks that its own limit, or a parent’s, kept from running (6.6 on).";
const MEANINGS: Readonly<Record<string, string>> = {
  nr_throttled: "Periods at whose end a run queue of the group was throttled.",
  throttled_usec: OWN,
  throttled_time: OWN,
  some: "Share of the run in which a task of the group waited for a CPU.",
  full: "Share of the run in which tasks of the group waited and none of them ran (5.13 on).",
};

/** What a line says, in one sentence; none where its name says it. */
export function meaningOf({ file, name }: FileLine): string | undefined {
  return file === "cpu.stat.local" ? LOCAL : MEANINGS[name];
}

/** Why throttling is pressure, and why both lines then say the same. */
export const THROTTLED_WAITS =
  "A throttled task counts as waiting in every kernel with cpu.pressure: throttling takes it off its run queue without a PSI hook. So throttling alone makes full as large as some. Before 5.7 some needs two such tasks on one CPU.";

/** An averaging period of 2 s and a tick ends before the averages leave 0. */
export const NO_AVERAGE =
  "avg10, avg60 and avg300 are 0.00 until the kernel’s first averaging period ends, after 2 s and a tick: the run is shorter.";

/** Every line of the three files; v1 has its times in ns, v2 in us. */
export function groupFiles(group: GroupMetrics, version: 1 | 2): readonly FileLine[] {
  const stat = cpuStat(group, version).map(([name, value]): FileLine => {
    const local = name.startsWith("local ");
    return {
      file: local ? "cpu.stat.local" : "cpu.stat",
      name: name.replace("local ", ""),
      text:
        name === "nr_throttled"
          ? `${formatCount(value)} of ${formatCount(group.nr_periods)}`
          : formatCount(value),
      value,
    };
  });
  const { pressure } = group;
  return [...stat, pressureLine("some", pressure?.some), pressureLine("full", pressure?.full)];
}

function pressureLine(name: string, line: PressureLine | undefined): FileLine {
  const file = "cpu.pressure";
  if (line === undefined) return { file, name, text: "–", value: undefined };
  const text = `${hundredths(line.share_bp)} %`;
  return { file, name, text, printed: printedLine(line), value: line.share_bp };
}

function printedLine({ avg10_bp, avg60_bp, avg300_bp, total_ns }: PressureLine): string {
  const averages = `avg10=${hundredths(avg10_bp)} avg60=${hundredths(avg60_bp)} avg300=${hundredths(avg300_bp)}`;
  return `${averages} total=${String(Math.floor(total_ns / 1000))}`;
}

/** Hundredths of a per cent as per cent with two places. */
function hundredths(basisPoints: number): string {
  return (basisPoints / 100).toFixed(2);
}

/** A row for each line of the files, with both sides' values. */
export function filesTable(a: readonly FileLine[], b: readonly FileLine[]): Table {
  const known = a.length === 0 ? b : a;
  return {
    columns: ["file", "line", "value_a", "value_b", "printed_a", "printed_b"],
    rows: known.map(({ file, name }, at) => [
      file,
      name,
      a[at]?.value,
      b[at]?.value,
      a[at]?.printed,
      b[at]?.printed,
    ]),
  };
}
