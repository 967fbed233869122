// What the module of texts answers to the page's messages; it knows no worker.

import type { AnswerObject, ReadObject, TextForm } from "./paste-object.ts";
import type { FromPasteWorker, ToPasteWorker } from "./paste-protocol.ts";
import { forms, initSync, Pasted } from "./wasm/paste.js";

export class PasteDesk {
  /** The text that was read last. */
  #pasted: Pasted | undefined;

  /** Throws where the module is at fault; it must not be used afterwards. */
  answer(message: ToPasteWorker): FromPasteWorker {
    switch (message.type) {
      case "init":
        initSync({ module: message.module });
        return { type: "forms", forms: JSON.parse(forms()) as readonly TextForm[] };
      case "read":
        return this.#known(() => {
          this.#pasted?.free();
          this.#pasted = undefined;
          const { boundUs, burstUs } = message.wish;
          this.#pasted = new Pasted(message.text, boundUs, burstUs);
        }, false);
      case "fit":
        return this.#known(() => undefined);
      case "hear":
        return this.#known(() => {
          if (this.#pasted?.hear(message.metrics) !== true)
            throw new Error("The run does not have the group’s figures.");
        });
      case "ask":
        return this.#known(() => this.#pasted?.ask());
    }
  }

  /** What is known after `step`; `goesOn`: with the run that is needed next. */
  #known(step: () => void, goesOn = true): FromPasteWorker {
    try {
      step();
    } catch (error) {
      // The module throws its sentences as text; an Error is a fault.
      if (typeof error === "string") return { type: "refused", why: error };
      throw error;
    }
    if (this.#pasted === undefined) return { type: "refused", why: "There is no text." };
    const next = goesOn ? this.#pasted.nextRun() : undefined;
    const answer = this.#pasted.answer();
    return {
      type: "known",
      read: JSON.parse(this.#pasted.read()) as ReadObject,
      answer: answer === undefined ? undefined : (JSON.parse(answer) as AnswerObject),
      next,
    };
  }
}
