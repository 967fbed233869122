// Many runs whose reports alone are wanted, on as many workers as the machine has processors to
// spare. Answers come in any order.

import { createEngineClient } from "./client.ts";
import type { RunReport, ScenarioError } from "./gen/types.ts";
import type { EngineClient, RunListener, RunRequest } from "./protocol.ts";

export type BatchAnswer =
  | { readonly kind: "report"; readonly report: RunReport; readonly limit: string | undefined }
  | { readonly kind: "refused"; readonly error: ScenarioError }
  | { readonly kind: "fault"; readonly message: string };

export interface Batch {
  /** Resolves when every run has answered, or when `cancel` was called. */
  readonly done: Promise<void>;
  /** Ends the workers; runs under way give no answer. */
  cancel(): void;
}

/**
 * One worker for each processor but one, which draws the page; at most 16, for each holds an engine
 * of its own, tens of MB at 1024 CPUs.
 */
export function batchWorkers(processors: number = navigator.hardwareConcurrency): number {
  return Math.min(16, Math.max(1, processors - 1));
}

/** Runs all of `requests`; `answer` hears of each by its index. `make`: where engines come from. */
export function runBatch(
  requests: readonly RunRequest[],
  answer: (index: number, answer: BatchAnswer) => void,
  workers: number = batchWorkers(),
  make: () => EngineClient = createEngineClient,
): Batch {
  const clients: EngineClient[] = [];
  let next = 0;
  let open = 0;
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const close = (): void => {
    next = requests.length;
    clients.forEach((client) => client.dispose());
    finish();
  };
  const feed = (client: EngineClient): void => {
    const index = next;
    const request = requests[index];
    if (request === undefined) {
      if (open === 0) close();
      return;
    }
    next += 1;
    open += 1;
    client.start(
      request,
      listen((heard) => {
        open -= 1;
        answer(index, heard);
        feed(client);
      }),
    );
  };
  if (requests.length === 0) close();
  for (let at = 0; at < Math.min(workers, requests.length); at += 1) {
    const client = make();
    clients.push(client);
    feed(client);
  }
  return { done, cancel: close };
}

function listen(heard: (answer: BatchAnswer) => void): RunListener {
  return {
    onMeta: () => undefined,
    onChunk: (_ns, _trace, _wakes, taken) => taken(),
    onFinished: (report, limit) => heard({ kind: "report", report, limit }),
    onScenarioError: (error) => heard({ kind: "refused", error }),
    onFault: (message) => heard({ kind: "fault", message }),
  };
}
