// The editor's life: it starts from what was kept, hears every change, asks the reader what it says
// of it, and is kept when it goes.

import { EditorView } from "@codemirror/view";
import { useEffect, useRef, useState, type RefObject } from "react";
import type { ScenarioEntry, ScenarioError } from "../../engine/gen/types.ts";
import { errorText } from "../widgets/ScenarioRefused.tsx";
import { createChecker, type Answer, type Checker } from "./check.ts";
import { extensionsFor, showError } from "./code.ts";
import { forget, keep, restore } from "./editor-storage.ts";

/** A pause in typing this long has the text read. */
const PAUSE_MS = 250;

export interface Code {
  readonly view: EditorView | undefined;
  readonly text: string;
  /** What the reader says of `text`; undefined while it reads. */
  readonly answer: Answer | undefined;
  /** Reads the current text. */
  readonly read: () => Promise<Answer>;
  /** The text has become the scenario that runs. */
  readonly ran: (slug: string) => void;
}

/** What the reader refuses, if that is what it says. */
export function errorOf(answer: Answer | undefined): ScenarioError | undefined {
  return answer?.kind === "refused" ? answer.error : undefined;
}

/**
 * A shadow tree for the editor: only there its library styles itself with constructed sheets; in a
 * document it writes a style element, which the content security policy refuses.
 */
function parentOf(host: HTMLElement | null): { readonly parent?: ShadowRoot } {
  return host === null ? {} : { parent: host.shadowRoot ?? host.attachShadow({ mode: "open" }) };
}

/** `host`: the element the editor is put into. */
export function useCode(
  entry: ScenarioEntry,
  root: string,
  host: RefObject<HTMLDivElement | null>,
): Code {
  const [view, setView] = useState<EditorView>();
  const [text, setText] = useState(entry.text);
  const [said, setSaid] = useState<{ readonly text: string; readonly answer: Answer }>();
  const kept = useRef({ slug: entry.slug, base: entry.text });
  const checker = useRef<Checker>(undefined);

  useEffect(() => {
    const { slug, base } = kept.current;
    const changed = (here: EditorView): void => {
      setText(here.state.doc.toString());
      keep(root, kept.current.slug, kept.current.base, here.state);
    };
    const state = restore(root, slug, base, {
      extensions: extensionsFor({ changed, label: "Scenario text" }),
    });
    const made = new EditorView({ state, ...parentOf(host.current) });
    const asked = createChecker();
    checker.current = asked;
    setView(made);
    setText(made.state.doc.toString());
    const leave = (): void => {
      // A field of the form writes what was typed when it is left.
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      keep(root, kept.current.slug, kept.current.base, made.state);
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
      made.destroy();
      asked.dispose();
    };
  }, [root, host]);

  const read = async (): Promise<Answer> => {
    const now = view?.state.doc.toString() ?? text;
    const answer = (await checker.current?.check(now)) ?? { kind: "stale" };
    if (answer.kind !== "stale") setSaid({ text: now, answer });
    return answer;
  };
  useEffect(() => {
    if (view === undefined) return undefined;
    let wanted = true;
    const timer = setTimeout(() => {
      void checker.current?.check(text).then((answer) => {
        if (!wanted || answer.kind === "stale") return;
        setSaid({ text, answer });
        const error = errorOf(answer);
        showError(view, error, error === undefined ? "" : errorText(error));
      });
    }, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [view, text]);

  const ran = (slug: string): void => {
    forget(root, kept.current.slug);
    kept.current = { slug, base: view?.state.doc.toString() ?? text };
  };
  return { view, text, answer: said?.text === text ? said.answer : undefined, read, ran };
}
