// The paste box: texts of other tools, read as one. The answer comes first, then the text, then
// what became of each of its lines.

import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { Wish } from "../../engine/paste-protocol.ts";
import { Key } from "../widgets/Key.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { usePage } from "../page/page.ts";
import { useBoxText } from "./kept-text.ts";
import { openingOf, openUnderstood, type Opening } from "./open-understood.ts";
import { PasteAnswer } from "./PasteAnswer.tsx";
import { PasteDetails } from "./PasteDetails.tsx";
import { PasteField } from "./PasteField.tsx";
import { useInquiry, type Inquiry } from "./use-inquiry.ts";
import { WishFields } from "./WishFields.tsx";
import "./paste.css";

interface PasteProps {
  /** What was pasted onto the page; "" for what was typed last. */
  readonly pasted: string;
  readonly onClose: () => void;
}

export default function PasteDialog({ pasted, onClose }: PasteProps): ReactNode {
  const { text, cut, setText } = useBoxText(pasted);
  const [wish, setWish] = useState<Wish>({});
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const inquiry = useInquiry(text, wish);
  const { open, closed } = useOpening(box, onClose);
  const opening = openingIn(inquiry);
  const [hurry, setHurry] = useState(false);
  // What was asked for while it was still looked for.
  useEffect(() => {
    if (hurry && opening !== undefined) open(opening);
  });
  // With a text in it, a focused field would bring up a phone's keyboard over the answer.
  useEffect(
    () => (field.current?.value === "" ? field : box).current?.focus({ preventScroll: true }),
    [],
  );
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    setHurry(true);
  };
  const edit = (next: string): void => {
    setHurry(false);
    setText(next);
  };
  const found =
    inquiry.kind === "understood" || inquiry.kind === "unknown" ? inquiry.found : undefined;
  return (
    <Dialog title="Paste what you have" onClose={closed} testId="paste" wide>
      <div ref={box} className="paste-box" tabIndex={-1} onKeyDown={press}>
        <PasteAnswer inquiry={inquiry} onTry={edit} onOpen={open} />
        <div className="paste-asked">
          <PasteField text={text} cut={cut} field={field} onText={edit} />
          {found?.read.is_throttled === true && <WishFields onWish={setWish} />}
        </div>
        {found !== undefined && <PasteDetails read={found.read} />}
        {inquiry.kind === "understood" && inquiry.found.read.scenario_text !== null && (
          <div className="paste-go">
            <button
              type="button"
              className="button primary-button"
              data-testid="paste-open"
              disabled={hurry}
              onClick={() => setHurry(true)}
            >
              {hurry ? "Opens when the program is found" : "Open it"} <Key>Ctrl ↵</Key>
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** None while the text is read, and while runs look for the program behind its counters. */
function openingIn(inquiry: Inquiry): Opening | undefined {
  if (inquiry.kind !== "understood" || !inquiry.isCurrent) return undefined;
  return inquiry.found.stage === "fitting" ? undefined : openingOf(inquiry.found.read);
}

/**
 * The page goes to what was understood once the dialog is closed, which gives the focus back first.
 */
function useOpening(
  box: React.RefObject<HTMLElement | null>,
  onClose: () => void,
): { readonly open: (opening: Opening) => void; readonly closed: () => void } {
  const page = usePage();
  const next = useRef<() => void>(undefined);
  const open = (opening: Opening): void => {
    next.current = () => openUnderstood(page, opening);
    box.current?.closest("dialog")?.close();
  };
  const closed = (): void => {
    onClose();
    next.current?.();
  };
  return { open, closed };
}
