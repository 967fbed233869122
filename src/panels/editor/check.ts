// Asks the reader of scenarios what it says of a text, without running it: in a worker of its own,
// so that no text, however hostile, can keep the page, and behind the same client that replaces a
// worker which falls silent.

import { createEngineClient } from "../../engine/client.ts";
import type { ScenarioError } from "../../engine/gen/types.ts";
import { FILE_BYTES_MAX, OWN_SLUG } from "../../scenario/viewer-scenario.ts";

export type Answer =
  | { readonly kind: "fine" }
  | { readonly kind: "refused"; readonly error: ScenarioError }
  /** The check failed before the reader of scenarios answered; `message` says why. */
  | { readonly kind: "unread"; readonly message: string }
  /** Another text was asked about meanwhile. */
  | { readonly kind: "stale" };

export interface Checker {
  /** Only the latest question is answered. */
  check(text: string): Promise<Answer>;
  dispose(): void;
}

export function createChecker(): Checker {
  const client = createEngineClient();
  let settle: (answer: Answer) => void = () => undefined;
  const check = (text: string): Promise<Answer> => {
    settle({ kind: "stale" });
    const answer = new Promise<Answer>((resolve) => (settle = resolve));
    if (new Blob([text]).size > FILE_BYTES_MAX) {
      settle({ kind: "unread", message: "This text is over 1 MB: it is kept here, but not run." });
      return answer;
    }
    const answerWith = settle;
    // The engine reads the text before it runs it: meta data proves that the text was read, and the
    // run has not begun by then.
    client.start(
      { slug: OWN_SLUG, text, set: [], maxRecords: 1, trace: "none" },
      {
        onMeta: () => {
          client.cancel();
          answerWith({ kind: "fine" });
        },
        onChunk: (_reached, _trace, _wakes, taken) => taken(),
        onFinished: () => answerWith({ kind: "fine" }),
        onScenarioError: (error) => answerWith({ kind: "refused", error }),
        onFault: (message) => answerWith({ kind: "unread", message }),
      },
    );
    return answer;
  };
  return { check, dispose: () => client.dispose() };
}
