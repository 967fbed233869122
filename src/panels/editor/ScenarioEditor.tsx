// Form and text of one scenario side by side. Both write into one text with one history. Only a
// text that the reader takes replaces what runs, and only when it is asked to; closing loses
// nothing.

import { redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { getLocation } from "jsonc-parser";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { OWN_SLUG, ownEntry } from "../../scenario/viewer-scenario.ts";
import { Key } from "../widgets/Key.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { Icon } from "../widgets/Icon.tsx";
import { usePage } from "../page/page.ts";
import { saveScenario } from "./save-scenario.ts";
import { errorText } from "../widgets/ScenarioRefused.tsx";
import { StartFrom } from "../start/StartFrom.tsx";
import { change, goTo } from "./code.ts";
import { readDoc, type Change } from "./edits.ts";
import { fixesFor, placeOf } from "./fixes.ts";
import { FormContext, pathKey, type FormPage } from "./form-context.ts";
import { Form } from "./Form.tsx";
import { pin, pinnables, pinWords, type Pinnable } from "./task-pins.ts";
import { pinned, PinMap } from "./PinMap.tsx";
import { errorOf, useCode, type Code } from "./use-code.ts";
import { useDrag } from "./use-drag.ts";
import "./editor.css";

/** A text that is read while it changes is asked about again at most so often. */
const ASKS_MAX = 20;

type Pane = "form" | "text";

export default function ScenarioEditor({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { store, root } = usePage();
  const [entry] = useState(() => store.getState().entry);
  const host = useRef<HTMLDivElement>(null);
  const code = useCode(entry, root, host);
  const [pane, setPane] = useState<Pane>("form");
  const { view, text } = code;
  const run = async (): Promise<void> => {
    leaveField();
    const asked = view?.state.doc.toString();
    let answer = await code.read();
    // The questions that changes ask by themselves may come in between, more than one where the
    // machine is busy.
    for (let again = 0; answer.kind === "stale" && again < ASKS_MAX; again += 1)
      answer = await code.read();
    const error = errorOf(answer);
    if (error !== undefined) {
      setPane("text");
      if (view !== undefined) goTo(view, error);
    }
    if (answer.kind !== "fine" || view === undefined) return;
    const now = view.state.doc.toString();
    if (now !== asked) return run(); // Typed while it was read: only what was read runs.
    if (now !== store.getState().entry.text) {
      code.ran(OWN_SLUG);
      store.dispatch({ type: "scenario_written", entry: ownEntry(now) });
    }
    onClose();
  };
  const keys = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || view === undefined) return;
    if (event.code === "KeyS") {
      leaveField();
      saveScenario(view.state.doc.toString());
    } else if (event.code === "Enter") void run();
    else if (isTypedOver(event.target) || view.hasFocus) return;
    else if (event.code === "KeyZ") (event.shiftKey ? redo : undo)(view);
    else if (event.code === "KeyY") redo(view);
    else return;
    event.preventDefault();
  };
  useKeys(keys);
  return (
    <Dialog title="Scenario: form and text" onClose={onClose} testId="scenario-editor" wide>
      <div className="scenario-editor" data-pane={pane}>
        <PaneChoice pane={pane} onPane={setPane} />
        <StartFrom
          testId="scenario-editor-start"
          onChoose={(chosen) =>
            view !== undefined &&
            change(view, [{ from: 0, to: view.state.doc.length, insert: chosen }])
          }
        />
        <FormSide code={code} />
        <div className="editor-side editor-code" ref={host} data-testid="scenario-editor-code" />
        <Verdict code={code} />
        <Tools
          code={code}
          edited={text !== entry.text}
          base={entry.text}
          onRun={() => void run()}
        />
      </div>
    </Dialog>
  );
}

interface PaneChoiceProps {
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
}

/** Which of form and text a narrow window shows. */
function PaneChoice({ pane, onPane }: PaneChoiceProps): ReactNode {
  return (
    <div className="segmented editor-panes" role="radiogroup" aria-label="Side">
      {(["form", "text"] as const).map((each) => (
        <label key={each} className="segment">
          <input
            type="radio"
            name="editor-pane"
            checked={pane === each}
            data-testid={`scenario-editor-pane-${each}`}
            onChange={() => onPane(each)}
          />
          <span>{each === "form" ? "Form" : "Text"}</span>
        </label>
      ))}
    </div>
  );
}

/**
 * Heard at the window: a button that goes away with what it removed leaves the focus outside the
 * editor.
 */
function useKeys(listener: (event: KeyboardEvent) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => latest.current(event);
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
}

/** A field of the form writes what was typed when it is left. */
function leaveField(): void {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
}

/**
 * Whether a field of the form holds something typed that is not written yet: its own undo comes
 * first.
 */
function isTypedOver(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.dataset["typed"] === "true";
}

function FormSide({ code: { view, text, answer } }: { readonly code: Code }): ReactNode {
  const [said, setSaid] = useState("");
  const now = useMemo(() => readDoc(text), [text]);
  // While the text is no JSON, as in the middle of a word, the form keeps its last good state and
  // changes nothing.
  const [good, setGood] = useState(now);
  if (now.brokenAt === undefined && good !== now) setGood(now);
  const waits = now.brokenAt !== undefined;
  const doc = waits ? good : now;
  const error = errorOf(answer);
  const make = (changes: readonly Change[]): void => {
    if (view !== undefined && !waits) change(view, changes);
  };
  const bind = (task: Pinnable, cpus: readonly number[]): void => {
    make(pin(doc, task, cpus));
    setSaid(plainText(`${task.name} runs on ${pinWords(cpus)}`));
  };
  const { dragged, ghost, start } = useDrag((name, cpu, more) => {
    const task = pinnables(doc).find((each) => each.name === name);
    if (task !== undefined) bind(task, pinned(task, cpu, more));
  });
  const page: FormPage = {
    doc,
    change: make,
    drag: start,
    error:
      error === undefined
        ? undefined
        : {
            at: pathKey(
              getLocation(text, placeOf(text, error).from + 1).path.filter((each) => each !== ""),
            ),
            words: errorText(error),
          },
  };
  return (
    <div
      className="editor-side editor-form"
      role="region"
      aria-label="Scenario form"
      data-testid="scenario-editor-form"
    >
      {waits && (
        <p className="strip strip-limit" data-testid="form-waits">
          The form waits: the text is not valid JSON, see line{" "}
          {text.slice(0, now.brokenAt).split("\n").length}.
        </p>
      )}
      <div className="form-body" inert={waits}>
        <PinMap doc={doc} onPin={bind} onDrag={start} over={dragged?.over} said={said} />
        <FormContext value={page}>
          <div className="form-scroll">{doc.brokenAt === undefined && <Form />}</div>
        </FormContext>
      </div>
      <div className="drag-ghost" ref={ghost} hidden={dragged === undefined} aria-hidden="true">
        {plainText(dragged?.name ?? "")}{" "}
        {dragged?.over === undefined ? "" : `→ CPU ${dragged.over}`}
      </div>
    </div>
  );
}

/** What the reader says, with its fixes. */
function Verdict({ code: { view, text, answer } }: { readonly code: Code }): ReactNode {
  const error = errorOf(answer);
  if (answer?.kind === "unread")
    return (
      <p className="strip strip-error" role="alert" data-testid="scenario-editor-unread">
        {plainText(answer.message)}
      </p>
    );
  if (error === undefined || view === undefined)
    return (
      <p className="editor-verdict muted" role="status" data-testid="scenario-editor-fine">
        {answer === undefined ? "Reading …" : "✓ This text is a valid scenario."}
      </p>
    );
  return (
    <div className="strip strip-error" role="alert" data-testid="scenario-editor-error">
      <span data-testid="scenario-editor-error-text">{errorText(error)}</span>
      <span className="editor-error-buttons">
        {error.line !== undefined && (
          <button
            type="button"
            className="button tiny"
            data-testid="scenario-editor-go"
            onClick={() => goTo(view, error)}
          >
            Go there
          </button>
        )}
        {fixesFor(text, error).map(({ label, changes }, index) => (
          <button
            key={label}
            type="button"
            className="button tiny"
            data-testid={`scenario-editor-fix-${index}`}
            onClick={() => change(view, changes)}
          >
            {plainText(label)}
          </button>
        ))}
      </span>
    </div>
  );
}

interface ToolsProps {
  readonly code: Code;
  readonly edited: boolean;
  readonly base: string;
  readonly onRun: () => void;
}

function Tools({ code: { view }, edited, base, onRun }: ToolsProps): ReactNode {
  const { store } = usePage();
  const { both, a, b } = store.getState().knobs;
  const over = both.length + a.length + b.length;
  const state = view?.state;
  return (
    <footer className="editor-tools">
      <button
        type="button"
        className="button round"
        aria-label="Undo"
        title="Undo (Ctrl+Z)"
        data-testid="scenario-editor-undo"
        disabled={state === undefined || undoDepth(state) === 0}
        onClick={() => view !== undefined && undo(view)}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="button round"
        aria-label="Redo"
        title="Redo (Ctrl+Shift+Z)"
        data-testid="scenario-editor-redo"
        disabled={state === undefined || redoDepth(state) === 0}
        onClick={() => view !== undefined && redo(view)}
      >
        <Icon name="redo" />
      </button>
      <button
        type="button"
        className="button quiet"
        disabled={!edited || state === undefined}
        data-testid="scenario-editor-revert"
        onClick={() =>
          view !== undefined && change(view, [{ from: 0, to: view.state.doc.length, insert: base }])
        }
      >
        Take all back
      </button>
      <span className="muted editor-note" data-testid="scenario-editor-note">
        {edited ? "Edited, not run yet; kept when you close." : "As it runs."}
        {over > 0 &&
          ` ${over === 1 ? "1 knob of the page differs" : `${over} knobs of the page differ`} from this text.`}
      </span>
      <button
        type="button"
        className="button"
        data-testid="scenario-editor-save"
        onClick={() => saveScenario(state?.doc.toString() ?? base)}
      >
        Save <Key>Ctrl+S</Key>
      </button>
      <button
        type="button"
        className="button primary-button"
        data-testid="scenario-editor-run"
        onClick={onRun}
      >
        Run <Key>Ctrl+Enter</Key>
      </button>
    </footer>
  );
}
