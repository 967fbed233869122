// "The smallest limit that keeps its answers in time is z; a burst of w does it too": asked here
// with one bound, answered in sentences.

import { useEffect, type ReactNode } from "react";
import { metricWords } from "../../state/figures/headline.ts";
import { leastOf, limitSentences, limitUnits } from "../../state/figures/limit-words.ts";
import { parseTime } from "../../scenario/knob-values.ts";
import { limitSearch, type Searched } from "../../state/sweep/limit-search.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import { boundUnit, readBound, takesUnit, withUnit } from "../sweep/bound.ts";
import { progressWords } from "../sweep/answer-words.ts";
import {
  burstText,
  goalWords,
  hasBurst,
  limitAsked,
  limitKey,
  limitText,
  metricText,
  type LimitOf,
} from "./limit-asked.ts";
import { askLimit } from "../../effects/sweep/run-limit.ts";
import type { LimitAsked, LimitState } from "../../state/shape/sweep.ts";
import "./limit.css";

interface LimitAnswerProps {
  readonly of: LimitOf;
  /** Opens the sweep's window. */
  readonly onSweep: () => void;
}

/** One for each run: a bound that was typed is not asked of another one. */
export function LimitAnswer(props: LimitAnswerProps): ReactNode {
  const key = limitKey(usePage().store.getState(), props.of);
  return <Question key={key} {...props} />;
}

function Question({ of, onSweep }: LimitAnswerProps): ReactNode {
  const { store } = usePage();
  const { label, bound, unit, whole, asked, key } = useAsked(of);
  const found = useSelect(({ limit }) => (limit.asked?.key === key ? limit : undefined));
  const id = `${of.info.path}-${of.side}`;
  useLeave(key);
  const complete = (): void => {
    if (whole !== bound) store.dispatch({ type: "limit_typed", key, bound: whole });
  };
  const open = (searched: Searched): void => {
    const state = store.getState();
    const { form, search } = limitSearch(state, of.side, of.meta, of.info, searched);
    const forms = { form, search: { ...search, bound: whole } };
    store.dispatch({ type: "sweep_filled", entry: state.entry, forms });
    onSweep();
  };
  return (
    <form
      className="limit-answer"
      onSubmit={(event) => {
        event.preventDefault();
        complete();
        if (asked.ok) void askLimit(store, asked.value);
      }}
    >
      <Bound
        {...{ label, id, bound, unit }}
        valid={asked.ok}
        onType={(text) => store.dispatch({ type: "limit_typed", key, bound: text })}
        onLeave={complete}
      />
      <button
        type="submit"
        className="button"
        disabled={!asked.ok || found?.running === true}
        data-testid={`limit-ask-${id}`}
      >
        {hasBurst(of) ? "Find the smallest limit and burst" : "Find the smallest limit"}
      </button>
      {!asked.ok && (
        <span className="field-error" role="alert">
          {asked.words}
        </span>
      )}
      {found?.asked !== undefined && <Found found={found} asked={found.asked} id={id} />}
      <Sweeps id={id} burst={hasBurst(of)} open={open} />
    </form>
  );
}

/** The bound as typed, and the question it asks; `whole` has its unit. */
function useAsked(of: LimitOf) {
  const state = usePage().store.getState();
  const { search } = limitSearch(state, of.side, of.meta, of.info, "limit");
  const key = limitKey(state, of);
  const typed = useSelect(({ limit }) => limit.typed.find(([other]) => other === key)?.[1]);
  const bound = typed ?? search.bound;
  const words = metricWords(search.metric);
  // The unit of the bound that the page proposes: it does not change while this run is on screen.
  const unit = boundUnit(words, readBound(search.bound, words));
  const whole = withUnit(bound, unit);
  const { label } = metricWords(search.metric, state.entry.labels);
  return { label, bound, unit, whole, asked: limitAsked(state, of, whole), key };
}

/** Looking at another tab leaves the search at work; another scenario does not. */
function useLeave(key: string): void {
  const { store } = usePage();
  const slug = useSelect((state) => state.entry.slug);
  useEffect(
    () => () => {
      const { entry, limit } = store.getState();
      if (entry.slug !== slug && limit.running && limit.asked?.key === key)
        store.dispatch({ type: "limit_stopped" });
    },
    [store, slug, key],
  );
}

interface BoundProps {
  /** Of the metric. */
  readonly label: string;
  readonly id: string;
  readonly bound: string;
  /** In which a bare number is meant. */
  readonly unit: string | undefined;
  readonly valid: boolean;
  readonly onType: (text: string) => void;
  readonly onLeave: () => void;
}

function Bound({ label, id, bound, unit, valid, onType, onLeave }: BoundProps): ReactNode {
  return (
    <label>
      {label} at or under{" "}
      <input
        className="input"
        value={bound}
        maxLength={40}
        aria-invalid={!valid}
        data-testid={`limit-bound-${id}`}
        onChange={({ target }) => onType(target.value)}
        onBlur={onLeave}
      />
      {unit !== undefined && takesUnit(bound) && (
        <span data-testid={`limit-unit-${id}`}> {unit}</span>
      )}
    </label>
  );
}

interface FoundProps {
  readonly found: LimitState;
  readonly asked: LimitAsked;
  readonly id: string;
}

function Found({ found, asked, id }: FoundProps): ReactNode {
  const dispatch = useDispatch();
  const { limit, burst } = asked;
  const sentences = limitSentences({
    goal: goalWords(limit),
    metricText: (value) => metricText(limit, value),
    seeds: limit.question.seeds,
    phases: limit.phases !== undefined,
    limit: found.limit,
    burst: found.burst,
    hasBurst: burst !== undefined,
    limitText: (value) => limitText(limit, value),
    burstText,
    leastLimit: limit.question.from,
    mostLimit: limit.question.to,
  });
  return (
    <>
      {found.running && (
        <span className="limit-progress">
          <progress
            max={found.done + found.left}
            value={found.done}
            aria-label="Runs of the search"
          />
          {progressWords(found)}
          <button
            type="button"
            className="button quiet"
            data-testid={`limit-stop-${id}`}
            onClick={() => dispatch({ type: "limit_stopped" })}
          >
            Stop
          </button>
        </span>
      )}
      <p
        className="quota-words"
        role="status"
        data-testid={`limit-found-${id}`}
        data-running={found.running}
      >
        {[
          ...sentences,
          ...(found.stopped ? ["Stopped: what is not said here was not found out."] : []),
        ].join(" ")}
      </p>
      <Units found={found} asked={asked} id={id} />
    </>
  );
}

/**
 * The answer as the reader writes it: CPUs, a Pod's field, the cgroup's files, each to be copied.
 */
function Units({ found, asked: { limit: searched }, id }: FoundProps): ReactNode {
  const { limit, burst } = found;
  const { cpus, lines } = limitUnits(
    leastOf(limit),
    parseTime(searched.question.period) ?? 0,
    leastOf(burst),
  );
  if (lines.length === 0) return undefined;
  return (
    <div className="limit-units" data-testid={`limit-units-${id}`}>
      {cpus !== undefined && <strong>{cpus}</strong>}
      {lines.map(({ name, text }) => (
        <span key={name} className="limit-unit">
          <code>
            {name}: {text}
          </code>
          <CopyButton text={text} label="Copy" testId={`limit-copy-${name}-${id}`} />
        </span>
      ))}
    </div>
  );
}

interface SweepsProps {
  readonly id: string;
  readonly burst: boolean;
  readonly open: (searched: Searched) => void;
}

/** Both open the sweep's window, filled in. */
function Sweeps({ id, burst, open }: SweepsProps): ReactNode {
  return (
    <span className="limit-sweeps">
      <button
        type="button"
        className="button quiet"
        data-testid={`find-limit-${id}`}
        onClick={() => open("limit")}
      >
        Sweep the limit
      </button>
      {burst && (
        <button
          type="button"
          className="button quiet"
          data-testid={`find-burst-${id}`}
          onClick={() => open("burst")}
        >
          Sweep the burst
        </button>
      )}
    </span>
  );
}
