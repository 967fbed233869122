// Asks "Which change did it?": makes the runs that the bisector wants, stage by stage, on workers of
// their own. It stops when the state says that another question is asked, or none; what came by then
// is answered.

import { runBatch, type Batch, type BatchAnswer } from "../../engine/batch.ts";
import { openBisector, type Bisector, type NextRuns } from "../../engine/bisector.ts";
import type { KnobValue } from "../../engine/gen/types.ts";
import type { Change, RunRequest } from "../../engine/protocol.ts";
import { messageOf } from "../../engine/wasm-module.ts";
import { MAX_RECORDS } from "../../state/select/selectors.ts";
import type { WhichAsked, WhichFound } from "../../state/shape/which.ts";
import type { Store } from "../../state/store.ts";
import { unaskedPaths } from "../../state/which/open.ts";
import { eachFrame } from "./each-frame.ts";
import type { Runs } from "./search-run.ts";

/** `open`, `run`: what a test gives. */
export async function askWhich(
  store: Store,
  asked: WhichAsked,
  name: string,
  run: Runs = runBatch,
  open: typeof openBisector = openBisector,
): Promise<void> {
  store.dispatch({ type: "which_asked", asked });
  const { nth } = store.getState().asking;
  const goesOn = (): boolean => {
    const { asking } = store.getState();
    return asking.nth === nth && asking.running;
  };
  let bisector: Bisector | undefined;
  try {
    const { slug, text } = asked.entry;
    const { from, to, metric, seeds, most, common: set } = asked;
    const question = {
      slug,
      name,
      text,
      set,
      live: writesOf(asked),
      from,
      to,
      metric,
      seeds,
      most,
    };
    bisector = await open(question);
    const complete = await makeRuns(store, asked, bisector, goesOn, run);
    const found = foundBy(bisector, asked, complete);
    store.dispatch({ type: "which_found", nth, found });
    if (complete) store.dispatch({ type: "which_ended", nth });
  } catch (error) {
    store.dispatch({ type: "which_failed", nth, words: messageOf(error) });
  } finally {
    bisector?.free();
  }
}

/** Whether every run that the answer needs was made. */
async function makeRuns(
  store: Store,
  asked: WhichAsked,
  bisector: Bisector,
  goesOn: () => boolean,
  run: Runs,
): Promise<boolean> {
  const { nth } = store.getState().asking;
  const ran = eachFrame<undefined>(({ length }) =>
    store.dispatch({ type: "which_ran", nth, runs: length }),
  );
  for (let next = bisector.next(); next !== undefined; next = bisector.next()) {
    if (!goesOn()) return false;
    store.dispatch({ type: "which_stage", nth, stage: next.stage, runs: next.runs.length });
    const failed = await makeStage(
      store,
      asked,
      next,
      bisector,
      goesOn,
      () => ran.add(undefined),
      run,
    );
    ran.now();
    if (failed !== undefined) store.dispatch({ type: "which_failed", nth, words: failed });
    if (!goesOn()) return false;
    store.dispatch({ type: "which_found", nth, found: foundBy(bisector, asked, false) });
  }
  return true;
}

/** Makes the runs of a stage; why one of them has no answer. */
async function makeStage(
  store: Store,
  asked: WhichAsked,
  { runs }: NextRuns,
  bisector: Bisector,
  goesOn: () => boolean,
  onRun: () => void,
  run: Runs,
): Promise<string | undefined> {
  let failed: string | undefined;
  // A run may be heard before the batch has a name.
  const running: { batch?: Batch } = {};
  const hear = (place: number, heard: BatchAnswer): void => {
    onRun();
    const why = whyNone(heard);
    if (heard.kind === "report" && why === undefined) bisector.hear(place, heard.report);
    else {
      failed ??= why;
      running.batch?.cancel();
    }
  };
  const batch = run(requestsOf(asked, runs), hear);
  running.batch = batch;
  const unsubscribe = store.subscribe(() => {
    if (!goesOn()) batch.cancel();
  });
  await batch.done;
  unsubscribe();
  return failed;
}

function whyNone(heard: BatchAnswer): string | undefined {
  switch (heard.kind) {
    case "report":
      return heard.limit === undefined ? undefined : `A run met its limit (${heard.limit}).`;
    case "refused":
      return `A run was refused: ${heard.error.message}`;
    case "fault":
      return heard.message;
  }
}

function writesOf({ live }: WhichAsked): readonly Change[] {
  return live.map(({ atNs, path, value }) => [atNs, path, value] as const);
}

function requestsOf(asked: WhichAsked, runs: NextRuns["runs"]): readonly RunRequest[] {
  const { slug, text } = asked.entry;
  const changes = writesOf(asked);
  return runs.map((set) => ({ slug, text, set, changes, maxRecords: MAX_RECORDS, trace: "none" }));
}

function foundBy(bisector: Bisector, asked: WhichAsked, complete: boolean): WhichFound {
  const paths = unaskedPaths(asked);
  const own = ([0, 1] as const).map((release) =>
    Object.fromEntries(
      paths.flatMap((path): readonly (readonly [string, KnobValue])[] => {
        const value = bisector.value(release, path);
        return value === undefined ? [] : [[path, value]];
      }),
    ),
  );
  return { object: bisector.answer(complete), own };
}
