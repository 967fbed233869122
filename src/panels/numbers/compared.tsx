// The tables that set the two runs against each other: metrics, tasks, causes. Each needs both
// reports.

import { useMemo, useState, type ReactNode } from "react";
import { CAUSES } from "../../engine/gen/catalogue.ts";
import type { RunReport } from "../../engine/gen/types.ts";
import {
  causeDeltas,
  metricDeltas,
  TASK_COUNTS,
  TASK_FIGURES,
  taskDeltas,
  type CauseDelta,
  type Finished,
  type MetricDelta,
  type Pair,
  type TaskDelta,
  type TaskFigure,
} from "../../model/compare/deltas.ts";
import type { TraceStore } from "../../model/index.ts";
import { DELAY, slackByKind } from "../../model/causes/slack.ts";
import { metricName } from "../../state/figures/headline.ts";
import { kindWords, labelOf, type Labels } from "../../scenario/labels.ts";
import type { Run } from "../../state/shape/run.ts";
import { useOverload } from "../../timeline/tracks/use-overload.ts";
import { usePage, useSelect } from "../page/page.ts";
import { goToMoment } from "../moments/to-moment.ts";
import { fewWords, holds, pairColumns, ratioAbove, type Unit } from "./columns.ts";
import { DataTable, type Column } from "./DataTable.tsx";

export interface TabProps {
  readonly search: string;
}

const NONE_FEW: Pair = { a: undefined, b: undefined };
const NOT_YET =
  "Both runs must be finished: a run has no totals while it computes, once it was cancelled, or if its scenario has an error.";
const NO_MATCH = "No row matches the search.";

/** Both reports, once both runs are done. */
function useReports(): readonly [RunReport, RunReport] | undefined {
  const a = useSelect((state) => state.sides.a.shown?.report);
  const b = useSelect((state) => state.sides.b.shown?.report);
  return useMemo(() => (a === undefined || b === undefined ? undefined : [a, b]), [a, b]);
}

export function Metrics({ search }: TabProps): ReactNode {
  const reports = useReports();
  const overloads = useOverloadDeltas();
  const all = useMemo(
    () =>
      reports === undefined
        ? []
        : [...metricDeltas(reports[0].metrics, reports[1].metrics), ...overloads],
    [reports, overloads],
  );
  const labels = useSelect((state) => state.entry.labels);
  const rows = useMemo(
    () => all.filter(({ path }) => holds(search, path, metricName(path, labels))),
    [all, search, labels],
  );
  const columns = useMemo(() => metricColumns(labels), [labels]);
  const { store } = usePage();
  const side = useSelect((state) => state.focus);
  const [said, setSaid] = useState("");
  return (
    <>
      <p className="muted" role="status" data-testid="numbers-said">
        {said}
      </p>
      <DataTable
        name="metrics"
        columns={columns}
        rows={rows}
        empty={reports === undefined ? NOT_YET : NO_MATCH}
        rowHint={`Goes to the moment in ${side.toUpperCase()} that made it`}
        onRow={({ path }) => setSaid(goToMoment(store, side, path))}
      />
    </>
  );
}

/** What reports do not have: the page sums it over the traces, as `Overload` defines it. */
function useOverloadDeltas(): readonly MetricDelta[] {
  const a = useOverload(useSelect((state) => finishedTrace(state.sides.a.shown)))?.sums();
  const b = useOverload(useSelect((state) => finishedTrace(state.sides.b.shown)))?.sums();
  const [idleA, idleB, lostA, lostB] = [a?.idleNs, b?.idleNs, a?.lostNs, b?.lostNs];
  // From the start, so that the table keeps its length: without a value until the trace is read.
  return useMemo(
    () => [
      { path: "trace.idle_while_overloaded_ns", a: idleA, b: idleB, few: NONE_FEW },
      { path: "trace.lost_work_ns", a: lostA, b: lostB, few: NONE_FEW },
    ],
    [idleA, idleB, lostA, lostB],
  );
}

function finishedTrace(run: Run | undefined): TraceStore | undefined {
  return run?.report === undefined ? undefined : run.trace;
}

const METRIC_TITLE =
  "Its path in reports, as scenario files name it, shows on hovering. Of the trace: CPU time idle while a task that may run there waits on an overloaded CPU; and lost work, at most one CPU for each such task";

/** The columns of a table of metrics, by name; the path is in the tooltip, in files and in what is searched. */
function metricColumns(labels: Labels): readonly Column<MetricDelta>[] {
  return [
    {
      id: "metric",
      label: "metric",
      title: METRIC_TITLE,
      above: true,
      cell: ({ path }) => path,
      text: ({ path }) => metricName(path, labels),
      note: ({ path }) => path,
    },
    ...METRIC_FIGURES,
  ];
}

function metricUnit(path: string): Unit {
  if (path.endsWith("_ns") || path.includes("causes_ns.")) return "ns";
  return path.endsWith("_bp") ? "share" : "count";
}

const METRIC_FIGURES: readonly Column<MetricDelta>[] = [
  ...ratioAbove(
    pairColumns<MetricDelta>(
      "value",
      (row) => row,
      ({ path }) => metricUnit(path),
      ({ few }) => few,
    ),
  ),
  { id: "note", cell: ({ few }) => fewNote(few) },
];

/** For files, where an empty cell alone would not say why. */
function fewNote({ a, b }: Pair): string | undefined {
  const said = [
    a === undefined ? [] : `A: ${fewWords(a)}`,
    b === undefined ? [] : `B: ${fewWords(b)}`,
  ].flat();
  return said.length === 0 ? undefined : said.join("; ");
}

const FIGURE_WORDS: Readonly<Record<TaskFigure, string>> = {
  run: "run time",
  ready: "ready, not running",
  throttled: "throttled",
  spin: "user spinning",
  switches: "context switches",
  wakeups: "wake-ups",
  p50: "latency p50",
  p99: "latency p99",
  max: "latency max",
};

function unitOf(figure: TaskFigure): Unit {
  return TASK_COUNTS.includes(figure) ? "count" : "ns";
}

/** `onTask` receives the task or kind of the row that the viewer chose. */
export function Tasks({
  search,
  onTask,
}: TabProps & { readonly onTask: (name: string) => void }): ReactNode {
  const [figure, setFigure] = useState<TaskFigure>("run");
  const a = useSelect((state) => state.sides.a.shown);
  const b = useSelect((state) => state.sides.b.shown);
  const reports = useReports();
  const all = useMemo(() => {
    const [one, other] = [finished(a), finished(b)];
    return one === undefined || other === undefined ? [] : taskDeltas(one, other);
    // Finished runs change no more: the reports say when there is something new.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `reports` names finished runs
  }, [reports]);
  const labels = useSelect((state) => state.entry.labels);
  const rows = useMemo(
    () => all.filter(({ name, kind }) => holds(search, name, kind, labelOf(labels, kind) ?? "")),
    [all, search, labels],
  );
  const columns = useMemo(() => taskColumns(figure, labels), [figure, labels]);
  return (
    <>
      <FigurePick
        figures={TASK_FIGURES}
        words={FIGURE_WORDS}
        chosen={figure}
        onChoose={setFigure}
        testId="numbers-figure"
      />
      <DataTable
        name="tasks"
        columns={columns}
        rows={rows}
        empty={reports === undefined ? NOT_YET : NO_MATCH}
        rowHint="Lists the wake-ups of this row"
        onRow={({ name }) => onTask(name)}
      />
    </>
  );
}

function finished(run: Run | undefined): Finished | undefined {
  return run?.report === undefined
    ? undefined
    : { metrics: run.report.metrics, tasks: run.meta.tasks, trace: run.trace };
}

/** The chosen figure on screen; all of them in exported files. */
function taskColumns(shown: TaskFigure, labels: Labels): readonly Column<TaskDelta>[] {
  const figures = TASK_FIGURES.flatMap((figure) => {
    const name = unitOf(figure) === "ns" ? `${figure}_ns` : figure;
    const columns = pairColumns<TaskDelta>(
      name,
      ({ figures: own }) => own[figure],
      () => unitOf(figure),
    );
    return pairShown(columns, figure === shown);
  });
  return [
    {
      id: "task",
      label: "task",
      title: "A kind stands for all of its tasks together",
      above: true,
      cell: ({ name }) => name,
      text: ({ name, kind, whole }) => {
        const label = labelOf(labels, kind);
        const said = label === undefined ? name : `${name} (${label})`;
        return whole ? `${said}, all` : said;
      },
    },
    { id: "kind", cell: ({ kind }) => kind },
    ...figures,
  ];
}

const CAUSE_FIGURES = ["latency", "share of the kind’s latency"] as const;
type CauseFigure = (typeof CAUSE_FIGURES)[number];

export function Causes({ search }: TabProps): ReactNode {
  const [figure, setFigure] = useState<CauseFigure>("latency");
  const reports = useReports();
  const all = useMemo(
    () => (reports === undefined ? [] : causeDeltas(reports[0].metrics, reports[1].metrics)),
    [reports],
  );
  const labels = useSelect((state) => state.entry.labels);
  const rows = useMemo(
    () => all.filter((row) => holds(search, causeName(row), kindName(row), saidKind(row, labels))),
    [all, search, labels],
  );
  const slack = useSlack();
  const columns = useMemo(() => causeColumns(figure, labels, slack), [figure, labels, slack]);
  return (
    <>
      <FigurePick
        figures={CAUSE_FIGURES}
        chosen={figure}
        onChoose={setFigure}
        testId="numbers-cause-figure"
      />
      <DataTable
        name="causes"
        columns={columns}
        rows={rows}
        empty={reports === undefined ? NOT_YET : NO_MATCH}
      />
    </>
  );
}

/**
 * How much of a row is timer slack on each side: "timer slack 99 % and 98 % of it"; empty for all
 * rows but those of the cause that holds it.
 */
type SlackWords = (row: CauseDelta) => string;

function useSlack(): SlackWords {
  const a = useSelect((state) => state.sides.a.shown);
  const b = useSelect((state) => state.sides.b.shown);
  return useMemo(() => {
    const sums = [a, b].map((run) =>
      run?.report === undefined ? undefined : slackByKind(run.trace),
    );
    return ({ cause, kind, ns }) => {
      if (cause !== DELAY) return "";
      const shares = sums.map((sum, side) => {
        const whole = side === 0 ? ns.a : ns.b;
        const own =
          kind === undefined
            ? [...(sum?.values() ?? [])].reduce((all, each) => all + each, 0)
            : (sum?.get(kind) ?? 0);
        return whole === undefined || whole === 0 ? 0 : Math.round((own / whole) * 1_000) / 10;
      });
      return shares.every((share) => share === 0)
        ? ""
        : `, of it timer slack ${shares.map((share) => `${share} %`).join(" and ")}`;
    };
  }, [a, b]);
}

function causeName({ cause }: CauseDelta): string {
  return CAUSES[cause]?.name ?? `cause ${cause}`;
}

/** The kind of task whose latency it is. */
function kindName({ kind }: CauseDelta): string {
  return kind ?? "all";
}

function saidKind({ kind }: CauseDelta, labels: Labels): string {
  return kind === undefined ? "all" : kindWords(labels, kind);
}

/** The chosen figure on screen; both in exported files. */
function causeColumns(
  shown: CauseFigure,
  labels: Labels,
  slack: SlackWords,
): readonly Column<CauseDelta>[] {
  const latency = pairColumns<CauseDelta>(
    "latency_ns",
    ({ ns }) => ns,
    () => "ns",
  );
  const share = pairColumns<CauseDelta>(
    "share_basis_points",
    (row) => row.share,
    () => "share",
  );
  return [
    {
      id: "cause",
      label: "cause, task kind",
      above: true,
      cell: causeName,
      text: (row) =>
        `${causeName(row).replaceAll("_", " ")}, ${saidKind(row, labels)}${slack(row)}`,
    },
    { id: "kind", cell: kindName },
    ...pairShown(latency, shown === "latency"),
    ...pairShown(share, shown !== "latency"),
  ];
}

/** A pair of figures on screen, or for files alone. */
function pairShown<T>(pair: readonly Column<T>[], shown: boolean): readonly Column<T>[] {
  return shown ? ratioAbove(pair) : pair.map(({ id, cell }) => ({ id, cell }));
}

interface FigurePickProps<F extends string> {
  readonly figures: readonly F[];
  readonly chosen: F;
  readonly onChoose: (figure: F) => void;
  readonly testId: string;
  readonly words?: Readonly<Record<F, string>>;
}

/** Which figure the table sets against each other. */
function FigurePick<F extends string>({
  figures,
  chosen,
  onChoose,
  testId,
  words,
}: FigurePickProps<F>): ReactNode {
  return (
    <label className="data-pick">
      of{" "}
      <select
        className="select"
        value={chosen}
        data-testid={testId}
        onChange={(event) =>
          onChoose(figures.find((each) => each === event.target.value) ?? chosen)
        }
      >
        {figures.map((each) => (
          <option key={each} value={each}>
            {words?.[each] ?? each}
          </option>
        ))}
      </select>
    </label>
  );
}
