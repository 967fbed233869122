// The paste box: a text in the language of another tool. While the viewer types, the box shows what
// the text says, what the text leaves open, and the scenario that opens from it.

import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { plainText } from "../../engine/plain.ts";
import { FORMS, readPaste, type Answer } from "../../dialects/read/read-paste.ts";
import { TEXT_MAX, type Opens, type Understood } from "../../dialects/read/understood.ts";
import type { RealCommand } from "../../dialects/write/real-command.ts";
import { Key } from "../widgets/Key.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { Chip } from "../widgets/Chip.tsx";
import Terms from "../glossary/Terms.tsx";
import { usePage } from "../page/page.ts";
import { CommandList, Warnings } from "../real/CommandList.tsx";
import { openUnderstood } from "./open-understood.ts";
import "./paste.css";

interface PasteProps {
  /** What was pasted onto the page; "" for what was typed last. */
  readonly pasted: string;
  readonly onClose: () => void;
}

export default function PasteDialog({ pasted, onClose }: PasteProps): ReactNode {
  const { root } = usePage();
  const [text, setText] = useState(() => (pasted === "" ? lastTyped(root) : pasted));
  const field = useRef<HTMLTextAreaElement>(null);
  const answer = useAnswer(text);
  const { open, closed } = useOpening(field, onClose);
  const opens = answer.kind === "understood" ? answer.opens : undefined;
  useEffect(() => keepTyped(root, text), [root, text]);
  useEffect(() => field.current?.focus(), []);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    // What was typed in this very moment counts, not what is shown of it yet.
    const now = readPaste(text);
    if (now.kind === "understood" && now.opens !== undefined) open(now.opens, false);
  };
  return (
    <Dialog title="Paste what you have" onClose={closed} testId="paste" wide>
      <div className="paste-box" onKeyDown={press}>
        <label className="paste-label">
          A line, a file or a block from your own tools. It never leaves this page.
          <textarea
            ref={field}
            className="input mono paste-text"
            value={text}
            rows={7}
            spellCheck={false}
            autoComplete="off"
            wrap="off"
            placeholder={'resources:\n  limits:\n    cpu: "500m"'}
            data-testid="paste-text"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div
          className="paste-answer"
          role="status"
          data-testid="paste-answer"
          data-kind={answer.kind}
        >
          <AnswerPart answer={answer} onTry={setText} />
        </div>
        {answer.kind === "understood" && <Commands commands={answer.commands} />}
        {opens !== undefined && (
          <div className="paste-go">
            {opens.kind === "scenario" && opens.search !== undefined && (
              <button
                type="button"
                className="button"
                data-testid="paste-search"
                onClick={() => open(opens, true)}
              >
                Find the smallest limit
              </button>
            )}
            <button
              type="button"
              className="button primary-button"
              data-testid="paste-open"
              onClick={() => open(opens, false)}
            >
              Open it <Key>Ctrl ↵</Key>
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** Read behind the typing: a long text takes a moment. */
function useAnswer(text: string): Answer {
  const read = useDeferredValue(text);
  return useMemo(() => readPaste(read), [read]);
}

/**
 * The page goes to what was understood once the dialog is closed, which gives the focus back first.
 */
function useOpening(
  field: React.RefObject<HTMLTextAreaElement | null>,
  onClose: () => void,
): { readonly open: (opens: Opens, searching: boolean) => void; readonly closed: () => void } {
  const page = usePage();
  const next = useRef<() => void>(undefined);
  const open = (opens: Opens, searching: boolean): void => {
    next.current = () => openUnderstood(page, opens, searching);
    field.current?.closest("dialog")?.close();
  };
  const closed = (): void => {
    onClose();
    next.current?.();
  };
  return { open, closed };
}

function AnswerPart({
  answer,
  onTry,
}: {
  readonly answer: Answer;
  readonly onTry: (text: string) => void;
}): ReactNode {
  switch (answer.kind) {
    case "understood":
      return <Sentences understood={answer} />;
    case "refused":
      return (
        <p className="strip strip-error" data-testid="paste-wrong">
          <span>
            <strong>{answer.language}:</strong> {plainText(answer.wrong)}
          </span>
        </p>
      );
    case "unknown":
      return (
        <>
          <p data-testid="paste-unknown">The box does not know this form. It knows these:</p>
          <Forms onTry={onTry} />
        </>
      );
    case "empty":
      return <Forms onTry={onTry} />;
  }
}

function Sentences({
  understood: { language, what, follows, unknown },
}: {
  readonly understood: Understood;
}): ReactNode {
  return (
    <>
      <p className="paste-what">
        <span className="chip">{language}</span>{" "}
        <strong data-testid="paste-what">
          <Terms text={plainText(what)} />
        </strong>
      </p>
      {follows.length > 0 && (
        <section aria-label="What follows from it">
          <h3>
            What follows from it <Chip whose="derived" />
          </h3>
          <ul data-testid="paste-follows">
            {follows.map((sentence) => (
              <li key={sentence}>
                <Terms text={plainText(sentence)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {unknown.length > 0 && (
        <section aria-label="What the text does not say">
          <h3>What the text does not say, and what is assumed</h3>
          <ul data-testid="paste-cannot">
            {unknown.map((sentence) => (
              <li key={sentence}>
                <Terms text={plainText(sentence)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Forms({ onTry }: { readonly onTry: (text: string) => void }): ReactNode {
  return (
    <ul className="paste-forms" aria-label="Known forms">
      {FORMS.map(({ name, example }, index) => (
        <li key={name}>
          <button
            type="button"
            className="button quiet paste-form"
            data-testid={`paste-form-${index}`}
            onClick={() => onTry(example)}
          >
            <span>{name}</span>
            <code>{example.split("\n").join(" ⏎ ")}</code>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** On a real machine. */
function Commands({ commands }: { readonly commands: readonly RealCommand[] }): ReactNode {
  if (commands.length === 0) return undefined;
  return (
    <details className="paste-commands">
      <summary>On a real machine</summary>
      <Warnings commands={commands} />
      <p className="muted">Put your own names where words are in capitals.</p>
      <CommandList commands={commands} testId="paste" />
    </details>
  );
}

// The text that was typed last is there again when the box or the page opens anew.
let last: string | undefined;

function keyOf(root: string): string {
  return `schedscope:${root}:paste`;
}

function lastTyped(root: string): string {
  try {
    return last ?? window.localStorage.getItem(keyOf(root)) ?? "";
  } catch {
    return last ?? "";
  }
}

function keepTyped(root: string, text: string): void {
  last = text;
  try {
    if (text.length <= TEXT_MAX) window.localStorage.setItem(keyOf(root), text);
  } catch {
    // Denied or full: the text stays in the page.
  }
}
