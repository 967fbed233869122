// A list of CPUs as the kernel writes them, "0-3,8" or "0-15:2/4", alone or behind nohz_full=,
// isolcpus= and `taskset -c`; or a mask, "0xff". It opens a machine that has these CPUs, with a
// task that polls on each of them: with ticks, and with nohz_full.

import { counted } from "../../lib/count.ts";
import { rangeWords } from "../../lib/ranges.ts";
import type { RealCommand } from "../write/real-command.ts";
import { CPUS_MAX, quoted, refused, scenarioText, type Reading } from "./understood.ts";

const LANGUAGE = "cpulist";
/** N is the last CPU of the machine. */
const LIST = /^(?=.*\d)[\dN,:/-]+$/;
/** Words of a mask, as /proc writes them: only its commas distinguish a mask from a list. */
const WORDS = /^[0-9a-f]{1,8}(?:,[0-9a-f]{8})+$/i;
/** Parts of a list that are looked at: a list may repeat itself. */
const PARTS_MAX = 2 * CPUS_MAX;
const KEY =
  /(?:^|\s|--)(nohz_full|isolcpus|rcu_nocbs|irqaffinity|cpuset\.cpus(?:\.\w+)*|Cpus_allowed_list|AllowedCPUs|CPUAffinity|isolated_cores|physcpubind|NUMA node\d{1,3} CPU\(s\)|On-line CPU\(s\) list)\s*[=:]\s*([\w,:/.-]{1,4000})/;
const TASKSET =
  /\btaskset\s+(?:-[a-z]+\s+)*(?:--cpu-list\s+)?([\d,:/-]{1,4000}|(?:0x)?[0-9a-f,]{1,300})(?:\s|$)/;
/**
 * What `taskset -p` answers, the new one where it set one; and the mask of /proc/PID/status and of
 * smp_affinity.
 */
const AFFINITY = /\b(?:current|new) affinity (list|mask): ([\d,:/-]{1,4000}|[0-9a-f,]{1,300})\s*$/;
const MASK = /(?:^|\s)(Cpus_allowed|smp_affinity)\s*[=:]\s*([0-9a-f,]{1,300})(?:\s|$)/;

/** What these do is what the scenario does. */
const HAS_SWITCH = ["nohz_full", "taskset"];

export function readCpuList(text: string): Reading | undefined {
  const found = listIn(text.trim());
  if (found === undefined) return undefined;
  const { list, key, isMask } = found;
  const cpus = isMask ? cpusOfMask(list) : parseCpuList(list);
  if (cpus === undefined && /^(?:all|[\d,:/-]*N[\dN,:/-]*)$/.test(list))
    return refused(
      LANGUAGE,
      `${quoted(list)} depends on how many CPUs the machine has, which it does not say: write the numbers, such as 0-15.`,
    );
  if (cpus === undefined)
    return refused(
      LANGUAGE,
      `${quoted(list)} is no list of CPUs from 0 to ${CPUS_MAX - 1}; expected a list such as 0-3,8 or 0-15:2/4.`,
    );
  if (cpus.length >= CPUS_MAX)
    return refused(
      LANGUAGE,
      "The list names every CPU that a machine here can have: leave at least one for other tasks.",
    );
  const machine = machineFor(cpus);
  const others = Array.from({ length: machine }, (_, cpu) => cpu).filter(
    (cpu) => !cpus.includes(cpu),
  );
  const written = writeCpuList(cpus);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The list${key === undefined ? "" : ` of ${key}`} names ${counted(cpus.length, "CPU")}: ${shortened(written)}.`,
    follows: [],
    unknown: [
      `What the list is for. A scenario opens with a task that polls on each of these CPUs: with ticks on side A, with nohz_full on side B.`,
      ...(key === "irqaffinity"
        ? [
            "irqaffinity names the CPUs that take interrupts: the quiet CPUs are usually the others.",
          ]
        : []),
      ...(key === undefined || HAS_SWITCH.includes(key)
        ? []
        : [`What else ${key} does is not simulated.`]),
      ...(cpus[0] === 0
        ? [
            "The list has CPU 0. A kernel normally keeps CPU 0 for timekeeping and does not allow nohz_full on it.",
          ]
        : []),
      `How many CPUs the machine has (assumed: ${machine}), and which kernel (assumed: 6.6, 1000 Hz).`,
    ],
    opens: { kind: "scenario", text: scenarioOf(machine, cpus, others), search: undefined },
    commands: commandsFor(written, key),
  };
}

interface Found {
  readonly list: string;
  readonly key: string | undefined;
  readonly isMask: boolean;
}

function listIn(text: string): Found | undefined {
  if (WORDS.test(text)) return { list: text, key: undefined, isMask: true };
  if (LIST.test(text) || text === "all") return { list: text, key: undefined, isMask: false };
  if (/^0x[0-9a-f]{1,256}$/i.test(text)) return { list: text, key: undefined, isMask: true };
  const [, key, value = ""] = KEY.exec(text) ?? [];
  // isolcpus=domain,managed_irq,2-7: words come before the list.
  if (key !== undefined) return { list: value.replace(/^(?:[a-z_]+,)+/i, ""), key, isMask: false };
  const [, kind, affinity] = AFFINITY.exec(text) ?? [];
  if (affinity !== undefined) return { list: affinity, key: "taskset", isMask: kind === "mask" };
  const [, file, mask] = MASK.exec(text) ?? [];
  if (mask !== undefined) return { list: mask, key: file, isMask: true };
  const [, list] = TASKSET.exec(text) ?? [];
  if (list === undefined) return undefined;
  const isList = /\s(?:-[a-z]*c[a-z]*|--cpu-list)\s/.test(text);
  // "0-62:2" of taskset is every second CPU, which the kernel writes as 0-62:1/2.
  return {
    list: isList ? list.replaceAll(/:(\d+)(?=,|$)/g, ":1/$1") : list,
    key: "taskset",
    isMask: !isList,
  };
}

/**
 * The CPUs of a list, each once, in order; undefined where it is none or names a CPU that no
 * machine here has.
 */
export function parseCpuList(text: string): readonly number[] | undefined {
  if (text === "all") return undefined;
  const parts = text.split(",");
  if (parts.length > PARTS_MAX) return undefined;
  const cpus = new Set<number>();
  for (const part of parts) {
    const [, from, to = from, used = "1", group = used] =
      /^(\d{1,4})(?:-(\d{1,4})(?::(\d{1,4})\/(\d{1,4}))?)?$/.exec(part) ?? [];
    if (from === undefined) return undefined;
    const [first, last, take, of] = [from, to, used, group].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    if (last < first || last >= CPUS_MAX || take < 1 || of < take) return undefined;
    for (let cpu = first; cpu <= last; cpu += 1) if ((cpu - first) % of < take) cpus.add(cpu);
  }
  return [...cpus].sort((one, other) => one - other);
}

/** `0-3,8`, as the kernel prints it. */
export function writeCpuList(cpus: readonly number[]): string {
  return rangeWords(cpus, "-", ",");
}

/** CPUs of a mask in hex; words may be separated by commas, as in /proc. */
function cpusOfMask(text: string): readonly number[] | undefined {
  const digits = text.replace(/^0x/i, "").replaceAll(",", "").toLowerCase();
  if (!/^[0-9a-f]{1,256}$/.test(digits)) return undefined;
  const cpus = Array.from({ length: digits.length * 4 }, (_, cpu) => cpu).filter(
    (cpu) =>
      (Number.parseInt(digits.charAt(digits.length - 1 - Math.floor(cpu / 4)), 16) >> (cpu % 4)) &
      1,
  );
  return cpus.length === 0 ? undefined : cpus;
}

/** One CPU more than the list at least, so that other tasks have a place. */
function machineFor(cpus: readonly number[]): number {
  const last = cpus.at(-1) ?? 0;
  const needed = cpus.length > last ? last + 2 : last + 1;
  let machine = 4;
  while (machine < needed) machine *= 2;
  return machine;
}

function scenarioOf(machine: number, cpus: readonly number[], others: readonly number[]): string {
  const list = writeCpuList(cpus);
  return scenarioText({
    schema: 1,
    title: "How quiet are these CPUs with nohz_full?",
    source: [{ title: "made from a list of CPUs; the tasks are assumed" }],
    seed: 1,
    duration: "100ms",
    machine: { cpus: machine, costs: "modern_2s_qspin" },
    kernel: { version: "6.6", hz: 1000 },
    workload: {
      tasks: {
        ...Object.fromEntries(
          cpus.map((cpu) => [
            `polling-${cpu}`,
            { cpus: [cpu], delay: 500, loop: -1, run: 100_000 },
          ]),
        ),
        house: {
          cpus: writeCpuList(others),
          instance: Math.min(8, others.length),
          delay: 300,
          phases: {
            serve: {
              loop: -1,
              run: 700,
              timer: { ref: "unique", period: 1_000, mode: "absolute" },
            },
          },
        },
      },
    },
    variants: [
      { name: "ticking", set: {} },
      { name: "nohz_full", set: { "kernel.nohz_full": list } },
    ],
    knobs: ["kernel.nohz_full", "kernel.hz", "machine.cpus", "kernel.version"],
    headline: ["sched.ticks", `tasks.polling-${cpus[0] ?? 0}.*.user_ns`],
  });
}

function commandsFor(list: string, key: string | undefined): readonly RealCommand[] {
  if (shortened(list) !== list) return [];
  const boots: RealCommand = {
    line: `sudo grubby --update-kernel=ALL --args="nohz_full=${list}"`,
    needs: "root",
  };
  // CPUs that take interrupts are not those that are to be quiet.
  return [
    { line: `taskset -c ${list} COMMAND`, needs: undefined },
    ...(key === "irqaffinity" ? [] : [boots]),
  ];
}

const SHOWN_MAX = 120;

function shortened(list: string): string {
  return list.length > SHOWN_MAX ? `${list.slice(0, SHOWN_MAX)}…` : list;
}
