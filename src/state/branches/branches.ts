// Branches: what was written to a running kernel makes another history. Each that was computed to
// its end is kept for the session with what it came to, so that any can be put on a side again and
// compared. True of requests and reports; must not know how they are shown.
import { commonPast, type Change, type RunRequest } from "../../engine/protocol.ts";
import { headlineValue, headlineWords } from "../figures/headline.ts";
import { sameSet } from "../../scenario/knob-sets.ts";
import type { Ended } from "../shape/run.ts";
import type { Branch, Branches } from "../shape/branch.ts";

/** Histories kept; of more, the one that was on screen longest ago goes. */
export const BRANCHES_MAX = 16;

/** The branch that a request computes. */
export function branchOf({ list }: Branches, request: RunRequest): Branch | undefined {
  return list.find(
    ({ text, set, changes }) =>
      text === request.text && sameSet(set, request.set) && sameWrites(changes, request.changes),
  );
}

function sameWrites(one: readonly Change[], other: readonly Change[] = []): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * With a run that ended, `from` being what the side had shown before. A history is worth listing
 * once something was written: one without writes comes in as the parent of one that has some.
 */
export function withEnded(
  before: Branches,
  ended: Ended,
  from: Ended | undefined,
  headline: readonly string[],
  shown: Shown,
): Branches {
  const { request } = ended;
  const branches = used(before, from === undefined ? shown : [...shown, from.request]);
  const known = branchOf(branches, request);
  if (known !== undefined) return renewed(branches, known, runOf(ended, headline));
  if ((request.changes ?? []).length === 0) return branches;
  const common = from === undefined ? undefined : commonPast(from.request, request);
  const parented =
    from === undefined || common === undefined ? branches : withParent(branches, from, headline);
  const parent = from === undefined ? undefined : branchOf(parented, from.request);
  const fromNs = parent === undefined || common === undefined ? undefined : common.ns + 1;
  return bounded(withOne(parented, ended, headline, { parent: parent?.id, fromNs }), [
    ...shown,
    request,
  ]);
}

/** Requests on screen: their branches stay. */
export type Shown = readonly RunRequest[];

function withParent(branches: Branches, from: Ended, headline: readonly string[]): Branches {
  if (branchOf(branches, from.request) !== undefined) return branches;
  return withOne(branches, from, headline, { parent: undefined, fromNs: undefined });
}

function withOne(
  branches: Branches,
  ended: Ended,
  headline: readonly string[],
  origin: Pick<Branch, "parent" | "fromNs">,
): Branches {
  const { text, set, changes = [] } = ended.request;
  const id = branches.lastId + 1;
  const made = {
    id,
    text,
    set,
    changes,
    ...origin,
    ...runOf(ended, headline),
    usedAt: nextUse(branches),
  };
  return { ...branches, list: [...branches.list, made], lastId: id };
}

type Ran = Pick<Branch, "figures" | "onlyToNs">;

function runOf({ report }: Ended, headline: readonly string[]): Ran {
  const figures = headlineWords(headline).map((words) => headlineValue(report, words));
  return { figures, onlyToNs: report.complete ? undefined : report.simulated_ns };
}

function nextUse({ list }: Branches): number {
  return Math.max(0, ...list.map(({ usedAt }) => usedAt)) + 1;
}

/** Marks the branches of `requests` as used now: they are on screen, or have just left it. */
function used(branches: Branches, requests: Shown): Branches {
  const now = nextUse(branches);
  const seen = requests.map((request) => branchOf(branches, request));
  if (seen.every((branch) => branch === undefined)) return branches;
  return {
    ...branches,
    list: branches.list.map((branch) =>
      seen.includes(branch) ? { ...branch, usedAt: now } : branch,
    ),
  };
}

/**
 * Keeps the longer of two runs of one history: a limit of the other side also cuts this side's run
 * short.
 */
function renewed(branches: Branches, known: Branch, ran: Ran): Branches {
  const shorter = (ran.onlyToNs ?? Infinity) < (known.onlyToNs ?? Infinity);
  const next = { ...known, ...(shorter ? {} : ran) };
  return { ...branches, list: branches.list.map((branch) => (branch === known ? next : branch)) };
}

function bounded(branches: Branches, shown: Shown): Branches {
  let kept = branches;
  while (kept.list.length > BRANCHES_MAX) {
    const free = kept.list.filter(
      (branch) => !shown.some((request) => branchOf(kept, request) === branch),
    );
    const [first, ...others] = free;
    if (first === undefined) return kept;
    const out = others.reduce(
      (oldest, branch) => (branch.usedAt < oldest.usedAt ? branch : oldest),
      first,
    );
    kept = { ...without(kept, out.id), goneId: out.id };
  }
  return kept;
}

/**
 * Without a branch; what was made from it belongs to its parent, and differs from that from the
 * earlier of both instants on.
 */
export function without(branches: Branches, id: number): Branches {
  const gone = branches.list.find((branch) => branch.id === id);
  const rest = branches.list.filter((branch) => branch !== gone);
  return {
    ...branches,
    list: rest.map((branch) => (branch.parent === id ? handedOn(branch, gone) : branch)),
  };
}

function handedOn(branch: Branch, gone: Branch | undefined): Branch {
  const { parent, fromNs } = gone ?? {};
  return {
    ...branch,
    parent,
    fromNs:
      parent === undefined ? undefined : Math.min(branch.fromNs ?? Infinity, fromNs ?? Infinity),
  };
}
