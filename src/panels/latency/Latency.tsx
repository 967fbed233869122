// How late wake-ups were, on both sides: percentiles, histograms by cause on one axis, and the
// wake-ups behind a bar.

import { useContext, useEffect, useId, useMemo, useState, type ReactNode } from "react";
import { CauseSwatch, causeName, causeWords } from "../../charts/cause-rect.tsx";
import { Histogram, type HistogramRange, type RangeMark } from "../../charts/Histogram.tsx";
import { HandHeld } from "../../lib/hand-held.ts";
import { counted } from "../../lib/count.ts";
import type { Table } from "../../lib/csv.ts";
import { formatCount, timeSigns } from "../../lib/format.ts";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import {
  LATENCY_BINS,
  latencyEdgeNs,
  samplesNeeded,
  type LatencyBin,
  type LatencyStrip,
} from "../../model/index.ts";
import { barsWithSlack, expiriesOf } from "../../model/causes/slack.ts";
import { noRun } from "../../state/select/no-run.ts";
import { kindWords } from "../../scenario/labels.ts";
import { latencyKind } from "../../state/select/selectors.ts";
import { SIDES, type PerSide, type Side } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import { Chip } from "../widgets/Chip.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { figureText, rangeText } from "../../state/figures/figure.ts";
import { useDispatch, useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { percentilesTable } from "../numbers/tables.ts";
import { WakeList } from "./WakeList.tsx";
import "./latency.css";

interface Chosen {
  readonly side: Side;
  readonly bin: number;
}

export function Latency(): ReactNode {
  const [chosen, setChosen] = useState<Chosen>();
  const parts = useParts();
  const a = useLatency("a", parts);
  const b = useLatency("b", parts);
  const kind = useSelect((state) => latencyKind(state, "a"));
  const before = { a: useBefore("a"), b: useBefore("b") };
  const range = commonRange([a?.bins ?? [], b?.bins ?? [], before.a ?? [], before.b ?? []]);
  const causes = useMemo(() => causesIn([...(a?.bins ?? []), ...(b?.bins ?? [])]), [a, b]);
  return (
    <section className="latency" aria-label="Latency" data-testid="latency">
      <header className="panel-head">
        <h2>How late were wake-ups?</h2>
        <KindPicker kind={kind} />
      </header>
      <Strips a={a?.strip} b={b?.strip} />
      <footer className="data-foot">
        <span className="muted">Percentiles as a table</span>
        <TableFiles
          name="percentiles"
          table={() => percentilesTable({ a: a?.strip, b: b?.strip })}
          testId="percentiles"
        />
      </footer>
      {SIDES.map((side) => (
        <SideHistogram
          key={side}
          side={side}
          data={side === "a" ? a : b}
          coming={parts < DUE[side].bars}
          before={before[side]}
          kind={kind}
          range={range}
          chosen={chosen?.side === side ? chosen.bin : undefined}
          onChoose={(bin) =>
            setChosen(chosen?.side === side && chosen.bin === bin ? undefined : { side, bin })
          }
        />
      ))}
      <CauseLegend causes={causes} />
      <footer className="data-foot">
        <span className="muted">Both histograms as a table</span>
        <TableFiles
          name="latency"
          table={() => tableOf({ a: a?.bins ?? [], b: b?.bins ?? [] }, causes)}
          testId="latency"
        />
      </footer>
      {chosen !== undefined && (
        <WakeList
          side={chosen.side}
          bin={chosen.bin}
          kind={kind}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}

/** A row for each bar, and what its wake-ups waited for, summed. */
function tableOf(bins: PerSide<readonly LatencyBin[]>, causes: readonly number[]): Table {
  const rows = SIDES.flatMap((side) => bins[side].map((bin) => ({ side, bin }))).filter(
    ({ bin }) => bin.count > 0,
  );
  return {
    columns: [
      "side",
      "from_ns",
      "to_ns",
      "wake_ups",
      ...causes.map((cause) => `${causeName(cause)}_ns`),
    ],
    rows: rows.map(({ side, bin }) => [
      side.toUpperCase(),
      bin.fromNs,
      bin.toNs,
      bin.count,
      ...causes.map((cause) => bin.causeNs[cause] ?? 0),
    ]),
  };
}

interface LatencyData {
  readonly bins: readonly LatencyBin[];
  readonly strip: LatencyStrip | undefined;
}

/** While a run grows its figures are made anew a few times, not with every chunk. */
const GROWTH_STEPS = 8;

/**
 * When the timers of a side's wake-ups are read, its bars made and its percentiles: in which part.
 */
const DUE: PerSide<{ readonly timers: number; readonly bars: number; readonly ranks: number }> = {
  a: { timers: 1, bars: 2, ranks: 5 },
  b: { timers: 3, bars: 4, ranks: 6 },
};
const PARTS = DUE.b.ranks;

/**
 * How many parts of the panel are due, one more each moment: all worked out at once would hold up
 * the click that opens it.
 */
function useParts(): number {
  const [parts, setParts] = useState(1);
  useEffect(() => {
    if (parts === PARTS) return undefined;
    const timer = setTimeout(() => setParts(parts + 1));
    return () => clearTimeout(timer);
  }, [parts]);
  return parts;
}

/** Selects as much as `parts` allows: percentiles only when the other side's bars are there too. */
function useLatency(side: Side, parts: number): LatencyData | undefined {
  const due = DUE[side];
  const run = useSelect((state) => (parts >= due.timers ? state.sides[side].shown : undefined));
  const kind = useSelect((state) => latencyKind(state, side));
  const step = run === undefined ? 0 : growthStep(run);
  const trace = run?.trace;
  const [barred, ranked] = [parts >= due.bars, parts >= due.ranks];
  // Chunks go into one trace object, so React sees no new value; `step` changes when the figures are
  // due again. The bars need the timers, which are read here, a part earlier.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
  useMemo(() => trace && expiriesOf(trace), [trace, step]);
  const bins = useMemo(
    () => (barred && trace ? barsWithSlack(trace, kind) : undefined),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
    [trace, kind, step, barred],
  );
  const strip = useMemo(
    () => (ranked ? trace?.latency.percentiles(kind) : undefined),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
    [trace, kind, step, ranked],
  );
  return useMemo(() => bins && { bins, strip }, [bins, strip]);
}

/** The bars of the previous run, while it is asked for and its records are kept. */
function useBefore(side: Side): readonly LatencyBin[] | undefined {
  const trace = useSelect((state) =>
    state.ghost === "before" ? state.sides[side].previous?.trace : undefined,
  );
  const kind = useSelect((state) => latencyKind(state, side));
  return useMemo(() => trace && barsWithSlack(trace, kind), [trace, kind]);
}

function growthStep(run: Run): number {
  if (run.report !== undefined) return GROWTH_STEPS + 1;
  return Math.floor((run.simulatedNs / run.meta.duration_ns) * GROWTH_STEPS);
}

function causesIn(bins: readonly LatencyBin[]): readonly number[] {
  const totals: number[] = [];
  for (const bin of bins)
    bin.causeNs.forEach((ns, cause) => (totals[cause] = (totals[cause] ?? 0) + ns));
  return [...totals.keys()].filter((cause) => (totals[cause] ?? 0) > 0);
}

/** From a little below the shortest to a little above the longest of both sides. */
function commonRange(sides: readonly (readonly LatencyBin[])[]): HistogramRange {
  const used = sides.flatMap((bins) =>
    bins.flatMap((bin, index) => (bin.count > 0 ? [index] : [])),
  );
  const first = Math.max(0, Math.min(...used, LATENCY_BINS) - 2);
  const last = Math.min(LATENCY_BINS, Math.max(...used, 0) + 3);
  if (used.length === 0)
    return { fromNs: latencyEdgeNs(0), toNs: latencyEdgeNs(LATENCY_BINS / 2), most: 10 };
  return {
    fromNs: latencyEdgeNs(first),
    toNs: latencyEdgeNs(Math.max(last, first + 16)),
    most: Math.max(...sides.flatMap((bins) => bins.map((bin) => bin.count))),
  };
}

function KindPicker({ kind }: { readonly kind: string | undefined }): ReactNode {
  const dispatch = useDispatch();
  const run = useSelect((state) => state.sides.a.shown);
  const labels = useSelect((state) => state.entry.labels);
  const kinds = useMemo(
    () => [...new Set(run?.meta.tasks.map((task) => task.kind) ?? [])],
    [run?.meta],
  );
  return (
    <label className="kind-picker">
      of{" "}
      <select
        className="select"
        value={kind ?? ""}
        data-testid="latency-kind"
        onChange={(event) => dispatch({ type: "latency_kind_set", kind: event.target.value })}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {kindWords(labels, each)}
          </option>
        ))}
      </select>
    </label>
  );
}

const PERCENTILES = [
  { of: "min", label: "min", perMille: undefined },
  { of: "p50", label: "p50", perMille: 500 },
  { of: "p90", label: "p90", perMille: 900 },
  { of: "p99", label: "p99", perMille: 990 },
  { of: "p999", label: "p99.9", perMille: 999 },
  { of: "max", label: "max", perMille: undefined },
] as const;

/** A row for each percentile: seven columns of figures are wider than the dock. */
function Strips(strips: PerSide<LatencyStrip | undefined>): ReactNode {
  return (
    <table className="strips" aria-label="Percentiles of the latency">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">percentile</span>
          </th>
          {SIDES.map((side) => (
            <th key={side} scope="col" className="number">
              <SideBadge side={side} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {PERCENTILES.map((percentile) => (
          <tr key={percentile.of}>
            <th scope="row">{percentile.label}</th>
            {SIDES.map((side) => (
              <Percentile key={side} side={side} strip={strips[side]} {...percentile} />
            ))}
          </tr>
        ))}
        <tr className="muted">
          <th scope="row">wake-ups</th>
          {SIDES.map((side) => (
            <td key={side} className="number">
              {formatCount(strips[side]?.count ?? 0)}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

type PercentileProps = (typeof PERCENTILES)[number] & {
  readonly side: Side;
  readonly strip: LatencyStrip | undefined;
};

function Percentile({ of, side, strip, perMille }: PercentileProps): ReactNode {
  const ns = strip?.[of];
  const needed =
    strip !== undefined && ns === undefined && perMille !== undefined
      ? samplesNeeded(perMille)
      : undefined;
  return (
    <td className="number" data-testid={`latency-${of}-${side}`} data-ns={ns}>
      {needed !== undefined ? (
        <TooFew needed={needed} />
      ) : ns === undefined ? (
        "–"
      ) : (
        figureText(ns, "ns")
      )}
    </td>
  );
}

/**
 * Replaces a percentile that has too few wake-ups to support it; the end of the row has their
 * number.
 */
function TooFew({ needed }: { readonly needed: number }): ReactNode {
  return (
    <span
      className="too-few"
      title={`This percentile needs at least ${counted(needed, "wake-up")}`}
    >
      n &lt; {formatCount(needed)}
    </span>
  );
}

/** The most tasks that are offered in place of one that never woke. */
const OTHERS_MAX = 3;

/** In place of a histogram without a bar: what is missing, and whose wake-ups there are. */
function NoSamples({
  side,
  kind,
}: {
  readonly side: Side;
  readonly kind: string | undefined;
}): ReactNode {
  const dispatch = useDispatch();
  const run = useSelect((state) => state.sides[side].shown);
  const status = useSelect((state) => state.sides[side].status);
  const labels = useSelect((state) => state.entry.labels);
  const others = Object.entries(run?.report?.metrics.latency ?? {}).flatMap(([each, { count }]) =>
    count > 0 && each !== kind ? [each] : [],
  );
  if (run === undefined) return <p className="empty">{noRun(status)}</p>;
  return (
    <p className="empty" data-testid={`no-samples-${side}`}>
      No wake-up of {kind === undefined ? "any task" : kindWords(labels, kind)} ended in this run.{" "}
      {others.length === 0
        ? "Nor did any other task’s: a longer run may have some."
        : "Others have some: "}
      {others.slice(0, OTHERS_MAX).map((each) => (
        <button
          key={each}
          type="button"
          className="button tiny"
          data-testid={`no-samples-${side}-take-${each}`}
          onClick={() => dispatch({ type: "latency_kind_set", kind: each })}
        >
          {kindWords(labels, each)}
        </button>
      ))}
    </p>
  );
}

/** Size of the projector theme's text, as in tokens.css. */
const PROJECTOR_SCALE = 1.5;

interface SideHistogramProps {
  readonly side: Side;
  readonly data: LatencyData | undefined;
  /** It is not worked out yet. */
  readonly coming: boolean;
  readonly before: readonly LatencyBin[] | undefined;
  readonly kind: string | undefined;
  readonly range: HistogramRange;
  readonly chosen: number | undefined;
  readonly onChoose: (bin: number) => void;
}

function SideHistogram({
  side,
  data,
  coming,
  before,
  kind,
  range,
  chosen,
  onChoose,
}: SideHistogramProps): ReactNode {
  const references = useSelect((state) => state.entry.references);
  const handHeld = useContext(HandHeld);
  const scale = useSelect((state) =>
    state.theme === "projector" && !handHeld ? PROJECTOR_SCALE : 1,
  );
  const marks: readonly RangeMark[] = references
    .filter((reference) => reference.metric === `latency.${kind ?? ""}.max_ns`)
    .filter((reference) => reference.high >= range.fromNs && reference.low <= range.toNs)
    .map((reference) => ({
      label: `${reference.source}: ${rangeText(reference, "ns")}`,
      title: `${reference.label} (${reference.source})`,
      fromNs: reference.low,
      toNs: reference.high,
    }))
    .sort((one, other) => one.fromNs - other.fromNs);
  const empty = !coming && (data === undefined || data.bins.every(({ count }) => count === 0));
  return (
    <figure className="hist" aria-label={`Latencies of side ${side.toUpperCase()}`}>
      <figcaption>
        <SideBadge side={side} />{" "}
        <span className="muted">
          wake-ups by latency, coloured by cause{before === undefined ? "" : "; the line: before"}
        </span>{" "}
        <Chip whose="model">simulated</Chip>
      </figcaption>
      {empty ? (
        <NoSamples side={side} kind={kind} />
      ) : (
        <Histogram
          label={`Latencies of side ${side.toUpperCase()}, by cause`}
          testId={`histogram-${side}`}
          bins={data?.bins ?? []}
          before={before}
          range={range}
          chosen={chosen}
          marks={marks}
          scale={scale}
          onChoose={onChoose}
        />
      )}
    </figure>
  );
}

const SLACK_DOC =
  "part of irq_delay: the timer was due, but a fair task's may expire so much later; no interrupt was late";

/** Which colour and texture is which cause; only causes that occur. */
function CauseLegend({ causes }: { readonly causes: readonly number[] }): ReactNode {
  const id = useId();
  if (causes.length === 0) return undefined;
  return (
    <ul className="legend" aria-label="Causes">
      {causes.map((cause) => (
        <li key={cause} title={timeSigns(CAUSES[cause]?.doc ?? SLACK_DOC)}>
          <CauseSwatch cause={cause} defs={`${id}-${cause}`} /> {causeWords(cause)}
        </li>
      ))}
    </ul>
  );
}
