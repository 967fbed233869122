// The command lines of the programs that a scenario models. What only the model has (bodies,
// phases, costs) has no flag.

import type { KnobValue } from "../../engine/gen/types.ts";
import { shellWord } from "./shell-word.ts";
import { parseTime, valueText } from "../../scenario/knob-values.ts";
import type { RealCommand, ValueOf } from "./real-command.ts";

/** What a line depends on beside its program's own knobs. */
export interface Run {
  readonly cpus: number;
  readonly durationNs: number;
}

type Own = (key: string) => KnobValue | undefined;
type Line = (own: Own, run: Run) => RealCommand;

/** A knob's value as the tools take it. */
function text(value: KnobValue | undefined): string {
  return value === undefined ? "" : valueText(value);
}

/** A knob's time in whole us, as the tools take it. */
function us(value: KnobValue | undefined): number {
  return typeof value === "string" ? Math.round((parseTime(value) ?? 0) / 1_000) : 0;
}

/** How long a program runs that counts in seconds. */
export function wholeSeconds(durationNs: number): number {
  return Math.max(1, Math.ceil(durationNs / 1e9));
}

/** The flag where the value is not what the tool does by itself. */
function flag(name: string, value: KnobValue | undefined, own?: KnobValue): readonly string[] {
  return value === undefined || value === own || value === "auto" ? [] : [name + text(value)];
}

const cyclictest: Line = (own) => {
  const everywhere = own("threads") === "all";
  const words = [
    everywhere ? "-t" : `-t${text(own("threads"))}`,
    ...(own("affinity") === "auto"
      ? own("pinned") === false
        ? []
        : ["-a"]
      : flag("-a", own("affinity"))),
    ...(own("aligned") === undefined || own("aligned") === "off"
      ? []
      : [`-A${us(own("aligned"))}`]),
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

/**
 * rt-tests' program has -r and -s too, but its help is wrong about both: some versions read them in
 * ns, and others do not use what they read.
 */
const rtMigrateTest: Line = (own, { cpus }) => {
  const words = [
    `-p ${text(own("priority"))} -l ${text(own("iterations"))}`,
    ...(own("check") === true ? ["-c", `-m ${us(own("max_err"))}`] : []),
    ...(own("equal") === true ? ["-e"] : []),
    own("threads") === "auto" ? cpus + 1 : text(own("threads")),
  ];
  return { line: `sudo rt-migrate-test ${words.join(" ")}`, needs: "root" };
};

/** With -F main becomes SCHED_FIFO, which only root may do. */
const hackbench: Line = (own) => {
  const words = [
    `hackbench -g ${text(own("groups"))} -f ${text(own("fds"))} -l ${text(own("loops"))} -s ${text(own("datasize"))}`,
    ...(own("pipe") === true ? ["-p"] : []),
    ...(own("fifo") === true ? ["-F"] : []),
  ];
  return own("fifo") === true
    ? { line: `sudo ${words.join(" ")}`, needs: "root" }
    : { line: words.join(" "), needs: undefined };
};

/** The program ends after whole seconds. */
const schbench: Line = (own, { durationNs }) => ({
  line: [
    `schbench -m ${text(own("message_threads"))}`,
    ...flag("-t ", own("workers")),
    `-s ${us(own("sleep"))} -F ${text(own("cache_footprint"))} -n ${text(own("operations"))}`,
    ...(own("locking") === false ? ["-L"] : []),
    `-r ${wholeSeconds(durationNs)}`,
  ].join(" "),
  needs: undefined,
});

/**
 * stress-ng binds all its workers to one list of CPUs: workers with a CPU each are programs of
 * their own.
 */
const busy: Line = (own, { cpus, durationNs }) => {
  const threads = Number(own("threads"));
  const timeout = `--timeout ${wholeSeconds(durationNs)}s`; // By itself it ends after a day.
  if (own("pinned") !== true)
    return { line: `stress-ng --cpu ${threads} ${timeout}`, needs: undefined };
  const cpu = threads > cpus ? `$((n % ${cpus}))` : "$n";
  return {
    line: `for n in $(seq 0 ${threads - 1}); do stress-ng --cpu 1 --taskset ${cpu} ${timeout} & done; wait`,
    needs: undefined,
  };
};

/** CPUs that perf, which binds nothing itself, is started on. */
const PIPE_CPUS: Readonly<Record<string, string>> = {
  one: "taskset -c 0 ",
  two: "taskset -c 0,1 ",
};

/** The generators that model a program; stand-ins.ts and no-tool.ts have the others. */
export const PROGRAMS: Readonly<Record<string, Line>> = {
  cyclictest,
  rt_migrate_test: rtMigrateTest,
  hackbench,
  schbench,
  pipe: (own) => ({
    line: `${PIPE_CPUS[text(own("cpus"))] ?? ""}perf bench sched pipe -l ${text(own("loops"))}${own("threaded") === true ? " -T" : ""}`,
    needs: undefined,
  }),
  kernbench: (own, { cpus }) => ({ line: `make -j${jobsOf(own, cpus)} vmlinux`, needs: undefined }),
  fibtest: (own, { cpus }) => ({
    line: `fibtest -t ${own("threads") === "auto" ? cpus : text(own("threads"))} -f ${text(own("fast"))} -s ${wholeSeconds(us(own("seconds")) * 1_000)}`,
    needs: undefined,
  }),
  busy,
};

function jobsOf(own: Own, cpus: number): string {
  const jobs = own("jobs");
  if (typeof jobs === "number") return String(jobs);
  const load = own("load");
  return load === "half"
    ? String(Math.max(1, Math.floor(cpus / 2)))
    : load === "optimal"
      ? String(4 * cpus)
      : "";
}

/**
 * The command from within a group: a shell joins the group and becomes the program, or starts the
 * programs of a loop.
 */
export function insideOf({ line }: RealCommand, procs: string): RealCommand {
  const own = line.startsWith("for ") ? line : `exec ${line.replace(/^sudo /, "")}`;
  return { line: `sudo sh -c ${shellWord(`echo $$ > ${procs} && ${own}`)}`, needs: "root" };
}

/** The programs among a scenario's generators; those that are made up have none. */
export function programLines(
  valueOf: ValueOf,
  run: Run,
  procsOf: (group: string) => string,
): readonly RealCommand[] {
  return Object.entries(PROGRAMS).flatMap(([name, line]) => {
    // Every program has the knob of its group, and a scenario without the program has none of its
    // knobs.
    if (valueOf(`workload.${name}.group`) === undefined) return [];
    const command = line((key) => valueOf(`workload.${name}.${key}`), run);
    const group = valueOf(`workload.${name}.group`);
    return [
      {
        ...(typeof group === "string" && group !== "/"
          ? insideOf(command, procsOf(group))
          : command),
        program: true,
      },
    ];
  });
}
