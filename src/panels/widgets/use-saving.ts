// One file at a time on its way out of the page: how far it is, what became of it, and its end when
// a person cancels it or closes the window.

import { useEffect, useRef, useState } from "react";

/** How far a file is, in words; without `of` nothing is known of how long it takes. */
export interface Progress {
  readonly words: string;
  readonly done?: number;
  readonly of?: number;
}

/** What became of the file that a person asked for last. */
export type Outcome =
  | { readonly kind: "done"; readonly words: string }
  | { readonly kind: "failed"; readonly what: string; readonly why: string }
  | { readonly kind: "making"; readonly progress: Progress }
  | { readonly kind: "stopped" };

/** What the maker of a file hears and says. */
export interface Work {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

type Make = (work: Work) => Promise<string>;

export interface Saving {
  readonly outcome: Outcome | undefined;
  readonly busy: boolean;
  /**
   * `make` answers what became of the file, in words, or throws why nothing did; `failed` says in
   * words what then did not happen.
   */
  readonly start: (make: Make, failed?: string) => void;
  readonly cancel: () => void;
}

export function useSaving(): Saving {
  const [outcome, setOutcome] = useState<Outcome>();
  const making = useRef<AbortController>(undefined);
  useEffect(() => () => making.current?.abort(), []);
  const start = async (make: Make, what = "The file could not be made"): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    making.current = controller;
    const onProgress = (progress: Progress): void => {
      if (!signal.aborted) setOutcome({ kind: "making", progress });
    };
    try {
      setOutcome({ kind: "done", words: await make({ signal, onProgress }) });
    } catch (error) {
      setOutcome(signal.aborted ? { kind: "stopped" } : { kind: "failed", what, why: said(error) });
    }
  };
  return {
    outcome,
    busy: outcome?.kind === "making",
    start: (make, failed) => void start(make, failed),
    cancel: () => making.current?.abort(),
  };
}

/** The writers of wasm throw their sentence as it is. */
function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `note` says what a person does not expect of the file. */
export function savedWords(file: string, note = ""): string {
  return `Saved as ${file}. ${note}`;
}
