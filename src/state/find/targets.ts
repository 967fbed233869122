// Everything in the scenario and its runs that can be gone to by its name. Knows what there is;
// must not know how to get there.

import type { Knob, ScenarioEntry } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { threeFigures } from "../../lib/format.ts";
import type { SampleRecord } from "../../model/index.ts";
import { samplesOf } from "../../model/tasks/samples.ts";
import { taskLockName, taskLocksOf } from "../../model/locks/task-locks.ts";
import type { Selection } from "../../model/trace/run-types.ts";
import { kindWords, seriesWords } from "../../scenario/labels.ts";
import { findKnob, knobName } from "../../scenario/knob-values.ts";
import { knobDoc } from "../../scenario/knob-sentences.ts";
import { variantsOf } from "../../scenario/variants.ts";
import { sideLabel } from "../select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { THEMES, type State, type ThemeName } from "../shape/state.ts";
import { type Run } from "../shape/run.ts";
import { captionSaid } from "../steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

/** Where a thing is. Tasks, locks and groups by name: numbers differ between the runs. */
export type Place =
  | { readonly what: "task" | "lock" | "task lock" | "group"; readonly name: string }
  /** What a tool measured in this task. */
  | { readonly what: "samples"; readonly name: string }
  | { readonly what: "cpu"; readonly cpu: number }
  | { readonly what: "instant"; readonly ns: number }
  | { readonly what: "wake"; readonly side: Side; readonly selection: Selection }
  | { readonly what: "knob"; readonly path: string }
  | { readonly what: "variant"; readonly side: Side; readonly name: string }
  | { readonly what: "step"; readonly index: number }
  | { readonly what: "scenario"; readonly slug: string }
  | { readonly what: "theme"; readonly theme: ThemeName };

/** Something with a name and a place, as it is listed. */
export interface Thing<P = Place> {
  /** One of its own. */
  readonly id: string;
  /** What kind of thing, in a word or two: "task". */
  readonly sort: string;
  readonly name: string;
  /** The words beside the name. */
  readonly hint: string;
  /** Other words it is found by. */
  readonly also: string;
  readonly place: P;
}

/** The things of the scenario at hand, and the other scenarios. */
export function thingsOf(
  state: State,
  scenarios: readonly ScenarioEntry[],
  knobs: readonly Knob[],
): readonly Thing[] {
  const runs = SIDES.flatMap((side) => state.sides[side].shown ?? []);
  return [
    ...stepThings(state),
    ...SIDES.flatMap((side) => worstWakes(state, side)),
    ...SIDES.flatMap((side) => longestOf(state, side)),
    ...lockThings(runs),
    ...taskLockThings(runs),
    ...groupThings(runs),
    ...variantThings(state),
    ...knobThings(state, runs, knobs),
    ...taskThings(runs),
    ...sampleThings(runs),
    ...cpuThings(runs),
    ...THEMES.map((theme) => thing({ what: "theme", theme }, theme, "theme", `${theme} theme`)),
    ...scenarios.map((entry) =>
      thing(
        { what: "scenario", slug: entry.slug },
        entry.slug,
        "scenario",
        entry.title,
        entry.slug,
        entry.source.map(({ id, title }) => `${id ?? ""} ${title}`).join(" "),
      ),
    ),
  ];
}

function thing(place: Place, id: string, sort: string, name: string, hint = "", also = ""): Thing {
  return {
    place,
    id: `${place.what} ${id}`,
    sort,
    name: plainText(name),
    hint: plainText(hint),
    also: plainText(`${sort} ${hint} ${also}`),
  };
}

function stepThings(state: State): readonly Thing[] {
  return stepsOf(state.entry).map((step, index) =>
    thing(
      { what: "step", index },
      String(index),
      "step",
      captionSaid(state, step),
      `step ${String(index + 1)}`,
    ),
  );
}

/** The worst wake-up of each kind of task, of one side. */
function worstWakes(state: State, side: Side): readonly Thing[] {
  const run = state.sides[side].shown;
  if (run === undefined) return [];
  const { wakes } = run.trace;
  const worst = new Map<string, number>();
  for (let row = 0; row < wakes.count; row += 1) {
    const kind = run.meta.tasks[wakes.taskIdOf(row)]?.kind ?? "";
    const known = worst.get(kind);
    if (known === undefined || wakes.compareWorst(row, known) < 0) worst.set(kind, row);
  }
  return [...worst].map(([kind, row]) => {
    const selection = wakes.selectionOf(row);
    const hint = `${threeFigures(wakes.latencyNs(row))}, ${selection.task}`;
    const name = `${side.toUpperCase()}: worst wake-up of ${kindWords(state.entry.labels, kind)}`;
    return thing(
      { what: "wake", side, selection },
      `${side} ${kind}`,
      "wake-up",
      name,
      hint,
      `${kind} ${sideLabel(state, side)}`,
    );
  });
}

/** The longest sample of each series, of one side: "A: longest request of web_front". */
function longestOf(state: State, side: Side): readonly Thing[] {
  const run = state.sides[side].shown;
  if (run === undefined) return [];
  const longest = new Map<string, SampleRecord>();
  for (const sample of samplesOf(run.trace)) {
    const known = longest.get(sample.series);
    if (known === undefined || sample.ns > known.ns) longest.set(sample.series, sample);
  }
  return [...longest].map(([series, { task, nth, ns }]) => {
    const selection = { kind: "sample", task, nth } as const;
    const words = `${side.toUpperCase()}: longest of ${seriesWords(state.entry.labels, series)}`;
    const hint = `${threeFigures(ns)}, ${task}`;
    return thing(
      { what: "wake", side, selection },
      `${side} longest ${series}`,
      "sample",
      words,
      hint,
      `${series} ${sideLabel(state, side)}`,
    );
  });
}

/** A task whose tool measures something has samples to step through. */
function sampleThings(runs: readonly Run[]): readonly Thing[] {
  const series = new Map<string, string>();
  for (const { trace } of runs)
    for (const sample of samplesOf(trace))
      if (!series.has(sample.task)) series.set(sample.task, sample.series);
  return [...series].map(([name, of]) =>
    thing(
      { what: "samples", name },
      name,
      "sample",
      `samples of ${name}: next`,
      "⇧ ↵ the one before",
      `next sample ${of}`,
    ),
  );
}

/** Names of the runs, each once. */
function namesOf(runs: readonly Run[], of: (run: Run) => readonly string[]): readonly string[] {
  return [...new Set(runs.flatMap(of))];
}

/**
 * Locks with the deepest queue of each as its hint, which says which lock is meant; a lock that no
 * task or CPU touched is left out.
 */
function lockThings(runs: readonly Run[]): readonly Thing[] {
  const touched = (run: Run): readonly string[] =>
    run.meta.locks.filter((_, id) => run.trace.locks.lock(id) !== undefined);
  const most = new Map<string, number>();
  for (const { meta, trace } of runs)
    meta.locks.forEach((name, id) =>
      most.set(name, Math.max(most.get(name) ?? 0, trace.locks.lock(id)?.peak.depth ?? 0)),
    );
  return namesOf(runs, touched).map((name) =>
    thing(
      { what: "lock", name },
      name,
      "lock",
      lockWords(name),
      `at most ${String(most.get(name) ?? 0)} waiting`,
    ),
  );
}

/** Mutexes, and spin locks of user space. */
function taskLockThings(runs: readonly Run[]): readonly Thing[] {
  const most = new Map<string, number>();
  for (const { trace } of runs)
    for (const lock of taskLocksOf(trace)) {
      const name = taskLockName(trace, lock);
      most.set(name, Math.max(most.get(name) ?? 0, lock.peak.depth));
    }
  return [...most].map(([name, depth]) =>
    thing(
      { what: "task lock", name },
      name,
      "lock",
      name,
      `at most ${String(depth)} waiting`,
      "lock",
    ),
  );
}

function groupThings(runs: readonly Run[]): readonly Thing[] {
  const paths = namesOf(runs, ({ meta }) => meta.groups.map(({ path }) => path)).filter(
    (path) => path !== "",
  );
  return paths.map((name) => thing({ what: "group", name }, name, "group", name));
}

function variantThings(state: State): readonly Thing[] {
  return SIDES.flatMap((side) =>
    variantsOf(state.entry).map(({ name }) =>
      thing(
        { what: "variant", side, name },
        `${side} ${name}`,
        "variant",
        `${side.toUpperCase()} as ${name}`,
        `now ${sideLabel(state, side)}`,
      ),
    ),
  );
}

function knobThings(
  { entry }: State,
  runs: readonly Run[],
  knobs: readonly Knob[],
): readonly Thing[] {
  const resolved = namesOf(runs, ({ meta }) => meta.knobs.map(({ path }) => path));
  const paths = [...new Set([...entry.knobs, ...resolved])];
  return paths.flatMap((path) => {
    const knob = findKnob(knobs, path);
    // A cost's sentence says under which lock an operation runs: "lock held" would find all of them.
    const said = path.startsWith("machine.costs.") ? "" : (knobDoc(path)?.doc ?? "");
    return knob === undefined
      ? []
      : thing({ what: "knob", path }, path, "knob", knobName(knob), path, said);
  });
}

function taskThings(runs: readonly Run[]): readonly Thing[] {
  const seen = new Map(
    runs.flatMap(({ meta }) => meta.tasks.map((task) => [task.name, task] as const)),
  );
  return [...seen].map(([name, { policy, kind }]) =>
    thing({ what: "task", name }, name, "task", name, policy, kind),
  );
}

function cpuThings(runs: readonly Run[]): readonly Thing[] {
  const cpus = Math.max(0, ...runs.map(({ meta }) => meta.cpus));
  return Array.from({ length: cpus }, (_, cpu) =>
    thing({ what: "cpu", cpu }, String(cpu), "CPU", `CPU ${String(cpu)}`, "", `cpu${String(cpu)}`),
  );
}
