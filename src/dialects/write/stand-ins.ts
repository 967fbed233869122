// Generators that model no program, as rt-app would play them. Which task waits for which and how
// much each works are the scenario's; what the scenario draws at random comes evenly here. Events
// and their meaning: rt-app's doc/tutorial.txt and src/rt-app_parse_config.c of May 2026.

import type { KnobValue, RunMeta } from "../../engine/gen/types.ts";
import { parseTime } from "../../scenario/knob-values.ts";
import { insideOf, wholeSeconds } from "./programs.ts";
import { procsOf } from "./real-commands.ts";
import { type RealCommand, type ValueOf } from "./real-command.ts";
import { CALIBRATE, type RtAppFile } from "./rt-app-file.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a generator's tasks are, and what of the scenario they are not. */
interface Played {
  readonly tasks: Json;
  readonly notes: readonly string[];
}

/** One generator's knobs, by the last part of their path. */
interface Own {
  readonly number: (key: string) => number;
  /** In whole us, at least 1. */
  readonly us: (key: string) => number;
  readonly value: (key: string) => KnobValue | undefined;
  readonly cpus: number;
}

/** Most events of a file: a scenario may have far more. */
const EVENTS_MAX = 5_000;
/** sem_post and sem_wait came in April 2026, after rt-app 1.0. */
const NEEDS_SEMAPHORES =
  "The file needs an rt-app of April 2026 or later: sem_post and sem_wait came then.";
const EVENLY =
  "Work comes evenly here, each piece as long as the mean; the scenario draws both at random.";
const INSIDE = "The client runs inside the group here; in the scenario it is outside.";

const every = (us: number): Json => ({ ref: "unique", period: us, mode: "absolute" });

/**
 * The main thread and its workers meet at two barriers. rt-app counts every instance of a task that
 * names one.
 */
function gcBurst({ number, us, value, cpus }: Own): Played {
  const threads = value("threads") === "auto" ? cpus : number("threads");
  return {
    tasks: {
      gc_main: { loop: -1, timer: every(us("period")), barrier0: "gc_start", barrier1: "gc_end" },
      gc_worker: {
        instance: threads,
        loop: -1,
        barrier0: "gc_start",
        run: us("work"),
        barrier1: "gc_end",
      },
    },
    notes: [],
  };
}

function meanUs({ us }: Own): number {
  return Math.round((us("run_min") + us("run_max")) / 2);
}

function gapUs({ number }: Own): number {
  return Math.max(1, Math.round(1e6 / number("rate")));
}

function threadPool(own: Own): Played {
  return {
    tasks: {
      pool_client: { loop: -1, timer: every(gapUs(own)), sem_post: "tasks" },
      pool_worker: {
        instance: own.number("workers"),
        loop: -1,
        sem_wait: "tasks",
        run: meanUs(own),
      },
    },
    notes: [EVENLY, INSIDE, NEEDS_SEMAPHORES],
  };
}

/**
 * Each frontend hands the pieces of a step to its workers in turn and waits for as many answers.
 */
function web(own: Own): Played | undefined {
  const { number, value, cpus } = own;
  const [fronts, workers, hops, fanout] = ["frontends", "workers", "hops", "fanout"].map(
    number,
  ) as [number, number, number, number];
  if (fronts * (workers + 2 * hops * fanout) > EVENTS_MAX) return undefined;
  const place = (thread: number): Json =>
    value("pinned") === true ? { cpus: [thread % cpus] } : {};
  const indices = (count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => index);
  const client = indices(fronts).flatMap((front) => [
    [`timer${front}`, every(gapUs(own))],
    [`sem_post${front}`, `requests_${front}`],
  ]);
  const tasks = indices(fronts).flatMap((front) => {
    const first = front * (workers + 1);
    const steps = indices(hops).flatMap((hop) => [
      ...indices(fanout).map(
        (piece) =>
          [`sem_post${hop}_${piece}`, `desk_${front}_${(hop * fanout + piece) % workers}`] as const,
      ),
      ...indices(fanout).map((piece) => [`sem_wait${hop}_${piece}`, `done_${front}`] as const),
    ]);
    const wait = { loop: -1, ...place(first), sem_wait: `requests_${front}` };
    return [
      [`web_front_${front}`, { ...wait, ...Object.fromEntries(steps) }] as const,
      ...indices(workers).map((worker) => {
        const desk = {
          sem_wait: `desk_${front}_${worker}`,
          run: meanUs(own),
          sem_post: `done_${front}`,
        };
        return [
          `web_worker_${front}_${worker}`,
          { loop: -1, ...place(first + 1 + worker), ...desk },
        ] as const;
      }),
    ];
  });
  return {
    tasks: {
      web_client: { loop: -1, ...Object.fromEntries(client) },
      ...Object.fromEntries(tasks),
    },
    notes: [EVENLY, INSIDE, NEEDS_SEMAPHORES],
  };
}

/** The tasks take turns; the later ones begin a gap later each. */
function rtNoise({ number, us, value }: Own): Played {
  const [tasks, gap] = [number("tasks"), us("min_gap")];
  const noise = (index: number): Json => ({
    policy: "SCHED_FIFO",
    priority: number("priority"),
    delay: index * gap,
    loop: -1,
    run: us("run"),
    timer: every(tasks * gap),
  });
  const when =
    value("when") === "random"
      ? "The noise comes evenly here; in the scenario at random."
      : "In the scenario the noise comes when every CPU runs a thread of cyclictest: no program can choose that instant. Here it comes evenly, and meets one by chance.";
  return {
    tasks: Object.fromEntries(
      Array.from({ length: tasks }, (_, index) => [`rt_noise_${index}`, noise(index)]),
    ),
    notes: [when],
  };
}

/** The generators that rt-app plays; those that nothing plays are in no-tool.ts. */
export const PLAYED: Readonly<Record<string, (own: Own) => Played | undefined>> = {
  gc_burst: gcBurst,
  thread_pool: threadPool,
  web,
  rt_noise: rtNoise,
};

/** A web service of many frontends, hops and workers. */
const TOO_LARGE = "No file for rt-app starts the web service: it has too many steps for one.";

export interface StandIns {
  /** One for each group. */
  readonly files: readonly RtAppFile[];
  /** What no line here starts, a sentence each. */
  readonly missing: readonly string[];
}

type Resolved = Pick<RunMeta, "knobs" | "cpus" | "duration_ns">;

/**
 * What plays the made-up generators of a run. `suffix` distinguishes the files of one side from
 * those of the other.
 */
export function standIns(
  { knobs, cpus, duration_ns: durationNs }: Resolved,
  suffix = "",
): StandIns {
  const values = new Map(knobs.map(({ path, value }) => [path, value]));
  const has = (name: string): boolean =>
    knobs.some(({ path }) => path.startsWith(`workload.${name}.`));
  const names = Object.keys(PLAYED).filter(has);
  const played = names.map((name) => ({
    name,
    group: groupOf(name, values),
    part: PLAYED[name]?.(ownOf(name, values, cpus)),
  }));
  const groups = [
    ...new Set(played.flatMap(({ group, part }) => (part === undefined ? [] : [group]))),
  ];
  const files = groups.map((group, index): RtAppFile => {
    const parts = played.flatMap((each) =>
      each.group === group && each.part !== undefined ? [each.part] : [],
    );
    const name = `stand-in${suffix}${index === 0 ? "" : `-${index + 1}`}.json`;
    const content = {
      global: { duration: wholeSeconds(durationNs) },
      tasks: Object.assign({}, ...parts.map(({ tasks }) => tasks)) as Json,
    };
    const command: RealCommand = { line: `sudo rt-app ${name}`, needs: "root" };
    return {
      name,
      text: `${JSON.stringify(content, undefined, 2)}\n`,
      command: {
        ...(group === "" ? command : insideOf(command, procsOf((path) => values.get(path))(group))),
        program: true,
      },
      notes: [
        ...new Set(parts.flatMap(({ notes }) => notes)),
        ...(group === "" ? [] : [CALIBRATE]),
      ],
    };
  });
  return { files, missing: played.some(({ part }) => part === undefined) ? [TOO_LARGE] : [] };
}

/** The group's path; "" is the root. */
function groupOf(name: string, values: ReadonlyMap<string, KnobValue>): string {
  const group = values.get(`workload.${name}.group`);
  return typeof group === "string" ? group.replace(/^\//, "") : "";
}

function ownOf(name: string, values: ReadonlyMap<string, KnobValue>, cpus: number): Own {
  const value: ValueOf = (key) => values.get(`workload.${name}.${key}`);
  const time = (key: string): number => {
    const stated = value(key);
    return typeof stated === "string" ? (parseTime(stated) ?? 0) : 0;
  };
  return {
    number: (key) => Number(value(key) ?? 0),
    us: (key) => Math.max(1, Math.round(time(key) / 1_000)),
    value,
    cpus,
  };
}
