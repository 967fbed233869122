// The sums of the chosen area, for both sides over the same stretch and the same CPUs: states,
// tasks, locks, causes.

import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { formatNs, threeFigures } from "../../lib/format.ts";
import { counted } from "../../lib/count.ts";
import type { Pair } from "../../model/compare/deltas.ts";
import type { AreaDeltas, AreaRow } from "../../model/index.ts";
import { areaDeltas } from "../../model/stats/area-deltas.ts";
import type { Area } from "../../model/trace/run-types.ts";
import { areaWords } from "../../state/area/area-words.ts";
import { SIDES } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { pairColumns, ratioAbove } from "../numbers/columns.ts";
import { DataTable, type Column } from "../numbers/DataTable.tsx";
import { useDispatch, useSelect } from "../page/page.ts";
import "../numbers/numbers.css";
import "./area.css";

const TABS = ["states", "tasks", "locks", "causes"] as const;
type Tab = (typeof TABS)[number];

/** Takes no props: mount it anywhere inside the page. Nothing without an area. */
export default function AreaTab(): ReactNode {
  const area = useSelect((state) => state.area);
  return area === undefined ? undefined : <Sums area={area} />;
}

function Sums({ area }: { readonly area: Area }): ReactNode {
  const [tab, setTab] = useState<Tab>("states");
  const a = useSelect((state) => state.sides.a.shown);
  const b = useSelect((state) => state.sides.b.shown);
  // A run that grows is summed when there is time: the picture goes first.
  const versions = useDeferredValue(`${a?.version ?? ""} ${b?.version ?? ""}`);
  const deltas = useMemo(
    () => areaDeltas(a?.trace, b?.trace, area),
    // The store is the same object from chunk to chunk; the version says that it has grown.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
    [a?.trace, b?.trace, area, versions],
  );
  const shown = tableOf(deltas, tab);
  const reachedNs = Math.max(...[a, b].map((run) => run?.trace.endNs ?? 0));
  return (
    <section
      className="area-sums"
      aria-label="The area"
      data-testid="area"
      data-from={area.fromNs}
      data-to={area.toNs}
      data-cpus={area.cpus?.join(" ")}
    >
      <Head area={area} />
      {reachedNs > area.fromNs && reachedNs < area.toNs && (
        <p className="muted" data-testid="area-reached">
          Nothing is simulated after {formatNs(reachedNs, 6)}.
        </p>
      )}
      <div className="numbers-tabs" role="radiogroup" aria-label="Sums by">
        {TABS.map((each) => (
          <label key={each} className="segment">
            <input
              type="radio"
              name="area-tab"
              checked={each === tab}
              data-testid={`area-tab-${each}`}
              onChange={() => setTab(each)}
            />
            <span>{each}</span>
          </label>
        ))}
      </div>
      <div className="area-table">
        <DataTable
          name={`area-${tab}`}
          columns={COLUMNS[tab]}
          rows={shown.rows}
          empty={EMPTY[tab]}
        />
      </div>
      <Sum words={`Sum, ${shown.words}`} sum={shown.sum} testId="area-sum" />
      {tab === "states" &&
        deltas.off
          .filter(({ a: one, b: other }) => (one ?? 0) + (other ?? 0) > 0)
          .map(({ name, ...sum }) => (
            <Sum
              key={name}
              words={`Of it with ${name}`}
              sum={sum}
              testId={`area-${name.replace(" ", "-")}`}
            />
          ))}
    </section>
  );
}

function Head({ area }: { readonly area: Area }): ReactNode {
  const dispatch = useDispatch();
  const margin = Math.max(20, Math.round((area.toNs - area.fromNs) * 0.2));
  return (
    <header className="area-head">
      <strong>{areaWords(area)}</strong>
      <span className="area-buttons">
        <button
          type="button"
          className="button tiny"
          data-testid="area-fit"
          onClick={() =>
            dispatch({
              type: "viewport_set",
              viewport: { fromNs: Math.max(0, area.fromNs - margin), toNs: area.toNs + margin },
              settled: true,
            })
          }
        >
          Zoom to it
        </button>
        <button
          type="button"
          className="button tiny"
          title="Clear the area (Esc)"
          data-testid="area-clear"
          onClick={() => dispatch({ type: "area_cleared" })}
        >
          Clear
        </button>
      </span>
    </header>
  );
}

interface Shown {
  readonly rows: readonly AreaRow[];
  readonly sum: Pair;
  /** What the rows add up to. */
  readonly words: string;
}

const EMPTY: Readonly<Record<Tab, string>> = {
  states: "Nothing is simulated here.",
  tasks: "Nothing is simulated here.",
  locks: "No lock was taken or waited for here.",
  causes: "No wake-up ended here.",
};

function tableOf(deltas: AreaDeltas, tab: Tab): Shown {
  switch (tab) {
    case "states":
      return {
        rows: deltas.states.rows,
        sum: deltas.states.sum,
        words: "time of these CPUs together",
      };
    case "tasks":
      return {
        rows: deltas.tasks.rows,
        sum: deltas.tasks.sum,
        words: "time of these CPUs together",
      };
    case "locks":
      return {
        rows: [...named(deltas.waits.rows, "wait for"), ...named(deltas.holds.rows, "hold")],
        sum: deltas.waits.sum,
        words: "waits alone: time these CPUs spin for locks",
      };
    case "causes": {
      const { a, b } = deltas.wakeups;
      const words = [a, b].map((count) =>
        count === undefined ? "no run" : counted(count, "wake-up"),
      );
      return {
        rows: deltas.causes.rows,
        sum: deltas.causes.sum,
        words: `latency of the wake-ups that end here, ${words.join(" and ")}`,
      };
    }
  }
}

function named(rows: readonly AreaRow[], verb: string): readonly AreaRow[] {
  return rows.map((row) => ({ ...row, name: `${verb} ${row.name}` }));
}

function Sum({
  words,
  sum,
  testId,
}: {
  readonly words: string;
  readonly sum: Pair;
  readonly testId: string;
}): ReactNode {
  return (
    <p className="area-sum">
      <span className="muted">{words}:</span>
      {SIDES.map((side) => (
        <span key={side} className="number" data-testid={`${testId}-${side}`} data-ns={sum[side]}>
          <SideBadge side={side} /> {sum[side] === undefined ? "–" : threeFigures(sum[side])}
        </span>
      ))}
    </p>
  );
}

function columnsOf(label: string): readonly Column<AreaRow>[] {
  return [
    {
      id: label,
      label,
      above: true,
      cell: ({ name }) => name,
      text: ({ name }) => name.replaceAll("_", " "),
    },
    ...ratioAbove(
      pairColumns<AreaRow>(
        "ns",
        (row) => row,
        () => "ns",
      ),
    ),
  ];
}

const COLUMNS: Readonly<Record<Tab, readonly Column<AreaRow>[]>> = {
  states: columnsOf("state"),
  tasks: columnsOf("task"),
  locks: columnsOf("lock"),
  causes: columnsOf("cause"),
};
