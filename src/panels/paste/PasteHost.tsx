// Opens the paste box: when the viewer asks for it, and when the viewer pastes a text onto the page
// outside of any field.

import { Suspense, useEffect, useState, type ReactNode } from "react";
import { Boundary } from "../widgets/Boundary.tsx";
import { lazily } from "../../lib/lazily.tsx";
import { answerPastes } from "./page-pastes.ts";
import { answerPaste } from "./ask-paste.ts";

const PasteDialog = lazily(() => import("./PasteDialog.tsx"));

export function PasteHost(): ReactNode {
  // "" is the box with what was typed in it last.
  const [opened, setOpened] = useState<string>();
  useEffect(() => answerPaste(() => setOpened("")), []);
  useEffect(() => answerPastes(setOpened), []);
  if (opened === undefined) return undefined;
  return (
    <Boundary what="The paste box">
      <Suspense>
        <PasteDialog pasted={opened} onClose={() => setOpened(undefined)} />
      </Suspense>
    </Boundary>
  );
}
