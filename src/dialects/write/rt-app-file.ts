// The tasks of a scenario as files for rt-app, one for each group that tasks run in. What only the
// simulator plays has no place there: a task with such an event is left out, and said to be.

import type { RunMeta } from "../../engine/gen/types.ts";
import { numbersIn } from "../../lib/ranges.ts";
import { insideOf, wholeSeconds } from "./programs.ts";
import { procsOf } from "./real-commands.ts";
import { type RealCommand } from "./real-command.ts";

export interface RtAppFile {
  readonly name: string;
  readonly text: string;
  /** What starts rt-app with it. */
  readonly command: RealCommand;
  /** Sentences on what is in the scenario and not in the file. */
  readonly notes: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * rt-app's events, as its tutorial lists them; those of the second list name what other tasks name
 * too.
 */
const ALONE = ["run", "runtime", "sleep", "timer", "yield"];
const SHARED = [
  "lock",
  "unlock",
  "wait",
  "signal",
  "broad",
  "sync",
  "barrier",
  "sem_wait",
  "sem_post",
  "suspend",
  "resume",
  "fork",
];
/** These measure only. */
const MEASURES = ["stamp", "sample"];
export const CALIBRATE =
  "rt-app measures this machine first: run it once outside the group, and write the ns it tells to global.calibration.";
const SAME = ["instance", "delay", "policy", "priority", "loop"];

export interface TaskFiles {
  readonly files: readonly RtAppFile[];
  /** Why there is no file, or what is in none, a sentence each. */
  readonly missing: readonly string[];
}

/**
 * The files of a run of the scenario `file`. rt-app would move its threads one by one, which cgroup
 * v2 takes in threaded groups only: a shell joins the group first, so each group has a file of its
 * own. None where tasks of several groups depend on each other. A task that shares something with
 * one that rt-app cannot play would wait for it for ever: both are left out. `suffix` distinguishes
 * the files of one side from those of the other.
 */
export function taskFiles(
  file: Json,
  { knobs, duration_ns: durationNs }: Pick<RunMeta, "knobs" | "duration_ns">,
  suffix = "",
): TaskFiles {
  const workload = objectOf(file["workload"]);
  const tasks = Object.entries(objectOf(workload["tasks"])).map(
    ([name, task]) => [name, objectOf(task)] as const,
  );
  const values = new Map(knobs.map(({ path, value }) => [path, value]));
  const global = {
    duration: wholeSeconds(durationNs),
    ...only(objectOf(workload["global"]), ["default_policy"]),
    ...(values.get("workload.global.pi_enabled") === true ? { pi_enabled: true } : {}),
  };
  if (tasks.length === 0) return NOTHING;
  const stuck = stuckTasks(tasks);
  const groups = [...new Set(tasks.map(([, task]) => groupOf(task)))];
  if (dependAcrossGroups(tasks.filter(([name]) => !stuck.has(name))))
    return { files: [], missing: [ACROSS_GROUPS] };
  const procs = procsOf((path) => values.get(path));
  const files = groups.flatMap((group, index): readonly RtAppFile[] => {
    const made = tasks
      .filter(([, task]) => groupOf(task) === group)
      .map(([name, task]) => makeTask(name, task, stuck));
    const played = made.flatMap(({ task }) => (task === undefined ? [] : [task]));
    if (played.length === 0) return [];
    const name = `tasks${suffix}${index === 0 ? "" : `-${index + 1}`}.json`;
    const command: RealCommand = { line: `sudo rt-app ${name}`, needs: "root" };
    return [
      {
        name,
        text: `${JSON.stringify({ global, tasks: Object.fromEntries(played) }, undefined, 2)}\n`,
        command: { ...(group === "" ? command : insideOf(command, procs(group))), program: true },
        notes: [...made.flatMap(({ notes }) => notes), ...(group === "" ? [] : [CALIBRATE])],
      },
    ];
  });
  return { files, missing: files.length > 0 ? [] : [noneWords(tasks)] };
}

const NOTHING: TaskFiles = { files: [], missing: [] };
const ACROSS_GROUPS =
  "No file for rt-app: tasks of several groups wait for each other, and a file runs in one group.";

/** What rt-app cannot do, by the event that does it here. */
const FOREIGN: Readonly<Record<string, string>> = {
  kernel: "work inside the kernel and hold a mutex there",
  nopreempt: "disable preemption",
  irqoff: "disable interrupts",
  migrate_disable: "disable migration",
  migrate_enable: "disable migration",
  spin_lock: "take a spin lock",
  spin_unlock: "take a spin lock",
  page_fault: "cause page faults",
};

function noneWords(tasks: readonly Task[]): string {
  const foreign = [...new Set(tasks.flatMap(([, task]) => foreignTo(task)))];
  const cannot = [...new Set(foreign.map((event) => FOREIGN[event] ?? `do what “${event}” says`))];
  return `No file for rt-app: rt-app cannot ${cannot.join(" or ")}, and every task here does that or waits for one that does.`;
}

type Task = readonly [name: string, task: Json];

/** What tasks share by name: locks, semaphores, timers, and each other. */
function sharedBy([name, task]: Task): readonly string[] {
  const named = eventsOf(task).filter(dependsOnOthers);
  return named.flatMap(([key, value]) => {
    const stem = stemOf(key);
    if (stem === "timer") return [`timer ${String(objectOf(value)["ref"])}`];
    if (["suspend", "resume", "fork"].includes(stem))
      return [`task ${value === "" ? name : String(value)}`];
    const { ref, mutex } = objectOf(value);
    return (typeof value === "string" ? [value] : [ref, mutex])
      .filter((each) => typeof each === "string")
      .map((each) => `object ${each}`);
  });
}

/**
 * Tasks with an event that rt-app does not have, and those that share something with them, directly
 * or by way of others.
 */
function stuckTasks(tasks: readonly Task[]): ReadonlySet<string> {
  const stuck = new Set(
    tasks.filter(([, task]) => foreignTo(task).length > 0).map(([name]) => name),
  );
  const shared = new Set<string>();
  for (let before = -1; before !== stuck.size;) {
    before = stuck.size;
    for (const task of tasks)
      if (stuck.has(task[0]))
        for (const each of [...sharedBy(task), `task ${task[0]}`]) shared.add(each);
    for (const task of tasks)
      if (sharedBy(task).some((each) => shared.has(each))) stuck.add(task[0]);
  }
  return stuck;
}

function dependAcrossGroups(tasks: readonly Task[]): boolean {
  const groups = new Map<string, string>();
  return tasks.some((task) =>
    [...sharedBy(task), `task ${task[0]}`].some((each) => {
      const group = groups.get(each) ?? groupOf(task[1]);
      groups.set(each, group);
      return group !== groupOf(task[1]);
    }),
  );
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {}; // JSON has nothing else.
}

function only(from: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}

/** The group's path without its leading slash; "" is the root. */
function groupOf({ taskgroup }: Json): string {
  return typeof taskgroup === "string" ? taskgroup.replace(/^\//, "") : "";
}

type Event = readonly [key: string, value: unknown];

/** A number behind an event's name only keeps keys apart. */
function stemOf(key: string): string {
  return key.replace(/[\d_]+$/, "");
}

const OTHER_KEYS = [...SAME, "cpus", "taskgroup", "phases", "slice"];

function eventsIn(part: Json): readonly Event[] {
  return Object.entries(part).filter(([key]) => !OTHER_KEYS.includes(key));
}

function eventsOf(task: Json): readonly Event[] {
  const phases = Object.values(objectOf(task["phases"])).map(objectOf);
  return [task, ...phases].flatMap(eventsIn);
}

function dependsOnOthers([key, value]: Event): boolean {
  if (stemOf(key) === "timer") return !String(objectOf(value)["ref"]).startsWith("unique");
  return SHARED.includes(stemOf(key));
}

/** Events of a task that rt-app does not have. */
function foreignTo(task: Json): readonly string[] {
  return [...new Set(eventsOf(task).map(([key]) => stemOf(key)))].filter(
    (event) => ![...ALONE, ...SHARED, ...MEASURES].includes(event),
  );
}

interface Made {
  readonly task: readonly [name: string, task: Json] | undefined;
  readonly notes: readonly string[];
}

function makeTask(name: string, task: Json, stuck: ReadonlySet<string>): Made {
  const foreign = foreignTo(task);
  if (foreign.length > 0)
    return {
      task: undefined,
      notes: [`“${name}” is left out: rt-app has no ${foreign.join(" and no ")}.`],
    };
  if (stuck.has(name))
    return {
      task: undefined,
      notes: [`“${name}” is left out: it shares something with a task that is.`],
    };
  const phases = Object.entries(objectOf(task["phases"])).map(
    ([phase, part]) => [phase, makePart(name, objectOf(part))] as const,
  );
  const made = {
    ...makePart(name, task),
    ...(phases.length === 0 ? {} : { phases: Object.fromEntries(phases) }),
  };
  const notes =
    task["slice"] === undefined
      ? []
      : [`The slice of “${name}” needs Linux 6.12 and an rt-app of 2025.`];
  return { task: [name, made], notes };
}

function makePart(name: string, part: Json): Json {
  const events = eventsIn(part).flatMap(([key, value]): readonly Event[] => {
    if (MEASURES.includes(stemOf(key))) return [];
    // rt-app's own preprocessor would fill the name in.
    // A task's own "runtime" is rt-app's old word for "dl-runtime".
    const called = key === "runtime" ? "runtime0" : key;
    return [[called, stemOf(key) === "suspend" && value === "" ? name : value]];
  });
  const slice = part["slice"] === undefined ? {} : { "dl-runtime": part["slice"] };
  return { ...only(part, SAME), ...slice, ...cpusOf(part), ...Object.fromEntries(events) };
}

/** rt-app takes CPUs as an array of numbers. */
function cpusOf({ cpus }: Json): Json {
  if (cpus === undefined) return {};
  return { cpus: typeof cpus === "string" ? numbersIn(cpus) : cpus };
}
