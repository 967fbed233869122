// What cyclictest prints, a line for each thread: "T: 0 ( 1012) P:95 I:100 C: 20000 Min: 3 Act: 5
// Avg: 6 Max: 141" (print_stat() of rt-tests). The lines name threads, priority and interval, from
// which the command comes back; they do not say what made a wake-up late.

import { counted } from "../../lib/count.ts";
import { readCyclictest } from "./cyclictest.ts";
import { refused, type Reading } from "./understood.ts";

const LANGUAGE = "cyclictest result";
const THREAD =
  /^\s*T:\s*(\d{1,4})\s*\(\s*\d{1,9}\)\s*P:\s*(\d{1,2})\s+I:\s*(\d{1,9})\s+C:\s*(\d{1,12})\s+Min:\s*(-?\d{1,12})\s+Act:\s*-?\d{1,12}\s+Avg:\s*(-?\d{1,12})\s+Max:\s*(-?\d{1,12})/;
/** What it prints above the threads, except with -q: "policy: rr: loadavg: 0.1 0.1 0.1 1/1 7". */
const POLICY = /^\s*policy:\s*(\w{1,20}):\s*loadavg/m;
/** A maximum above it, us, is more likely ns, as -N prints them. */
const US_MAX = 10_000_000;

interface Thread {
  readonly index: number;
  readonly priority: number;
  readonly intervalUs: number;
  readonly cycles: number;
  readonly min: number;
  readonly avg: number;
  readonly max: number;
}

export function readCyclictestResult(text: string): Reading | undefined {
  // A terminal holds the lines of every refresh: the last of a thread counts.
  const lines = [...new Map(text.split("\n").flatMap(threadIn)).values()];
  const threads = lines.length > 0 ? lines : histogramIn(text);
  const [first, second] = threads;
  if (first === undefined) return undefined;
  const latest = threads.reduce((one, other) => (other.max > one.max ? other : one));
  if (threads.every(({ cycles }) => cycles === 0))
    return refused(LANGUAGE, "No thread has run a cycle: C: is 0 in every line.");
  const distance = second === undefined ? 0 : Math.max(0, second.intervalUs - first.intervalUs);
  const policy = POLICY.exec(text)?.[1];
  const stated =
    policy === "fifo" || policy === "rr" || policy === "idle" ? ` --policy=${policy}` : "";
  const line = `cyclictest -m -t ${threads.length} -p ${first.priority}${stated} -i ${first.intervalUs} -d ${distance}`;
  // The command often precedes its own output, and says more.
  const typed = text
    .split("\n")
    .find((each) => !THREAD.test(each) && /\bcyclictest\s+-/.test(each));
  const command = readCyclictest(typed ?? line);
  if (command?.kind !== "understood") return command;
  const where = threads.length === 1 ? "" : ` (thread ${latest.index})`;
  const cycles = Math.max(...threads.map((each) => each.cycles));
  const min = Math.min(...threads.map((each) => each.min));
  return {
    ...command,
    language: LANGUAGE,
    what:
      `In ${counted(cycles, "round")} of ${counted(threads.length, "thread")} the latest wake-up was ${latest.max} µs late${where}, ` +
      `the average${threads.length === 1 ? "" : " of that thread"} ${latest.avg} µs, the earliest ${min} µs.`,
    follows: [
      `The maximum is ${Math.round(latest.max / Math.max(1, latest.avg))} times the average: one wake-up met something that the others did not.`,
      ...(lines.length > 0 && latest.max > latest.intervalUs
        ? [
            `It is longer than the interval of ${latest.intervalUs} µs: the rounds in between were skipped, and no sample counts them.`,
          ]
        : []),
    ],
    unknown: [
      "What made that wake-up late. The tool keeps no trace: run it again with -b and a bound below the maximum, which stops a trace at the first such wake-up.",
      "How the maximum comes about step by step: the scenario “cyclictest-anatomy” and the lesson “Read your own cyclictest maximum” show it.",
      ...(latest.max > US_MAX
        ? ["Figures as large as these are ns, which -N prints; here they are read as µs."]
        : []),
      ...(lines.length === 0 && typed === undefined
        ? [
            `A histogram says neither priority nor interval. Assumed: -p ${ASSUMED.priority} -i ${ASSUMED.intervalUs}.`,
          ]
        : []),
      ...(typed === undefined ? [notInLines(policy)] : []),
      ...command.unknown.filter(
        (sentence) => typed !== undefined || !sentence.startsWith("Without -a"),
      ),
    ],
  };
}

/** What is not in the lines, and is assumed. */
function notInLines(policy: string | undefined): string {
  if (policy === undefined)
    return "Affinity and policy are not in the lines. Assumed: unpinned threads of SCHED_FIFO, or of SCHED_OTHER with P: 0.";
  const batch = policy === "batch" ? " SCHED_BATCH runs as SCHED_OTHER here." : "";
  return `Affinity is not in the lines. Assumed: unpinned threads.${batch}`;
}

function threadIn(line: string): readonly (readonly [index: number, thread: Thread])[] {
  const numbers = THREAD.exec(line)?.slice(1).map(Number);
  if (numbers === undefined) return [];
  const [index, priority, intervalUs, cycles, min, avg, max] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [[index, { index, priority, intervalUs, cycles, min, avg, max }]];
}

/** What a histogram does not say. */
const ASSUMED = { priority: 80, intervalUs: 1_000 };

/** What -h and -H print at the end, a column for each thread: "# Max Latencies: 00017 00024". */
function histogramIn(text: string): readonly Thread[] {
  const columns = (name: string): readonly number[] => {
    const [, row] = new RegExp(`^# ${name}:((?:\\s+\\d{1,12}){1,1024})\\s*$`, "m").exec(text) ?? [];
    return row?.trim().split(/\s+/).map(Number) ?? [];
  };
  const [totals, mins, avgs] = [
    columns("Total"),
    columns("Min Latencies"),
    columns("Avg Latencies"),
  ];
  return columns("Max Latencies").map((max, index) => ({
    index,
    ...ASSUMED,
    cycles: totals[index] ?? 1,
    min: mins[index] ?? 0,
    avg: avgs[index] ?? 0,
    max,
  }));
}
