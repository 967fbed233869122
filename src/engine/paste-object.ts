// What a pasted text says and what runs find out about it, as the module of texts, the command and
// the Python package give it: `schedscope.read/1` and `schedscope.answer/1`
// (docs/use/command-line.md).

import type { KnobValue } from "./gen/types.ts";

/** A piece of a line: what became of it, and what it means or why it was left out. */
export interface PieceNote {
  readonly fate: "used" | "left out" | "passed over" | "not understood";
  readonly words: string;
}

export interface ReadLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** None for a line without letters. */
  readonly notes: readonly PieceNote[];
}

/** A figure that the text has, and the same of the closest run. */
export interface Beside {
  readonly figure: string;
  readonly asked: string;
  readonly got: string;
}

/** The program behind a group's counters. */
export interface FitObject {
  /** Null before the first run. */
  readonly program: { readonly off: number } | null;
  /** How many programs of the model count the same. */
  readonly programs: number;
  readonly runs: number;
  readonly is_overload: boolean;
  readonly says: readonly string[];
  readonly beside: readonly Beside[];
  readonly limit: { readonly low_us: number; readonly high_us: number } | null;
  /** Which limit is enough, a sentence each. */
  readonly limits: readonly string[];
}

export interface ReadObject {
  readonly schema: "schedscope.read/1";
  readonly lines: readonly ReadLine[];
  readonly says: readonly string[];
  /** What of the text cannot be. */
  readonly doubts: readonly string[];
  /** What is missing for an answer. */
  readonly asks: readonly string[];
  readonly assumed: readonly string[];
  /** Whether runs have to find the program behind counters. */
  readonly is_throttled: boolean;
  /** Null where nothing is to be fitted, and before. */
  readonly fit: FitObject | null;
  /** The scenario's file; null where no line comes to one. */
  readonly scenario_text: string | null;
  /** The group with a limit, by its path in the scenario. */
  readonly group: string | null;
}

/** A setting, and how long bursts take under it. */
export interface SettingRow {
  readonly quota_us: number;
  readonly period_us: number;
  readonly burst_us: number;
  /** Null: as many as now. */
  readonly threads: number | null;
  /** How many of the programs keep the bound. */
  readonly keeps: number;
  /** Microseconds: of the closest program's run, and of the programs that do best and worst. */
  readonly longest_us: {
    readonly run: number | null;
    readonly least: number;
    readonly most: number;
  };
  readonly words: readonly [limit: string, period: string, burst: string, threads: string];
  /** The program and the limit by path: on the scenario, they are the row's run. */
  readonly set: Settings | null;
}

export type Settings = Readonly<Record<string, KnobValue>>;

export interface Answered {
  readonly question: string;
  readonly answer: string;
  /** The program and limit of the run that it speaks of, by path. */
  readonly set: Settings | null;
}

export interface AnswerObject {
  readonly schema: "schedscope.answer/1";
  /** Programs that were reckoned. */
  readonly programs: number;
  readonly now: SettingRow;
  /** The cheapest first. */
  readonly rows: readonly SettingRow[];
  readonly answers: readonly Answered[];
}

/** A form of text that is read. */
export interface TextForm {
  readonly title: string;
  readonly example: string;
}
