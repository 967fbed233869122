// Computes every variant of a scenario and keeps of each a small picture and its report: never its
// records.

import { createEngineClient } from "../../engine/client.ts";
import { batchWorkers, runBatch, type Batch, type BatchAnswer } from "../../engine/batch.ts";
import type { EngineClient, RunListener, RunRequest } from "../../engine/protocol.ts";
import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import type { Turns } from "../../effects/runs/feeder.ts";
import { Intake, type Hearing } from "../../effects/runs/intake.ts";
import { THEMES, type TimelineTheme } from "../../timeline/plot/timeline-theme.ts";
import type { ThemeName } from "../../timeline/index.ts";
import { pictureOf } from "./tile-picture.ts";

/** Runs in work at once: the page holds each worker's run while it draws the run. */
const AT_ONCE = 2;
export interface Tile {
  readonly picture: ImageData | undefined;
  readonly answer: BatchAnswer;
}

/**
 * `done` receives each request's tile by the index of the request. Records of a run after the
 * window are not taken in.
 */
export function drawAll(
  requests: readonly RunRequest[],
  window: Viewport,
  theme: ThemeName,
  turns: Turns,
  done: (index: number, tile: Tile) => void,
): Batch {
  const pictures = new Map<RunRequest, ImageData>();
  const make = (): EngineClient =>
    drawing(createEngineClient(), window, THEMES[theme], turns, (request, data) =>
      pictures.set(request, data),
    );
  const hear = (index: number, answer: BatchAnswer): void => {
    const request = requests[index];
    done(index, { picture: request === undefined ? undefined : pictures.get(request), answer });
  };
  return runBatch(requests, hear, Math.min(AT_ONCE, batchWorkers()), make);
}

/** An engine that draws each run before it passes the run's report on. */
function drawing(
  client: EngineClient,
  window: Viewport,
  theme: TimelineTheme,
  turns: Turns,
  drawn: (request: RunRequest, picture: ImageData) => void,
): EngineClient {
  let intake: Intake | undefined;
  const start = (request: RunRequest, listener: RunListener): void => {
    let trace: TraceStore | undefined;
    const hearing: Hearing = {
      onMeta: (meta, made) => {
        trace = made;
        listener.onMeta(meta);
      },
      onFinished: (report, limit) => {
        if (trace !== undefined) drawn(request, pictureOf(trace, window, theme));
        listener.onFinished(report, limit);
      },
      onScenarioError: (error) => listener.onScenarioError(error),
      onFault: (message, replay, blame) => listener.onFault(message, replay, blame),
    };
    intake = new Intake(request, turns, hearing, { untilNs: window.toNs });
    client.start(request, intake);
  };
  return {
    start,
    cancel: () => client.cancel(),
    dispose: () => {
      intake?.stop();
      client.dispose();
    },
  };
}
