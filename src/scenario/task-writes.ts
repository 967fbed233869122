// What can be written to one task of a running kernel: paths and values as the engine takes them
// (`Run::change`). No knob describes them.

import { plainText } from "../engine/plain.ts";

/** sched_setaffinity(), sched_setscheduler() or set_user_nice(), a signal that ends a sleep. */
export const TASK_WRITES = ["cpus", "policy", "wake"] as const;
export type TaskWrite = (typeof TASK_WRITES)[number];

const PATH = /^tasks\.(?:"([^"]+)"|([^".]+))\.(cpus|policy|wake)$/;
const CPUS = /^\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*$/;
const RT = /^SCHED_(?:FIFO|RR) (\d{1,2})$/;
const OTHER = /^SCHED_OTHER(?: (-?\d{1,2}))?$/;

/** Task and what is written; undefined for any other path. */
export function taskWriteOf(
  path: string,
): { readonly task: string; readonly what: TaskWrite } | undefined {
  const [, quoted, bare, what] = PATH.exec(path) ?? [];
  const task = quoted ?? bare;
  return task === undefined || what === undefined ? undefined : { task, what: what as TaskWrite };
}

/** `tasks."web.0".cpus`. */
export function taskPath(task: string, what: TaskWrite): string {
  return `tasks."${task}".${what}`;
}

/**
 * What is wrong with a value, as the kernel would judge it; undefined if nothing is. `cpus`: how
 * many the machine has.
 */
export function troubleOf(what: TaskWrite, text: string, cpus: number): string | undefined {
  const found = text === "" ? "nothing" : `“${plainText(text)}”`;
  switch (what) {
    case "cpus": {
      const numbers = (CPUS.exec(text)?.[0] ?? "").split(/[-,]/).map(Number);
      return CPUS.test(text) && numbers.every((cpu) => cpu < cpus)
        ? undefined
        : `expected a list of CPUs from 0 to ${String(cpus - 1)}, such as ${exampleOf(cpus)}; found ${found}`;
    }
    case "policy": {
      const rt = Number(RT.exec(text)?.[1]);
      const nice = Number(OTHER.exec(text)?.[1] ?? 0);
      const sound =
        text === "SCHED_IDLE" ||
        (rt >= 1 && rt <= 99) ||
        (OTHER.test(text) && nice >= -20 && nice <= 19);
      return sound
        ? undefined
        : `expected SCHED_FIFO or SCHED_RR with 1 to 99, SCHED_OTHER with a nice value of -20 to 19, or SCHED_IDLE; found ${found}`;
    }
    case "wake":
      return text === "signal" ? undefined : `expected signal; found ${found}`;
  }
}

/** An example of a list that a machine of `cpus` CPUs has. */
function exampleOf(cpus: number): string {
  if (cpus > 8) return "0-3,8";
  return cpus > 2 ? `0,${String(cpus - 1)}` : "0";
}

/** A write in words for a mark: "web.0: CPUs". */
export function taskWriteName(path: string): string | undefined {
  const write = taskWriteOf(path);
  if (write === undefined) return undefined;
  return `${write.task}: ${{ cpus: "CPUs", policy: "policy", wake: "ends its sleep by a" }[write.what]}`;
}
