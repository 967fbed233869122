// A shipped scenario as the page opens it, with both runs done: the page's own state, and the
// engine in this process.

import { readFileSync } from "node:fs";
import { KNOBS } from "../../src/engine/gen/knobs.ts";
import type { ScenarioEntry } from "../../src/engine/gen/types.ts";
import { initSync as initEngine } from "../../src/engine/wasm/engine.js";
import { initSync as initReader } from "../../src/engine/wasm/reader.js";
import { openContent } from "../../src/state/link/link-state.ts";
import { AT_ONCE } from "../../src/effects/runs/feeder.ts";
import { startRunner } from "../../src/effects/runs/runner.ts";
import { BenchClient } from "../../src/testing/real-runs.ts";
import { perSide, SIDES } from "../../src/scenario/sides.ts";
import { initialState, type State } from "../../src/state/shape/state.ts";
import { makeStore } from "../../src/state/store.ts";
import { entryInWords } from "../../src/scenario/engine-texts.ts";

/** Loads both built modules; once, before anything is opened. `folder`: where they lie. */
export function loadModules(folder: string): void {
  initEngine({ module: readFileSync(`${folder}/engine_bg.wasm`) });
  initReader({ module: readFileSync(`${folder}/reader_bg.wasm`) });
}

/** The state of the scenario's page when its runs are done and nothing has been touched. */
export function openedState(scenario: ScenarioEntry): State {
  const entry = entryInWords(scenario);
  const store = makeStore(initialState(entry, "dark"));
  const content = {
    slug: entry.slug,
    scenario: undefined,
    both: [],
    a: [],
    b: [],
    view: {},
    unknown: [],
  };
  store.dispatch({ type: "opened", route: "preset", opened: openContent(content, entry, KNOBS) });
  const clients = perSide(() => new BenchClient());
  startRunner(store, clients, AT_ONCE);
  for (const side of SIDES) clients[side].work();
  const state = store.getState();
  for (const side of SIDES)
    if (state.sides[side].shown?.report === undefined)
      throw new Error(`${entry.slug}: side ${side} did not come to its end`);
  return state;
}
