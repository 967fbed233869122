// An rt-app file as it is on disk: comments, commas at ends and the same key several times in a
// row, none of which strict JSON has. What rt-app knows and the engine does not play is left out by
// name; whether the rest can run is for the scenario crate to say.

import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { counted } from "../../lib/count.ts";
import { CPUS_MAX, quoted, refused, scenarioText, someOf, type Reading } from "./understood.ts";
import { parseCpuList } from "./cpulist.ts";

const LANGUAGE = "rt-app file";
const EVENTS =
  "run runtime sleep timer lock unlock wait signal broad sync barrier suspend resume sem_wait sem_post yield fork".split(
    " ",
  );
const SCHEDULING = ["policy", "priority", "cpus", "loop"];
const TASK_KEYS = [...SCHEDULING, "instance", "delay"];
const RESOURCE_TYPES = ["mutex", "wait", "timer", "barrier", "semaphore"];
/** Names that the tasks of programs have here; a task of a file gets a line behind its name. */
const PROGRAMS = new Set(
  [
    "cyclictest rt_noise rt_migrate_test rt_migrate_main hackbench hackbench_sender hackbench_receiver hackbench_main schbench schbench_message",
    "schbench_worker pipe kernbench make cc kworker fibtest fast slow burst_sleep web web_client web_front web_worker thread_pool pool_client",
    "pool_worker gc_burst gc_main gc_worker busy softirq ksoftirqd rt_loop",
  ].flatMap((line) => line.split(" ")),
);
const CPUS = 4;
const RUN_MAX_S = 10;

/** What the file is made into, and what is noted on the way. */
interface Made {
  readonly left: string[];
  readonly notes: string[];
  readonly groups: Set<string>;
  lastCpu: number;
}

type Json = Readonly<Record<string, unknown>>;

export function readRtApp(text: string): Reading | undefined {
  if (!text.trimStart().startsWith("{") && !/^\s*\/[*/]/.test(text)) return undefined;
  const errors: ParseError[] = [];
  const root = treeOf(text, errors);
  const tasks = root === undefined ? undefined : memberOf(root, "tasks");
  const [error] = errors;
  // A file that was cut names its tasks all the same.
  if (error !== undefined && /"tasks"\s*:/.test(text) && !/"schema"\s*:/.test(text))
    return refused(LANGUAGE, brokenWords(text, error));
  if (root === undefined || tasks?.type !== "object" || memberOf(root, "schema") !== undefined)
    return undefined;
  if (/"SCHED_DEADLINE"/.test(text))
    return refused(
      LANGUAGE,
      "The file has tasks of SCHED_DEADLINE, which the simulator does not have. Remove them or give them another policy.",
    );
  const made: Made = { left: [], notes: [], groups: new Set(), lastCpu: CPUS - 1 };
  const read = membersOf(tasks).flatMap(([name, node]) => {
    const task = taskOf(name, node, made);
    if (task === undefined) return [];
    if (PROGRAMS.has(name))
      made.notes.push(
        `${quoted(name)} is called ${quoted(nameHere(name))} here: a program of the simulator has tasks of that name.`,
      );
    return [[name, task] as const];
  });
  if (read.length === 0)
    return refused(
      LANGUAGE,
      "No task of the file has an event that the simulator knows. Add one, such as run, sleep or timer.",
    );
  if (made.lastCpu >= CPUS_MAX)
    return refused(
      LANGUAGE,
      `The file names CPU ${made.lastCpu}; a machine here has at most ${CPUS_MAX} CPUs.`,
    );
  const global = globalOf(memberOf(root, "global"), made);
  const names = read.map(([name]) => name);
  const seconds = global.seconds === undefined ? 1 : Math.min(RUN_MAX_S, global.seconds);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `An rt-app file with ${counted(read.length, "task")}: ${someOf(names.map(quoted))}.`,
    follows: [],
    unknown: [
      `The file does not say how many CPUs the machine has (assumed: ${made.lastCpu + 1}) or which kernel (assumed: 6.12 on side A, 6.1 on side B).`,
      "How fast the CPUs are. Assumed: each CPU has the speed that rt-app was calibrated on.",
      global.seconds === seconds
        ? `The scenario runs ${seconds} s.`
        : `The scenario runs ${seconds} s, the file says ${global.words}.`,
      ...made.notes,
      ...(made.left.length === 0
        ? []
        : [
            `Left out, because the simulator does not know it: ${someOf([...new Set(made.left)].map(quoted))}.`,
          ]),
    ],
    opens: {
      kind: "scenario",
      text: scenarioOf(
        Object.fromEntries(read.map(([name, task]) => [nameHere(name), task])),
        global.kept,
        resourcesOf(memberOf(root, "resources"), made),
        made,
        seconds,
      ),
      search: undefined,
    },
    commands: [{ line: "sudo rt-app FILE.json", needs: "root" }],
  };
}

/** What the parser misses or stumbles over, by its own names. */
const BROKEN: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is no word of JSON (text needs double quotes)",
  InvalidNumberFormat: "this is no number of JSON",
  PropertyNameExpected: "a name in double quotes is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace } is missing",
  CloseBracketExpected: "a closing bracket ] is missing",
  EndOfFileExpected: "the file goes on after its last brace",
  UnexpectedEndOfComment: "a comment has no end",
  UnexpectedEndOfString: "a text has no closing quote",
};

/** "line 3, column 7: a comma is missing". */
function brokenWords(text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split("\n");
  const [line, column] = [before.length, (before.at(-1) ?? "").length + 1];
  const end = text.slice(offset).trim() === "" ? ", where the text ends: was it cut?" : ".";
  return `The file is not valid JSON. Line ${line}, column ${column}: ${BROKEN[printParseErrorCode(error)] ?? "this cannot be read"}${end}`;
}

/** undefined where it is nested deeper than the stack. */
function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch {
    return undefined;
  }
}

/** Key and value of each member, in order; a key that occurs twice comes twice. */
function membersOf(node: Node): readonly (readonly [string, Node])[] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[String(key.value), value] as const],
  );
}

function memberOf(node: Node, key: string): Node | undefined {
  return membersOf(node).find(([name]) => name === key)?.[1];
}

function valueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type === "object")
    return Object.fromEntries(membersOf(node).map(([key, value]) => [key, valueOf(value)]));
  return node.value as unknown;
}

function nameHere(name: string): string {
  return PROGRAMS.has(name) ? `${name}_` : name;
}

function taskOf(name: string, node: Node, made: Made): Json | undefined {
  if (node.type !== "object") return undefined;
  const phases = memberOf(node, "phases");
  const own = partOf(name, node, TASK_KEYS, made);
  const group = groupOf(name, memberOf(node, "taskgroup"), made);
  const placed = group === undefined ? {} : { taskgroup: `/${group}` };
  if (phases === undefined) return own.events === 0 ? undefined : { ...own.json, ...placed };
  const read = membersOf(phases).flatMap(([phase, inner]) => {
    const part = partOf(`${name}.${phase}`, inner, SCHEDULING, made);
    return part.events === 0 ? [] : [[phase, part.json] as const];
  });
  return read.length === 0
    ? undefined
    : { ...own.json, ...placed, phases: Object.fromEntries(read) };
}

/**
 * The keys that the engine has, in order; an event that comes again gets a number behind its name.
 */
function partOf(
  name: string,
  node: Node,
  known: readonly string[],
  made: Made,
): { readonly json: Json; readonly events: number } {
  const json: Record<string, unknown> = {};
  let events = 0;
  const idle = memberOf(node, "policy")?.value === "SCHED_IDLE";
  for (const [key, inner] of membersOf(node)) {
    const isEvent = EVENTS.includes(key.replace(/[\d_]+$/, ""));
    if (key === "phases" || key === "taskgroup") continue;
    if (key === "dl-runtime") json["slice"] = valueOf(inner);
    else if (!isEvent && !known.includes(key)) made.left.push(`${name}: ${key}`);
    else if (key === "priority" && idle)
      made.notes.push(`${quoted(name)}: SCHED_IDLE has no priority; it is left out.`);
    else if (key === "policy" && inner.value === "SCHED_BATCH") {
      made.notes.push(`${quoted(name)}: SCHED_BATCH runs as SCHED_OTHER.`);
      json[key] = "SCHED_OTHER";
    } else {
      if (key === "cpus") noteCpus(inner, made);
      events += isEvent ? 1 : 0;
      const value = valueOf(inner);
      const isTask = typeof value === "string" && /^(?:fork|suspend|resume)[\d_]*$/.test(key);
      json[isEvent ? freeKey(json, key) : key] = isTask ? nameHere(value) : value;
    }
  }
  return { json, events };
}

function freeKey(json: Json, key: string): string {
  if (!Object.hasOwn(json, key)) return key;
  const stem = key.replace(/[\d_]+$/, "");
  let number = 1;
  while (Object.hasOwn(json, `${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

function noteCpus(node: Node, made: Made): void {
  const value = valueOf(node);
  const cpus =
    typeof value === "string"
      ? (parseCpuList(value) ?? [])
      : Array.isArray(value)
        ? (value as readonly unknown[])
        : [];
  for (const cpu of cpus)
    if (typeof cpu === "number" && Number.isSafeInteger(cpu))
      made.lastCpu = Math.max(made.lastCpu, cpu);
}

/** A group's path without its leading slash; none for the root. */
function groupOf(name: string, node: Node | undefined, made: Made): string | undefined {
  if (node === undefined) return undefined;
  const path = typeof node.value === "string" ? node.value.replace(/^\/+|\/+$/g, "") : "?";
  if (path === "") return undefined;
  const plain =
    path.length <= 200 &&
    path.split("/").every((part) => /^[!#-.0-~]+$/.test(part) && part !== "." && part !== "..");
  if (!plain) {
    made.left.push(`${name}: taskgroup`);
    return undefined;
  }
  made.groups.add(path);
  return path;
}

interface Global {
  readonly kept: Json;
  readonly seconds: number | undefined;
  readonly words: string;
}

function globalOf(node: Node | undefined, made: Made): Global {
  const kept: Record<string, unknown> = {};
  let seconds: unknown;
  for (const [key, inner] of node?.type === "object" ? membersOf(node) : []) {
    if (key === "duration") seconds = inner.value;
    else if (key === "default_policy" || key === "pi_enabled")
      kept[key] = inner.value === "SCHED_BATCH" ? "SCHED_OTHER" : valueOf(inner);
    else made.left.push(`global: ${key}`);
  }
  const states = typeof seconds === "number" && seconds > 0 ? Math.ceil(seconds) : undefined;
  return { kept, seconds: states, words: states === undefined ? "no end" : `${states} s` };
}

function resourcesOf(node: Node | undefined, made: Made): Json {
  const kept = (node?.type === "object" ? membersOf(node) : []).flatMap(([name, inner]) => {
    const type: unknown = inner.type === "object" ? memberOf(inner, "type")?.value : undefined;
    if (RESOURCE_TYPES.some((each) => each === type)) return [[name, { type }] as const];
    made.left.push(`resources: ${name}`);
    return [];
  });
  return Object.fromEntries(kept);
}

function scenarioOf(
  tasks: Json,
  global: Json,
  resources: Json,
  made: Made,
  seconds: number,
): string {
  const [name = ""] = Object.keys(tasks).filter((each) => /^[A-Za-z][\w-]{0,63}$/.test(each));
  const filled = (part: Json, key: string): object =>
    Object.keys(part).length === 0 ? {} : { [key]: part };
  return scenarioText({
    schema: 1,
    title: "How late do these tasks run?",
    source: [{ title: "made from an rt-app file" }],
    seed: 1,
    duration: `${seconds}s`,
    machine: { cpus: made.lastCpu + 1, costs: "modern_2s_qspin" },
    kernel: { version: "6.12", hz: 1000 },
    ...filled(Object.fromEntries([...made.groups].map((path) => [path, {}])), "cgroups"),
    workload: { ...filled(global, "global"), ...filled(resources, "resources"), tasks },
    variants: [
      { name: "6.12, EEVDF", set: {} },
      { name: "6.1, CFS", set: { "kernel.version": "6.1" } },
    ],
    knobs: ["kernel.version", "kernel.preempt", "kernel.hz", "machine.cpus"],
    headline:
      name === ""
        ? ["sched.ticks"]
        : [`latency.${name}.max_ns`, `latency.${name}.p99_ns`, `latency.${name}.p50_ns`],
  });
}
