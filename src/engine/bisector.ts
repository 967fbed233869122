// "Which change did it?": which runs to make, and what they say, by the Rust code that the command
// has. The module is fetched when a person first asks. It makes no run itself.

import type { BisectObject } from "./bisect-object.ts";
import type { KnobValue, RunReport } from "./gen/types.ts";
import type { Change } from "./protocol.ts";
import { textOf } from "./replay.ts";
import { WasmModule } from "./wasm-module.ts";
import init, { Bisector as Module } from "./wasm/bisector.js";
import bisectorUrl from "./wasm/bisector_bg.wasm?url";

const bisectorModule = new WasmModule(bisectorUrl, "what finds the change");

type Settings = readonly (readonly [path: string, value: KnobValue])[];

export interface BisectorQuestion {
  readonly slug: string;
  /** What a command calls the scenario. */
  readonly name: string;
  /** The scenario file's text. */
  readonly text: string;
  /** Settings of every run, in order. */
  readonly set: Settings;
  /** Writes to the running kernel of every run. */
  readonly live: readonly Change[];
  readonly from: string;
  readonly to: string;
  readonly metric: string;
  readonly seeds: number;
  readonly most: number;
}

/** Runs that are needed next. */
export interface NextRuns {
  readonly stage: "releases" | "changes" | "more seeds" | "pairs";
  /** The settings of each. */
  readonly runs: readonly Settings[];
}

export interface Bisector {
  /** Undefined where the answer is found. Throws a sentence where there can be none. */
  next(): NextRuns | undefined;
  /** What the run of that place among the last ones came to. */
  hear(place: number, report: Pick<RunReport, "digest" | "metrics">): void;
  /** What is known by now; `complete` if no run is missing. */
  answer(complete: boolean): BisectObject;
  /** A knob's value in the run of a release. */
  value(release: 0 | 1, path: string): KnobValue | undefined;
  free(): void;
}

/** Throws a sentence where the question cannot be asked. */
export async function openBisector(question: BisectorQuestion): Promise<Bisector> {
  await init({ module_or_path: await bisectorModule.get() });
  const { live, most, ...rest } = question;
  const writes = live.map(([ns, path, value]) => [ns, path, textOf(value)]);
  const module = new Module(JSON.stringify({ ...rest, live: writes, max_seeds: most }));
  return {
    next: () => (JSON.parse(module.nextRuns()) as NextRuns | null) ?? undefined,
    hear: (place, { digest, metrics }) =>
      module.hear(place, digest, JSON.stringify(metrics, withoutLists)),
    answer: (complete) => JSON.parse(module.answer(complete)) as BisectObject,
    value: (release, path) =>
      (JSON.parse(module.value(release, path)) as KnobValue | null) ?? undefined,
    free: () => module.free(),
  };
}

/** No figure lies in the lists of activations. */
function withoutLists(key: string, value: unknown): unknown {
  return key === "activations" ? undefined : value;
}
