// The tools' own samples: a request, a cycle, a wait for a lock. A row ends each and says how long
// it took. True of one run; must not know what the time was spent on.

import { FIELD, KIND } from "../../engine/gen/catalogue.ts";
import { fieldOf } from "../../lib/bit-field.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { SampleSelection } from "../trace/run-types.ts";

/** One sample. */
export interface SampleRecord {
  readonly task: string;
  readonly taskId: number;
  /** Which sample of that task, of whatever it measures, from 0. */
  readonly nth: number;
  /** The measurement, as in `tool_samples` of reports: "web_front.request". */
  readonly series: string;
  /** What people call it: "answer". */
  readonly label: string;
  /** Where the task ran when it ended. */
  readonly cpu: number;
  readonly fromNs: number;
  readonly ns: number;
}

interface Kept {
  readonly version: number;
  readonly samples: readonly SampleRecord[];
}

const kept = new WeakMap<TraceStore, Kept>();

/**
 * Every sample so far, in the order they ended. Read anew only when the store has grown: a picture
 * asks at every frame.
 */
export function samplesOf(store: TraceStore): readonly SampleRecord[] {
  const known = kept.get(store);
  if (known?.version === store.version) return known.samples;
  const samples = readSamples(store);
  kept.set(store, { version: store.version, samples });
  return samples;
}

function readSamples(store: TraceStore): readonly SampleRecord[] {
  const { events } = store;
  const rows = events.rowsOf([KIND.ToolSample]);
  const taken = new Map<number, number>();
  const names = new Map<number, Named>();
  return Array.from({ length: rows.count }, (_, index) => {
    const row = rows.at(index);
    const a = events.a.at(row);
    const taskId = fieldOf(FIELD.SampleTask, a);
    const nth = taken.get(taskId) ?? 0;
    taken.set(taskId, nth + 1);
    // The high bits of the time are no part of the name.
    const key = a % 2 ** FIELD.SampleHigh.shift;
    let named = names.get(key);
    if (named === undefined) names.set(key, (named = namedOf(store, a)));
    const ns = sampleNs(a, events.b.at(row));
    return {
      task: store.taskName(taskId),
      taskId,
      nth,
      ...named,
      cpu: events.cpu.at(row),
      fromNs: events.time.at(row) - ns,
      ns,
    };
  });
}

/** How long a row says that a sample took. */
export function sampleNs(a: number, b: number): number {
  return fieldOf(FIELD.SampleHigh, a) * 2 ** 32 + b;
}

type Named = Pick<SampleRecord, "series" | "label">;

/** What a row with this `a` is a sample of: its number counts the series of its task's kind. */
function namedOf({ shape }: TraceStore, a: number): Named {
  const kind = shape.tasks[fieldOf(FIELD.SampleTask, a)]?.kind ?? "";
  const number = fieldOf(FIELD.SampleSeries, a);
  const { name = String(number), label = name } =
    shape.series?.filter((each) => each.kind === kind)[number] ?? {};
  return { series: `${kind}.${name}`, label };
}

/** The name of the measurement that a row with this `a` is a sample of. */
export function sampleLabel(store: TraceStore, a: number): string {
  return namedOf(store, a).label;
}

/** A series' samples, longest first; the earlier one among equals. */
export function longestSamples(store: TraceStore, series: string): readonly SampleRecord[] {
  return samplesOf(store)
    .filter((sample) => sample.series === series)
    .sort((one, other) => other.ns - one.ns);
}

/** The sample a selection names; undefined if it has not ended (yet). */
export function findSample(
  store: TraceStore,
  { task, nth }: SampleSelection,
): SampleRecord | undefined {
  return samplesOf(store).find((sample) => sample.task === task && sample.nth === nth);
}

/**
 * The other run's sample of the same: that which began at the same instant, the task's own first,
 * else the task's own of that number.
 */
export function samplePartner(sample: SampleRecord, other: TraceStore): SampleRecord | undefined {
  const same = samplesOf(other).filter(({ series }) => series === sample.series);
  const began = same.filter(({ fromNs }) => fromNs === sample.fromNs);
  const own = ({ task }: SampleRecord): boolean => task === sample.task;
  return began.find(own) ?? began[0] ?? same.find((each) => each.nth === sample.nth && own(each));
}
