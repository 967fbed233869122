// Where the rule behind an event is in the kernel: function and file by version, and their
// addresses. True of the release tags; knows no event.

import { rank, rungOf, VERSIONS } from "../../engine/versions.ts";

/**
 * The commit that made the behaviour or brought the function in this form; where it is not known
 * it, the release that was read.
 */
export type Origin =
  { readonly commit: string } | { readonly commit: "not known"; readonly readIn: string };

/** A function of the kernel, in the versions in which it has this name and lies in this file. */
export interface Place {
  /** Function, macro or `struct`. */
  readonly name: string;
  /** A path in the kernel's tree, or one of FILES. */
  readonly file: string;
  /** First version of the ladder that has it. */
  readonly from: string;
  /** Last version that has it; none where 7.3 still has it. */
  readonly until?: string;
  /** The place counts only where this switch has one of these values. */
  readonly when?: { readonly knob: string; readonly is: readonly string[] };
  readonly origin: Origin;
}

/** A rule of the model as everything cites it: `docs/model/rt-balancing.md#push-ipi-chain`. */
export type ModelRule = `docs/model/${string}.md#${string}`;

/** What made an event: one sentence, and where the kernel does it, by version. */
export interface Rule {
  /** One plain sentence. */
  readonly says: string;
  /** The chapter and heading of the model that says it in full. */
  readonly model: ModelRule;
  /** None where no function of the kernel does it: the program or the simulator itself. */
  readonly places: readonly Place[];
}

/** A rule as one run's kernel has it. */
export interface Cited {
  readonly says: string;
  readonly name: string;
  /** Path in the kernel's tree. */
  readonly file: string;
  /** The version whose source is meant: "6.12". */
  readonly version: string;
  /**
   * The run's own version where its source has no such place and `version` is the nearest that has
   * one.
   */
  readonly insteadOf?: string;
  readonly origin: Origin;
  /** The file at the version's release tag. */
  readonly url: string;
  /** The definition and every use at that tag. */
  readonly usesUrl: string;
}

/** What a run's kernel is: a knob's value by its path. */
export type Kernel = (path: string) => unknown;

/** Files that moved: the path up to a version, and since. */
const FILES: Readonly<
  Record<string, { readonly upTo: string; readonly old: string; readonly now: string }>
> = {
  core: { upTo: "3.2", old: "kernel/sched.c", now: "kernel/sched/core.c" },
  fair: { upTo: "3.2", old: "kernel/sched_fair.c", now: "kernel/sched/fair.c" },
  rt: { upTo: "3.2", old: "kernel/sched_rt.c", now: "kernel/sched/rt.c" },
  cpupri: { upTo: "3.2", old: "kernel/sched_cpupri.c", now: "kernel/sched/cpupri.c" },
  hrtimer: { upTo: "3.16", old: "kernel/hrtimer.c", now: "kernel/time/hrtimer.c" },
};

/** A place from a version on, up to another one; who made it so is not known. */
export function at(name: string, file: string, from: string, until?: string): Place {
  return {
    name,
    file,
    from,
    ...(until === undefined ? {} : { until }),
    origin: { commit: "not known", readIn: from },
  };
}

/**
 * A place, with the commit that made it so: twelve digits, with a row in docs/model/sources.md.
 */
export function by(commit: string, place: Place): Place {
  return { ...place, origin: { commit } };
}

/** A place that holds only where a switch has one of these values. */
export function where(
  knob: string,
  is: readonly string[],
  places: readonly Place[],
): readonly Place[] {
  return places.map((place) => ({ ...place, when: { knob, is } }));
}

export function rule(says: string, model: ModelRule, ...places: readonly Place[]): Rule {
  return { says, model, places };
}

/** The path of a place's file in a version. */
export function fileIn({ file }: Place, version: string): string {
  const moved = FILES[file];
  if (moved === undefined) return file;
  return rank(version) <= rank(moved.upTo) ? moved.old : moved.now;
}

/** The versions of the ladder that a place is claimed for. */
export function versionsOf({ from, until }: Place): readonly string[] {
  return VERSIONS.slice(rank(from), until === undefined ? undefined : rank(until) + 1);
}

/**
 * A rule in a run's kernel: in its own version's source, or in the nearest one that has the place.
 * Undefined where no function does it.
 */
export function cite({ says, places }: Rule, kernel: Kernel): Cited | undefined {
  const own = rungOf(kernel("kernel.version")) ?? VERSIONS.at(-1) ?? "";
  let best: { readonly place: Place; readonly version: string; readonly away: number } | undefined;
  for (const place of places) {
    if (place.when !== undefined && !place.when.is.includes(String(kernel(place.when.knob))))
      continue;
    for (const version of versionsOf(place)) {
      const away = Math.abs(rank(version) - rank(own));
      if (best === undefined || away < best.away) best = { place, version, away };
    }
  }
  if (best === undefined) return undefined;
  const { place, version, away } = best;
  const file = fileIn(place, version);
  const { name, origin } = place;
  const cited = {
    says,
    name,
    file,
    version,
    origin,
    url: sourceUrl(file, version),
    usesUrl: usesUrl(name, version),
  };
  return away === 0 ? cited : { ...cited, insteadOf: own };
}

/**
 * Where the site shows a rule of the model, from its root: `model/rt-balancing/#push-ipi-chain`.
 */
export function modelPath(rule: ModelRule): string {
  return rule.replace(/^docs\//, "").replace(".md#", "/#");
}

/** A rule of the model in words: "push IPI chain". */
export function modelWords(rule: ModelRule): string {
  return rule.slice(rule.indexOf("#") + 1).replaceAll("-", " ");
}

const KERNEL_ORG = "https://git.kernel.org/pub/scm/linux/kernel/git";

/** `push_rt_task()`, or a struct's name as it is. */
export function calledWords(name: string): string {
  return name.includes(" ") ? name : `${name}()`;
}

/**
 * A file at a version's release tag: of Linus's tree, or of the stable one for a stable release.
 */
export function sourceUrl(file: string, version: string): string {
  const tag = tagOf(version);
  const stable = /^v[3-9]\.\d+\.\d+$/.test(tag);
  return `${KERNEL_ORG}/${stable ? "stable" : "torvalds"}/linux.git/tree/${file}?h=${tag}`;
}

/** Where a commit can be read; undefined where it is not known. */
export function commitUrl({ commit }: Origin): string | undefined {
  return commit === "not known" ? undefined : `https://git.kernel.org/linus/${commit}`;
}

/** "commit 4bdced5c9a29", or what was read instead. */
export function originWords(origin: Origin): string {
  return "readIn" in origin
    ? `commit not known, read in ${origin.readIn}`
    : `commit ${origin.commit}`;
}

function usesUrl(name: string, version: string): string {
  return `https://elixir.bootlin.com/linux/${tagOf(version)}/A/ident/${name.replace(/^struct /, "")}`;
}

/** `3.19-push-ipi` is 3.19 with a patch: its tag is 3.19's. */
function tagOf(version: string): string {
  return `v${version.replace(/-.*$/, "")}`;
}
