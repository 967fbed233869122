// For tests: a page's state; listeners that the test drives take the place of its engines.

import { SCENARIOS } from "../engine/gen/scenarios.ts";
import type { RunMeta, RunReport, ScenarioEntry } from "../engine/gen/types.ts";
import type { EngineClient, RunListener, RunRequest } from "../engine/protocol.ts";
import { AT_ONCE } from "../effects/runs/feeder.ts";
import { startRunner } from "../effects/runs/runner.ts";
import { perSide, type Side } from "../scenario/sides.ts";
import { initialState } from "../state/shape/state.ts";
import { makeStore, type Store } from "../state/store.ts";

export const HERD = SCENARIOS.find((entry) => entry.slug === "rt-pull-herd") as ScenarioEntry;
export const PUSH = "kernel.rt_push_ipi";

export class FakeEngine implements EngineClient {
  readonly asked: { readonly request: RunRequest; readonly listener: RunListener }[] = [];
  start(request: RunRequest, listener: RunListener): void {
    this.asked.push({ request, listener });
  }
  cancel(): void {
    this.asked.pop();
  }
  dispose(): void {
    this.asked.length = 0;
  }
  get last(): { readonly request: RunRequest; readonly listener: RunListener } {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error("nothing was asked");
    return last;
  }
}

export function meta(cpus = 4): RunMeta {
  return {
    slug: "rt-pull-herd",
    seed: 7,
    duration_ns: 1_000_000,
    cpus,
    package_size: 10,
    tasks: [
      {
        name: "cyclictest.0",
        kind: "cyclictest",
        policy: "SCHED_FIFO",
        priority: 95,
        cpus: "0",
        group: 0,
      },
    ],
    groups: [],
    kernel: "6.12",
    own_switches: [],
    locks: ["rq 0"],
    series: [],
    objects: [],
    knobs: [{ path: "machine.cpus", value: cpus, origin: "stated" }],
    costs: [],
    notes: [],
    unavailable: [],
    live: [],
    replay: "schedscope run rt-pull-herd",
  };
}

const NO_IPIS = {
  sent: 0,
  delivered: 0,
  coalesced: 0,
  in_flight: 0,
  elided_polling: 0,
  elided_list: 0,
  elided_set: 0,
};
const NOTHING_ELSE = {
  ipi: {
    reschedule: NO_IPIS,
    call_function: NO_IPIS,
    rto_push: { sent: 0, max_in_flight: 0, self_sent: 0 },
  },
  latency: {},
  resched: { now_set: 0, lazy_set: 0, lazy_upgraded: 0 },
  sched: { context_switches: 0, migrations: 0, pushes: 0, pulls: 0, ticks: 0 },
  tasks: {},
  wakeups: { local: 0, remote_direct: 0, wake_list: 0, still_queued: 0 },
};

export function report(maxWaiters: number): RunReport {
  const rq_lock = {
    acquisitions: 10,
    contended: 5,
    max_waiters: maxWaiters,
    wait_ns: 100,
    irq_off_max_ns: 9,
    pull_remote_acquisitions: 0,
  };
  return {
    schema: "schedscope.run/1",
    scenario: "rt-pull-herd",
    seed: 7,
    engine: "0.1.0",
    engine_behaviour: "0123abcd",
    digest: "1-ab",
    simulated_ns: 1_000_000,
    records: 3,
    complete: true,
    config: { "machine.cpus": 4 },
    metrics: { rq_lock, ...NOTHING_ELSE },
    findings: [],
  };
}

export const NO_ROWS = {
  time: new Float64Array(0),
  kind: new Uint8Array(0),
  cpu: new Uint16Array(0),
  a: new Uint32Array(0),
  b: new Uint32Array(0),
};
export const NO_WAKES = {
  task: new Uint32Array(0),
  nth: new Uint32Array(0),
  cpu: new Uint16Array(0),
  due: new Float64Array(0),
  latency: new Float64Array(0),
  segmentsEnd: new Uint32Array(0),
  segmentCause: new Uint8Array(0),
  segmentNs: new Uint32Array(0),
};

export function page(entry: ScenarioEntry = HERD): {
  readonly store: Store;
  readonly engines: Readonly<Record<Side, FakeEngine>>;
  readonly finish: (side: Side, depth: number) => void;
  /** Lets `ms` milliseconds pass. */
  readonly pass: (ms: number) => void;
} {
  const store = makeStore(initialState(entry, "dark"));
  const engines = perSide(() => new FakeEngine());
  let now = 0;
  startRunner(store, engines, { ...AT_ONCE, now: () => now });
  const pass = (ms: number): void => void (now += ms);
  const finish = (side: Side, depth: number): void => {
    const { listener } = engines[side].last;
    listener.onMeta(meta());
    listener.onChunk(
      { simulatedNs: 1_000_000, shareDone: 5_000 },
      NO_ROWS,
      NO_WAKES,
      () => undefined,
    );
    listener.onFinished(report(depth), undefined);
  };
  return { store, engines, finish, pass };
}

export const setKnob = (
  store: Store,
  where: "both" | Side,
  path: string,
  value: string | number,
  settled = true,
): void => store.dispatch({ type: "knob_set", where, path, value, settled });
