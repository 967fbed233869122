// Which tasks of a scenario can be bound to CPUs, to which they are, and how binding one changes
// the text.

import type { Node } from "jsonc-parser";
import { membersOf, nodeAt, remove, setValue, type Change, type Doc, type Path } from "./edits.ts";

export interface Pinnable {
  readonly name: string;
  /** The path of the value that lists the CPUs on which the task may run. */
  readonly path: Path;
  /** undefined: the text does not say. */
  readonly cpus: readonly number[] | undefined;
  /**
   * The paths of the phases that name CPUs of their own; a phase's CPUs win while that phase lasts.
   */
  readonly phases: readonly Path[];
  /** Where it runs, in words. */
  readonly where: string;
}

/** The most CPUs a machine may have. */
const CPUS_MAX = 1024;

/** rt-app tasks, and cyclictest, whose threads take the CPUs of its list in turn. */
export function pinnables(doc: Doc): readonly Pinnable[] {
  const tasks = membersOf(nodeAt(doc, ["workload", "tasks"])).map(({ key, value }) =>
    pinnable(key, ["workload", "tasks", key, "cpus"], value),
  );
  const cyclictest = nodeAt(doc, ["workload", "cyclictest"]);
  return cyclictest === undefined
    ? tasks
    : [...tasks, pinnable("cyclictest", ["workload", "cyclictest", "affinity"], cyclictest)];
}

function pinnable(name: string, path: Path, node: Node): Pinnable {
  const members = membersOf(node);
  const stated = members.find(({ key }) => key === path.at(-1))?.value;
  const cpus = stated === undefined ? undefined : cpusIn(stated);
  const phases = membersOf(members.find(({ key }) => key === "phases")?.value)
    .filter(({ value }) => membersOf(value).some(({ key }) => key === "cpus"))
    .map(({ key }) => [...path.slice(0, -1), "phases", key, "cpus"]);
  // cyclictest gives each thread a CPU of its own, unless `pinned` is false.
  const spread =
    path.at(-1) === "affinity" &&
    members.find(({ key }) => key === "pinned")?.value.value !== false;
  const where =
    phases.length > 0
      ? "by phase"
      : spread && (cpus ?? []).length === 0
        ? "a CPU each"
        : pinWords(cpus);
  return { name, path, cpus, phases, where };
}

/** How many CPUs the text asks for; 0 if it does not say. */
export function cpuCount(doc: Doc): number {
  const stated: unknown = nodeAt(doc, ["machine", "cpus"])?.value;
  return typeof stated === "number" && Number.isInteger(stated) && stated > 0
    ? Math.min(stated, CPUS_MAX)
    : 0;
}

/** How many CPUs a package has where the text states it: "4x10". */
export function packageSize(doc: Doc): number | undefined {
  const stated: unknown = nodeAt(doc, ["machine", "topology"])?.value;
  const size = typeof stated === "string" ? Number(/^\d+x(\d+)$/.exec(stated)?.[1]) : Number.NaN;
  return Number.isInteger(size) && size > 0 ? size : undefined;
}

function cpusIn(node: Node): readonly number[] | undefined {
  if (node.type === "array")
    return (node.children ?? [])
      .map(({ value }) => Number(value))
      .filter((cpu) => Number.isInteger(cpu));
  return typeof node.value === "string" && node.value !== "auto" ? readList(node.value) : undefined;
}

/**
 * A list of every second CPU of the largest machine is shorter. The limit matters because each
 * range in a list may cover all CPUs.
 */
const LIST_CHARS_MAX = 4_096;

/** "0-3,8" as numbers; what is no such list is no CPU. */
export function readList(list: string): readonly number[] {
  if (list.length > LIST_CHARS_MAX) return [];
  return list.split(",").flatMap((each) => {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(each) ?? [];
    if (from === undefined) return [];
    const first = Number(from);
    return Array.from(
      { length: Math.max(0, Math.min(Number(to), CPUS_MAX - 1) - first + 1) },
      (_, index) => first + index,
    );
  });
}

/** Numbers as "0-3,8". */
export function writeList(cpus: readonly number[]): string {
  const sorted = [...new Set(cpus)].sort((one, two) => one - two);
  const runs: [number, number][] = [];
  for (const cpu of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === cpu - 1) last[1] = cpu;
    else runs.push([cpu, cpu]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/**
 * Binds a task to these CPUs, in all its phases; to none of them takes what the task itself states
 * away. A list stays a list and a text a text.
 */
export function pin(
  doc: Doc,
  { path, phases }: Pinnable,
  cpus: readonly number[],
): readonly Change[] {
  const node = nodeAt(doc, path);
  if (cpus.length === 0) return remove(doc, path);
  const asText = path.at(-1) === "affinity" || typeof node?.value === "string";
  const own = setValue(
    doc,
    path,
    asText ? writeList(cpus) : [...cpus].sort((one, two) => one - two),
  );
  return [...own, ...phases.flatMap((phase) => remove(doc, phase))].sort(
    (one, two) => one.from - two.from,
  );
}

/** "any CPU", "CPU 3", "CPUs 0-3,8". */
export function pinWords(cpus: readonly number[] | undefined): string {
  if (cpus === undefined || cpus.length === 0) return "any CPU";
  return `${cpus.length === 1 ? "CPU" : "CPUs"} ${writeList(cpus)}`;
}
