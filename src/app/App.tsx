// The page: one screen with the stage in the middle, switches left, answers right, playback below.
// Layers lie over it and push nothing away.

import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { HandHeld } from "../lib/hand-held.ts";
import { Boundary } from "../panels/Boundary.tsx";
import { useDispatch, useSelect } from "../panels/page.ts";
import { atLeisure, Coming, lazily } from "../lib/lazily.tsx";
import { answerThrottle } from "../panels/quota/ask-throttle.ts";
import { SkipLinks } from "./SkipLinks.tsx";
import { questionOf } from "../state/select/selectors.ts";
import { Header, type Opened } from "./Header.tsx";
import { Frame } from "./Frame.tsx";
import { listAsked } from "../panels/picker/list-asked.ts";
import { useEdges, type Edges } from "./edges.ts";
import type { KeyHost } from "./keyboard.ts";
import { listenForPastes } from "../panels/paste/ahead.ts";
import { KeysAhead } from "./KeysAhead.tsx";
import { useKeys } from "./use-keys.ts";

const LinkRefused = lazy(() =>
  import("../panels/frame/LinkStrips.tsx").then(({ LinkRefused: refused }) => ({
    default: refused,
  })),
);
const HelpDialog = lazily(() => import("../panels/frame/HelpDialog.tsx"));
const loadPicker = () => import("../panels/picker/Picker.tsx");
const Picker = lazily(loadPicker);
const loadPalette = () => import("../panels/palette/Palette.tsx");
const Palette = lazily(loadPalette);
const PictureDialog = lazily(() => import("../panels/picture/PictureDialog.tsx"));
const ShareDialog = lazily(() => import("../panels/share/ShareDialog.tsx"));
const Later = lazily(() => atLeisure(() => import("../panels/frame/Later.tsx")));
const ScenarioEditor = lazily(() => import("../panels/editor/ScenarioEditor.tsx"));
const AllVariants = lazily(() => import("../panels/variants/AllVariants.tsx"));
const SweepDialog = lazily(() => import("../panels/sweep/SweepDialog.tsx"));

export function App(): ReactNode {
  const [opened, setOpened] = useState<Opened>(() => (listAsked() ? "picker" : undefined));
  const problem = useSelect((state) => state.linkProblem);
  const route = useSelect((state) => state.route);
  const title = useSelect(questionOf);
  // Undefined until the viewer says: a scenario of one's own comes with its text, but on a phone,
  // where it would take the picture's place.
  const [wanted, setWanted] = useState<boolean>();
  const edges = useEdges();
  const drawer = wanted ?? (route === "own" && !edges.phone);
  // A link that asks for a sweep opens its window, filled in; the viewer runs it.
  const sweeps = useSelect((state) => state.sweep !== undefined);
  useKeys(hostOf(setOpened, edges));
  useThrottleAnswer(setWanted, edges);
  useEffect(listenForPastes, []);
  useEffect(loadAhead, []);
  const close = (): void => setOpened(undefined);
  const leavePicker = (): void => {
    close();
    document.getElementById("questions")?.focus();
  };
  useEscape(opened === "picker", leavePicker);
  return (
    <HandHeld value={edges.phone}>
      <div
        className="page"
        data-rail={edges.rail}
        data-dock={edges.dock}
        data-drawer={drawer && problem === undefined}
      >
        {problem === undefined && <SkipLinks />}
        {!edges.alone && (
          <Header
            title={problem === undefined ? title : "All questions"}
            heads={problem === undefined}
            onOpen={setOpened}
            drawer={drawer}
            onDrawer={() => setWanted(!drawer)}
            picker={opened === "picker"}
            edges={edges}
          />
        )}
        {opened === "picker" && (
          <nav className="picker-panel" aria-label="Scenarios">
            <Boundary what="The list of questions" onClose={leavePicker}>
              <Suspense>
                <Picker onClose={leavePicker} onPicked={close} />
              </Suspense>
            </Boundary>
          </nav>
        )}
        {problem === undefined ? (
          <Frame
            home={route === "home"}
            drawer={drawer}
            onCloseDrawer={() => setWanted(false)}
            onEditor={() => setOpened("editor")}
            edges={edges}
            onGallery={() => setOpened("picker")}
            onSweep={() => setOpened("sweep")}
            onVariants={() => setOpened("variants")}
          />
        ) : (
          <Boundary what="What is wrong with the link">
            <Suspense>
              <LinkRefused problem={problem} onGallery={() => setOpened("picker")} />
            </Suspense>
          </Boundary>
        )}
        <Suspense fallback={<Coming />}>
          <Later />
        </Suspense>
        <Dialogs opened={opened ?? (sweeps ? "sweep" : undefined)} onOpen={setOpened} />
      </div>
    </HandHeld>
  );
}

/**
 * The way to the other scenarios is there before the network is lost, and the search before
 * somebody asks for it.
 */
function loadAhead(): void {
  for (const load of [loadPicker, loadPalette])
    void atLeisure<unknown>(load).catch(() => undefined);
}

/** What lies over the page, as a viewer calls it. */
const WINDOWS: Readonly<Record<Exclude<Opened, "picker" | undefined>, string>> = {
  share: "The window for sharing",
  picture: "The window for pictures",
  sweep: "The window for sweeps",
  variants: "The window of all variants",
  editor: "The scenario’s editor",
  palette: "The search",
  help: "The keyboard help",
};

/** Whatever lies over the page. */
function Dialogs({
  opened,
  onOpen,
}: {
  readonly opened: Opened | undefined;
  readonly onOpen: (what: (now: Opened | undefined) => Opened | undefined) => void;
}): ReactNode {
  // A window tells that it was closed a moment later: another one may be open by then.
  const close = (): void => onOpen((now) => (now === opened ? undefined : now));
  const dispatch = useDispatch();
  if (opened === undefined || opened === "picker") return undefined;
  const giveUp = (): void => {
    close();
    // A link that asks for a sweep opens the window again otherwise.
    if (opened === "sweep") dispatch({ type: "sweep_shown", sweep: undefined });
  };
  // One boundary a window: what is said of one that failed must not stand for the next.
  return (
    <Boundary key={opened} what={WINDOWS[opened]} onClose={giveUp}>
      <Suspense fallback={<KeysAhead typing={opened === "palette"} onEscape={giveUp} />}>
        {opened === "share" && (
          <ShareDialog onClose={close} onPicture={() => onOpen(() => "picture")} />
        )}
        {opened === "picture" && <PictureDialog onClose={close} />}
        {opened === "sweep" && <SweepDialog onClose={close} />}
        {opened === "variants" && <AllVariants onClose={close} />}
        {opened === "editor" && <ScenarioEditor onClose={close} />}
        {opened === "palette" && <Palette onClose={close} />}
        {opened === "help" && <HelpDialog onClose={close} />}
      </Suspense>
    </Boundary>
  );
}

/** Who asks why a group is throttled sees the tab that says it, without the scenario's text. */
function useThrottleAnswer(want: (drawer: boolean) => void, { showTab }: Edges): void {
  useEffect(
    () =>
      answerThrottle(() => {
        want(false);
        showTab("numbers");
      }),
    [want, showTab],
  );
}

/** What keys open and fold. */
function hostOf(
  open: (what: Opened) => void,
  { alone, toggleRail, toggleDock, toggleAlone }: Edges,
): KeyHost {
  return {
    openHelp: () => open("help"),
    openPalette: () => open("palette"),
    openPicture: () => open("picture"),
    openVariants: () => open("variants"),
    toggleRail,
    toggleDock,
    alone,
    ...(toggleAlone === undefined ? {} : { toggleAlone }),
  };
}

/** While `active`, Escape does `leave` and nothing else. */
function useEscape(active: boolean, leave: () => void): void {
  useEffect(() => {
    if (!active) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopImmediatePropagation();
      leave();
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  });
}
