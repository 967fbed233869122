// The stage as another page uses it, whole: one run, and what the viewer does to the window. Not
// part of the site; e2e/stage.spec.ts draws it.

import { useState, type ReactNode } from "react";
import type { TraceStore } from "../model/index.ts";
import { Stage, type StageEvent, type StageView } from "./index.ts";

const FIRST: StageView = {
  domainNs: 1e6,
  viewport: { fromNs: 0, toNs: 1e6 },
  playheadNs: 0,
  playing: false,
  focus: "a",
  layout: "stacked",
  lock: "deepest",
  aboutLocks: true,
  area: undefined,
  drag: "area",
  markers: {},
  lanes: "",
};

/** The view after an event: what this page keeps of it. */
function after(view: StageView, event: StageEvent): StageView {
  if (event.type === "window") return { ...view, viewport: event.viewport };
  return event.type === "playhead" ? { ...view, playheadNs: event.ns } : view;
}

export function Example({ trace }: { readonly trace: TraceStore }): ReactNode {
  const [view, setView] = useState(FIRST);
  return (
    <Stage
      sides={[
        {
          id: "a",
          label: "pull",
          trace,
          version: trace.version,
          selection: undefined,
          running: false,
        },
      ]}
      view={view}
      theme="dark"
      caption="CPU 1 spins for a lock"
      empty="No run yet."
      onEvent={(event) => setView(after(view, event))}
    />
  );
}
