// Quota and kicks in words: tooltips, spoken rows. True of one instant; must not know where the
// words appear.

import type { SlackSkip, SlackTimer, WordsOf } from "../../engine/gen/codes.ts";
import {
  KICK_OUTCOME_NO_TARGET,
  KICK_OUTCOME_SENT,
  KICK_OUTCOME_WORDS,
  KICK_REASON_WORDS,
  SLACK_SKIP_ARMED,
  SLACK_SKIP_NEAR,
  SLACK_SKIP_REFILLING,
  SLACK_TIMER_ARMED,
  SLACK_TIMER_FIRED,
  SLACK_TIMER_IDLE,
  SLACK_TIMER_NEAR,
} from "../../engine/gen/codes.ts";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import type { Kick } from "../trace/nohz.ts";
import type { GroupTrack, Throttled } from "../trace/group-quota.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/**
 * A kick in a few lines, the heading first: who asked whom, why, what came of it; `say` writes
 * durations.
 */
export function describeKick(kick: Kick, say = formatNs): string[] {
  const { cpu, target, reasons } = kick;
  const heading =
    target === undefined
      ? `kick: the tick of CPU ${String(cpu)} finds no idle CPU to balance for the idle ones`
      : `kick: the tick of CPU ${String(cpu)} asks CPU ${String(target)} to balance for the idle CPUs`;
  return [heading, `why: ${kickReasons(reasons).join(", ")}`, ...outcomeWords(kick, say)];
}

/** The reasons of a kick, each in words. */
export function kickReasons(bits: number): string[] {
  return Object.entries(KICK_REASON_WORDS).flatMap(([bit, words = ""]) =>
    (bits & Number(bit)) === 0 ? [] : [words],
  );
}

function outcomeWords({ outcome, ns, wokeNs, idleNs }: Kick, say: typeof formatNs): string[] {
  const idle = `after ${say(idleNs, 3)} of idleness`;
  switch (outcome) {
    case KICK_OUTCOME_SENT:
      return [
        wokeNs === undefined ? `by IPI, ${idle}` : `woke it ${say(wokeNs - ns, 3)} later, ${idle}`,
      ];
    case KICK_OUTCOME_NO_TARGET:
      return [];
    default:
      return [`${KICK_OUTCOME_WORDS[outcome] ?? "outcome unknown"}, ${idle}`];
  }
}

/** "web is out of quota for 3.2 ms of 40 ms so far". */
export function describeThrottled(
  store: TraceStore,
  { group, fromNs, toNs }: Throttled,
  ns: number,
): string {
  const lasts = `${formatNs(Math.max(0, ns - fromNs), 3)} of ${formatNs(toNs - fromNs, 3)}`;
  return `throttled: ${store.groupName(group)} is out of quota here for ${lasts}${toNs >= store.endNs ? " so far" : ""}`;
}

/** Whether the CPU runs a task of the group, or of one below it, at an instant. */
export function runsGroup(store: TraceStore, cpu: number, group: number, ns: number): boolean {
  const task = store.cpuAt(cpu, ns)?.task;
  return task !== undefined && store.quota.isBelow(store.shape.tasks[task]?.group ?? 0, group);
}

/** What a CPU holds of each group's run time at an instant, if anything. */
export function describeSilos(store: TraceStore, cpu: number, ns: number): string[] {
  return store.quota.limited.flatMap((track) => {
    const level = track.siloAt(cpu, ns);
    if (level === 0) return [];
    if (level < 0) return [`${track.info.path} owes ${formatNs(-level, 3)} here`];
    const stranded = runsGroup(store, cpu, track.id, ns)
      ? ""
      : ", stranded: the group does not run here";
    return [`${track.info.path} holds ${formatNs(level, 3)} here${stranded}`];
  });
}

/** From this value on a row of the pool means "at least this much". */
const POOL_MOST_NS = 2 ** 32 - 2;

/** What some words of a tank are about: `lost` is stranded or thrown away. */
export interface TankWords {
  readonly about: "pool" | "held" | "lost" | "owed" | "slack";
  readonly words: string;
}

function exactly(ns: number): string {
  return formatNs(ns, 3);
}

/**
 * A group's tank at an instant, the heading first; `say` writes run time. Stranded is what lies
 * where the group does not run.
 */
export function tankWords(
  store: TraceStore,
  track: GroupTrack,
  ns: number,
  say = exactly,
): readonly TankWords[] {
  const silos = track.silos().map((silo) => ({ cpu: silo.cpu, level: silo.at(ns) }));
  const held = silos.filter(({ level }) => level > 0);
  const stranded = held.filter(({ cpu }) => !runsGroup(store, cpu, track.id, ns));
  const owed = silos.filter(({ level }) => level < 0);
  const sum = (list: typeof silos): string =>
    say(list.reduce((total, { level }) => total + Math.abs(level), 0));
  const cpus = (list: typeof silos): string => counted(list.length, "CPU");
  const all = stranded.length === held.length;
  const pool = track.pool.at(ns);
  const lostNs = track.lost.at(ns);
  return [
    {
      about: "pool",
      words: `${track.info.path}: ${say(pool)}${pool < POOL_MOST_NS ? "" : " or more"} in the pool`,
    },
    ...some(
      held.length > 0,
      all ? "lost" : "held",
      () => `${sum(held)} ${all ? "stranded " : ""}on ${cpus(held)}`,
    ),
    ...some(
      !all && stranded.length > 0,
      "lost",
      () => `${sum(stranded)} of that stranded on ${cpus(stranded)}`,
    ),
    ...some(owed.length > 0, "owed", () => `${sum(owed)} owed by ${cpus(owed)}`),
    ...some(lostNs > 0, "lost", () => `${say(lostNs)} thrown away so far`),
    ...describeSlack(track, ns).map((words) => ({ about: "slack" as const, words })),
  ];
}

function some(is: boolean, about: TankWords["about"], words: () => string): readonly TankWords[] {
  return is ? [{ about, words: words() }] : [];
}

/** `tankWords` as lines. */
export function describeTank(store: TraceStore, track: GroupTrack, ns: number): string[] {
  return tankWords(store, track, ns).map(({ words }) => words);
}

/** What the slack timer did, by column b of its rows; and why it was not armed. */
const SLACK_WORDS: WordsOf<SlackTimer> = {
  [SLACK_TIMER_ARMED]: "slack timer armed",
  [SLACK_TIMER_FIRED]: "slack timer handed out returned run time",
  [SLACK_TIMER_IDLE]: "slack timer fired: nothing to hand out",
  [SLACK_TIMER_NEAR]: "slack timer fired: too close to the refill",
};
const SKIP_WORDS: WordsOf<SlackSkip> = {
  [SLACK_SKIP_NEAR]: "slack timer not armed, as the refill was to come within 7 ms",
  [SLACK_SKIP_REFILLING]: "slack timer not armed, as the refill was under way",
  [SLACK_SKIP_ARMED]: "slack timer not armed again, as it was armed already",
};

/** The slack timer's last act since the refill, if there was one. */
function describeSlack(track: GroupTrack, ns: number): string[] {
  const act = track.slackAt(ns);
  const words = act && (act.skipped ? SKIP_WORDS : SLACK_WORDS)[act.code];
  return words === undefined || act === undefined
    ? []
    : [`${words}, ${formatNs(ns - act.ns, 3)} ago`];
}
