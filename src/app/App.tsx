// The page: one screen with the stage in the middle, switches left, answers right, playback below.
// Layers lie over it and push nothing away.

import { lazy, Suspense, useEffect, useLayoutEffect, useState, type ReactNode } from "react";
import { HandHeld } from "../lib/hand-held.ts";
import { Boundary } from "../panels/widgets/Boundary.tsx";
import { useSelect } from "../panels/page/page.ts";
import { atLeisure, Coming, lazily } from "../lib/lazily.tsx";
import { answerThrottle } from "../panels/quota/ask-throttle.ts";
import { SkipLinks } from "./SkipLinks.tsx";
import { questionOf } from "../state/select/selectors.ts";
import type { Opened } from "../panels/page/opened.ts";
import { Guided } from "./guided/Guided.tsx";
import { isGuided } from "../state/select/guided.ts";
import { listAsked } from "../panels/picker/list-asked.ts";
import { useEdges, type Edges } from "./edges.ts";
import type { KeyHost } from "./keys/keyboard.ts";
import { listenForPastes } from "../panels/paste/page-pastes.ts";
import { loadPalette, Windows } from "./Windows.tsx";
import { useKeys } from "./keys/use-keys.ts";

const LinkRefused = lazy(() =>
  import("../panels/frame/LinkStrips.tsx").then(({ LinkRefused: refused }) => ({
    default: refused,
  })),
);
const Frame = lazy(() => import("./Frame.tsx"));
const Header = lazy(() => import("./Header.tsx"));
const loadPicker = () => import("../panels/picker/Picker.tsx");
const Picker = lazily(loadPicker);
const AfterPicture = lazily(() => atLeisure(() => import("../panels/frame/AfterPicture.tsx")));

export function App(): ReactNode {
  const [opened, setOpened] = useState<Opened>(() => (listAsked() ? "picker" : undefined));
  const problem = useSelect((state) => state.linkProblem);
  const route = useSelect((state) => state.route);
  const title = useSelect(questionOf);
  const guided = useSelect(isGuided) && problem === undefined;
  // Undefined until the viewer says: a scenario of one's own comes with its text, but on a phone,
  // where it would take the picture's place.
  const [wanted, setWanted] = useState<boolean>();
  const edges = useEdges();
  const drawer = wanted ?? (route === "own" && !edges.phone);
  // A link that asks for a sweep or a bisection opens its window, filled in; the viewer runs it.
  const asked = useSelect(({ sweep, which }) =>
    sweep.shown ? "sweep" : which.shown ? "which" : undefined,
  );
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
        data-guided={guided}
      >
        {problem === undefined && <SkipLinks />}
        {!edges.alone && !guided && (
          <Suspense fallback={<div className="topbar" />}>
            <Header
              title={problem === undefined ? title : "All questions"}
              heads={problem === undefined}
              onOpen={setOpened}
              drawer={drawer}
              onDrawer={() => setWanted(!drawer)}
              picker={opened === "picker"}
              edges={edges}
            />
          </Suspense>
        )}
        {opened === "picker" && <PickerPanel onClose={leavePicker} onPicked={close} />}
        {problem !== undefined ? (
          <Boundary what="What is wrong with the link">
            <Suspense>
              <LinkRefused problem={problem} onGallery={() => setOpened("picker")} />
            </Suspense>
          </Boundary>
        ) : guided ? (
          <Guided picker={opened === "picker"} onOpen={setOpened} />
        ) : (
          <Lab drawer={drawer} onDrawer={setWanted} edges={edges} onOpen={setOpened} />
        )}
        <Suspense fallback={<Coming />}>
          <AfterPicture />
        </Suspense>
        <Windows opened={opened ?? asked} onOpen={setOpened} />
      </div>
    </HandHeld>
  );
}

interface LabProps {
  readonly drawer: boolean;
  readonly onDrawer: (open: boolean) => void;
  readonly edges: Edges;
  readonly onOpen: (opened: Opened) => void;
}

/** Everything there is for these runs; fetched when a viewer first goes there. */
function Lab({ drawer, onDrawer, edges, onOpen }: LabProps): ReactNode {
  const home = useSelect(({ route }) => route === "home");
  return (
    <Suspense fallback={<Coming />}>
      <Frame
        home={home}
        drawer={drawer}
        onCloseDrawer={() => onDrawer(false)}
        onEditor={() => onOpen("editor")}
        edges={edges}
        onGallery={() => onOpen("picker")}
        onSweep={() => onOpen("sweep")}
        onVariants={() => onOpen("variants")}
      />
    </Suspense>
  );
}

interface PickerPanelProps {
  readonly onClose: () => void;
  readonly onPicked: () => void;
}

function PickerPanel({ onClose, onPicked }: PickerPanelProps): ReactNode {
  return (
    <nav className="picker-panel" aria-label="Scenarios">
      <Boundary what="The list of questions" onClose={onClose}>
        <Suspense>
          <Picker onClose={onClose} onPicked={onPicked} />
        </Suspense>
      </Boundary>
    </nav>
  );
}

/**
 * Loads the picker before the network can be lost, and the search before the viewer asks for it.
 */
function loadAhead(): void {
  for (const load of [loadPicker, loadPalette])
    void atLeisure<unknown>(load).catch(() => undefined);
}

/** Opens the tab that says why a group is throttled, and closes the scenario's text. */
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
  // Before the next key: an Escape that comes at once is heard.
  useLayoutEffect(() => {
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
