// The frame around the stage.

import { Suspense, lazy, type ReactNode } from "react";
import { Boundary } from "../panels/widgets/Boundary.tsx";
import { Dock } from "../panels/frame/Dock.tsx";
import { atLeisure, optionally } from "../lib/lazily.tsx";
import { Machine } from "../panels/frame/Machine.tsx";
import { usePage, useSelect } from "../panels/page/page.ts";
import { Band, Score } from "../panels/numbers/Score.tsx";
import { StoryLine } from "../panels/story/StoryLine.tsx";
import { Knobs } from "../panels/knobs/Knobs.tsx";
import { isWithoutSimulator } from "../state/select/shipped.ts";
import { Variants } from "../panels/variants/Variants.tsx";
import { SideStatuses } from "../panels/frame/SideStatus.tsx";
import { Transport } from "../panels/frame/Transport.tsx";
import { plainText } from "../engine/plain.ts";
import { ABOUT } from "../scenario/about.ts";
import { stepsOf } from "../scenario/step.ts";
import type { Edges } from "./edges.ts";
import "./dock.css";

const SameSides = optionally(() => atLeisure(() => import("../panels/variants/SameSides.tsx")));
const Setup = optionally(() => atLeisure(() => import("../panels/knobs/SetupWords.tsx")));
const EmptyStage = lazy(() => import("../panels/start/EmptyStage.tsx"));
const LinkStrips = lazy(() =>
  import("../panels/frame/LinkStrips.tsx").then(({ LinkStrips: strips }) => ({ default: strips })),
);
const ScenarioDrawer = lazy(() => import("../panels/editor/ScenarioDrawer.tsx"));

/** Below the header, or where it would be. */
const IN_ITS_ROW = { gridRow: 2 } as const;

interface FrameProps {
  readonly home: boolean;
  readonly drawer: boolean;
  readonly onCloseDrawer: () => void;
  /** Form and text side by side, over everything. */
  readonly onEditor: () => void;
  readonly edges: Edges;
  readonly onGallery: () => void;
  readonly onSweep: () => void;
  readonly onVariants: () => void;
}

export default function Frame({
  home,
  drawer,
  onCloseDrawer,
  onEditor,
  edges,
  onGallery,
  onSweep,
  onVariants,
}: FrameProps): ReactNode {
  const empty = useSelect((state) => state.entry.text.trim() === "");
  const projector = useSelect((state) => state.theme === "projector");
  // With the rail closed, the projector shows the numbers above the picture: they are the result.
  const band = projector && !edges.rail && !edges.alone;
  // The rail says what is compared, if it is there; else the line over the picture, which is a
  // step's where there are some.
  const stated = useSelect((state) => stepsOf(state.entry).length > 0) && edges.rail;
  return (
    <main className="frame" style={IN_ITS_ROW} id="results" tabIndex={-1} data-testid="lab">
      {edges.rail && !empty && <Rail onVariants={onVariants} />}
      {drawer && (
        <Boundary what="The scenario’s text">
          <Suspense>
            <ScenarioDrawer onClose={onCloseDrawer} onEditor={onEditor} />
          </Suspense>
        </Boundary>
      )}
      <div className="middle">
        <div className="notices">
          <SideStatuses />
        </div>
        {band && !empty && <Band />}
        <div className="stage-box" data-testid="stage">
          {empty ? (
            <Suspense>
              <EmptyStage onEditor={onEditor} onGallery={onGallery} />
            </Suspense>
          ) : (
            <Boundary what="The machine’s timeline">
              <Machine caption={<StoryLine beside={stated ? undefined : <Setup />} />} hand />
            </Boundary>
          )}
        </div>
        <Boundary what="Notes on the link">
          <Suspense>
            <div className="link-notes">
              <LinkStrips />
            </div>
          </Suspense>
        </Boundary>
        <SameSides />
      </div>
      {edges.dock && !empty && <Dock tab={edges.tab} onTab={edges.setTab} onSweep={onSweep} />}
      {!empty && !edges.alone && (
        <Boundary what="Playback">
          <Transport />
        </Boundary>
      )}
      {home && !edges.alone && (
        <p className="about" data-testid="about">
          {ABOUT}
        </p>
      )}
      {home && !edges.alone && <GalleryBar onOpen={onGallery} />}
    </main>
  );
}

/** The left edge: the variants compared, the results, and the knobs. */
function Rail({ onVariants }: { readonly onVariants: () => void }): ReactNode {
  const without = useSelect(isWithoutSimulator);
  const steps = useSelect((state) => stepsOf(state.entry).length > 0);
  return (
    <section className="rail" aria-label="Knobs and results" data-testid="rail">
      <Variants onAll={onVariants} />
      <Boundary what="The score">
        <Score />
      </Boundary>
      {steps && (
        <p className="rail-setup">
          <Setup />
        </p>
      )}
      {without ? (
        <p className="rail-setup" data-testid="knobs-unknown">
          No knobs: only a run knows their values.
        </p>
      ) : (
        <Boundary what="The list of knobs">
          <Knobs />
        </Boundary>
      )}
    </section>
  );
}

/** The way from the first picture to all the others. */
function GalleryBar({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const { catalogue } = usePage();
  const others = catalogue.scenarios.slice(1);
  return (
    <button
      type="button"
      className="gallery-bar"
      data-testid="gallery-open"
      onClick={onOpen}
      // What looks like the edge of a page below answers to the wheel, too.
      onWheel={({ deltaY }) => deltaY > 0 && onOpen()}
    >
      <strong>{others.length} more questions</strong>
      <span className="gallery-some">
        {others
          .slice(0, 9)
          .map(({ title }) => plainText(title))
          .join(" · ")}
      </span>
    </button>
  );
}
