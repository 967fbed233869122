// The windows that lie over the page, each with the script it is fetched by.

import { Suspense, useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { lazily } from "../lib/lazily.tsx";
import { useDispatch } from "../panels/page/page.ts";
import { isWriting, takeTypedAhead, typeAhead } from "../panels/palette/typed-ahead.ts";
import { Boundary } from "../panels/widgets/Boundary.tsx";
import type { Opened } from "../panels/page/opened.ts";

export const loadPalette = () => import("../panels/palette/Palette.tsx");
const Palette = lazily(loadPalette);
const HelpDialog = lazily(() => import("../panels/frame/HelpDialog.tsx"));
const PictureDialog = lazily(() => import("../panels/picture/PictureDialog.tsx"));
const ShareDialog = lazily(() => import("../panels/share/ShareDialog.tsx"));
const ScenarioEditor = lazily(() => import("../panels/editor/ScenarioEditor.tsx"));
const AllVariants = lazily(() => import("../panels/variants/AllVariants.tsx"));
const SweepDialog = lazily(() => import("../panels/sweep/SweepDialog.tsx"));
const WhichDialog = lazily(() => import("../panels/which/WhichDialog.tsx"));
const SizesDialog = lazily(() => import("../panels/sweep/SizesDialog.tsx"));

/** What lies over the page, as a viewer calls it. */
const WINDOWS: Readonly<Record<Exclude<Opened, "picker" | undefined>, string>> = {
  share: "The window for sharing",
  picture: "The window for pictures",
  sweep: "The window for sweeps",
  sizes: "The window of sizes",
  which: "The window “Which change did it?”",
  variants: "The window of all variants",
  editor: "The scenario’s editor",
  palette: "The search",
  help: "The keyboard help",
};

/** The window that is open, if one is. */
export function Windows({
  opened,
  onOpen,
}: {
  readonly opened: Opened;
  readonly onOpen: (what: (now: Opened) => Opened) => void;
}): ReactNode {
  // A window reports its closing with a delay; by then another window may be open.
  const close = (): void => onOpen((now) => (now === opened ? undefined : now));
  const dispatch = useDispatch();
  if (opened === undefined || opened === "picker") return undefined;
  const giveUp = (): void => {
    close();
    // A link that asks for a sweep opens the window again otherwise.
    if (opened === "sweep") dispatch({ type: "sweep_closed" });
    if (opened === "which") dispatch({ type: "which_closed" });
  };
  // Each window has its own boundary, so that one window's error is not shown for the next window.
  return (
    <Boundary key={opened} what={WINDOWS[opened]} onClose={giveUp}>
      <Suspense fallback={<KeysAhead typing={opened === "palette"} onEscape={giveUp} />}>
        {opened === "share" && (
          <ShareDialog onClose={close} onPicture={() => onOpen(() => "picture")} />
        )}
        {opened === "picture" && <PictureDialog onClose={close} />}
        {opened === "sweep" && (
          <SweepDialog onClose={close} onSizes={() => onOpen(() => "sizes")} />
        )}
        {opened === "which" && <WhichDialog onClose={close} />}
        {opened === "sizes" && <SizesDialog onClose={close} />}
        {opened === "variants" && <AllVariants onClose={close} />}
        {opened === "editor" && <ScenarioEditor onClose={close} />}
        {opened === "palette" && <Palette onClose={close} />}
        {opened === "help" && <HelpDialog onClose={close} />}
      </Suspense>
    </Boundary>
  );
}

interface KeysAheadProps {
  /** Whether the window has a field for what is typed: the search. */
  readonly typing: boolean;
  readonly onEscape: () => void;
}

/** Waits where the script of a window has not come: keys act on nothing behind it. */
function KeysAhead({ typing, onEscape }: KeysAheadProps): undefined {
  const leave = useRef(onEscape);
  useEffect(() => void (leave.current = onEscape));
  useLayoutEffect(() => {
    takeTypedAhead();
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") leave.current();
      else if (event.key !== "Enter" && !isWriting(event.key)) return;
      else if (typing) typeAhead(event.key);
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, [typing]);
  return undefined;
}
