// What a task that sleeps waits at: the rows of user objects (mutex, condition, barrier, queue,
// semaphore) say so. True of one task.

import { KIND, NONE } from "../../engine/gen/catalogue.ts";
import type { TraceStore } from "../trace/trace-store.ts";

export interface Blocked {
  /** "lock": for a mutex. */
  readonly what: "lock" | "blocked" | "parked" | "asleep";
  /** "mutex m". */
  readonly at?: string;
}

const ASLEEP: Blocked = { what: "asleep" };

/**
 * A user object by sort and name; a name that says its sort already, as generators make them ("list
 * 0"), is alone.
 */
export function objectWords({
  sort,
  name,
}: {
  readonly sort: string;
  readonly name: string;
}): string {
  return name.startsWith(`${sort} `) ? name : `${sort} ${name}`;
}

/**
 * What a task that sleeps from an instant in [fromNs, toNs) on waits at: its last row of that kind
 * says so.
 */
export function blocksOf(
  store: TraceStore,
  task: number,
  fromNs: number,
  toNs: number,
): (ns: number) => Blocked {
  const { events, shape } = store;
  const rows = events.rowsOf([KIND.ObjectWait, KIND.ObjectWake]);
  const objects = new Map(shape.objects?.map((object) => [object.id, object]));
  const said: { readonly ns: number; readonly blocked: Blocked }[] = [];
  const see = (row: number): boolean => {
    if (events.a.at(row) !== task) return false;
    const id = events.b.at(row);
    const { sort, name } = objects.get(id) ?? { sort: "object", name: String(id) };
    const waits: Blocked =
      id === NONE
        ? { what: "parked" }
        : { what: sort === "mutex" ? "lock" : "blocked", at: objectWords({ sort, name }) };
    said.push({
      ns: events.time.at(row),
      blocked: events.kind.at(row) === KIND.ObjectWait ? waits : ASLEEP,
    });
    return true;
  };
  const first = rows.firstAt(fromNs);
  for (let index = first - 1; index >= 0 && !see(rows.at(index)); index -= 1);
  for (let index = first; index < rows.count && events.time.at(rows.at(index)) < toNs; index += 1)
    see(rows.at(index));
  let next = 0;
  // Asked in order of time: a task of a long run has many rows.
  return (ns) => {
    if ((said[next - 1]?.ns ?? 0) > ns) next = 0;
    while (next < said.length && (said[next]?.ns ?? Infinity) <= ns) next += 1;
    return said[next - 1]?.blocked ?? ASLEEP;
  };
}
