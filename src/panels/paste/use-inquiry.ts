// What is known of the text in the box, while its runs are made.

import { useEffect, useState } from "react";
import { openPasteReader } from "../../engine/paste.ts";
import type { TextForm } from "../../engine/paste-object.ts";
import type { Wish } from "../../engine/paste-protocol.ts";
import { messageOf } from "../../engine/wasm-module.ts";
import { inquire, type Found } from "../../effects/paste/inquire.ts";

export type Inquiry = Known & {
  /** Whether it is about the text as it is now, and not as it was a moment ago. */
  readonly isCurrent: boolean;
};

type Known =
  | { readonly kind: "empty" }
  /** Nothing is known yet. */
  | { readonly kind: "reading" }
  /** No line says anything. */
  | { readonly kind: "unknown"; readonly found: Found }
  | { readonly kind: "understood"; readonly found: Found }
  /** Why the text is not read. */
  | { readonly kind: "refused"; readonly why: string };

interface Heard {
  readonly text: string;
  readonly wish: Wish;
  readonly known: Known;
}

/** What was known last is shown until more is known. */
export function useInquiry(text: string, wish: Wish): Inquiry {
  const [heard, setHeard] = useState<Heard>();
  const isEmpty = text.trim() === "";
  useEffect(() => {
    const hear = (known: Known): void => setHeard({ text, wish, known });
    if (isEmpty) {
      setHeard(undefined);
      return undefined;
    }
    return inquire(text, wish, {
      onFound: (found) => hear({ kind: isUnknown(found) ? "unknown" : "understood", found }),
      onRefused: (why) => hear({ kind: "refused", why }),
    });
  }, [text, isEmpty, wish]);
  if (isEmpty) return { kind: "empty", isCurrent: true };
  if (heard === undefined) return { kind: "reading", isCurrent: false };
  return { ...heard.known, isCurrent: heard.text === text && heard.wish === wish };
}

function isUnknown({ read: { says, doubts, asks, scenario_text } }: Found): boolean {
  return scenario_text === null && says.length + doubts.length + asks.length === 0;
}

/** The forms of text that are read, when they have come; or why they do not. */
export function useForms(): readonly TextForm[] | string {
  const [forms, setForms] = useState<readonly TextForm[] | string>([]);
  useEffect(() => {
    let wanted = true;
    openPasteReader().then(
      (reader) => wanted && setForms(reader.forms),
      (error: unknown) => wanted && setForms(messageOf(error)),
    );
    return () => {
      wanted = false;
    };
  }, []);
  return forms;
}
