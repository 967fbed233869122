// Where the paste box opens: when somebody asks for it, and when a text is pasted onto the page outside of any field.

import { Suspense, useEffect, useState, type ReactNode } from "react";
import { Boundary } from "../Boundary.tsx";
import { lazily } from "../lazily.tsx";
import { answerPaste } from "./ask.ts";

const PasteDialog = lazily(() => import("./PasteDialog.tsx"));

/** Where a pasted text belongs to what has the focus. */
const FIELDS =
  "input:not([type=radio], [type=checkbox], [type=range], [type=file]), textarea, select, [contenteditable=true], dialog[open]";

export function PasteHost(): ReactNode {
  // "" is the box with what was typed in it last.
  const [opened, setOpened] = useState<string>();
  useEffect(() => answerPaste(() => setOpened("")), []);
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const inField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
      if (text.trim() === "" || inField || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      setOpened(text);
    };
    window.addEventListener("paste", listen);
    return () => window.removeEventListener("paste", listen);
  }, []);
  if (opened === undefined) return undefined;
  return (
    <Boundary what="The paste box">
      <Suspense>
        <PasteDialog pasted={opened} onClose={() => setOpened(undefined)} />
      </Suspense>
    </Boundary>
  );
}
