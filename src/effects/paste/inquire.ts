// Reads a pasted text and makes the runs that find the program behind its counters, then those that
// answer the questions: one after the other, since each decides what the next is.

import { createEngineClient } from "../../engine/client.ts";
import { openPasteReader, type PasteReader } from "../../engine/paste.ts";
import type { AnswerObject, ReadObject } from "../../engine/paste-object.ts";
import type { Known, Wish } from "../../engine/paste-protocol.ts";
import type { EngineClient } from "../../engine/protocol.ts";
import { messageOf } from "../../engine/wasm-module.ts";
import { OWN_SLUG } from "../../scenario/viewer-scenario.ts";
import { MAX_RECORDS } from "../../state/select/selectors.ts";

/** What is known of a text by now. */
export interface Found {
  /** `fitting`: runs look for the program. `asking`: runs answer the questions. */
  readonly stage: "fitting" | "asking" | "over";
  readonly read: ReadObject;
  readonly answer: AnswerObject | undefined;
  /** Runs that were made. */
  readonly runs: number;
  /** Why runs gave no answer; "" where nothing is wrong. */
  readonly problem: string;
}

export interface InquiryListener {
  readonly onFound: (found: Found) => void;
  /** The text is not read: why. */
  readonly onRefused: (why: string) => void;
}

/** What a test gives in place of workers. */
export interface Tools {
  readonly open: () => Promise<PasteReader>;
  readonly engine: () => EngineClient;
  /** Resolves when nothing was typed for a moment. */
  readonly pause: () => Promise<void>;
}

const PAUSE_MS = 250;

const WORKERS: Tools = {
  open: openPasteReader,
  engine: createEngineClient,
  pause: async () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
};

/** Starts; the returned function ends it, and nothing is heard of it afterwards. */
export function inquire(
  text: string,
  wish: Wish,
  listener: InquiryListener,
  tools: Tools = WORKERS,
): () => void {
  const ended = new AbortController();
  void new Inquiry(text, wish, listener, tools, ended.signal).go();
  return () => ended.abort();
}

class Inquiry {
  readonly #text: string;
  readonly #wish: Wish;
  readonly #listener: InquiryListener;
  readonly #tools: Tools;
  readonly #ended: AbortSignal;
  #engine: EngineClient | undefined;
  #runs = 0;

  constructor(
    text: string,
    wish: Wish,
    listener: InquiryListener,
    tools: Tools,
    ended: AbortSignal,
  ) {
    this.#text = text;
    this.#wish = wish;
    this.#listener = listener;
    this.#tools = tools;
    this.#ended = ended;
    ended.addEventListener("abort", () => this.#engine?.dispose());
  }

  async go(): Promise<void> {
    try {
      const reader = await this.#tools.open();
      if (this.#isOver()) return;
      const known = await reader.read(this.#text, this.#wish);
      await this.#answer(reader, known);
    } catch (error) {
      if (!this.#isOver()) this.#listener.onRefused(messageOf(error));
    } finally {
      this.#engine?.dispose();
    }
  }

  /** What is known when runs fail is still said. */
  async #answer(reader: PasteReader, read: Known): Promise<void> {
    let known = read;
    try {
      if (read.read.is_throttled) {
        this.#say("fitting", known);
        // A viewer who types on asks for another text by then.
        await this.#tools.pause();
        if (this.#isOver()) return;
        known = await this.#makeRuns("fitting", reader, await reader.fit());
        if (!this.#isOver() && canAnswer(known))
          known = await this.#makeRuns("asking", reader, await reader.ask());
      }
      this.#say("over", known);
    } catch (error) {
      this.#say("over", known, messageOf(error));
    }
  }

  /** What is known when no run is needed any more. */
  async #makeRuns(stage: Found["stage"], reader: PasteReader, from: Known): Promise<Known> {
    let known = from;
    while (!this.#isOver() && known.next !== undefined) {
      this.#say(stage, known);
      this.#engine ??= this.#tools.engine();
      const metrics = await metricsOf(this.#engine, known.next);
      if (this.#isOver()) break;
      this.#runs += 1;
      known = await reader.hear(metrics);
    }
    return known;
  }

  #isOver(): boolean {
    return this.#ended.aborted;
  }

  #say(stage: Found["stage"], { read, answer }: Known, problem = ""): void {
    if (!this.#isOver()) this.#listener.onFound({ stage, read, answer, runs: this.#runs, problem });
  }
}

/** Whether a program was found that counts the same, so that settings can be tried on it. */
function canAnswer({ read: { fit } }: Known): boolean {
  return fit !== null && fit.limit !== null && (fit.program?.off ?? Infinity) <= 1;
}

/** The metrics of the run of a scenario, as JSON. Rejects with a sentence where it has none. */
async function metricsOf(engine: EngineClient, text: string): Promise<string> {
  const request = {
    slug: OWN_SLUG,
    text,
    set: [],
    changes: [],
    maxRecords: MAX_RECORDS,
    trace: "none",
  } as const;
  return new Promise((resolve, reject) => {
    engine.start(request, {
      onMeta: () => undefined,
      onChunk: (_ns, _trace, _wakes, taken) => taken(),
      onFinished: ({ metrics }, limit) => {
        if (limit === undefined) resolve(JSON.stringify(metrics, withoutLists));
        else reject(new Error(`A run met its limit (${limit}).`));
      },
      onScenarioError: ({ message }) => reject(new Error(`A run was refused: ${message}`)),
      onFault: (message) => reject(new Error(message)),
    });
  });
}

/** No figure lies in the lists of activations. */
function withoutLists(key: string, value: unknown): unknown {
  return key === "activations" ? undefined : value;
}
