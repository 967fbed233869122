// What does the same on a real machine: a line for each switch, group and program of a run that one
// can set there. A switch that the kernel's version decides needs no line: the version brings it.

import type { KnobValue, ResolvedKnob, RunMeta } from "../../engine/gen/types.ts";
import { isBefore } from "../../engine/versions.ts";
import { numbersIn } from "../../lib/ranges.ts";
import { keysOf, parseTime, valueText } from "../../scenario/knob-values.ts";
import { shellWord } from "./shell-word.ts";
import { programLines } from "./programs.ts";
import type { RealCommand, ValueOf } from "./real-command.ts";

/** What of a run its lines are made of. */
export type RealRun = Pick<RunMeta, "knobs" | "cpus" | "duration_ns">;

/**
 * Lines of one run, in the order one would type them: the kernel, its groups, the programs, `loads`
 * that files describe, what reads the groups' figures.
 */
export function realCommands(
  { knobs, cpus, duration_ns: durationNs }: RealRun,
  loads: readonly RealCommand[] = nothing,
): readonly RealCommand[] {
  const turned = knobs.filter(({ origin, inert }) => origin === "stated" && inert === undefined);
  const values = new Map(knobs.map(({ path, value }) => [path, value]));
  const valueOf: ValueOf = (path) => values.get(path);
  const kernel = turned.flatMap(({ path, value }) => KERNEL[path]?.(value, valueOf) ?? []);
  const tree = treeOf(valueOf);
  const groups = groupLines(knobs, turned, tree);
  const lines = [
    ...kernel,
    ...groups.made,
    ...programLines(valueOf, { cpus, durationNs }, procsOf(valueOf)),
    ...loads,
    ...groups.read,
  ];
  // Two knobs may be one line.
  return lines.filter(
    ({ line }, index) => lines.findIndex((other) => other.line === line) === index,
  );
}

const FEATURES = "/sys/kernel/debug/sched/features";
const FEATURES_BEFORE_5_13 = "/sys/kernel/debug/sched_features";

const root = (line: string): readonly RealCommand[] => [{ line, needs: "root" }];
const boot = (line: string): readonly RealCommand[] => [{ line, needs: "boot" }];
const build = (line: string): readonly RealCommand[] => [{ line, needs: "build" }];
const nothing: readonly RealCommand[] = [];

/** What a line needs of a kernel: the release that brought it. */
const SINCE = {
  /** /sys/kernel/debug/sched/. */
  schedFolder: "5.13",
  /** CONFIG_PREEMPT_DYNAMIC and preempt=. */
  preemptDynamic: "5.12",
  lazyModel: "6.13",
  fairServer: "6.12",
  /** nr_cpus=. */
  nrCpus: "2.6.34",
  /** smp_affinity_list (recalled). */
  affinityList: "3.0",
  /** irqaffinity= (recalled). */
  irqaffinity: "4.7",
  /** Offloaded RCU callbacks (recalled). */
  offloading: "3.8",
  /** CONFIG_NO_HZ_FULL (recalled). */
  noHzFull: "3.10",
  /** cgroup v2's files of the cpu controller. */
  cgroup2Cpu: "4.15",
  /** /sys/kernel/debug/sched/cgroup_mode. */
  cgroupMode: "7.3",
  /** /sys/kernel/debug/sched/llc_balancing. */
  llcBalancing: "7.2",
} as const;

function lacks(valueOf: ValueOf, what: keyof typeof SINCE): boolean {
  return isBefore(valueOf("kernel.version"), SINCE[what]);
}

type LinesOf = (value: KnobValue, valueOf: ValueOf) => readonly RealCommand[];

/** A bit of sched_features: on unless the value is one of `off`. */
function feature(name: string, off: readonly KnobValue[] = [false, "off"]): LinesOf {
  return (value, valueOf) => {
    // The kernel decides by its number of CPUs.
    if (value === "auto" || value === "auto_gt16") return nothing;
    const isOff = value === "rt_only" ? valueOf("kernel.preempt") !== "rt" : off.includes(value);
    const file = lacks(valueOf, "schedFolder") ? FEATURES_BEFORE_5_13 : FEATURES;
    return root(`echo ${isOff ? "NO_" : ""}${name} | sudo tee ${file}`);
  };
}

function ns(value: KnobValue): number | undefined {
  return typeof value === "string" ? parseTime(value) : undefined;
}

function preempt(value: KnobValue, valueOf: ValueOf): readonly RealCommand[] {
  if (value === "rt") return build("CONFIG_PREEMPT_RT=y");
  const choices: Readonly<Record<string, string>> = {
    none: "CONFIG_PREEMPT_NONE=y",
    voluntary: "CONFIG_PREEMPT_VOLUNTARY=y",
    full: "CONFIG_PREEMPT=y",
  };
  // `dynamic-none` is the model of a kernel with PREEMPT_DYNAMIC, which `preempt=` chooses.
  const model = valueText(value).replace(/^dynamic-/, "");
  const asBuilt = choices[model];
  if (lacks(valueOf, "preemptDynamic")) return asBuilt === undefined ? nothing : build(asBuilt);
  if (model === "lazy" && lacks(valueOf, "lazyModel")) return nothing;
  return /^(?:none|voluntary|full|lazy)$/.test(model)
    ? [
        ...build("CONFIG_PREEMPT_DYNAMIC=y"),
        ...boot(`preempt=${model}`),
        ...root(`echo ${model} | sudo tee /sys/kernel/debug/sched/preempt`),
      ]
    : nothing;
}

/**
 * The runtime may not exceed the period at any moment: the limit is lifted, then both are written.
 */
function rtLimit(valueOf: ValueOf): readonly RealCommand[] {
  const [runtime, period] = [
    valueOf("kernel.sched_rt_runtime_us"),
    valueOf("kernel.sched_rt_period_us"),
  ];
  const both = [
    period === undefined ? [] : [`kernel.sched_rt_period_us=${valueText(period)}`],
    runtime === undefined ? [] : [`kernel.sched_rt_runtime_us=${valueText(runtime)}`],
  ];
  return root(`sudo sysctl kernel.sched_rt_runtime_us=-1 ${both.flat().join(" ")}`);
}

/** Where there is a fair server, that and not the limit holds RT tasks back. */
function rtThrottle(value: KnobValue, valueOf: ValueOf): readonly RealCommand[] {
  if (value === "dl_server_6_12") return nothing;
  if (value !== "off")
    return [
      ...root(
        "sudo sysctl kernel.sched_rt_runtime_us=-1 kernel.sched_rt_period_us=1000000 kernel.sched_rt_runtime_us=950000",
      ),
      ...feature("RT_RUNTIME_SHARE", ["950_1000_noshare"])(value, valueOf),
    ];
  return lacks(valueOf, "fairServer")
    ? root("sudo sysctl kernel.sched_rt_runtime_us=-1")
    : root(
        "sudo sh -c 'for f in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do echo 0 > $f; done'",
      );
}

function idle(value: KnobValue): readonly RealCommand[] {
  return /^(?:poll|halt)$/.test(valueText(value)) ? boot(`idle=${valueText(value)}`) : nothing;
}

/**
 * Behind maxcpus= the other CPUs are still possible ones, which the kernel counts and user space
 * may start.
 */
function cpusOfMachine(value: KnobValue, valueOf: ValueOf): readonly RealCommand[] {
  return boot(`${lacks(valueOf, "nrCpus") ? "maxcpus" : "nr_cpus"}=${valueText(value)}`);
}

/** Where interrupts go: by themselves to any CPU. */
function irqAffinity(value: KnobValue, valueOf: ValueOf): readonly RealCommand[] {
  const list = valueText(value);
  if (
    list === "all" ||
    numbersIn(list).length === valueOf("machine.cpus") ||
    lacks(valueOf, "affinityList")
  )
    return nothing;
  return [
    ...(lacks(valueOf, "irqaffinity") ? nothing : boot(shellWord(`irqaffinity=${list}`))),
    ...root(`echo ${shellWord(list)} | sudo tee /proc/irq/N/smp_affinity_list`),
  ];
}

function offloaded(value: KnobValue, valueOf: ValueOf): readonly RealCommand[] {
  if (value === "none" || lacks(valueOf, "offloading")) return nothing;
  return [...build("CONFIG_RCU_NOCB_CPU=y"), ...boot(shellWord(`rcu_nocbs=${valueText(value)}`))];
}

/** Knobs of the kernel, the machine and its devices that a real machine has too. */
const KERNEL: Readonly<Record<string, LinesOf>> = {
  "machine.cpus": cpusOfMachine,
  "machine.idle": idle,
  "kernel.hz": (value) => build(`CONFIG_HZ_${valueText(value)}=y`),
  "kernel.tick_skew": (value) => (value === true ? boot("skew_tick=1") : nothing),
  "kernel.preempt": preempt,
  "kernel.rt_push_ipi": feature("RT_PUSH_IPI"),
  "kernel.ttwu_queue": feature("TTWU_QUEUE"),
  "kernel.delay_dequeue": feature("DELAY_DEQUEUE"),
  "kernel.hrtick": feature("HRTICK"),
  "kernel.run_to_parity": feature("RUN_TO_PARITY"),
  "kernel.place_lag": feature("PLACE_LAG"),
  "kernel.preempt_short": feature("PREEMPT_SHORT"),
  "kernel.next_buddy": feature("NEXT_BUDDY"),
  "kernel.ni_random": feature("NI_RANDOM"),
  "kernel.llc_balancing": (value, valueOf) =>
    lacks(valueOf, "llcBalancing")
      ? nothing
      : root(
          `echo ${value === true ? 1 : 0} | sudo tee /sys/kernel/debug/sched/llc_balancing/enabled`,
        ),
  "kernel.cgroup_mode": (value, valueOf) =>
    lacks(valueOf, "cgroupMode")
      ? nothing
      : root(`echo ${valueText(value)} | sudo tee /sys/kernel/debug/sched/cgroup_mode`),
  // The file holds the slice as it is scaled by 1 + log2(CPUs), 8 counted at most.
  "kernel.base_slice": (value, valueOf) =>
    root(
      `echo ${String((ns(value) ?? 0) * (1 + Math.floor(Math.log2(Math.min(8, Number(valueOf("machine.cpus") ?? 1))))))} | sudo tee /sys/kernel/debug/sched/base_slice_ns`,
    ),
  "kernel.rt_throttle": rtThrottle,
  "kernel.sched_rt_runtime_us": (_, valueOf) => rtLimit(valueOf),
  "kernel.sched_rt_period_us": (_, valueOf) => rtLimit(valueOf),
  "kernel.sched_rr_timeslice_ms": (value) =>
    root(`sudo sysctl kernel.sched_rr_timeslice_ms=${valueText(value)}`),
  "kernel.cfs_bandwidth_slice_us": (value) =>
    root(`sudo sysctl kernel.sched_cfs_bandwidth_slice_us=${valueText(value)}`),
  "kernel.nohz_full": (value, valueOf) =>
    value === "none" || lacks(valueOf, "noHzFull")
      ? nothing
      : [...build("CONFIG_NO_HZ_FULL=y"), ...boot(shellWord(`nohz_full=${valueText(value)}`))],
  "kernel.rseq_slice_extension": (value) =>
    value === true ? build("CONFIG_RSEQ_SLICE_EXTENSION=y") : nothing,
  "kernel.rseq_slice_extension_length": (value) =>
    root(`echo ${String(ns(value) ?? 0)} | sudo tee /sys/kernel/debug/rseq/slice_ext_nsec`),
  "workload.device_irq.cpus": irqAffinity,
  "workload.rcu.nocbs": offloaded,
};

/** Whether a machine has a switch for the knob at this path, whatever its version. */
export function hasLine(path: string): boolean {
  return Object.hasOwn(KERNEL, path);
}

/** Where groups lie, and what their files are called. */
interface Tree {
  /** A file of a group as a word of the shell; "" is the root. */
  readonly file: (group: string, name: string) => string;
  /** What is written for a knob of a group: file and text. */
  readonly writes: (
    key: string,
    value: string,
  ) => readonly (readonly [file: string, text: string])[];
  /** Whether a group's parents have to pass the controller on. */
  readonly passesOn: boolean;
}

/** The file that a process writes itself to, to join a group. */
export function procsOf(valueOf: ValueOf): (group: string) => string {
  return (group) => treeOf(valueOf).file(group, "cgroup.procs");
}

/** A kernel without cgroup v2's files of the cpu controller has those of v1. */
function treeOf(valueOf: ValueOf): Tree {
  return lacks(valueOf, "cgroup2Cpu") ? V1 : V2;
}

const FILES: Readonly<Record<string, string>> = {
  cpu_max: "cpu.max",
  cpu_max_burst: "cpu.max.burst",
  cpu_weight: "cpu.weight",
};

const V2: Tree = {
  file: (group, name) =>
    shellWord(["/sys/fs/cgroup", group, name].filter((part) => part !== "").join("/")),
  writes: (key, value) => (FILES[key] === undefined ? [] : [[FILES[key], value]]),
  passesOn: true,
};

const V1: Tree = {
  file: (group, name) =>
    shellWord(["/sys/fs/cgroup/cpu", group, name].filter((part) => part !== "").join("/")),
  writes: (key, value) => {
    const [quota = "max", period = "100000"] = value.split(/\s+/);
    if (key === "cpu_weight")
      return [["cpu.shares", String(Math.round((Number(value) * 1_024) / 100))]];
    if (key !== "cpu_max") return [];
    return [
      ["cpu.cfs_period_us", period],
      ["cpu.cfs_quota_us", quota === "max" ? "-1" : quota],
    ];
  },
  passesOn: false,
};

/**
 * The groups, parents first, then what is written to their files; in the end, what reads of a
 * limited group what the page shows.
 */
function groupLines(
  knobs: readonly ResolvedKnob[],
  turned: readonly ResolvedKnob[],
  tree: Tree,
): { readonly made: readonly RealCommand[]; readonly read: readonly RealCommand[] } {
  const files = turned.flatMap(({ path, value }) => {
    const [kind, group, key] = keysOf(path);
    if (kind !== "cgroups" || group === undefined || key === undefined) return [];
    return tree.writes(key, valueText(value)).map(([file, text]) => ({ group, file, text }));
  });
  const groups = [...new Set(knobs.flatMap(({ path }) => groupIn(path)))];
  if (groups.length === 0) return { made: nothing, read: nothing };
  const limited = [
    ...new Set(turned.flatMap(({ path }) => (keysOf(path)[2] === "cpu_max" ? groupIn(path) : []))),
  ];
  const parents = [...new Set(["", ...groups.flatMap(parentsOf)])];
  const made = [
    ...root(`sudo mkdir -p ${groups.map((group) => tree.file(group, "")).join(" ")}`),
    ...(tree.passesOn
      ? parents.flatMap((group) =>
          root(`echo +cpu | sudo tee ${tree.file(group, "cgroup.subtree_control")}`),
        )
      : []),
    ...files.flatMap(({ group, file, text }) =>
      root(`echo ${shellWord(text)} | sudo tee ${tree.file(group, file)}`),
    ),
  ];
  return {
    made,
    read: limited.map((group) => ({
      line: `cat ${tree.file(group, "cpu.stat")}`,
      needs: undefined,
    })),
  };
}

/** The group whose knob this is. */
function groupIn(path: string): readonly string[] {
  const [kind, group] = keysOf(path);
  return kind === "cgroups" && group !== undefined ? [group] : [];
}

/** The groups above a group, the outermost first. */
function parentsOf(group: string): readonly string[] {
  const parts = group.split("/");
  return parts.slice(0, -1).map((_, depth) => parts.slice(0, depth + 1).join("/"));
}
