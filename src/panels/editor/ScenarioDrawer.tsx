// The scenario's text beside its picture. A change makes the scenario the viewer's own; what is
// wrong is said by the engine's own reader, with its place, while the run before stays on screen.
// Nothing typed is lost: the text is kept with every change, and a text that another takes the
// place of can be taken up again.

import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import type { ScenarioError } from "../../engine/gen/types.ts";
import { keepDraft, keepText, keptTexts } from "../../effects/storage/stored-texts.ts";
import { FILE_BYTES_MAX, ownEntry } from "../../scenario/viewer-scenario.ts";
import { applyFix, offsetOf } from "../../scenario/text-fixes.ts";
import { usePage, useSelect } from "../page/page.ts";
import { Icon } from "../widgets/Icon.tsx";
import { askPaste } from "../paste/ask-paste.ts";
import { editedEntry } from "./edited-entry.ts";
import { saveScenario } from "./save-scenario.ts";
import { errorText } from "../widgets/ScenarioRefused.tsx";
import { StartFrom } from "../start/StartFrom.tsx";
import { TEMPLATES } from "../start/templates.ts";

/** A pause in typing this long runs the text. */
const PAUSE_MS = 500;
/** Characters of a kept text that its button's title shows. */
const PREVIEW_MAX = 400;
/** A title of any length has one line. */
const ONE_LINE = {
  display: "block",
  maxWidth: "100%",
  overflow: "hidden",
  textOverflow: "ellipsis",
} as const;

const storage = (): Storage => window.localStorage;

interface DrawerProps {
  readonly onClose: () => void;
  /** Opens form and text side by side. */
  readonly onEditor: () => void;
}

export default function ScenarioDrawer({ onClose, onEditor }: DrawerProps): ReactNode {
  const { store, root, catalogue } = usePage();
  const entry = useSelect((state) => state.entry);
  const isOwn = useSelect((state) => state.route === "own");
  const [draft, setDraft] = useState<string>();
  const [remark, setRemark] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = draft ?? entry.text;

  const keep = (next: string): void => {
    const kept = catalogue.draft();
    if (kept !== text && kept !== next) keepText(root, storage, kept);
    keepDraft(root, storage, next);
  };
  const apply = (next: string): void => {
    clearTimeout(timer.current);
    keep(next);
    if (new Blob([next]).size > FILE_BYTES_MAX) {
      setRemark("This text is over 1 MB: it is kept here, but not run.");
      return;
    }
    setRemark(undefined);
    const { entry: now } = store.getState();
    if (next !== now.text)
      store.dispatch({ type: "scenario_written", entry: editedEntry(now, next) });
    setDraft(undefined);
  };
  const leave = (): void => {
    if (draft !== undefined) apply(draft);
  };
  const typed = (next: string): void => {
    setDraft(next);
    keep(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(next), PAUSE_MS);
  };
  /** Another text comes in place of this one. */
  const replace = (next: string): void => {
    if (isOwn) keepText(root, storage, text);
    apply(next);
    field.current?.scrollTo(0, 0);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <DrawerSection
      onEscape={() => {
        leave();
        onClose();
      }}
    >
      <DrawerHead onLeave={leave} onClose={onClose} onEditor={onEditor} />
      <p className="muted">
        {isOwn
          ? "Your own scenario: it travels inside the link."
          : "As shipped. When you edit it, it becomes your own copy; the shipped scenario stays."}
      </p>
      <StartFrom testId="start-from" onChoose={replace} />
      <Editor text={text} field={field} onType={typed} onLeave={leave} />
      {remark !== undefined && (
        <p className="field-error" role="alert" data-testid="drawer-remark">
          {remark}
        </p>
      )}
      <DrawerError text={text} field={field} onFix={apply} settled={draft === undefined} />
      <RestoreDraft text={text} onRestore={replace} />
      <DrawerFiles text={text} onOpen={replace} onRemark={setRemark} />
    </DrawerSection>
  );
}

/**
 * The focus moves into the drawer when the viewer opens it. A page that loads with the drawer open
 * keeps the focus at its start.
 */
function DrawerSection({
  onEscape,
  children,
}: {
  readonly onEscape: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const section = useRef<HTMLElement>(null);
  // A layout effect runs before the viewer can move the focus to a part of the drawer.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) section.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="drawer"
      aria-label="Scenario"
      data-testid="drawer"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onEscape();
      }}
    >
      {children}
    </section>
  );
}

/** `onLeave`: whatever was typed is to be run before anything else happens. */
function DrawerHead({
  onLeave,
  onClose,
  onEditor,
}: DrawerProps & { readonly onLeave: () => void }): ReactNode {
  const entry = useSelect((state) => state.entry);
  const isOwn = useSelect((state) => state.route === "own");
  const leaveTo = (next: () => void) => () => {
    onLeave();
    next();
  };
  return (
    <header className="panel-head">
      <h2>
        Scenario <span className="muted">{isOwn ? "yours" : entry.slug}</span>
      </h2>
      <button
        type="button"
        className="button"
        data-testid="scenario-editor-open"
        onClick={leaveTo(onEditor)}
      >
        Form and text
      </button>
      <button
        type="button"
        className="button quiet"
        onClick={leaveTo(onClose)}
        aria-label="Close the scenario"
        data-testid="drawer-close"
      >
        <Icon name="close" />
      </button>
    </header>
  );
}

/** Own texts that a link, a file, a template or a scenario has taken the place of. */
function RestoreDraft({
  text,
  onRestore,
}: {
  readonly text: string;
  readonly onRestore: (text: string) => void;
}): ReactNode {
  const { catalogue, root } = usePage();
  const shipped = new Set([...TEMPLATES, ...catalogue.scenarios].map((each) => each.text));
  const kept = [...new Set([catalogue.draft(), ...keptTexts(root, storage)])];
  const own = kept.filter((each) => each.trim() !== "" && each !== text && !shipped.has(each));
  if (own.length === 0) return undefined;
  return (
    <p className="restore muted">
      {own.length === 1 ? "Your last own text is kept." : `${own.length} own texts are kept.`}{" "}
      {own.map((each, index) => (
        <button
          key={each}
          type="button"
          className="button tiny"
          style={ONE_LINE}
          title={each.slice(0, PREVIEW_MAX)}
          data-testid={index === 0 ? "restore-draft" : `restore-draft-${index}`}
          onClick={() => onRestore(each)}
        >
          {own.length === 1 ? "Open it again" : `Take up “${ownEntry(each).title}”`}
        </button>
      ))}
    </p>
  );
}

interface EditorProps {
  readonly text: string;
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly onType: (text: string) => void;
  readonly onLeave: () => void;
}

function Editor({ text, field, onType, onLeave }: EditorProps): ReactNode {
  const gutter = useRef<HTMLPreElement>(null);
  const error = useSelect(scenarioError);
  const lines = text.split("\n").length;
  return (
    <div className="editor">
      <pre className="editor-gutter" ref={gutter} aria-hidden="true">
        {Array.from({ length: Math.min(lines, 20_000) }, (_, index) => (
          <span key={index} className={error?.line === index + 1 ? "bad-line" : undefined}>
            {index + 1}
            {"\n"}
          </span>
        ))}
      </pre>
      <textarea
        ref={field}
        className="editor-text mono"
        spellCheck={false}
        autoComplete="off"
        wrap="off"
        aria-label="Scenario text"
        aria-invalid={error !== undefined}
        placeholder="Paste a scenario here: strict JSON, docs/use/scenario-format.md"
        value={text}
        data-testid="editor"
        onChange={(event) => onType(event.target.value)}
        onBlur={onLeave}
        onScroll={(event) => {
          if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

/** The first side's error: both sides read one text. */
function scenarioError({
  sides,
}: {
  readonly sides: {
    readonly a: { readonly status: { readonly kind: string; readonly error?: ScenarioError } };
    readonly b: { readonly status: { readonly kind: string; readonly error?: ScenarioError } };
  };
}): ScenarioError | undefined {
  return sides.a.status.error ?? sides.b.status.error;
}

function DrawerError({
  text,
  field,
  onFix,
  settled,
}: {
  readonly text: string;
  readonly field: React.RefObject<HTMLTextAreaElement | null>;
  readonly onFix: (text: string) => void;
  readonly settled: boolean;
}): ReactNode {
  const error = useSelect(scenarioError);
  if (error === undefined)
    return (
      <p className="editor-fine muted" data-testid="editor-fine">
        {settled && text.trim() !== "" ? "✓ This text is a valid scenario." : ""}
      </p>
    );
  const fixed = applyFix(text, error);
  const goThere = (): void => {
    if (field.current === null || error.line === undefined) return;
    const at = offsetOf(text, error.line, error.column ?? 1);
    field.current.focus();
    field.current.setSelectionRange(at, at + 1);
  };
  return (
    <div className="strip strip-error" role="alert" data-testid="editor-error">
      <span>
        <span data-testid="editor-error-text">{errorText(error)}</span>
        {error.suggestion !== undefined && (
          <>
            {" "}
            Did you mean <code>{error.suggestion}</code>?
          </>
        )}
      </span>
      <span className="editor-error-buttons">
        {error.line !== undefined && (
          <button
            type="button"
            className="button tiny"
            onClick={goThere}
            data-testid="editor-error-go"
          >
            go there
          </button>
        )}
        {fixed !== undefined && (
          <button
            type="button"
            className="button tiny"
            onClick={() => onFix(fixed)}
            data-testid="editor-error-fix"
          >
            fix it
          </button>
        )}
      </span>
    </div>
  );
}

function DrawerFiles({
  text,
  onOpen,
  onRemark,
}: {
  readonly text: string;
  readonly onOpen: (text: string) => void;
  readonly onRemark: (remark: string) => void;
}): ReactNode {
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > FILE_BYTES_MAX)
      onRemark(
        `“${file.name}” has ${Math.ceil(file.size / 1_048_576)} MB; a scenario has at most 1 MB. Nothing was opened.`,
      );
    else onOpen(await file.text());
  };
  return (
    <div className="drawer-files">
      <label className="button">
        Open file
        <input
          type="file"
          className="visually-hidden"
          accept=".json,application/json"
          data-testid="open-file"
          onChange={(event) => {
            void open(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
      <button type="button" className="button" onClick={askPaste} data-testid="drawer-paste">
        Paste what you have
      </button>
      <button
        type="button"
        className="button"
        onClick={() => saveScenario(text)}
        data-testid="save-scenario"
      >
        Save scenario
      </button>
    </div>
  );
}
