// Breakpoints: what to stop at, and a way to its next instant. A run that is still being computed
// is watched until it comes.

import { useCallback, useEffect, useId, useState, type ReactNode } from "react";
import { formatCount, formatNs } from "../../lib/format.ts";
import { kindWords } from "../../scenario/labels.ts";
import {
  breakWords,
  nextStop,
  searchedFromNs,
  type Break,
  type Stop,
} from "../../state/play/breakpoints.ts";
import { endNs, isComputing, latencyKind } from "../../state/select/selectors.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { Store } from "../../state/store.ts";
import { usePage, useSelect } from "../page/page.ts";
import { reach } from "./go-to-instant.ts";
import { lookAt } from "./wake-selection.ts";
import "./find-next.css";

const US = 1_000;
/**
 * Greatest number that can be asked for: a second in µs, more waiters than any machine has CPUs.
 */
const MOST = 1_000_000;

function isCount(typed: string): boolean {
  return /^\s*\d+\s*$/.test(typed) && Number(typed) <= MOST;
}

/** The rows of the window that the transport's button opens. */
export default function FindNext(): ReactNode {
  const { store } = usePage();
  const [late, setLate] = useState("200");
  const [waiters, setWaiters] = useState("8");
  const { said, stopAt } = useStops(store);
  const withGroups = useSelect((state) =>
    SIDES.some((side) => (state.sides[side].shown?.meta.groups.length ?? 0) > 0),
  );
  // The kind of latency that the key L, the numbers and the skip link use, too.
  const kind = useSelect((state) => latencyKind(state, state.focus));
  const labels = useSelect((state) => state.entry.labels);
  const worst: Break = { what: "worst", of: kind };
  const go = (wanted: Break) => (): void => stopAt(wanted);
  return (
    <div className="find-next" data-testid="find-next">
      <strong>Run to the next</strong>
      <Row
        words="wake-up later than"
        value={late}
        unit="µs"
        onValue={setLate}
        id="wake"
        onGo={go({ what: "wake", overNs: Number(late) * US })}
      />
      <Row
        words="lock with more than"
        value={waiters}
        unit="waiters"
        onValue={setWaiters}
        id="waiters"
        onGo={go({ what: "waiters", over: Number(waiters) })}
      />
      {withGroups && (
        <Row
          words="group throttled before its quota was used"
          id="throttle"
          onGo={go({ what: "throttle" })}
        />
      )}
      {withGroups && <Row words="refill" id="refill" onGo={go({ what: "refill" })} />}
      <Row words="finding" id="finding" onGo={go({ what: "finding" })} />
      <Row
        words={kind === undefined ? "worst wake-up" : `worst wake-up of ${kindWords(labels, kind)}`}
        id="worst"
        onGo={go(worst)}
      />
      <p role="status" className="muted" data-testid="find-said">
        {said}
      </p>
    </div>
  );
}

interface RowProps {
  readonly id: Break["what"];
  readonly words: string;
  /** The typed value of the field. */
  readonly value?: string;
  readonly unit?: string;
  readonly onValue?: (value: string) => void;
  readonly onGo: () => void;
}

function Row({ id, words, value, unit, onValue, onGo }: RowProps): ReactNode {
  const label = useId();
  const wrong = value !== undefined && !isCount(value);
  return (
    <div className="find-row">
      <label id={label} htmlFor={value === undefined ? undefined : `${label}-value`}>
        {words}
      </label>
      {value !== undefined && (
        <span>
          <input
            id={`${label}-value`}
            className="input find-value"
            inputMode="numeric"
            maxLength={12}
            value={value}
            aria-invalid={wrong}
            aria-describedby={wrong ? `${label}-wrong` : undefined}
            data-testid={`find-${id}-value`}
            onChange={({ target }) => onValue?.(target.value)}
            onKeyDown={({ key }) => {
              if (key === "Enter" && !wrong) onGo();
            }}
          />{" "}
          {unit}
        </span>
      )}
      <button
        type="button"
        className="button tiny"
        disabled={wrong}
        aria-describedby={label}
        data-testid={`find-${id}`}
        onClick={onGo}
      >
        {id === "worst" ? "Show" : "Next"}
      </button>
      {wrong && (
        <span id={`${label}-wrong`} className="field-error" role="alert">
          A whole number from 0 to {formatCount(MOST)}.
        </span>
      )}
    </div>
  );
}

/** Goes to the next stop; while there is none and the runs grow, looks again at each growth. */
function useStops(store: Store): {
  readonly said: string;
  readonly stopAt: (wanted: Break) => void;
} {
  const [armed, setArmed] = useState<Break>();
  const [said, setSaid] = useState("");
  const stopAt = useCallback(
    (wanted: Break): void => {
      const state = store.getState();
      const fromNs = searchedFromNs(state);
      const stop = nextStop({ ...state, playheadNs: fromNs }, wanted);
      setArmed(stop === undefined && isComputing(state) ? wanted : undefined);
      setSaid(
        stop === undefined
          ? nothing(wanted, fromNs, endNs(state), isComputing(state))
          : sentence(stop),
      );
      if (stop !== undefined) show(store, stop);
    },
    [store],
  );
  useEffect(() => {
    if (armed === undefined) return undefined;
    return store.api.subscribe((state, before) => {
      if (state.entry !== before.entry || state.knobs !== before.knobs) {
        // What was asked for was asked of other runs.
        setArmed(undefined);
        setSaid("");
      } else if (state.sides !== before.sides) stopAt(armed);
    });
  }, [armed, stopAt, store]);
  return { said, stopAt };
}

function sentence({ side, ns, words }: Stop): string {
  return `${side.toUpperCase()}, ${formatNs(ns, 5)}: ${words}.`;
}

function nothing(wanted: Break, afterNs: number, toNs: number, computing: boolean): string {
  // The worst one is looked for in the whole run.
  const fromNs = wanted.what === "worst" ? 0 : Math.max(0, afterNs);
  return `No ${breakWords(wanted)} from ${formatNs(fromNs, 5)} to ${formatNs(toNs, 5)}${computing ? " so far: waiting for the run." : "."}`;
}

/**
 * Stops, moves the playhead there and selects the wake-up, if it is one; the lane shows the lock
 * that the sentence names.
 */
function show(store: Store, { side, ns, wake, lock }: Stop): void {
  if (wake !== undefined) {
    lookAt(store, side, wake);
    return;
  }
  reach(store, ns);
  if (lock !== undefined) store.dispatch({ type: "lock_shown", name: lock });
}
