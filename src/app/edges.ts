// Which edges of the frame are open: the rail at the left, the dock at the right. What the viewer
// said holds; until then the room decides.

import { useCallback, useState } from "react";
import type { DockTab } from "../panels/page/dock-tabs.ts";
import { useMedia } from "../lib/use-media.ts";
import { useSelect } from "../panels/page/page.ts";

export interface Edges {
  readonly rail: boolean;
  readonly dock: boolean;
  readonly tab: DockTab;
  /** Nothing but the stage, before a projector. */
  readonly alone: boolean;
  /**
   * A phone, or a window as low as one on its side, shows everything below one another: nothing is
   * closed there.
   */
  readonly phone: boolean;
  readonly toggleRail: () => void;
  readonly toggleDock: () => void;
  /** Undefined where the page cannot show the stage alone. */
  readonly toggleAlone: (() => void) | undefined;
  readonly setTab: (tab: DockTab) => void;
  /** The tab, with the dock open. */
  readonly showTab: (tab: DockTab) => void;
}

interface Asked {
  readonly rail: boolean | undefined;
  readonly dock: boolean | undefined;
  readonly tab: DockTab | undefined;
}

/** From these widths on an edge has room beside the stage. */
const RAIL_ROOM = "(width > 56.25rem)";
const DOCK_ROOM = "(width > 75rem)";
const PHONE = "(width <= 37.5rem), (height <= 30rem)";

export function useEdges(): Edges {
  const [asked, setAsked] = useState<Asked>({ rail: undefined, dock: undefined, tab: undefined });
  const selection = useSelect((state) => state.selection);
  const area = useSelect((state) => state.area);
  const step = useSelect((state) => state.step);
  const [seen, setSeen] = useState({ selection, step, area, byViewer: selection !== undefined });
  // What the viewer selects opens its answer, whatever was shown before; what a step selects is
  // part of the step's picture.
  if (seen.selection !== selection || seen.step !== step || seen.area !== area) {
    const byViewer =
      seen.selection === selection
        ? seen.byViewer
        : selection !== undefined && selection !== step.selected;
    const areaChosen = area !== undefined && seen.area !== area;
    setSeen({ selection, step, area, byViewer: byViewer || areaChosen });
    if (areaChosen) setAsked({ ...asked, dock: undefined, tab: "area" });
    else if (byViewer && seen.selection !== selection)
      setAsked({ ...asked, dock: undefined, tab: "why" });
  }
  const projector = useSelect((state) => state.theme === "projector");
  const [askedAlone, setAlone] = useState(false);
  const hasStory = useSelect((state) => state.route !== "own");
  const railRoom = useMedia(RAIL_ROOM);
  const dockRoom = useMedia(DOCK_ROOM);
  const phone = useMedia(PHONE);
  const paper = useMedia("print");
  const alone = projector && askedAlone && !phone && !paper;
  const rail = phone || paper || (!alone && (asked.rail ?? (railRoom && !projector)));
  const dock =
    phone || paper || (!alone && (asked.dock ?? ((dockRoom && !projector) || seen.byViewer)));
  const toggleRail = useCallback(() => setAsked((now) => ({ ...now, rail: !rail })), [rail]);
  const toggleDock = useCallback(() => setAsked((now) => ({ ...now, dock: !dock })), [dock]);
  const turnAlone = useCallback(() => setAlone(!alone), [alone]);
  const toggleAlone = projector && !phone ? turnAlone : undefined;
  const setTab = useCallback((tab: DockTab) => setAsked((now) => ({ ...now, tab })), []);
  const showTab = useCallback(
    (tab: DockTab) => setAsked((now) => ({ ...now, dock: true, tab })),
    [],
  );
  // Without an area there is no answer to one: what was asked before it is not known any more.
  const tab =
    asked.tab === "area" && area === undefined
      ? selection === undefined
        ? undefined
        : "why"
      : asked.tab;
  return {
    rail,
    dock,
    tab: tab ?? (hasStory ? "story" : "latency"),
    alone,
    phone,
    toggleRail,
    toggleDock,
    toggleAlone,
    setTab,
    showTab,
  };
}
