// The tasks of a scenario as files for rt-app, one for each group that tasks run in. What only the simulator plays has no place there: a
// task with such an event is left out, and said to be.

import type { RunMeta } from "../../engine/gen/types.ts";
import { numbersIn } from "../../lib/ranges.ts";
import { insideOf } from "./programs.ts";
import { procsOf, type RealCommand } from "./real-commands.ts";

export interface RtAppFile {
  readonly name: string;
  readonly text: string;
  /** What starts rt-app with it. */
  readonly command: RealCommand;
  /** Sentences on what is in the scenario and not in the file. */
  readonly notes: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** rt-app's events, as its tutorial lists them; those of the second list name what other tasks name too. */
const ALONE = ["run", "runtime", "sleep", "timer", "yield"];
const SHARED = ["lock", "unlock", "wait", "signal", "broad", "sync", "barrier", "suspend", "resume", "fork"];
/** These measure only. */
const MEASURES = ["stamp", "sample"];
const SAME = ["instance", "delay", "policy", "priority", "loop"];

/**
 * The files of a run of the scenario `file`. rt-app would move its threads one by one, which cgroup v2 takes in threaded groups only: a shell
 * joins the group first, so each group has a file of its own. None where tasks of several groups depend on each other.
 */
export function rtAppFiles(file: Json, { knobs, duration_ns: durationNs }: Pick<RunMeta, "knobs" | "duration_ns">): readonly RtAppFile[] {
  const workload = objectOf(file["workload"]);
  const tasks = Object.entries(objectOf(workload["tasks"])).map(([name, task]) => [name, objectOf(task)] as const);
  const values = new Map(knobs.map(({ path, value }) => [path, value]));
  const global = {
    duration: Math.max(1, Math.ceil(durationNs / 1e9)),
    ...only(objectOf(workload["global"]), ["default_policy"]),
    ...(values.get("workload.global.pi_enabled") === true ? { pi_enabled: true } : {}),
  };
  const groups = [...new Set(tasks.map(([, task]) => groupOf(task)))];
  if (groups.length > 1 && tasks.some(([, task]) => eventsOf(task).some(dependsOnOthers))) return [];
  const procs = procsOf((path) => values.get(path));
  return groups.flatMap((group, index) => {
    const made = tasks.filter(([, task]) => groupOf(task) === group).map(([name, task]) => makeTask(name, task));
    const played = made.flatMap(({ task }) => (task === undefined ? [] : [task]));
    if (played.length === 0) return [];
    const name = index === 0 ? "tasks.json" : `tasks-${index + 1}.json`;
    const command: RealCommand = { line: `sudo rt-app ${name}`, needs: "root" };
    return {
      name,
      text: `${JSON.stringify({ global, tasks: Object.fromEntries(played) }, undefined, 2)}\n`,
      command: group === "" ? command : insideOf(command, procs(group)),
      notes: made.flatMap(({ notes }) => notes),
    };
  });
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}; // JSON has nothing else.
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
  return !ALONE.includes(stemOf(key)) && !MEASURES.includes(stemOf(key));
}

interface Made {
  readonly task: readonly [name: string, task: Json] | undefined;
  readonly notes: readonly string[];
}

function makeTask(name: string, task: Json): Made {
  const foreign = [...new Set(eventsOf(task).map(([key]) => stemOf(key)))].filter(
    (event) => ![...ALONE, ...SHARED, ...MEASURES].includes(event),
  );
  if (foreign.length > 0) return { task: undefined, notes: [`“${name}” is left out: rt-app has no ${foreign.join(" and no ")}.`] };
  const phases = Object.entries(objectOf(task["phases"])).map(([phase, part]) => [phase, makePart(name, objectOf(part))] as const);
  const made = { ...makePart(name, task), ...(phases.length === 0 ? {} : { phases: Object.fromEntries(phases) }) };
  const notes =
    task["slice"] === undefined ? [] : [`“${name}” has the kernel’s own slice there: rt-app’s tutorial has no slice for fair tasks.`];
  return { task: [name, made], notes };
}

function makePart(name: string, part: Json): Json {
  const events = eventsIn(part).flatMap(([key, value]): readonly Event[] => {
    if (MEASURES.includes(stemOf(key))) return [];
    // rt-app's own preprocessor would fill the name in.
    return [[key, stemOf(key) === "suspend" && value === "" ? name : value]];
  });
  return { ...only(part, SAME), ...cpusOf(part), ...Object.fromEntries(events) };
}

/** rt-app takes CPUs as an array of numbers. */
function cpusOf({ cpus }: Json): Json {
  if (cpus === undefined) return {};
  return { cpus: typeof cpus === "string" ? numbersIn(cpus) : cpus };
}
