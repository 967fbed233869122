// Branches: what was written to a running kernel makes another history. Each that was computed to its end is kept for the session with what
// it came to, so that any can be put on a side again and compared. True of requests and reports; must not know how they are shown.

import type { RunReport } from "../../engine/gen/types.ts";
import { commonPast, type Change, type RunRequest } from "../../engine/protocol.ts";
import { headlineValue, headlineWords } from "../figures/headline.ts";
import type { KnobSet } from "../knobs/knob-sets.ts";
import { sameValue } from "../knobs/knob-values.ts";

/** Histories kept; of more, the one shown longest ago goes. */
export const BRANCHES_MAX = 16;

/** One history: a machine and its programs, and what was written on the way. */
export interface Branch {
  /** Counts from 1, and is given once. */
  readonly id: number;
  /** The scenario's text it belongs to. */
  readonly text: string;
  /** What is laid over it. */
  readonly set: KnobSet;
  /** In order of time; none: the history nobody wrote to. */
  readonly changes: readonly Change[];
  /** The branch it was made from, by number; undefined for one that came from a link, or whose parent is gone. */
  readonly parent: number | undefined;
  /** The first instant at which it may differ from its parent, ns; undefined without one. */
  readonly fromNs: number | undefined;
  /** One for each of the scenario's headline words; undefined where the run has no such figure. */
  readonly figures: readonly (number | undefined)[];
}

export interface Branches {
  /** In order of their numbers. */
  readonly list: readonly Branch[];
  /** Given last. */
  readonly lastId: number;
}

/** A run that has come to its end: what a branch is made of. */
export interface Ended {
  readonly request: RunRequest;
  readonly report: RunReport;
}

/** The branch that a request computes. */
export function branchOf({ list }: Branches, request: RunRequest): Branch | undefined {
  return list.find(({ text, set, changes }) => text === request.text && sameSet(set, request.set) && sameWrites(changes, request.changes));
}

/** Whether two sets say the same, in whatever order. */
export function sameSet(one: KnobSet, other: KnobSet): boolean {
  return one.length === other.length && one.every(([path, value]) => other.some(([key, its]) => key === path && sameValue(its, value)));
}

function sameWrites(one: readonly Change[], other: readonly Change[] = []): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * With a run that ended, `from` being what the side had shown before. A history is worth listing once something was written: one without
 * writes comes in as the parent of one that has some.
 */
export function withEnded(branches: Branches, ended: Ended, from: Ended | undefined, headline: readonly string[], shown: Shown): Branches {
  const { request } = ended;
  const known = branchOf(branches, request);
  if (known !== undefined) return renewed(branches, known, figuresOf(ended.report, headline));
  if ((request.changes ?? []).length === 0) return branches;
  const common = from === undefined ? undefined : commonPast(from.request, request);
  const parented = from === undefined || common === undefined ? branches : withParent(branches, from, headline);
  const parent = from === undefined ? undefined : branchOf(parented, from.request);
  const made = {
    ...bare(ended, headline),
    id: parented.lastId + 1,
    parent: parent?.id,
    fromNs: parent === undefined || common === undefined ? undefined : common.ns + 1,
  };
  return bounded({ list: [...parented.list, made], lastId: made.id }, [...shown, request]);
}

/** Requests on screen: their branches stay. */
export type Shown = readonly RunRequest[];

function withParent(branches: Branches, from: Ended, headline: readonly string[]): Branches {
  if (branchOf(branches, from.request) !== undefined) return branches;
  const made = { ...bare(from, headline), id: branches.lastId + 1, parent: undefined, fromNs: undefined };
  return { list: [...branches.list, made], lastId: made.id };
}

function bare({ request, report }: Ended, headline: readonly string[]): Pick<Branch, "text" | "set" | "changes" | "figures"> {
  return { text: request.text, set: request.set, changes: request.changes ?? [], figures: figuresOf(report, headline) };
}

function figuresOf(report: RunReport, headline: readonly string[]): Branch["figures"] {
  return headlineWords(headline).map((words) => headlineValue(report, words));
}

function renewed({ list, lastId }: Branches, known: Branch, figures: Branch["figures"]): Branches {
  return { list: list.map((branch) => (branch === known ? { ...branch, figures } : branch)), lastId };
}

function bounded(branches: Branches, shown: Shown): Branches {
  let kept = branches;
  while (kept.list.length > BRANCHES_MAX) {
    const out = kept.list.find((branch) => !shown.some((request) => branchOf(kept, request) === branch));
    if (out === undefined) return kept;
    kept = without(kept, out.id);
  }
  return kept;
}

/** Without a branch; what was made from it belongs to its parent, and differs from that from the earlier of both instants on. */
export function without({ list, lastId }: Branches, id: number): Branches {
  const gone = list.find((branch) => branch.id === id);
  const rest = list.filter((branch) => branch !== gone);
  return { list: rest.map((branch) => (branch.parent === id ? handedOn(branch, gone) : branch)), lastId };
}

function handedOn(branch: Branch, gone: Branch | undefined): Branch {
  const { parent, fromNs } = gone ?? {};
  return { ...branch, parent, fromNs: parent === undefined ? undefined : Math.min(branch.fromNs ?? Infinity, fromNs ?? Infinity) };
}
