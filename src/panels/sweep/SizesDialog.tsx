// A machine's size as a slider over small multiples: a tile for each size with the figure of A and
// B, computed once it is in view, the size marked from which on the sides differ. A press on a tile
// gives both sides that size.

import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import { sizeRunner } from "../../effects/sweep/run-sizes.ts";
import { counted } from "../../lib/count.ts";
import { isPerSecond, type MetricWords } from "../../state/figures/headline.ts";
import { scoreWords } from "../../state/figures/score-words.ts";
import { knobValue, sideLabel } from "../../state/select/selectors.ts";
import {
  canSize,
  CPUS,
  sizesOf,
  thresholdOf,
  type SizeRun,
  type Threshold,
} from "../../state/sweep/sizes.ts";
import { SIDES } from "../../scenario/sides.ts";
import { calledOn } from "../../scenario/variants.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { usePage } from "../page/page.ts";
import { SizeTile } from "./SizeTile.tsx";
import { greatestFigure } from "./size-bars.ts";
import "./sizes.css";

export default function SizesDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { store } = usePage();
  // A window lies over the page: nothing is turned while it is open.
  const [state] = useState(() => store.getState());
  const sizes = useMemo(() => sizesOf(state), [state]);
  const rows = useMemo(() => scoreWords(state.entry), [state]);
  const [chosen, setChosen] = useState(0);
  const now = knobValue(state, "a", CPUS);
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      sizes.findIndex((cpus) => cpus === now),
    ),
  );
  const list = useRef<HTMLOListElement>(null);
  const runs = useSizeRuns(state, list);
  const words = rows[chosen];
  const open = (cpus: number): void => {
    list.current?.closest("dialog")?.close();
    store.dispatch({ type: "knob_set", where: "both", path: CPUS, value: cpus, settled: true });
  };
  const slide = (index: number): void => {
    setAt(index);
    list.current?.children[index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  return (
    <Dialog title="The machine’s size" onClose={onClose} testId="sizes" wide>
      {words === undefined ? (
        <p>This scenario names no figure, so sizes cannot be compared.</p>
      ) : (
        <>
          <div className="sizes-head">
            <FigureChoice rows={rows} chosen={chosen} onChoose={setChosen} />
            <p className="sizes-sides">
              {SIDES.map((side) => (
                <span key={side}>
                  <SideBadge side={side} />{" "}
                  {calledOn(state.entry, state.knobs, side) ?? sideLabel(state, side)}
                </span>
              ))}
            </p>
          </div>
          {!canSize(state.entry) && <NotItsKnob />}
          <ol className="sizes-tiles" ref={list}>
            {sizes.map((cpus, index) => (
              <SizeTile
                key={cpus}
                cpus={cpus}
                run={runs.get(cpus)}
                words={words}
                greatest={greatestFigure(runs, words)}
                mark={markOf(thresholdOf(sizes, runs, words), cpus)}
                current={index === at}
                now={cpus === now}
                onOpen={() => open(cpus)}
              />
            ))}
          </ol>
          <Slider sizes={sizes} at={at} onSlide={slide} onOpen={open} />
          <p className="sizes-mark" role="status" data-testid="sizes-mark">
            {thresholdOf(sizes, runs, words).words}
          </p>
          <Progress done={runs.size} total={sizes.length} />
        </>
      )}
    </Dialog>
  );
}

/** What a tile says if it is the marked one. */
function markOf({ cpus, lasts }: Threshold, of: number): string {
  if (cpus !== of) return "";
  return lasts ? "from here" : "first here";
}

function Progress({ done, total }: { readonly done: number; readonly total: number }): ReactNode {
  return (
    <>
      <p className="muted" data-testid="sizes-done" data-count={done}>
        {`${counted(done, "size")} of ${total} computed. All bars have one linear scale. One run a size and side, with the seed and the other knobs as they are; a tile is computed when it comes into view. A press on a tile opens that size, Ctrl+Z takes it back.`}
      </p>
      <progress className="sizes-progress" value={done} max={total} aria-hidden />
    </>
  );
}

function NotItsKnob(): ReactNode {
  return (
    <p className="muted" data-testid="sizes-why">
      This scenario’s own list of knobs has no machine.cpus. Where its text names CPUs or a topology
      that a size does not have, the tile says why.
    </p>
  );
}

interface SliderProps {
  readonly sizes: readonly number[];
  readonly at: number;
  readonly onSlide: (index: number) => void;
  readonly onOpen: (cpus: number) => void;
}

function Slider({ sizes, at, onSlide, onOpen }: SliderProps): ReactNode {
  const cpus = sizes[at] ?? 0;
  return (
    <label className="sizes-slider">
      <span>{counted(cpus, "CPU")}</span>
      <input
        type="range"
        min={0}
        max={sizes.length - 1}
        step={1}
        value={at}
        aria-label="Size of the machine"
        aria-valuetext={counted(cpus, "CPU")}
        title="Enter opens this size"
        data-testid="sizes-slider"
        onChange={(event) => onSlide(Number(event.target.value))}
        onKeyDown={(event) => {
          if (event.key === "Enter") onOpen(cpus);
        }}
      />
    </label>
  );
}

interface FigureChoiceProps {
  readonly rows: readonly MetricWords[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

function FigureChoice({ rows, chosen, onChoose }: FigureChoiceProps): ReactNode {
  return (
    <label className="sizes-figure">
      Figure{" "}
      <select
        className="input"
        value={chosen}
        data-testid="sizes-figure"
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {rows.map((words, index) => (
          <option key={words.path} value={index}>
            {words.label}
            {isPerSecond(words) && ", per second"}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The runs that are done, by size. Tiles in view are computed; closing ends what runs. */
function useSizeRuns(
  state: Parameters<typeof sizeRunner>[0],
  list: RefObject<HTMLOListElement | null>,
): ReadonlyMap<number, SizeRun> {
  const [runs, setRuns] = useState<ReadonlyMap<number, SizeRun>>(new Map());
  useEffect(() => {
    const runner = sizeRunner(state, (run) =>
      setRuns((before) => new Map(before).set(run.cpus, run)),
    );
    const seen = new Set<number>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const cpus = Number((target as HTMLElement).dataset["cpus"]);
        if (isIntersecting) seen.add(cpus);
        else seen.delete(cpus);
      }
      runner.want([...seen]);
    });
    for (const tile of list.current?.children ?? []) observer.observe(tile);
    return () => {
      observer.disconnect();
      runner.stop();
    };
  }, [state, list]);
  return runs;
}
