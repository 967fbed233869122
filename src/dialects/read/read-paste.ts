// The paste box: which of the known languages a text is in, and what it comes to. The first reader
// that knows the text answers; where none does, the answer names the forms that are known.

import { readBench } from "./bench.ts";
import { readCmdline } from "./cmdline.ts";
import { readCompose } from "./compose.ts";
import { readCpuList } from "./cpulist.ts";
import { readCpuMaxFile } from "./cpu-max.ts";
import { readCpuStat } from "./cpu-stat.ts";
import { readCyclictest } from "./cyclictest.ts";
import { readCyclictestResult } from "./cyclictest-result.ts";
import { readDocker } from "./docker.ts";
import { readFeatures } from "./features.ts";
import { readIdle } from "./idle-states.ts";
import { readOwnFile } from "./scenario-file.ts";
import { readPod } from "./pod.ts";
import { readPreempt } from "./preempt.ts";
import { readRtApp } from "./rt-app.ts";
import { readRtla } from "./rtla.ts";
import { readSystemd } from "./systemd.ts";
import { LINES_MAX, refused, TEXT_MAX, type Reader, type Reading } from "./understood.ts";

/** A text that no reader knows. */
export interface Unknown {
  readonly kind: "unknown";
}

export type Answer = Reading | Unknown | { readonly kind: "empty" };

/** Whole files and commands come before single words that may be inside them. */
const READERS: readonly Reader[] = [
  readOwnFile,
  readRtApp,
  readCpuStat,
  readCyclictestResult,
  readCyclictest,
  readRtla,
  readBench,
  readDocker,
  readSystemd,
  readCompose,
  readPod,
  readCmdline,
  readPreempt,
  readIdle,
  readFeatures,
  readCpuMaxFile,
  readCpuList,
];

export interface Form {
  readonly name: string;
  readonly example: string;
}

/** The forms that are known, each with a text that is read. */
export const FORMS: readonly Form[] = [
  { name: "cpu.max", example: "50000 100000" },
  {
    name: "cpu.stat before and after, with the limit",
    example: [
      "cpu.max 100000 100000",
      "usage_usec 81000000\nnr_periods 1000\nnr_throttled 100\nthrottled_usec 30000000",
      "usage_usec 117000000\nnr_periods 1600\nnr_throttled 250\nthrottled_usec 75000000",
    ].join("\n"),
  },
  {
    name: "a Pod's or Deployment's resources",
    example: 'resources:\n  requests:\n    cpu: 250m\n  limits:\n    cpu: "500m"',
  },
  { name: "docker run", example: "docker run --cpus=1.5 nginx" },
  { name: "a Compose file", example: 'services:\n  web:\n    cpus: "1.5"' },
  { name: "systemd", example: "CPUQuota=150%" },
  { name: "cyclictest", example: "cyclictest -Smp95 -i200 -h400 -D 10m" },
  {
    name: "what cyclictest printed",
    example: "T: 0 ( 1012) P:95 I:100 C:  20000 Min:      3 Act:    5 Avg:    6 Max:     141",
  },
  { name: "rtla", example: "rtla timerlat hist -c 0-3 -P f:95 -p 1000 -d 10m" },
  { name: "hackbench, perf bench sched", example: "hackbench -g 2 -l 100 -p" },
  { name: "sched_features", example: "RT_PUSH_IPI NO_TTWU_QUEUE" },
  { name: "preempt=", example: "preempt=lazy" },
  {
    name: "a kernel command line",
    example: "isolcpus=2-7 nohz_full=2-7 rcu_nocbs=2-7 preempt=full",
  },
  { name: "a list of CPUs", example: "nohz_full=2-7" },
  {
    name: "an rt-app file",
    example:
      '{ "tasks": { "web": { "loop": -1, "run": 700, "timer": { "ref": "unique", "period": 10000 } } } }',
  },
];

/** Never throws, whatever the text. */
export function readPaste(text: string): Answer {
  if (text.trim() === "") return { kind: "empty" };
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (plain.length > TEXT_MAX)
    return refused(
      "too long",
      `The text has ${plain.length} characters; at most ${TEXT_MAX} are read.`,
    );
  const lines = plain.split("\n").length;
  if (lines > LINES_MAX)
    return refused("too long", `The text has ${lines} lines; at most ${LINES_MAX} are read.`);
  for (const read of READERS) {
    const reading = read(plain);
    if (reading !== undefined) return reading;
  }
  return { kind: "unknown" };
}
