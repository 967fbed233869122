import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

// Buttons that copy a text to the clipboard.

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
