// The page's handle on the worker that reads pasted texts. Module and worker come when a text is
// first pasted, and stay.

import type { TextForm } from "./paste-object.ts";
import type { FromPasteWorker, Known, ToPasteWorker, Wish } from "./paste-protocol.ts";
import workerUrl from "./paste.worker.ts?worker&url";
import pasteUrl from "./wasm/paste_bg.wasm?url";
import { WasmModule } from "./wasm-module.ts";
import { workersOf } from "./worker-start.ts";

/** Rejects with a sentence where a text is not read or has no answer. */
export interface PasteReader {
  /** The forms of text that are read. */
  readonly forms: readonly TextForm[];
  /** Another text takes the place of the one before it. */
  read(text: string, wish: Wish): Promise<Known>;
  /** Begins to look for the program behind the counters. */
  fit(): Promise<Known>;
  /** `metrics`: of the report of the run that was needed last, as JSON. */
  hear(metrics: string): Promise<Known>;
  /** Begins with the questions. */
  ask(): Promise<Known>;
}

const pasteModule = new WasmModule(pasteUrl, "the reader of texts");
const startPasteWorker = workersOf("schedscope-paste", workerUrl);

/** Fetches the module, so that it is there when a text comes. Fails where it cannot be fetched. */
export async function openPasteReader(): Promise<PasteReader> {
  opened ??= openWorker().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

let opened: Promise<PasteReader> | undefined;

/** The reader whose questions `ask` answers. */
export function readerOf(
  forms: readonly TextForm[],
  ask: (message: ToPasteWorker) => Promise<FromPasteWorker>,
): PasteReader {
  const known = async (message: ToPasteWorker): Promise<Known> => {
    const answer = await ask(message);
    if (answer.type === "known") return answer;
    throw new Error(answer.type === "refused" ? answer.why : "The reader of texts is out of step.");
  };
  return {
    forms,
    read: async (text, wish) => known({ type: "read", text, wish }),
    fit: async () => known({ type: "fit" }),
    hear: async (metrics) => known({ type: "hear", metrics }),
    ask: async () => known({ type: "ask" }),
  };
}

interface Waiting {
  readonly resolve: (answer: FromPasteWorker) => void;
  readonly reject: (error: Error) => void;
}

async function openWorker(): Promise<PasteReader> {
  const module = await pasteModule.get();
  const worker = startPasteWorker();
  const waiting: Waiting[] = [];
  worker.addEventListener("message", ({ data }: MessageEvent<FromPasteWorker>) =>
    waiting.shift()?.resolve(data),
  );
  worker.addEventListener("error", ({ message }) => {
    // It must not be used afterwards: the next text gets a new one.
    opened = undefined;
    worker.terminate();
    for (const { reject } of waiting.splice(0))
      reject(new Error(`The reader of texts failed: ${message}`));
  });
  const ask = async (message: ToPasteWorker): Promise<FromPasteWorker> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker.postMessage(message);
    });
  const first = await ask({ type: "init", module });
  return readerOf(first.type === "forms" ? first.forms : [], ask);
}
