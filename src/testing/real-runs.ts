// For tests, and for pictures drawn under Node: pages with the real engine behind them, without
// workers, and all that can be seen of a run.

import type { EngineClient, FromWorker, RunListener, RunRequest } from "../engine/protocol.ts";
import { DriverOnBench } from "../engine/testing.ts";
import type { TraceStore } from "../model/index.ts";
import type { Side } from "../scenario/sides.ts";
import type { State } from "../state/shape/state.ts";

/** An engine without a worker; it computes when it is asked to. */
export class BenchClient implements EngineClient {
  readonly bench = new DriverOnBench(0);
  disposed = false;
  /** Where runs went on from, ns. */
  readonly resumed: number[] = [];
  /** Runs that were asked for. */
  get asked(): number {
    return this.#runs;
  }
  #runs = 0;
  #heard = 0;
  #listener: RunListener | undefined;

  start(request: RunRequest, listener: RunListener, pastNs?: number): void {
    this.#runs += 1;
    this.#listener = listener;
    this.bench.driver.handle({ type: "run", run: this.#runs, request, pastNs });
  }

  cancel(): void {
    this.bench.driver.handle({ type: "cancel", run: this.#runs });
  }

  dispose(): void {
    this.#listener = undefined;
    this.disposed = true;
  }

  /** Works `pieces` pieces, or until nothing is left, and passes on what the engine said. */
  work(pieces = Infinity): void {
    for (let piece = 0; piece < pieces && this.bench.step(); piece += 1) this.#report();
  }

  #report(): void {
    for (; this.#heard < this.bench.messages.length; this.#heard += 1) {
      const message = this.bench.messages[this.#heard];
      if (
        message !== undefined &&
        "run" in message &&
        message.run === this.#runs &&
        this.#listener !== undefined
      )
        this.#hear(message, this.#listener);
    }
  }

  #hear(message: FromWorker, listener: RunListener): void {
    if (message.type === "meta") listener.onMeta(message.meta);
    else if (message.type === "resumed") {
      this.resumed.push(message.fromNs);
      listener.onResumed?.(message.fromNs, message.rows);
    } else if (message.type === "chunk")
      listener.onChunk(message.reached, message.trace, message.wakes, () => undefined);
    else if (message.type === "finished") listener.onFinished(message.report, message.limit);
    else if (message.type === "scenario_error") listener.onScenarioError(message.error);
    else if (message.type === "fault") throw new Error(message.message);
  }
}

/** All that a picture or a table is made of. */
export function seen({ sides }: State, side: Side = "a"): unknown {
  const { shown } = sides[side];
  if (shown === undefined) throw new Error("nothing is shown");
  const { trace, report, meta } = shown;
  return { report, tasks: meta.tasks, ...columnsOf(trace), ...indexesOf(trace) };
}

function columnsOf({ events, lanes, wakes, rows, endNs }: TraceStore) {
  const columns = Object.values({ ...events.chunk(0, events.count) }).map((column) => [...column]);
  const slices = lanes.map((lane) =>
    [lane.starts, lane.states, lane.tasks].map(({ data, length }) => [...data.subarray(0, length)]),
  );
  return {
    rows,
    endNs,
    columns,
    slices,
    wakes: Array.from({ length: wakes.count }, (_, row) => wakes.record(row)),
  };
}

function indexesOf(trace: TraceStore) {
  const { endNs, lanes, flags, waits, quota, density, wakes, locks } = trace;
  const waiting: number[][] = [];
  waits.visit(0, endNs, endNs, (...wait) => waiting.push(wait));
  const [from, to] = [endNs * 0.3, endNs * 0.61];
  const sums = lanes.map((lane) => [
    ...lane.windowNs(from, to, endNs),
    ...sampled(trace, lane.cpu),
  ]);
  const deepest = locks.deepest();
  return {
    waiting,
    sums,
    flags: flags.list(0, endNs, endNs),
    density: [...density.profile(endNs, 50)],
    worst: wakes.worst(100),
    deepest,
    used: quota.limited.map((group) =>
      [10, 40, 90].map((percent) => group.usedAt((endNs * percent) / 100)),
    ),
  };
}

function sampled(trace: TraceStore, cpu: number): readonly number[] {
  const out = new Float32Array(64 * 40);
  trace.lanes[cpu]?.sample(0, trace.endNs, 40, trace.endNs, out);
  return [...out];
}
