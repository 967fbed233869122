// "Which change did it?": A and B are two releases, a figure differs, and the changes between them
// are put in alone and left out alone.

import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { addressOf } from "../../effects/address/address-bar.ts";
import { readWhich } from "../../links/which-form.ts";
import { firstWhich, isOfReleases } from "../../state/which/question.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { WhichAnswer } from "./WhichAnswer.tsx";
import { WhichForm } from "./WhichForm.tsx";
import "../sweep/sweep.css";

export default function WhichDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { store } = usePage();
  const ready = useSelect(({ which, entry }) => which.entry === entry && which.form !== undefined);
  useForm();
  const inside = useRef<HTMLDivElement>(null);
  useClosedByBack(inside);
  const close = (): void => {
    store.dispatch({ type: "which_closed" });
    onClose();
  };
  return (
    <Dialog title="Which change did it?" onClose={close} testId="which" wide>
      {ready && (
        <div ref={inside} className="sweep-results">
          <p className="muted">
            Each change between the two releases is put into the first one alone and left out of the
            second one alone, with the same seeds. Pairs are tried where single changes explain too
            little.
          </p>
          <WhichForm />
          <WhichAnswer />
          <CopyLink />
        </div>
      )}
    </Dialog>
  );
}

/**
 * The form as it opens: as a link fills it in, as it was left, or anew where the page shows another
 * scenario or two other releases.
 */
function useForm(): void {
  const { store } = usePage();
  const entry = useSelect((state) => state.entry);
  const linked = useSelect((state) => state.which.linked);
  useEffect(() => {
    const state = store.getState();
    const { which } = state;
    const stays =
      which.entry === entry &&
      which.form !== undefined &&
      (state.asking.running || isOfReleases(which.form, state));
    const first = firstWhich(state);
    const form = linked !== undefined ? readWhich(linked, first) : stays ? undefined : first;
    store.dispatch({ type: "which_opened", entry, form });
  }, [store, entry, linked]);
}

/** Going back in the browser's history closes the window, and keeps what was typed. */
function useClosedByBack(inside: RefObject<HTMLDivElement | null>): void {
  const shown = useSelect((state) => state.which.shown);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !shown) inside.current?.closest("dialog")?.close();
    was.current = shown;
  }, [shown, inside]);
}

/** The question as filled in: a reader who opens the link only has to ask it. */
function CopyLink(): ReactNode {
  const { root } = usePage();
  const address = useSelect((state) => addressOf(state, root));
  return (
    <div className="sweep-progress">
      <CopyButton
        text={new URL(address, window.location.href).href}
        label="Copy link"
        testId="which-copy-link"
      />
    </div>
  );
}
