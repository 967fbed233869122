// All variants of the scenario as small multiples: one tile each, over the stretch in view, and the
// way to make one a side or a strip.

import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Batch } from "../../engine/batch.ts";
import type { GroupInfo } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { formatNs } from "../../lib/format.ts";
import { STRIPS_MAX, stripName, stripRequest, variantOn } from "../../state/compare/strips.ts";
import { headlineValue, headlineWords } from "../../state/figures/headline.ts";
import { variantsOf } from "../../scenario/variants.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { figureText } from "../../state/figures/figure.ts";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { errorText } from "../widgets/ScenarioRefused.tsx";
import { drawAll, type Tile } from "./tiles.ts";
import "./variants.css";

const FIGURES = 2;

export default function AllVariants({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { store } = usePage();
  const variants = variantsOf(useSelect((state) => state.entry));
  const window = useSelect(shownViewport);
  const pool = useSelect(({ sides }) => sides.a.shown?.meta.groups.some(isLimited) === true);
  const { tiles, running, stop } = useTiles();
  const done = tiles.filter((tile) => tile !== undefined).length;
  const close = (): void => {
    stop();
    onClose();
  };
  return (
    <Dialog title="All variants" onClose={close} testId="variants" wide>
      <p className="muted">
        Each from {formatNs(window.fromNs, 5)} to {formatNs(window.toNs, 5)}, with the knobs that A
        and B share. A row is a CPU that computes{pool && ", the shape below it the group’s pool"}.
        Press a picture to make it side B.
      </p>
      <p className="variant-progress">
        <progress max={variants.length} value={done} aria-label="Variants computed" />
        <output
          aria-live={running ? "off" : "polite"}
          data-testid="variants-progress"
          data-done={done}
          data-total={variants.length}
          data-running={running}
        >
          {done} of {variants.length}{" "}
          {running ? "computed" : done < variants.length ? "computed, stopped" : "computed"}
        </output>
        {running && (
          <button type="button" className="button" data-testid="variants-stop" onClick={stop}>
            Stop
          </button>
        )}
      </p>
      <ol className="variant-tiles">
        {variants.map(({ name }, index) => (
          <VariantTile
            key={name}
            name={name}
            index={index}
            tile={tiles[index]}
            onTake={(side) => {
              store.dispatch({ type: "variant_taken", side, variant: name });
              store.dispatch({ type: "side_focused", side });
              close();
            }}
          />
        ))}
      </ol>
    </Dialog>
  );
}

function isLimited({ quota_ns: quotaNs }: GroupInfo): boolean {
  return quotaNs !== undefined;
}

interface Tiles {
  readonly tiles: readonly (Tile | undefined)[];
  readonly running: boolean;
  readonly stop: () => void;
}

/** A message to oneself comes after input and drawing that wait. */
const later = (work: () => void): void => void setTimeout(work, 0);

/**
 * Computed once, with the knobs from when the window opens: no knob can change behind the window.
 */
function useTiles(): Tiles {
  const { store } = usePage();
  const [tiles, setTiles] = useState<readonly (Tile | undefined)[]>([]);
  const [running, setRunning] = useState(true);
  const batch = useRef<Batch>(undefined);
  useEffect(() => {
    const state = store.getState();
    const requests = variantsOf(state.entry).flatMap(
      ({ name }) => stripRequest(state, { variant: name }) ?? [],
    );
    const turns = { now: () => performance.now(), later, idle: later };
    const started = drawAll(requests, shownViewport(state), state.theme, turns, (index, tile) =>
      setTiles((known) => requests.map((_request, each) => (each === index ? tile : known[each]))),
    );
    batch.current = started;
    void started.done.then(() => setRunning(false));
    return () => started.cancel();
  }, [store]);
  return { tiles, running, stop: () => batch.current?.cancel() };
}

interface VariantTileProps {
  readonly name: string;
  readonly index: number;
  readonly tile: Tile | undefined;
  readonly onTake: (side: Side) => void;
}

function VariantTile({ name, index, tile, onTake }: VariantTileProps): ReactNode {
  const dispatch = useDispatch();
  const isA = useSelect((state) => variantOn(state, "a") === name);
  const isB = useSelect((state) => variantOn(state, "b") === name);
  const canAdd = useSelect(
    ({ strips }) => strips.length < STRIPS_MAX && strips.every(({ variant }) => variant !== name),
  );
  const whole = useSelect((state) => stripName(state, name, true));
  const id = `variant-tile-${String(index)}`;
  return (
    <li className="variant-tile" data-testid={id} data-state={tile?.answer.kind ?? "waiting"}>
      <button
        type="button"
        className="variant-take"
        aria-label={`${plainText(whole)}: make it side B`}
        data-testid={`${id}-b`}
        onClick={() => onTake("b")}
      >
        {tile?.picture === undefined ? (
          <span className="variant-picture" />
        ) : (
          <Picture data={tile.picture} />
        )}
      </button>
      <h3>
        {isA && <SideBadge side="a" />} {isB && <SideBadge side="b" />} {plainText(whole)}
      </h3>
      <Figures tile={tile} id={id} />
      <p className="variant-acts">
        <button
          type="button"
          className="button tiny"
          data-testid={`${id}-a`}
          onClick={() => onTake("a")}
        >
          as A
        </button>
        {canAdd && (
          <button
            type="button"
            className="button tiny"
            data-testid={`${id}-strip`}
            onClick={() => dispatch({ type: "strip_added", variant: name })}
          >
            + strip
          </button>
        )}
      </p>
    </li>
  );
}

function Figures({
  tile,
  id,
}: {
  readonly tile: Tile | undefined;
  readonly id: string;
}): ReactNode {
  const { headline, labels } = useSelect((state) => state.entry);
  if (tile === undefined) return <p className="variant-figures muted">…</p>;
  const { answer } = tile;
  if (answer.kind === "refused")
    return <p className="variant-figures">{errorText(answer.error)}</p>;
  if (answer.kind === "fault")
    return <p className="variant-figures">{plainText(answer.message)}</p>;
  const { report, limit } = answer;
  return (
    <div className="variant-figures">
      {headlineWords(headline, labels)
        .slice(0, FIGURES)
        .map((words) => {
          const value = headlineValue(report, words);
          return (
            <p key={words.path} title={`${words.label}: ${words.of}`}>
              <b data-testid={`${id}-${words.path}`} data-value={value}>
                {value === undefined ? "none" : figureText(value, words.unit)}
              </b>{" "}
              <span className="muted">{words.label}</span>
            </p>
          );
        })}
      {limit !== undefined && <p className="muted">only to {formatNs(report.simulated_ns, 3)}</p>}
    </div>
  );
}

function Picture({ data }: { readonly data: ImageData }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => canvas.current?.getContext("2d")?.putImageData(data, 0, 0), [data]);
  return (
    <canvas
      ref={canvas}
      className="variant-picture"
      width={data.width}
      height={data.height}
      aria-hidden="true"
    />
  );
}
