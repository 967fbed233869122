// What a hand can do to what it pressed or dragged: at most three verbs, each one write to the
// running kernel from that instant on. Pure.

import { plainText } from "../../engine/plain.ts";
import { instantText, threeFigures } from "../../lib/format.ts";
import type { LiveChange, Where } from "../../scenario/knob-sets.ts";
import { settingWords } from "../../scenario/path-words.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import { taskPath } from "../../scenario/task-writes.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import type { Grab, Level, Press, Refill } from "../../timeline/index.ts";

export interface Verb {
  readonly words: string;
  readonly change: LiveChange;
}

const VERBS_MAX = 3;
const PREEMPT = "kernel.preempt";
const US = 1_000;

/** What makes sense where `press` was; empty where nothing does, and at the start of the run. */
export function verbsOf(state: State, press: Press): readonly Verb[] {
  const run = state.sides[press.side].shown;
  if (run === undefined || press.ns <= 0) return [];
  const flags = press.mark === "flag" || press.mark === "point" ? preemptVerbs(state, press) : [];
  const quota = quotaVerbs(state, run, press);
  const throttled = run.trace.quota.throttledAt(press.cpu, press.ns, run.trace.endNs).length > 0;
  const tasks = taskVerbs(state, run, press);
  const all = throttled ? [...flags, ...quota] : [...flags, ...tasks, ...quota];
  return all.slice(0, VERBS_MAX);
}

/** What a drag comes to; undefined where it changes nothing. */
export function changeOf(state: State, grab: Exclude<Grab, Press>): LiveChange | undefined {
  const run = state.sides[grab.side].shown;
  if (run === undefined || grab.ns <= 0) return undefined;
  const atNs = grab.ns;
  if (grab.kind === "quota" || grab.kind === "period") {
    const value = quotaValue(state, run, grab);
    const where = sidesWithLimit(state, grab.side, grab.group, atNs);
    return value === undefined ? undefined : { where, path: quotaPath(grab.group), value, atNs };
  }
  const task = run.meta.tasks[grab.task]?.name;
  if (task === undefined) return undefined;
  const where = sidesWithTask(state, grab.side, task);
  return { where, path: taskPath(task, "cpus"), value: String(grab.cpu), atNs };
}

/**
 * What is written to `cpu.max`. The kernel refuses a quota below the group's burst, so that a level
 * stops there. A refill that was dragged keeps the quota: it changes how often that much comes.
 */
function quotaValue(state: State, { trace }: Run, grab: Level | Refill): string | undefined {
  if (grab.kind === "quota")
    return String(Math.round(Math.max(grab.quotaNs, burstNs(state, grab.group)) / US));
  const track = trace.quota.limited.find(({ info }) => info.path === grab.group);
  const quotaNs = track?.limitAt(grab.ns).quotaNs;
  return quotaNs === undefined
    ? undefined
    : `${String(Math.round(quotaNs / US))} ${String(Math.round(grab.periodNs / US))}`;
}

/** The greatest burst of a group, ns: what is written to both sides must be valid on both. */
function burstNs({ sides }: State, group: string): number {
  const bursts = SIDES.map((side) => {
    const tracks = sides[side].shown?.trace.quota.limited ?? [];
    return tracks.find(({ info }) => info.path === group)?.info.burst_ns ?? 0;
  });
  return Math.max(...bursts);
}

/** What was done, in a sentence. */
export function doneWords({ path, value, atNs, where }: LiveChange): string {
  const on = where === "both" ? "A and B" : where.toUpperCase();
  const what = plainText(settingWords(path, value));
  return `From ${instantText(atNs)} on, on ${on}: ${what}. Ctrl+Z takes it back.`;
}

function taskVerbs(state: State, run: Run, { task: id, cpu, ns, side }: Press): readonly Verb[] {
  const info = id === undefined ? undefined : run.meta.tasks[id];
  // A CPU's own threads cannot leave it.
  if (info === undefined || info.kind === "migration" || info.kind === "ksoftirqd") return [];
  const where = sidesWithTask(state, side, info.name);
  const name = plainText(info.name);
  const verb = (words: string, what: "cpus" | "policy", value: string): Verb => ({
    words,
    change: { where, path: taskPath(info.name, what), value, atNs: ns },
  });
  const isRt = info.policy === "SCHED_FIFO" || info.policy === "SCHED_RR";
  const pinned = info.cpus === String(cpu);
  return [
    pinned
      ? verb(`Let ${name} run on every CPU`, "cpus", `0-${String(run.meta.cpus - 1)}`)
      : verb(`Keep ${name} on CPU ${String(cpu)}`, "cpus", String(cpu)),
    isRt
      ? verb(`Make ${name} a fair task`, "policy", "SCHED_OTHER 0")
      : verb(`Make ${name} real-time (SCHED_FIFO 50)`, "policy", "SCHED_FIFO 50"),
    isRt
      ? verb(`Give ${name} the highest priority (99)`, "policy", `${info.policy} 99`)
      : verb(`Give ${name} more weight (nice -10)`, "policy", "SCHED_OTHER -10"),
  ];
}

function quotaVerbs(state: State, run: Run, press: Press): readonly Verb[] {
  const { quota, endNs, shape } = run.trace;
  const [throttled] = quota.throttledAt(press.cpu, press.ns, endNs);
  const own = press.task === undefined ? undefined : shape.tasks[press.task]?.group;
  const track = quota.limited.find(({ id }) =>
    throttled === undefined ? own !== undefined && quota.isBelow(own, id) : id === throttled.group,
  );
  const { quotaNs, periodNs = 0 } = track?.limitAt(press.ns) ?? {};
  if (track === undefined || quotaNs === undefined) return [];
  const { path } = track.info;
  const where = sidesWithLimit(state, press.side, path, press.ns);
  const verb = (words: string, value: string): Verb => ({
    words,
    change: { where, path: quotaPath(path), value, atNs: press.ns },
  });
  const us = (ns: number): string => String(Math.round(ns / US));
  return [
    verb(`Lift the limit of ${plainText(path)}`, "max"),
    verb(`Double its quota to ${threeFigures(2 * quotaNs)}`, us(2 * quotaNs)),
    verb(
      `Halve its period to ${threeFigures(periodNs / 2)}`,
      `${us(quotaNs / 2)} ${us(periodNs / 2)}`,
    ),
  ];
}

/** The modes that this running kernel can be given, without the one it has. */
function preemptVerbs(state: State, { side, ns }: Press): readonly Verb[] {
  const meta = state.sides[side].shown?.meta;
  const now = meta?.knobs.find(({ path }) => path === PREEMPT)?.value;
  const modes = meta?.live.find(({ path }) => path === PREEMPT)?.values ?? [];
  return modes.flatMap((mode): readonly Verb[] =>
    mode === now
      ? []
      : [
          {
            words: `Switch preemption to ${mode}`,
            change: { where: side, path: PREEMPT, value: mode, atNs: ns },
          },
        ],
  );
}

function quotaPath(group: string): string {
  return `cgroups.${/[.\s"]/.test(group) ? `"${group}"` : group}.cpu_max`;
}

/** Both sides where both have it: the switch that is compared stays the only difference. */
function sidesWith(side: Side, has: (each: Side) => boolean): Where {
  return SIDES.every(has) ? "both" : side;
}

function sidesWithTask({ sides }: State, side: Side, task: string): Where {
  return sidesWith(
    side,
    (each) => sides[each].shown?.meta.tasks.some(({ name }) => name === task) === true,
  );
}

function sidesWithLimit({ sides }: State, side: Side, group: string, ns: number): Where {
  return sidesWith(side, (each) =>
    (sides[each].shown?.trace.quota.limited ?? []).some(
      (track) => track.info.path === group && track.limitAt(ns).quotaNs !== undefined,
    ),
  );
}
