// What the text in the field comes to, where it is in the language of a tool: one sentence, what
// follows from it, and the way to the scenario. Fetched with the first letter typed, because it has
// every reader with it.

import { useEffect, type ReactNode, type RefObject } from "react";
import { plainText } from "../../engine/plain.ts";
import { readPaste } from "../../dialects/read/read-paste.ts";
import { usePage } from "../page/page.ts";
import { openUnderstood } from "../paste/open-understood.ts";
import { pasteText } from "../paste/page-pastes.ts";
import { Key } from "../widgets/Key.tsx";
import { isProse } from "./find-symptoms.ts";

/** Sentences shown here; the paste box has all. */
const FOLLOWS = 2;

interface ReadTextProps {
  readonly text: string;
  /** Called before the page goes elsewhere. */
  readonly onOpen: () => void;
  /** Holds what Ctrl+Enter does. */
  readonly enter: RefObject<(() => void) | undefined>;
}

export default function ReadText({ text, onOpen, enter }: ReadTextProps): ReactNode {
  const page = usePage();
  const answer = isProse(text) ? undefined : readPaste(text);
  const opens = answer?.kind === "understood" ? answer.opens : undefined;
  const open =
    opens === undefined
      ? undefined
      : (): void => {
          onOpen();
          openUnderstood(page, opens, false);
        };
  useEffect(() => {
    enter.current = open;
    return () => (enter.current = undefined);
  });
  if (answer === undefined || answer.kind === "unknown" || answer.kind === "empty")
    return undefined;
  const more = (): void => {
    onOpen();
    pasteText(text);
  };
  return (
    <section className="read-text" aria-label="What the text says" data-testid="symptom-read">
      <p>
        <span className="chip">{answer.language}</span>{" "}
        <strong>{plainText(answer.kind === "refused" ? answer.wrong : answer.what)}</strong>
      </p>
      {answer.kind === "understood" && answer.follows.length > 0 && (
        <ul>
          {answer.follows.slice(0, FOLLOWS).map((sentence) => (
            <li key={sentence}>{plainText(sentence)}</li>
          ))}
        </ul>
      )}
      <div className="read-text-ways">
        {open !== undefined && (
          <button
            type="button"
            className="button primary-button"
            data-testid="symptom-open"
            onClick={open}
          >
            Open it <Key>Ctrl ↵</Key>
          </button>
        )}
        <button type="button" className="button" data-testid="symptom-more" onClick={more}>
          All it says and assumes
        </button>
      </div>
    </section>
  );
}
