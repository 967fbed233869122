// "The smallest value for which this metric stays under this bound", found by halving the range, on
// several seeds at each value.

import { sentenceList } from "../../lib/sentence-list.ts";
import { useState, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { SWEEP_TEXT_MAX } from "../../links/link.ts";
import { headlineWords, metricWords } from "../../state/figures/headline.ts";
import { findKnob, knobName } from "../../scenario/knob-values.ts";
import { statedValue } from "../../scenario/viewer-scenario.ts";
import { knobValue, reportOf } from "../../state/select/selectors.ts";
import { metricAt } from "../../scenario/metric-path.ts";
import { valueUnder, variantsOf } from "../../state/sweep/plan.ts";
import { figureText } from "../../state/figures/figure.ts";
import Terms from "../glossary/Terms.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { answerWords } from "./answer-words.ts";
import { boundForm, boundUnit, knobUnit, takesUnit, withUnit } from "./bound.ts";
import { isTyped, offLineWords, placeText, planOf, questionOf } from "./form-words.ts";
import { Field, Progress } from "./SweepForm.tsx";
import type { SearchForm, SweepForm } from "../../links/sweep-form.ts";
import type { Search as Searched } from "../../state/shape/sweep.ts";
import { startSearch } from "../../effects/sweep/run-sweep.ts";

export function SmallestValue(): ReactNode {
  const forms = useSelect((state) => state.sweep.forms);
  return forms === undefined ? undefined : <Question {...forms} />;
}

interface QuestionProps {
  readonly form: SweepForm;
  readonly search: SearchForm;
}

/** What the fields ask; `whole` has the bound's unit. */
function useAsked({ form, search }: QuestionProps) {
  const { store, catalogue } = usePage();
  const entry = useSelect((state) => state.entry);
  const state = store.getState();
  const knob = findKnob(catalogue.knobs, form.path);
  const words = metricWords(search.metric, entry.labels);
  const plan = planOf(
    entry,
    {
      ...form,
      secondPath: "",
      metrics: [search.metric],
      variants: search.variant === "" ? [] : [search.variant],
    },
    catalogue.knobs,
  );
  const [variant] = variantsOf(entry, { variants: [search.variant] });
  const stated =
    variant === undefined ? undefined : valueUnder(form.path, variant, state.knobs.both);
  const now = stated ?? statedValue(entry, form.path) ?? knobValue(state, "a", form.path);
  const report = reportOf(state, "a");
  const unit = boundUnit(words, report === undefined ? undefined : metricAt(report, search.metric));
  const placeUnit = knob === undefined ? undefined : knobUnit(knob, now);
  const whole = {
    ...search,
    bound: withUnit(search.bound, unit),
    from: withUnit(search.from, placeUnit),
    to: withUnit(search.to, placeUnit),
  };
  const question = plan.ok ? questionOf(whole, knob, words, plan.value.seeds, now) : undefined;
  return { knob, words, plan, unit, placeUnit, whole, question };
}

function Question(forms: QuestionProps): ReactNode {
  const { store } = usePage();
  const { search } = forms;
  const found = useSelect((state) => state.sweeping.found);
  const blank = [search.bound, search.from, search.to].some((text) => text.trim() === "");
  // A question that came whole is in sight; a field that is then cleared does not fold it.
  const [filled, setFilled] = useState(false);
  if (!blank && !filled) setFilled(true);
  const asked = useAsked(forms);
  const { knob, plan, whole, question } = asked;
  const offLine = knob === undefined ? undefined : offLineWords(knob);
  if (offLine !== undefined)
    return (
      <Search open={filled}>
        <p data-testid="sweep-off-line">{offLine}</p>
      </Search>
    );
  return (
    <Search open={found !== undefined || filled}>
      <form
        className="sweep-form"
        onSubmit={(event) => {
          event.preventDefault();
          store.dispatch({ type: "search_typed", search: whole });
          const { entry, knobs } = store.getState();
          if (plan.ok && question?.ok === true)
            void startSearch(store, entry, plan.value, knobs.both, question.value);
        }}
      >
        <Fields {...forms} asked={asked} />
        <Go search={search} ready={question?.ok === true} />
      </form>
      {found !== undefined && <Answer found={found} />}
    </Search>
  );
}

interface FieldsProps extends QuestionProps {
  readonly asked: ReturnType<typeof useAsked>;
}

function Fields({ form, search, asked }: FieldsProps): ReactNode {
  const { store } = usePage();
  const entry = useSelect((state) => state.entry);
  const { knob, words, unit, placeUnit, whole, question } = asked;
  const error = (field: string): string | undefined =>
    question?.ok === false && question.field === field && isTyped(search, field)
      ? question.words
      : undefined;
  const complete = (): void => store.dispatch({ type: "search_typed", search: whole });
  return (
    <>
      <Select
        label="Metric"
        field="metric"
        search={search}
        choices={[...new Set([...form.metrics, search.metric])]}
        names={(path) => metricWords(path, entry.labels).label}
      />
      <Select
        label="Variant"
        field="variant"
        search={search}
        choices={entry.variants.map(({ name }) => name)}
        names={plainText}
      />
      <TextField
        label="Stays at or under"
        field="bound"
        search={search}
        placeholder={boundForm(words)}
        error={error("bound")}
        unit={takesUnit(search.bound) ? unit : undefined}
        onLeave={complete}
      />
      <Ends
        search={search}
        name={knob === undefined ? "Knob" : knobName(knob)}
        unit={placeUnit}
        error={error}
        onLeave={complete}
      />
    </>
  );
}

interface GoProps extends Pick<QuestionProps, "search"> {
  /** There is a question to answer. */
  readonly ready: boolean;
}

function Go({ search, ready }: GoProps): ReactNode {
  const running = useSelect((state) => state.sweeping.running);
  const stopped = useSelect(({ sweeping }) => sweeping.running === undefined && sweeping.left > 0);
  return (
    <div className="sweep-go">
      <button
        type="submit"
        className="button primary-button"
        disabled={!ready || running !== undefined}
        data-testid="sweep-find"
      >
        Find it
      </button>
      {(running === "search" || stopped) && <Progress of="search" />}
      {running === undefined && <Missing search={search} />}
    </div>
  );
}

function Search({
  open,
  children,
}: {
  readonly open: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <details className="sweep-search" open={open} data-testid="sweep-search">
      <summary>Find the smallest value that keeps a metric low enough</summary>
      {children}
    </details>
  );
}

interface EndsProps extends Pick<QuestionProps, "search"> {
  readonly name: string;
  /** In which a bare number is meant. */
  readonly unit: string | undefined;
  readonly error: (field: string) => string | undefined;
  readonly onLeave: () => void;
}

/** The range that is searched. */
function Ends({ search, name, unit, error, onLeave }: EndsProps): ReactNode {
  const shared = { search, onLeave };
  const beside = (text: string): string | undefined => (takesUnit(text) ? unit : undefined);
  return (
    <>
      <TextField
        {...shared}
        label={`${name} from`}
        field="from"
        placeholder="smallest value"
        error={error("from")}
        unit={beside(search.from)}
      />
      <TextField
        {...shared}
        label="to"
        field="to"
        placeholder="greatest value"
        error={error("to") ?? error("path")}
        unit={beside(search.to)}
      />
    </>
  );
}

/** Why there is nothing to find yet; what was typed wrongly is said at its field. */
function Missing({ search }: { readonly search: SearchForm }): ReactNode {
  const blank = [
    ...(search.bound.trim() === "" ? ["the bound"] : []),
    ...(search.from.trim() === "" ? ["the smallest value"] : []),
    ...(search.to.trim() === "" ? ["the greatest value"] : []),
  ];
  return blank.length > 0 ? (
    <span className="muted" data-testid="sweep-missing">
      Fill in {sentenceList(blank)} first.
    </span>
  ) : undefined;
}

interface FieldProps {
  readonly label: string;
  readonly field: keyof SearchForm;
  readonly search: SearchForm;
}

function Select({
  label,
  field,
  search,
  choices,
  names,
}: FieldProps & {
  readonly choices: readonly string[];
  readonly names: (choice: string) => string;
}): ReactNode {
  const dispatch = useDispatch();
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          className="select"
          value={search[field]}
          data-testid={`sweep-search-${field}`}
          onChange={(event) =>
            dispatch({ type: "search_typed", search: { ...search, [field]: event.target.value } })
          }
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {names(choice)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface TextFieldProps extends FieldProps {
  readonly placeholder: string;
  readonly error: string | undefined;
  /** In which a bare number is meant. */
  readonly unit?: string | undefined;
  readonly onLeave?: () => void;
}

function TextField({
  label,
  field,
  search,
  placeholder,
  error,
  unit,
  onLeave,
}: TextFieldProps): ReactNode {
  const dispatch = useDispatch();
  return (
    <Field label={label} error={error}>
      {(id) => (
        <span className="sweep-bound">
          <input
            id={id}
            className="input"
            maxLength={SWEEP_TEXT_MAX}
            value={search[field]}
            placeholder={placeholder}
            aria-describedby={unit === undefined ? undefined : `${id}-unit`}
            data-testid={`sweep-search-${field}`}
            onChange={(event) =>
              dispatch({ type: "search_typed", search: { ...search, [field]: event.target.value } })
            }
            onBlur={onLeave}
          />
          {unit !== undefined && (
            <span id={`${id}-unit`} className="muted" data-testid={`sweep-search-${field}-unit`}>
              {unit}
            </span>
          )}
        </span>
      )}
    </Field>
  );
}

function foundValue({ answer }: Searched): number | undefined {
  return answer.kind === "probe" || answer.kind === "neither" ? undefined : answer.value;
}

function Answer({ found }: { readonly found: Searched }): ReactNode {
  const { catalogue } = usePage();
  const knob = findKnob(catalogue.knobs, found.plan.path);
  const [words] = headlineWords(found.plan.metrics);
  const figure = (value: number | undefined): string =>
    value === undefined || words === undefined ? "no figure" : figureText(value, words.unit);
  const place = (value: number): string => placeText(knob, value, found.question.period);
  return (
    <div className="sweep-answer">
      <p role="status" data-testid="sweep-answer" data-value={foundValue(found)}>
        <Terms text={answerWords(found, place, figure)} />
      </p>
      <ol className="sweep-probes" aria-label="Values tried">
        {[...found.probes]
          .sort((one, other) => one.value - other.value)
          .map((probe) => (
            <li key={probe.value}>
              {place(probe.value)}: at most {figure(probe.worst)}
            </li>
          ))}
      </ol>
    </div>
  );
}
