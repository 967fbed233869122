// Fetches what computes the third and fourth run when there is one to compute.

import { createEngineClient } from "../../engine/client.ts";
import { isPending, stripRequest } from "../../state/compare/strips.ts";
import type { Turns } from "../runs/feeder.ts";
import type { KeptRuns } from "../runs/finished-runs.ts";
import type { Store } from "../../state/store.ts";

export function keepStrips(store: Store, turns: Turns, kept: KeptRuns): void {
  let asked = false;
  const look = (): void => {
    if (asked || !store.getState().strips.some((strip) => isPending(store.getState(), strip)))
      return;
    asked = true;
    import("./strip-runner.ts").then(
      ({ startStripRunner }) => {
        unsubscribe();
        startStripRunner(store, createEngineClient, turns, kept);
      },
      () => {
        for (const strip of store.getState().strips) {
          const request = stripRequest(store.getState(), strip);
          if (request === undefined) continue;
          store.dispatch({
            type: "strip_advanced",
            asked: request,
            status: {
              kind: "fault",
              message: "A part of the page could not be loaded.",
              replay: "",
              blame: "network",
            },
          });
        }
        asked = false; // The network may be back by the next change.
      },
    );
  };
  const unsubscribe = store.subscribe(look);
  look();
}
