// Every stretch a task ran on one side, with the columns of `perf sched timehist`: each row leads
// to the wake-up it belongs to.

import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import type { TraceStore } from "../../model/index.ts";
import type { Viewport } from "../../model/trace/run-types.ts";
import { Timehist } from "../../model/stats/timehist.ts";
import { selectedRow } from "../../state/select/selection.ts";
import { noRun } from "../../state/select/no-run.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { useDispatch, useSelect } from "../page/page.ts";
import { holds } from "./columns.ts";
import type { TabProps } from "./compared.tsx";
import { DataTable, type Column } from "./DataTable.tsx";

const SCOPES = {
  area: "in the chosen area",
  view: "in view",
  selected: "of the selected task",
  all: "of the whole run",
} as const;
type Scope = keyof typeof SCOPES;

export function WakeUps({ search }: TabProps): ReactNode {
  const [asked, setSide] = useState<Side>();
  const focus = useSelect((state) => state.focus);
  const side = asked ?? focus;
  const run = useSelect((state) => state.sides[side].shown);
  const hasArea = useSelect((state) => state.area !== undefined);
  const status = useSelect((state) => state.sides[side].status);
  const [chosen, setScope] = useState<Scope>();
  // The table lists the viewer's area, if there is one, until the viewer picks a scope here.
  const scope =
    chosen === undefined || (chosen === "area" && !hasArea) ? (hasArea ? "area" : "view") : chosen;
  return (
    <>
      <div className="data-picks">
        <div className="segmented" role="radiogroup" aria-label="Side listed">
          {SIDES.map((each) => (
            <label key={each} className="segment">
              <input
                type="radio"
                name="numbers-side"
                checked={side === each}
                data-testid={`numbers-side-${each}`}
                onChange={() => setSide(each)}
              />
              <span>
                <SideBadge side={each} />
              </span>
            </label>
          ))}
        </div>
        <select
          className="select"
          aria-label="Rows listed"
          value={scope}
          data-testid="numbers-scope"
          onChange={(event) => setScope(event.target.value as Scope)}
        >
          {Object.entries(SCOPES)
            .filter(([value]) => value !== "area" || hasArea)
            .map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
        </select>
      </div>
      {run === undefined ? (
        <p className="empty">{noRun(status)}</p>
      ) : (
        <Runs side={side} run={run} scope={scope} search={search} />
      )}
    </>
  );
}

interface RunsProps extends TabProps {
  readonly side: Side;
  readonly run: Run;
  readonly scope: Scope;
}

function Runs({ side, run, scope, search }: RunsProps): ReactNode {
  const { trace, version } = run;
  const dispatch = useDispatch();
  const hist = useMemo(() => new Timehist(trace), [trace]);
  // A window that moves must not wait for its table.
  const from = useDeferredValue(useSelect((state) => stretchOf(state, scope).fromNs));
  const to = useDeferredValue(useSelect((state) => stretchOf(state, scope).toNs));
  const cpus = useSelect((state) => (scope === "area" ? state.area?.cpus : undefined));
  const only = useSelect((state) => (scope === "selected" ? state.selection?.task : undefined));
  const marked = useSelect((state) => selectedRow(state, side));
  const rows = useMemo(() => {
    const wanted = trace.shape.tasks.map(({ name, kind }) =>
      scope === "selected" ? name === only : holds(search, name, kind),
    );
    const found = hist.rowsIn(from, to, (task) => wanted[task] ?? false);
    return cpus === undefined ? found : found.filter((row) => cpus.includes(hist.at(row).cpu));
    // The store is the same object from chunk to chunk; the version says that it has grown.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
  }, [hist, from, to, search, scope, only, cpus, version]);
  const columns = useMemo(() => timehistColumns(hist, trace), [hist, trace]);
  return (
    <DataTable
      name="wakeups"
      file={`wake-ups-${side}`}
      columns={columns}
      rows={rows}
      empty={
        scope === "selected" && only === undefined ? "No wake-up is selected." : "No task ran here."
      }
      rowHint="Selects its wake-up"
      isMarked={(row) => marked !== undefined && hist.wakeOf(row) === marked}
      onRow={(row) => {
        const wake = hist.wakeOf(row);
        dispatch({ type: "paused" });
        dispatch({ type: "playhead_set", ns: hist.at(row).ns - hist.at(row).runNs });
        if (wake !== undefined)
          dispatch({ type: "selected", side, selection: trace.wakes.selectionOf(wake) });
      }}
    />
  );
}

/** The stretch whose runs are listed. */
function stretchOf(state: State, scope: Scope): Viewport {
  if (scope === "area" && state.area !== undefined) return state.area;
  return scope === "view" ? shownViewport(state) : { fromNs: 0, toNs: Infinity };
}

/**
 * The columns that perf prints: seconds with six decimals, milliseconds with three. Files have
 * exact ns. The narrowest dock shows the columns on two lines.
 */
function timehistColumns(hist: Timehist, trace: TraceStore): readonly Column<number>[] {
  const ms = (ns: number): string => (ns / 1e6).toFixed(3);
  const stretch = (
    id: string,
    label: string,
    title: string,
    ns: (row: number) => number,
  ): Column<number> => ({
    id,
    label,
    unit: "ms",
    title,
    number: true,
    width: [3.75, 1],
    cell: ns,
    text: (row) => ms(ns(row)),
  });
  return [
    {
      id: "time_ns",
      label: "time",
      unit: "s",
      title: "When the task left the CPU",
      number: true,
      above: true,
      cell: (row) => hist.at(row).ns,
      text: (row) => (hist.at(row).ns / 1e9).toFixed(6),
    },
    {
      id: "cpu",
      label: "cpu",
      number: true,
      width: [2.625, 0.5],
      cell: (row) => hist.at(row).cpu,
      text: (row) => `[${String(hist.at(row).cpu).padStart(4, "0")}]`,
    },
    {
      id: "task",
      label: "task name [tid]",
      title: "The task and its number in this run",
      above: true,
      cell: (row) => trace.taskName(hist.at(row).task),
      text: (row) => `${trace.taskName(hist.at(row).task)}[${hist.at(row).task}]`,
    },
    { id: "tid", cell: (row) => hist.at(row).task },
    stretch(
      "wait_ns",
      "wait time",
      "From leaving a CPU to this run, sleep included",
      (row) => hist.at(row).waitNs,
    ),
    stretch(
      "sch_delay_ns",
      "sch delay",
      "From the wake-up to this run",
      (row) => hist.at(row).delayNs,
    ),
    stretch(
      "run_ns",
      "run time",
      "From this switch in to the switch out",
      (row) => hist.at(row).runNs,
    ),
  ];
}
