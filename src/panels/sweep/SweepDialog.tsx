// One knob over many values, each over many seeds, and the question people have: which is the
// smallest value that keeps a promise?

import { useContext, useEffect, useMemo, useRef, type ReactNode, type RefObject } from "react";
import { plainText } from "../../engine/plain.ts";
import { SweepChart } from "../../charts/SweepChart.tsx";
import { headlineWords } from "../../state/figures/headline.ts";
import { HandHeld } from "../../lib/hand-held.ts";
import { formatNs, timeSigns } from "../../lib/format.ts";
import { findKnob, isCpuMax, knobName } from "../../scenario/knob-values.ts";
import { linesOf, namedLines, Outcomes } from "../../state/sweep/plan.ts";
import type { SweepPlan, SweepPoint } from "../../state/shape/sweep.ts";
import { addressOf } from "../../effects/address/address-bar.ts";
import { readSweep } from "../../links/sweep-form.ts";
import { sweepIn } from "../../state/link/link-state.ts";
import { sweepCommands } from "../../state/sweep/text.ts";
import { isBare, placesOf, valueLabel } from "../../scenario/sweep-values.ts";
import { knobValue } from "../../state/select/selectors.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { Dialog } from "../widgets/Dialog.tsx";
import { figureText } from "../../state/figures/figure.ts";
import Terms from "../glossary/Terms.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { alikeWords, firstForms } from "./form-words.ts";
import { openRun } from "./open-run.ts";
import { SmallestValue } from "./SmallestValue.tsx";
import { SweepForm } from "./SweepForm.tsx";
import { SweepTable } from "./SweepTable.tsx";
import "./sweep.css";

interface SweepDialogProps {
  readonly onClose: () => void;
  /** Goes on to the tiles of sizes. */
  readonly onSizes: () => void;
}

export default function SweepDialog({ onClose, onSizes }: SweepDialogProps): ReactNode {
  const { store } = usePage();
  const ready = useSelect((state) => state.sweep.entry === state.entry);
  useForms();
  const inside = useRef<HTMLDivElement>(null);
  useClosedByBack(inside);
  const close = (): void => {
    store.dispatch({ type: "sweep_closed" });
    onClose();
  };
  return (
    <Dialog title="Sweep a knob" onClose={close} testId="sweep" wide>
      {ready && (
        <div ref={inside} className="sweep-inside">
          <SweepForm />
          <CopyLink />
          <button
            type="button"
            className="button"
            title="A tile for each size of the machine, A and B"
            data-testid="sweep-sizes"
            onClick={() => {
              store.dispatch({ type: "sweep_closed" });
              onSizes();
            }}
          >
            Sizes of the machine
          </button>
          <Results onClose={close} />
          <SmallestValue />
        </div>
      )}
    </Dialog>
  );
}

/** The forms as they open: as they were left, or as a link fills them in. */
function useForms(): void {
  const { store, catalogue } = usePage();
  const entry = useSelect((state) => state.entry);
  const linked = useSelect((state) => state.sweep.linked);
  useEffect(() => {
    const state = store.getState();
    if (state.sweep.shown) return;
    const forms = firstForms(entry, catalogue.knobs, (path) => knobValue(state, "a", path));
    store.dispatch({ type: "sweep_opened", entry, forms });
  }, [entry, store, catalogue]);
  useEffect(() => {
    const state = store.getState();
    const { sweep: raw } = sweepIn(state);
    if (raw === undefined || (linked === undefined && state.sweep.entry === entry)) return;
    const first = firstForms(entry, catalogue.knobs, (path) => knobValue(state, "a", path));
    const forms = readSweep(raw, first, {
      knob: (path) => findKnob(catalogue.knobs, path) !== undefined,
      variant: (name) => entry.variants.some((variant) => variant.name === name),
    });
    store.dispatch({ type: "sweep_filled", entry, forms });
  }, [entry, linked, store, catalogue]);
}

/**
 * The window has an entry of the browser's history: going back to the one before it closes the
 * window, and keeps what was typed.
 */
function useClosedByBack(inside: RefObject<HTMLElement | null>): void {
  const shown = useSelect((state) => state.sweep.shown);
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !shown) inside.current?.closest("dialog")?.close();
    was.current = shown;
  }, [shown, inside]);
}

/** The sweep as filled in: a reader who opens the link only has to run it. */
function CopyLink(): ReactNode {
  const { root } = usePage();
  const address = useSelect((state) => addressOf(state, root));
  return (
    <CopyButton
      text={new URL(address, window.location.href).href}
      label="Copy link"
      testId="sweep-copy-link"
    />
  );
}

function Results({ onClose }: { readonly onClose: () => void }): ReactNode {
  const plan = useSelect((state) => state.sweeping.plan);
  const results = useSelect((state) => state.sweeping.results);
  const outcomes = useMemo(() => new Outcomes(results, plan?.values.length ?? 0), [results, plan]);
  const { store } = usePage();
  const open = (metric: string, point: SweepPoint | undefined): void => {
    if (plan === undefined || point === undefined) return;
    openRun(store, plan, point, metric);
    onClose();
  };
  if (plan === undefined || results.length === 0) return undefined;
  return (
    <section className="sweep-results" aria-label="Results of the sweep">
      <Alike plan={plan} outcomes={outcomes} />
      <Charts plan={plan} outcomes={outcomes} onOpen={open} />
      <p className="muted">
        <Terms text="Line: median of the seeds; of an even number of seeds, the lower of the two in the middle. Band: 5th to 95th percentile of the seeds; of fewer than 20, all of them. Mean: with its standard error. A point opens the run in the middle." />
      </p>
      <SweepTable plan={plan} outcomes={outcomes} onOpen={open} />
      <Commands plan={plan} />
    </section>
  );
}

/** Says so where more seeds are more of the same. */
function Alike({ plan, outcomes }: Pick<ChartsProps, "plan" | "outcomes">): ReactNode {
  const entry = useSelect((state) => state.entry);
  const cells = linesOf(entry, plan).length * plan.values.length;
  return outcomes.seedsAlike(plan.seeds, cells) ? (
    <p data-testid="sweep-alike">{alikeWords(plan.seeds)}</p>
  ) : undefined;
}

interface ChartsProps {
  readonly plan: SweepPlan;
  readonly outcomes: Outcomes;
  readonly onOpen: (metric: string, point: SweepPoint | undefined) => void;
}

function Charts({ plan, outcomes, onOpen }: ChartsProps): ReactNode {
  const { catalogue } = usePage();
  const entry = useSelect((state) => state.entry);
  const handHeld = useContext(HandHeld);
  const scale = useSelect((state) => (state.theme === "projector" && !handHeld ? 1.6 : 1));
  const knob = findKnob(catalogue.knobs, plan.path);
  const places = knob === undefined ? undefined : placesOf(knob, plan.values);
  // A quota reads better as a time, where all are of one period.
  const quota = knob !== undefined && isCpuMax(knob) ? places : undefined;
  const common = useSelect((state) => state.sweeping.common);
  const variants = namedLines(entry, plan, common);
  const keepsPeriod = knob !== undefined && isCpuMax(knob) && plan.values.every(isBare);
  const replaced = keepsPeriod
    ? "another quota, its own period"
    : `its ${knob === undefined ? plan.path : knobName(knob)} replaced`;
  return (
    <>
      <ul className="sweep-legend" aria-label="Lines">
        {variants.map((variant, index) => (
          <li key={variant.name} className={`sweep-line-${index % 6}`}>
            <span className="sweep-swatch" aria-hidden="true" />{" "}
            {plainText(timeSigns(variant.name))}
            {plan.path in variant.set && <span className="muted">, {replaced}</span>}
          </li>
        ))}
      </ul>
      {headlineWords(plan.metrics, entry.labels).map((words, metric) => (
        <SweepChart
          key={words.path}
          title={`${words.label}, ${words.of}`}
          values={
            quota?.map((ns) => formatNs(ns, 6)) ??
            plan.values.map((value) => valueLabel(knob, value))
          }
          places={places}
          lines={variants.map((variant, index) => ({
            name: plainText(timeSigns(variant.name)),
            marks: plan.values.flatMap((_value, value) => {
              const spread = outcomes.spread(metric, index, value);
              return spread === undefined
                ? []
                : [{ value, ...spread, lacking: outcomes.lacking(metric, index, value) }];
            }),
          }))}
          figure={(value) => figureText(value, words.unit)}
          scale={scale}
          testId={`sweep-chart-${metric}`}
          onOpen={(line, value) => onOpen(words.path, outcomes.middleRun(metric, line, value))}
        />
      ))}
    </>
  );
}

function Commands({ plan }: { readonly plan: SweepPlan }): ReactNode {
  const entry = useSelect((state) => state.entry);
  const own = useSelect((state) => state.route === "own");
  const common = useSelect((state) => state.sweeping.common);
  // A command that is pasted must show all its characters: a link chose the name.
  const lines = sweepCommands(entry, plan, common, own ? "./scenario.json" : entry.slug).map(
    plainText,
  );
  return (
    <details>
      <summary>The same as a command</summary>
      <pre className="sweep-commands" data-testid="sweep-command">
        {lines.join("\n")}
      </pre>
      <CopyButton text={lines.join("\n")} label="Copy as command" testId="sweep-copy-command" />
    </details>
  );
}
