// The command lines of the programs that a scenario stands for. What only the model has (bodies, phases, costs) has no flag.

import type { KnobValue } from "../../engine/gen/types.ts";
import { shellWord } from "../links/commands.ts";
import { parseTime, valueText } from "../knobs/knob-values.ts";
import type { RealCommand, ValueOf } from "./real-commands.ts";

type Own = (key: string) => KnobValue | undefined;
type Line = (own: Own, cpus: number) => RealCommand;

/** A knob's value as the tools take it. */
function text(value: KnobValue | undefined): string {
  return value === undefined ? "" : valueText(value);
}

/** A knob's time in whole us, as the tools take it. */
function us(value: KnobValue | undefined): number {
  return typeof value === "string" ? Math.round((parseTime(value) ?? 0) / 1_000) : 0;
}

/** The flag where the value is not what the tool does by itself. */
function flag(name: string, value: KnobValue | undefined, own?: KnobValue): readonly string[] {
  return value === undefined || value === own || value === "auto" ? [] : [name + text(value)];
}

const cyclictest: Line = (own) => {
  const everywhere = own("threads") === "all";
  const words = [
    everywhere ? "-t" : `-t${text(own("threads"))}`,
    ...(own("affinity") === "auto" ? (own("pinned") === false ? [] : ["-a"]) : flag("-a", own("affinity"))),
    ...(own("priority") === 0 ? [] : flag("-p", own("priority"))),
    ...flag("--policy=", own("policy")),
    ...(own("priospread") === true ? ["--priospread"] : []),
    `-i${us(own("interval"))}`,
    `-d${us(own("distance"))}`,
    ...flag("-l", own("loops"), 0),
    ...flag("-b", own("breaktrace"), 0),
    ...flag("--latency=", own("latency"), 0),
    "-m",
  ];
  return { line: `sudo cyclictest ${words.join(" ")}`, needs: "root" };
};

const PROGRAMS: Readonly<Record<string, Line>> = {
  cyclictest,
  rt_migrate_test: (own, cpus) => ({
    line: `sudo rt-migrate-test -p ${text(own("priority"))} -l ${text(own("iterations"))} ${own("threads") === "auto" ? cpus + 1 : text(own("threads"))}`,
    needs: "root",
  }),
  hackbench: (own) => ({
    line: [
      `hackbench -g ${text(own("groups"))} -f ${text(own("fds"))} -l ${text(own("loops"))} -s ${text(own("datasize"))}`,
      ...(own("pipe") === true ? ["-p"] : []),
    ].join(" "),
    needs: undefined,
  }),
  schbench: (own) => ({
    line: [
      `schbench -m ${text(own("message_threads"))}`,
      ...flag("-t ", own("workers")),
      `-F ${text(own("cache_footprint"))} -n ${text(own("operations"))}`,
      ...(own("locking") === false ? ["-L"] : []),
    ].join(" "),
    needs: undefined,
  }),
  pipe: (own) => ({
    line: `${own("cpus") === "one" ? "taskset -c 0 " : ""}perf bench sched pipe -l ${text(own("loops"))}${own("threaded") === true ? " -T" : ""}`,
    needs: undefined,
  }),
  kernbench: (own, cpus) => ({ line: `make -j${jobsOf(own, cpus)} vmlinux`, needs: undefined }),
  fibtest: (own, cpus) => ({
    line: `fibtest -t ${own("threads") === "auto" ? cpus : text(own("threads"))} -f ${text(own("fast"))} -s ${Math.round(us(own("seconds")) / 1_000_000)}`,
    needs: undefined,
  }),
  busy: (own) => ({ line: `stress-ng --cpu ${text(own("threads"))}`, needs: undefined }),
};

function jobsOf(own: Own, cpus: number): string {
  const jobs = own("jobs");
  if (typeof jobs === "number") return String(jobs);
  const load = own("load");
  return load === "half" ? String(Math.max(1, Math.floor(cpus / 2))) : load === "optimal" ? String(4 * cpus) : "";
}

/** The same from within a group: a shell joins it and becomes the program. */
function insideOf({ line }: RealCommand, procs: string): RealCommand {
  return { line: `sudo sh -c ${shellWord(`echo $$ > ${procs} && exec ${line.replace(/^sudo /, "")}`)}`, needs: "root" };
}

/** The programs among a scenario's generators; those that are made up have none. */
export function programLines(valueOf: ValueOf, cpus: number, procsOf: (group: string) => string): readonly RealCommand[] {
  return Object.entries(PROGRAMS).flatMap(([name, line]) => {
    // Every program has the knob of its group, and a scenario without the program has none of its knobs.
    if (valueOf(`workload.${name}.group`) === undefined) return [];
    const command = line((key) => valueOf(`workload.${name}.${key}`), cpus);
    const group = valueOf(`workload.${name}.group`);
    return [typeof group === "string" && group !== "/" ? insideOf(command, procsOf(group)) : command];
  });
}
