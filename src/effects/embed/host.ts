// What an embed does for the page around it: it follows what that page asks, and reports its steps.

import { stepsOf } from "../../scenario/step.ts";
import type { State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";
import { readMessage, sendToHost } from "./messages.ts";

/** Does what the page around asks for, from now on; returns the function that ends it. */
export function obeyHost(store: Store): () => void {
  const listen = ({ data, source }: MessageEvent<unknown>): void => {
    const asked = source === window.parent ? readMessage(data) : undefined;
    switch (asked?.ask) {
      case "step":
        return store.dispatch({ type: "step_opened", index: asked.n - 1 });
      case "theme":
        return store.dispatch({ type: "theme_set", theme: asked.theme });
      case "size":
        document.documentElement.style.setProperty("--scale", String(asked.scale));
        return;
      case "steps":
        return sendSteps(store.getState());
      case undefined:
    }
  };
  window.addEventListener("message", listen);
  return () => window.removeEventListener("message", listen);
}

/**
 * Reports the current step and the number of steps now and at every change; returns the function
 * that ends it.
 */
export function reportSteps(store: Store): () => void {
  sendSteps(store.getState());
  return store.subscribe((state, previous) => {
    if (state.step.index !== previous.step.index || state.entry !== previous.entry)
      sendSteps(state);
  });
}

function sendSteps({ entry, step }: State): void {
  // 0: no step is current.
  sendToHost({ schedscope: "steps", count: stepsOf(entry).length, at: (step.index ?? -1) + 1 });
}
