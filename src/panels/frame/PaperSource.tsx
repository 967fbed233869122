// On paper, small, below the picture: which runs of which engine the sheet shows, and the link to
// them.

import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { plainText } from "../../engine/plain.ts";
import { useMedia } from "../../lib/use-media.ts";
import { usePage, useSelect } from "../page/page.ts";
import { comesFromOnPaper } from "../picture/comes-from.ts";

/**
 * On paper alone, so not in the styles, which every page waits for. A long address does not hold
 * its column open.
 */
const SMALL = {
  margin: "0.25rem 0 0",
  fontSize: "0.5625rem",
  lineHeight: 1.3,
  overflowWrap: "anywhere",
  contain: "inline-size",
} as const;

/** `at`: the selector of the element around the picture; the lines go at its end. */
export function PaperSource({ at }: { readonly at: string }): ReactNode {
  const paper = useMedia("print");
  const around = paper ? document.querySelector(at) : null;
  return around === null ? undefined : createPortal(<Lines />, around);
}

function Lines(): ReactNode {
  const { root } = usePage();
  const state = useSelect((each) => each);
  return comesFromOnPaper(state, `${window.location.origin}${root}`).map((line, at) => (
    <p key={at} className="muted" style={SMALL} data-testid={`paper-source-${String(at)}`}>
      {plainText(line)}
    </p>
  ));
}
