// What the text in the field comes to, where it is in the language of a tool: what it says, and the
// way to the scenario. Fetched with the first letter typed; the reader of texts comes with the
// first text that is no sentence.

import { useEffect, useState, type ReactNode, type RefObject } from "react";
import { plainText } from "../../engine/plain.ts";
import { openPasteReader } from "../../engine/paste.ts";
import type { ReadObject } from "../../engine/paste-object.ts";
import { usePage } from "../page/page.ts";
import { openingOf, openUnderstood } from "../paste/open-understood.ts";
import { pasteText } from "../paste/page-pastes.ts";
import { Key } from "../widgets/Key.tsx";
import { isProse } from "./find-symptoms.ts";

/** Sentences shown here; the paste box has all. */
const SAID = 3;

interface ReadTextProps {
  readonly text: string;
  /** Called before the page goes elsewhere. */
  readonly onOpen: () => void;
  /** Holds what Ctrl+Enter does. */
  readonly enter: RefObject<(() => void) | undefined>;
}

export default function ReadText({ text, onOpen, enter }: ReadTextProps): ReactNode {
  const page = usePage();
  const read = useRead(text);
  const opening = read === undefined ? undefined : openingOf(read);
  const more = (): void => {
    onOpen();
    pasteText(text);
  };
  // A program has to be found first for what was counted: the box makes the runs.
  const mustRun = read?.is_throttled === true;
  const open = (): void => {
    if (opening === undefined || mustRun) return more();
    onOpen();
    openUnderstood(page, opening);
  };
  useEffect(() => {
    enter.current = read === undefined ? undefined : open;
    return () => (enter.current = undefined);
  });
  if (read === undefined) return undefined;
  const said = [...read.doubts, ...read.says, ...read.asks];
  return (
    <section className="read-text" aria-label="What the text says" data-testid="symptom-read">
      <ul>
        {said.slice(0, SAID).map((sentence) => (
          <li key={sentence}>{plainText(sentence)}</li>
        ))}
      </ul>
      <div className="read-text-ways">
        {opening !== undefined && (
          <button
            type="button"
            className="button primary-button"
            data-testid="symptom-open"
            onClick={open}
          >
            {mustRun ? "Which limit is enough?" : "Open it"} <Key>Ctrl ↵</Key>
          </button>
        )}
        <button type="button" className="button" data-testid="symptom-more" onClick={more}>
          All it says and assumes
        </button>
      </div>
    </section>
  );
}

/** Undefined where no line is known, and while nothing is known yet. */
function useRead(text: string): ReadObject | undefined {
  const [of, setOf] = useState<{ readonly text: string; readonly read: ReadObject }>();
  const isText = text.trim() !== "" && !isProse(text);
  useEffect(() => {
    if (!isText) return undefined;
    let wanted = true;
    const take = (read: ReadObject): void => {
      if (wanted) setOf({ text, read });
    };
    openPasteReader()
      .then(async (reader) => (wanted ? reader.read(text, {}) : undefined))
      .then(
        (known) => known !== undefined && take(known.read),
        // The box says what is wrong; here the questions below go on.
        () => undefined,
      );
    return () => {
      wanted = false;
    };
  }, [text, isText]);
  if (!isText || of === undefined || of.text !== text) return undefined;
  const { says, doubts, scenario_text: scenario } = of.read;
  return scenario === null && says.length + doubts.length === 0 ? undefined : of.read;
}
