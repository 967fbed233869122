// What is asked: two releases, a figure, how many seeds. Nothing typed is lost: the form outlives its
// window.

import { useId, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { VERSIONS } from "../../engine/versions.ts";
import { askWhich } from "../../effects/sweep/run-which.ts";
import { SWEEP_TEXT_MAX } from "../../links/link.ts";
import type { WhichForm as Form } from "../../links/which-form.ts";
import { knobName, findKnob } from "../../scenario/knob-values.ts";
import { metricName, metricWords } from "../../state/figures/headline.ts";
import { reportOf } from "../../state/select/selectors.ts";
import { metricPaths } from "../../state/sweep/plan.ts";
import { sharedSettings, whichQuestion, type WhichQuestion } from "../../state/which/question.ts";
import { stageWords } from "../../state/which/words.ts";
import { usePage, useSelect } from "../page/page.ts";
import { Field } from "../sweep/SweepForm.tsx";

export function WhichForm(): ReactNode {
  const { store } = usePage();
  const form = useSelect((state) => state.which.form);
  const running = useSelect((state) => state.asking.running);
  // Knobs decide what both sides have in common.
  const state = useSelect((each) => each);
  if (form === undefined) return undefined;
  const question = whichQuestion(state, form);
  const name = state.route === "own" ? "./scenario.json" : state.entry.slug;
  return (
    <form
      className="sweep-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (question.ok && !running) void askWhich(store, question.asked, name);
      }}
    >
      <Text form={form} field="from" label="From" question={question} releases />
      <Text form={form} field="to" label="to" question={question} releases />
      <Metric form={form} />
      <Text form={form} field="seeds" label="Seeds" question={question} />
      <Text form={form} field="most" label="At most, while open" question={question} />
      <Apart />
      <div className="sweep-go">
        <button
          type="submit"
          className="button primary-button"
          disabled={!question.ok || running}
          data-testid="which-ask"
        >
          Find the change
        </button>
        <Progress />
      </div>
    </form>
  );
}

interface TextProps {
  readonly form: Form;
  readonly field: Exclude<keyof Form, "metric">;
  readonly label: string;
  readonly question: WhichQuestion;
  /** Releases are offered. */
  readonly releases?: boolean;
}

function Text({ form, field, label, question, releases = false }: TextProps): ReactNode {
  const { store } = usePage();
  const list = useId();
  const error = !question.ok && question.field === field ? question.words : undefined;
  return (
    <Field label={label} error={error}>
      {(id) => (
        <>
          <input
            id={id}
            className="input"
            maxLength={SWEEP_TEXT_MAX}
            value={form[field]}
            autoComplete="off"
            spellCheck={false}
            {...(releases ? { list } : { inputMode: "numeric" as const })}
            data-testid={`which-${field}`}
            onChange={({ target }) =>
              store.dispatch({ type: "which_typed", form: { ...form, [field]: target.value } })
            }
          />
          {releases && (
            <datalist id={list}>
              {VERSIONS.map((version) => (
                <option key={version} value={version} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

/** The scenario's figures, then every other one that the run of A has. */
function Metric({ form }: { readonly form: Form }): ReactNode {
  const { store } = usePage();
  const { headline, labels } = useSelect((state) => state.entry);
  const report = useSelect((state) => reportOf(state, "a"));
  const own = headline.includes(form.metric) ? headline : [...headline, form.metric];
  const others =
    report === undefined ? [] : metricPaths(report).filter((path) => !own.includes(path));
  return (
    <Field label="Figure that differs" wide>
      {(id) => (
        <select
          id={id}
          className="select"
          value={form.metric}
          data-testid="which-metric"
          onChange={({ target }) =>
            store.dispatch({ type: "which_typed", form: { ...form, metric: target.value } })
          }
        >
          <optgroup label="of this scenario">
            {own.map((path) => (
              <option key={path} value={path}>
                {metricWords(path, labels).label} ({plainText(path)})
              </option>
            ))}
          </optgroup>
          <optgroup label="all others">
            {others.map((path) => (
              <option key={path} value={path}>
                {metricName(path, labels)} ({plainText(path)})
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </Field>
  );
}

/** What the question leaves out of A and B. */
function Apart(): ReactNode {
  const { catalogue } = usePage();
  const paths = useSelect((state) => sharedSettings(state).apart.join("\n"));
  if (paths === "") return undefined;
  const names = paths.split("\n").map((path) => {
    const knob = findKnob(catalogue.knobs, path);
    return plainText(knob === undefined ? path : knobName(knob));
  });
  return (
    <p className="muted sweep-go" data-testid="which-apart">
      A and B also differ in {names.join(", ")}. The question leaves that out: both releases run the
      scenario with the settings that A and B share.
    </p>
  );
}

function Progress(): ReactNode {
  const { store } = usePage();
  const { running, stage, done, total } = useSelect((state) => state.asking);
  if (!running) return undefined;
  return (
    <span className="sweep-progress">
      <progress max={Math.max(1, total)} value={done} aria-label="Runs of this stage" />
      <span data-testid="which-progress">{stageWords(stage, done, total)}</span>
      <button
        type="button"
        className="button"
        data-testid="which-stop"
        onClick={() => store.dispatch({ type: "which_stopped" })}
      >
        Stop
      </button>
    </span>
  );
}
