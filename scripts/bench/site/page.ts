// The engine in a browser without the product's page: digests and rates are read here through
// `window.engine`.

import { createEngineClient } from "../../../src/engine/client.ts";
import { KIND } from "../../../src/engine/gen/catalogue.ts";
import type { RunRequest } from "../../../src/engine/protocol.ts";

/** What one run in this browser gave. Times are wall time from the request to the report. */
interface Outcome {
  readonly digest: string;
  readonly records: number;
  /** Stretches of one state of one CPU: what a lane shows. */
  readonly slices: number;
  readonly simulatedNs: number;
  readonly wakeUps: number;
  readonly wallMs: number;
}

declare global {
  interface Window {
    engine: { run(request: RunRequest): Promise<Outcome> };
  }
}

const client = createEngineClient();

function run(request: RunRequest): Promise<Outcome> {
  return new Promise((done, fail) => {
    const began = performance.now();
    let slices = 0;
    client.start(request, {
      onMeta: () => undefined,
      onChunk: (_ns, { kind }, _wakes, taken) => {
        for (const each of kind) if (each === KIND.CpuState) slices += 1;
        taken();
      },
      onFinished: (report) => {
        const kinds = Object.values(report.metrics.latency);
        done({
          digest: report.digest,
          records: report.records,
          slices,
          simulatedNs: report.simulated_ns,
          wakeUps: kinds.reduce((sum, kind) => sum + kind.count, 0),
          wallMs: performance.now() - began,
        });
      },
      onScenarioError: (error) => fail(new Error(`${error.path}: ${error.message}`)),
      onFault: (message) => fail(new Error(message)),
    });
  });
}

window.engine = { run };
