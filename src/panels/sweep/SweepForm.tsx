// What is swept: knob, values, metrics, variants, seeds. Nothing typed is lost: the form outlives
// its window.

import { useId, type ReactNode } from "react";
import type { Knob } from "../../engine/gen/types.ts";
import { batchWorkers } from "../../engine/batch.ts";
import { plainText } from "../../engine/plain.ts";
import { SWEEP_TEXT_MAX } from "../../links/link.ts";
import { metricWords } from "../../state/figures/headline.ts";
import { findKnob, knobName } from "../../scenario/knob-values.ts";
import { metricPaths } from "../../state/sweep/plan.ts";
import { knobValue, reportOf } from "../../state/select/selectors.ts";
import KnobDoc from "../knobs/KnobDoc.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { planOf, runsOf, sweptPaths, valuesFor } from "./form-words.ts";
import type { SweepForm as Form } from "../../links/sweep-form.ts";
import { progressWords } from "./answer-words.ts";
import { startSweep } from "../../effects/sweep/run-sweep.ts";

export function SweepForm(): ReactNode {
  const form = useSelect((state) => state.sweep.forms?.form);
  const { store, catalogue } = usePage();
  const entry = useSelect((state) => state.entry);
  const running = useSelect((state) => state.sweeping.running);
  if (form === undefined) return undefined;
  const plan = planOf(entry, form, catalogue.knobs);
  const runs = plan.ok ? runsOf(entry, plan.value) : 0;
  return (
    <form
      className="sweep-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (plan.ok) void startSweep(store, entry, plan.value, store.getState().knobs.both);
      }}
    >
      <KnobField form={form} />
      <TextField
        form={form}
        field="values"
        label="Values"
        wide
        error={errorOf(plan, "values")}
        testId="sweep-values"
      />
      <SecondKnob form={form} error={errorOf(plan, "second")} />
      <TextField
        form={form}
        field="seeds"
        label="Seeds"
        numeric
        error={errorOf(plan, "seeds")}
        testId="sweep-seeds"
      />
      <TextField
        form={form}
        field="seedFrom"
        label="First seed"
        numeric
        error={errorOf(plan, "seedFrom")}
        testId="sweep-seed-from"
      />
      <Metrics form={form} error={errorOf(plan, "metrics")} />
      <Variants form={form} />
      <div className="sweep-go">
        <button
          type="submit"
          className="button primary-button"
          disabled={!plan.ok || running !== undefined}
          data-testid="sweep-run"
        >
          {runs === 1 ? "Run it once" : `Run ${runs} times`}
        </button>
        <Progress of="sweep" />
      </div>
    </form>
  );
}

function useType(): (form: Form) => void {
  const { store } = usePage();
  return (form) => store.dispatch({ type: "sweep_typed", form });
}

interface TextFieldProps {
  readonly form: Form;
  readonly field: "values" | "secondValues" | "seeds" | "seedFrom";
  readonly label: string;
  readonly error: string | undefined;
  readonly testId: string;
  readonly wide?: boolean;
  readonly numeric?: boolean;
}

/** A field that is typed. */
function TextField(props: TextFieldProps): ReactNode {
  const { form, field, label, error, testId, wide = false, numeric = false } = props;
  const type = useType();
  return (
    <Field label={label} wide={wide} error={error}>
      {(id) => (
        <input
          id={id}
          className="input"
          {...(numeric && { inputMode: "numeric" })}
          maxLength={SWEEP_TEXT_MAX}
          value={form[field]}
          data-testid={testId}
          onChange={(event) => type({ ...form, [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

function errorOf(plan: ReturnType<typeof planOf>, field: string): string | undefined {
  return !plan.ok && plan.field === field ? plan.words : undefined;
}

export function Field({
  label,
  error,
  wide,
  under,
  children,
}: {
  readonly label: string;
  readonly error?: string | undefined;
  readonly wide?: boolean;
  /** Content below the control. */
  readonly under?: ReactNode;
  readonly children: (id: string) => ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <div className={wide === true ? "sweep-field sweep-wide" : "sweep-field"}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {under}
      {error !== undefined && (
        <span className="field-error" role="alert" data-testid="sweep-error">
          {error}
        </span>
      )}
    </div>
  );
}

function KnobField({ form }: { readonly form: Form }): ReactNode {
  const { store, catalogue } = usePage();
  const type = useType();
  const entry = useSelect((state) => state.entry);
  const meta = useSelect((state) => state.sides.a.shown?.meta);
  const paths = sweptPaths(entry, meta?.knobs.map((knob) => knob.path) ?? [], catalogue.knobs);
  const own = paths.filter((path) => entry.knobs.includes(path));
  const rest = paths.filter((path) => !entry.knobs.includes(path));
  const choose = (path: string): void => {
    const state = store.getState();
    type({
      ...form,
      path,
      values: valuesFor(path, catalogue.knobs, (each) => knobValue(state, "a", each)),
    });
  };
  return (
    <Field label="Knob" wide under={<KnobDoc path={form.path} testId="sweep-knob-doc" brief />}>
      {(id) => (
        <select
          id={id}
          className="select"
          value={form.path}
          data-testid="sweep-knob"
          onChange={(event) => choose(event.target.value)}
        >
          <optgroup label="of this scenario">
            {own.map((path) => (
              <Option key={path} path={path} knobs={catalogue.knobs} />
            ))}
          </optgroup>
          <optgroup label="all others">
            {rest.map((path) => (
              <Option key={path} path={path} knobs={catalogue.knobs} />
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  );
}

/** A knob whose values make lines. */
function SecondKnob({
  form,
  error,
}: {
  readonly form: Form;
  readonly error: string | undefined;
}): ReactNode {
  const { store, catalogue } = usePage();
  const type = useType();
  const entry = useSelect((state) => state.entry);
  const meta = useSelect((state) => state.sides.a.shown?.meta);
  const paths = sweptPaths(
    entry,
    meta?.knobs.map((knob) => knob.path) ?? [],
    catalogue.knobs,
  ).filter((path) => path !== form.path);
  const choose = (path: string): void => {
    const state = store.getState();
    const values =
      path === "" ? "" : valuesFor(path, catalogue.knobs, (each) => knobValue(state, "a", each));
    type({ ...form, secondPath: path, secondValues: values });
  };
  return (
    <>
      <Field label="Second knob" wide>
        {(id) => (
          <select
            id={id}
            className="select"
            value={form.secondPath}
            data-testid="sweep-second"
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">none</option>
            {paths.map((path) => (
              <Option key={path} path={path} knobs={catalogue.knobs} />
            ))}
          </select>
        )}
      </Field>
      {form.secondPath !== "" && (
        <TextField
          form={form}
          field="secondValues"
          label="Its values, a line for each"
          wide
          error={error}
          testId="sweep-second-values"
        />
      )}
    </>
  );
}

function Option({
  path,
  knobs,
}: {
  readonly path: string;
  readonly knobs: readonly Knob[];
}): ReactNode {
  const knob = findKnob(knobs, path);
  return (
    <option value={path}>
      {knob === undefined ? path : knobName(knob)} ({path})
    </option>
  );
}

function Metrics({
  form,
  error,
}: {
  readonly form: Form;
  readonly error: string | undefined;
}): ReactNode {
  const type = useType();
  const entry = useSelect((state) => state.entry);
  const report = useSelect((state) => reportOf(state, "a"));
  const list = useId();
  const shown = [...new Set([...entry.headline, ...form.metrics])];
  const toggle = (path: string): void =>
    type({
      ...form,
      metrics: form.metrics.includes(path)
        ? form.metrics.filter((each) => each !== path)
        : [...form.metrics, path],
    });
  return (
    <fieldset className="sweep-choices">
      <legend>Metrics</legend>
      {shown.map((path) => (
        <Tick
          key={path}
          checked={form.metrics.includes(path)}
          words={metricWords(path, entry.labels).label}
          title={plainText(path)}
          testId={`sweep-metric-${path}`}
          onChange={() => toggle(path)}
        />
      ))}
      <input
        className="input"
        placeholder="another metric’s path"
        aria-label="Another metric’s path"
        list={list}
        data-testid="sweep-metric-other"
        onChange={(event) => {
          const path = event.target.value;
          if (
            report === undefined ||
            !metricPaths(report).includes(path) ||
            form.metrics.includes(path)
          )
            return;
          toggle(path);
          event.target.value = "";
        }}
      />
      <datalist id={list}>
        {report === undefined
          ? undefined
          : metricPaths(report).map((path) => <option key={path} value={path} />)}
      </datalist>
      {error !== undefined && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}

function Variants({ form }: { readonly form: Form }): ReactNode {
  const type = useType();
  const entry = useSelect((state) => state.entry);
  const toggle = (name: string): void => {
    const next = form.variants.includes(name)
      ? form.variants.filter((each) => each !== name)
      : [...form.variants, name];
    // In the scenario's order, whatever the order of the clicks.
    type({
      ...form,
      variants: entry.variants.map((variant) => variant.name).filter((each) => next.includes(each)),
    });
  };
  return (
    <fieldset className="sweep-choices">
      <legend>Variants, a line for each</legend>
      {entry.variants.map(({ name }) => (
        <Tick
          key={name}
          checked={form.variants.includes(name)}
          words={plainText(name)}
          title={plainText(name)}
          testId={`sweep-variant-${name}`}
          onChange={() => toggle(name)}
        />
      ))}
      {form.variants.length === 0 && <span className="muted">none: the scenario as written</span>}
    </fieldset>
  );
}

function Tick({
  checked,
  words,
  title,
  testId,
  onChange,
}: {
  readonly checked: boolean;
  readonly words: string;
  readonly title: string;
  readonly testId: string;
  readonly onChange: () => void;
}): ReactNode {
  return (
    <label className="sweep-tick" title={title}>
      <input type="checkbox" checked={checked} data-testid={testId} onChange={onChange} />
      {words}
    </label>
  );
}

/**
 * How far the runs are, and the way to stop them; what is done stays. Which values a search tries
 * next depends on what it finds: it has no total.
 */
export function Progress({ of }: { readonly of: "sweep" | "search" }): ReactNode {
  const { store } = usePage();
  const { counted, total, done, left, running } = useSelect((state) => state.sweeping);
  if (total === 0 || counted !== of) return undefined;
  const workers = Math.min(batchWorkers(), total);
  const [most, words] =
    of === "search"
      ? [done + left, progressWords({ done, left })]
      : [total, `${done} of ${total} runs`];
  return (
    <span className="sweep-progress">
      <progress max={most} value={done} aria-label="Runs done" />
      <output
        aria-live={running === undefined ? "polite" : "off"}
        data-testid="sweep-progress"
        data-done={done}
        data-total={total}
        data-running={running !== undefined}
      >
        {words}
        {running === undefined
          ? done < most
            ? ", stopped"
            : ""
          : `, ${workers === 1 ? "1 worker" : `${workers} workers`}`}
      </output>
      {running !== undefined && (
        <button
          type="button"
          className="button"
          data-testid="sweep-cancel"
          onClick={() => store.dispatch({ type: "sweep_stopped" })}
        >
          Stop
        </button>
      )}
    </span>
  );
}
