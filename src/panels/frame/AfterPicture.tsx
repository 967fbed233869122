// Parts of the page that are invisible until the viewer needs them; they load after the picture.

import { useEffect, type ReactNode } from "react";
import { keepWhole } from "../../lib/whole-text.ts";
import { keepBranches } from "../../effects/branches/keep-branches.ts";
import { openReal } from "../../engine/real-module.ts";
import { ON_PAPER } from "./Dock.tsx";
import { fitToPaper } from "./fit-to-paper.ts";
import { keepFocus } from "./give-focus-back.ts";
import { OfflineNotice } from "../offline/OfflineNotice.tsx";
import { usePage } from "../page/page.ts";
import { PasteHost } from "../paste/PasteHost.tsx";
import { PaperSource } from "./PaperSource.tsx";
import SpokenWords from "./SpokenWords.tsx";

export default function AfterPicture(): ReactNode {
  const { store } = usePage();
  useEffect(() => keepBranches(store), [store]);
  useEffect(fitToPaper, []);
  useEffect(keepWhole, []);
  useEffect(keepFocus, []);
  useEffect(() => {
    ON_PAPER.forEach((part) => part.fetch());
    openReal().catch(() => undefined);
  }, []);
  return (
    <>
      <SpokenWords />
      <PasteHost />
      <OfflineNotice />
      <PaperSource at=".middle" />
    </>
  );
}
