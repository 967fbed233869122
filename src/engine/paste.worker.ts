// Reads pasted texts beside the page, so that no text can stop it. The module arrives compiled.

import { PasteDesk } from "./paste-desk.ts";
import type { FromPasteWorker, ToPasteWorker } from "./paste-protocol.ts";

/**
 * What this file uses of a dedicated worker's global object; TypeScript's DOM library describes a
 * window's.
 */
interface WorkerScope {
  postMessage(message: FromPasteWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToPasteWorker>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const desk = new PasteDesk();

scope.addEventListener("message", ({ data }) => scope.postMessage(desk.answer(data)));
