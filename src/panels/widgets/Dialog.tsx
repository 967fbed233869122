import { useId, useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

// A modal dialog.

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
