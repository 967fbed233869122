// Small pieces that all panels share: side badges, chips that say whose a number is, a dialog, a
// copy button.

import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import type { Side } from "../scenario/sides.ts";
import { Icon } from "./icons.tsx";

export function SideBadge({ side }: { readonly side: Side }): ReactNode {
  return <span className={`badge side-${side}`}>{side.toUpperCase()}</span>;
}

export type Whose =
  "model" | "thread" | "measured" | "published" | "derived" | "calibrated" | "assumed" | "stated";

const WHOSE_TITLES: Readonly<Record<Whose, string>> = {
  model: "Computed here, by this page’s engine",
  thread: "Reported in the mailing-list thread, on the author’s machine",
  measured: "Measured on a real machine",
  published: "Published by its author",
  derived: "Computed from measured or published figures",
  calibrated: "Chosen so that the run reproduces a reported figure",
  stated: "Set for this run",
  assumed: "Assumed, within a plausible range",
};

/** Says whose a number is. */
export function Chip({
  whose,
  children,
}: {
  readonly whose: Whose;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <span className={`chip chip-${whose}`} title={WHOSE_TITLES[whose]}>
      {children ?? whose}
    </span>
  );
}

/**
 * A modal dialog on the platform's own element: focus is kept inside, Escape closes it, and it
 * needs no styles of its own in the page, which the content security policy would refuse.
 */
export function Dialog({
  title,
  onClose,
  testId,
  wide,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly testId: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the next key: what is pressed then is the dialog's.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      className={wide === true ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={titleId}
      data-testid={testId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) element.current.close();
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            className="button quiet"
            onClick={() => element.current?.close()}
            data-testid={`${testId}-close`}
            aria-label="Close"
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

type Copied = "no" | "yes" | "denied";

/** Copies a text; where the clipboard is denied, shows it selected for copying by hand. */
export function CopyButton({
  text,
  label,
  testId,
}: {
  readonly text: string;
  readonly label: string;
  readonly testId: string;
}): ReactNode {
  const [copied, setCopied] = useState<Copied>("no");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("yes");
    } catch {
      setCopied("denied");
    }
  };
  return (
    <>
      <button type="button" className="button" data-testid={testId} onClick={() => void copy()}>
        {copied === "yes" ? "Copied ✓" : label}
      </button>
      {copied === "denied" && <ManualCopy text={text} testId={`${testId}-manual`} />}
      <span className="visually-hidden" role="status">
        {copied === "yes" ? "Copied to the clipboard" : ""}
      </span>
    </>
  );
}

/**
 * Copies what there is to say of a failure. The page knows no address that takes reports, and says
 * so.
 */
export function ReportButton({
  lines,
  testId,
}: {
  readonly lines: readonly string[];
  readonly testId: string;
}): ReactNode {
  return (
    <>
      <CopyButton
        text={`${[...lines, navigator.userAgent].join("\n")}\n`}
        label="Copy a report"
        testId={testId}
      />
      <span className="muted">
        Nothing is sent. Paste the copied text into an issue at the place where you found this
        project.
      </span>
    </>
  );
}

function ManualCopy({
  text,
  testId,
}: {
  readonly text: string;
  readonly testId: string;
}): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <label className="manual-copy">
      The clipboard is not available here. Copy it by hand:
      <textarea ref={field} readOnly value={text} rows={3} data-testid={testId} />
    </label>
  );
}

/** A key as it is printed on a keyboard. */
export function Key({ children }: { readonly children: ReactNode }): ReactNode {
  return <kbd className="key">{children}</kbd>;
}
