// What does the same on a real machine: a line for each switch, group and program of a run that one can set there. A switch that the kernel's
// version decides needs no line: the version brings it.

import type { KnobValue, ResolvedKnob, RunMeta } from "../../engine/gen/types.ts";
import { keysOf, parseTime, valueText } from "../knobs/knob-values.ts";
import { shellWord } from "../links/commands.ts";
import { programLines } from "./programs.ts";

/** What a line needs beside a shell: root's rights; a reboot, as it is a word of the kernel's command line; another build of the kernel. */
export type Needs = "root" | "boot" | "build";

/** A command line, a word for the kernel's command line, or an option of its build. */
export interface RealCommand {
  readonly line: string;
  readonly needs: Needs | undefined;
}

/** Value of the knob at a path, if the scenario has it. */
export type ValueOf = (path: string) => KnobValue | undefined;

/** Lines of one run, in the order one would type them: the kernel, its groups, the programs. */
export function realCommands({ knobs, cpus }: Pick<RunMeta, "knobs" | "cpus">): readonly RealCommand[] {
  const turned = knobs.filter(({ origin, inert }) => origin === "stated" && inert === undefined);
  const values = new Map(knobs.map(({ path, value }) => [path, value]));
  const valueOf: ValueOf = (path) => values.get(path);
  const kernel = turned.flatMap(({ path, value }) => KERNEL[path]?.(value, valueOf) ?? []);
  return [...kernel, ...groupLines(turned), ...programLines(valueOf, cpus)];
}

const FEATURES = "/sys/kernel/debug/sched/features";
const FEATURES_BEFORE_5_13 = "/sys/kernel/debug/sched_features";

const root = (line: string): readonly RealCommand[] => [{ line, needs: "root" }];
const boot = (line: string): readonly RealCommand[] => [{ line, needs: "boot" }];
const build = (line: string): readonly RealCommand[] => [{ line, needs: "build" }];
const nothing: readonly RealCommand[] = [];

type LinesOf = (value: KnobValue, valueOf: ValueOf) => readonly RealCommand[];

/** A bit of sched_features: on unless the value is one of `off`. */
function feature(name: string, off: readonly KnobValue[] = [false, "off"]): LinesOf {
  return (value, valueOf) => {
    if (value === "auto" || value === "auto_gt16") return nothing; // The kernel decides by its number of CPUs.
    const file = isBefore(valueOf("kernel.version"), [5, 13]) ? FEATURES_BEFORE_5_13 : FEATURES;
    return root(`echo ${off.includes(value) ? "NO_" : ""}${name} | sudo tee ${file}`);
  };
}

/** Whether a version's first two numbers are below `than`. */
function isBefore(version: KnobValue | undefined, than: readonly [number, number]): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(typeof version === "string" ? version : "") ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) < than[0] || (Number(major) === than[0] && Number(minor) < than[1]);
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
  const asBuilt = choices[valueText(value)];
  // PREEMPT_DYNAMIC came with 5.12.
  if (isBefore(valueOf("kernel.version"), [5, 12])) return asBuilt === undefined ? nothing : build(asBuilt);
  return /^(?:none|voluntary|full|lazy)$/.test(valueText(value))
    ? [...boot(`preempt=${valueText(value)}`), ...root(`echo ${valueText(value)} | sudo tee /sys/kernel/debug/sched/preempt`)]
    : nothing;
}

const RT_THROTTLE: Readonly<Record<string, readonly RealCommand[]>> = {
  off: root("sudo sysctl kernel.sched_rt_runtime_us=-1"),
  dl_server_6_12: root("grep . /sys/kernel/debug/sched/fair_server/cpu*/runtime"),
};

function idle(value: KnobValue): readonly RealCommand[] {
  return /^(?:poll|halt)$/.test(valueText(value)) ? boot(`idle=${valueText(value)}`) : nothing;
}

/** Knobs of the kernel and the machine that a real machine has too. */
const KERNEL: Readonly<Record<string, LinesOf>> = {
  "machine.cpus": (value) => boot(`maxcpus=${valueText(value)}`),
  "machine.idle": idle,
  "kernel.hz": (value) => build(`CONFIG_HZ_${valueText(value)}=y`),
  "kernel.tick_skew": (value) => (value === true ? boot("skew_tick=1") : nothing),
  "kernel.preempt": preempt,
  "kernel.rt_push_ipi": feature("RT_PUSH_IPI"),
  "kernel.ttwu_queue": feature("TTWU_QUEUE"),
  "kernel.delay_dequeue": feature("DELAY_DEQUEUE"),
  "kernel.ni_random": feature("NI_RANDOM"),
  "kernel.base_slice": (value) => root(`echo ${String(ns(value))} | sudo tee /sys/kernel/debug/sched/base_slice_ns`),
  "kernel.rt_throttle": (value, valueOf) =>
    RT_THROTTLE[valueText(value)] ?? [
      ...root("sudo sysctl kernel.sched_rt_runtime_us=950000 kernel.sched_rt_period_us=1000000"),
      ...feature("RT_RUNTIME_SHARE", ["950_1000_noshare"])(value, valueOf),
    ],
  "kernel.sched_rt_runtime_us": (value) => root(`sudo sysctl kernel.sched_rt_runtime_us=${valueText(value)}`),
  "kernel.sched_rt_period_us": (value) => root(`sudo sysctl kernel.sched_rt_period_us=${valueText(value)}`),
  "kernel.sched_rr_timeslice_ms": (value) => root(`sudo sysctl kernel.sched_rr_timeslice_ms=${valueText(value)}`),
  "kernel.cfs_bandwidth_slice_us": (value) => root(`sudo sysctl kernel.sched_cfs_bandwidth_slice_us=${valueText(value)}`),
  "kernel.nohz_full": (value) => (value === "none" ? nothing : boot(shellWord(`nohz_full=${valueText(value)}`))),
};

/** Files of a group's folder, by the knob's key. */
const GROUP_FILES: Readonly<Record<string, string>> = { cpu_max: "cpu.max", cpu_max_burst: "cpu.max.burst", cpu_weight: "cpu.weight" };
const CGROUPS = "/sys/fs/cgroup";

/** The groups, parents first, then what is written to their files. Version 2's names; the last line reads what the page shows. */
function groupLines(turned: readonly ResolvedKnob[]): readonly RealCommand[] {
  const files = turned.flatMap(({ path, value }) => {
    const [kind, group, key] = keysOf(path);
    const file = key === undefined ? undefined : GROUP_FILES[key];
    return kind === "cgroups" && group !== undefined && file !== undefined ? [{ group, file, value }] : [];
  });
  const groups = [...new Set(files.map(({ group }) => group))];
  const [first] = groups;
  if (first === undefined) return nothing;
  const folder = (group: string, file = ""): string => shellWord(`${CGROUPS}/${group}${file}`);
  return [
    ...root(`sudo mkdir -p ${groups.map((group) => folder(group)).join(" ")}`),
    ...files.flatMap(({ group, file, value }) => root(`echo ${shellWord(valueText(value))} | sudo tee ${folder(group, `/${file}`)}`)),
    { line: `cat ${folder(first, "/cpu.stat")}`, needs: undefined },
  ];
}
