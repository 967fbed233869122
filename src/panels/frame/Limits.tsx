// What is said of a run that the viewer or a limit ended, or that a limit is going to end, the
// duration that fits, and the way to a higher limit. Fetched when there is something to say.

import { useEffect, useState, type ReactNode } from "react";
import { OTHER_SIDE } from "../../engine/protocol.ts";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import type { Where } from "../../scenario/knob-sets.ts";
import { findKnob, parseValue, writeTime } from "../../scenario/knob-values.ts";
import { MORE_RECORDS } from "../../state/select/selectors.ts";
import {
  fitsNs,
  fittingNs,
  foreseenLimit,
  foreseenWith,
  isCertain,
} from "../../state/select/fit.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { usePage, useSelect } from "../page/page.ts";

export default function Limits(): ReactNode {
  const a = useSelect((state) => state.sides.a.status);
  const b = useSelect((state) => state.sides.b.status);
  return (
    <>
      <Foreseen />
      {SIDES.map(
        (side) =>
          (side === "a" ? a : b).kind === "cancelled" && <Cancelled key={side} side={side} />,
      )}
      {a.kind === "limit" && <Limit side="a" limit={a.limit} />}
      {b.kind === "limit" && <Limit side="b" limit={b.limit} />}
    </>
  );
}

function Cancelled({ side }: { readonly side: Side }): ReactNode {
  const { runner } = usePage();
  return (
    <div className="strip strip-limit" role="status" data-testid={`cancelled-${side}`}>
      <SideBadge side={side} /> <span>Cancelled. What was computed is shown.</span>
      <button
        type="button"
        className="button"
        onClick={() => runner.again(side)}
        data-testid={`again-${side}`}
      >
        Run it again
      </button>
    </div>
  );
}

/** A limit of the engine in a person's words; one without words here is called by its name. */
function limitWords(limit: string): string {
  switch (limit) {
    case "records":
      return "record limit";
    case "steps":
      return "step limit: it does much and writes little";
    case "memory":
      return "memory limit: a run of the page may hold 512 MiB (the command takes --max-memory)";
    default:
      return `limit of ${limit}`;
  }
}

function Limit({ side, limit }: { readonly side: Side; readonly limit: string }): ReactNode {
  const run = useSelect((state) => state.sides[side].shown);
  const covered = `${formatNs(run?.simulatedNs ?? 0, 3)} of ${formatNs(run?.meta.duration_ns ?? 0)}`;
  const other = otherSide(side);
  const evened = useSelect(({ sides }) => sides[other].status.kind === "limit");
  if (limit === OTHER_SIDE) return undefined; // The other side's strip says it.
  return (
    <div className="strip strip-limit" role="status" data-testid={`limit-${side}`}>
      <SideBadge side={side} />
      <span>
        <strong>Stopped at the {limitWords(limit)}.</strong>{" "}
        {counted(run?.report?.records ?? 0, "record")} cover {covered};{" "}
        {evened ? `${other.toUpperCase()} stops there too, and ` : ""}all numbers are of that part.
      </span>
      <RunFitting />
      {limit === "records" && <MoreRecords />}
    </div>
  );
}

/**
 * Warns of a run that will meet a limit: before the run starts if an earlier run shows it, else as
 * soon as the rate of the run is known.
 */
function Foreseen(): ReactNode {
  const { runner } = usePage();
  const side = useSelect((state) => foreseenLimit(state)?.side);
  const ends = useSelect((state) => endWords(foreseenLimit(state)));
  const certain = useSelect((state) => isSure(foreseenLimit(state)));
  const typed = useTyped();
  if (typed !== undefined)
    return (
      <div className="strip strip-limit" role="status" data-testid="limit-typed">
        <SideBadge side={typed.side} />
        <span>
          <strong>This run {isSure(typed) ? "would" : "may"} be too long for the page:</strong>{" "}
          {endWords(typed)}. A run of {formatNs(fitsNs(typed), 2)} fits.
        </span>
      </div>
    );
  if (side === undefined) return undefined;
  return (
    <div className="strip strip-limit" role="status" data-testid="limit-foreseen">
      <SideBadge side={side} />
      <span>
        <strong>This run {certain ? "is" : "may be"} too long for the page:</strong> {ends}.
      </span>
      <RunFitting />
      <button
        type="button"
        className="button"
        onClick={() => SIDES.forEach((each) => runner.cancel(each))}
      >
        Stop now
      </button>
    </div>
  );
}

function isSure(foreseen: ReturnType<typeof foreseenLimit>): boolean {
  return foreseen !== undefined && isCertain(foreseen);
}

function endWords(foreseen: ReturnType<typeof foreseenLimit>): string {
  if (foreseen === undefined) return "";
  const { by, endNs, durationNs } = foreseen;
  const rate = by === "own" ? "this rate" : "the rate of the last run known of this scenario";
  if (endNs >= durationNs)
    return `at ${rate} the limit lies at about ${formatNs(endNs, 1)}, but on more CPUs each CPU may write more records`;
  return `at ${rate} it stops at about ${formatNs(endNs, 1)} of ${formatNs(durationNs)}`;
}

/**
 * What is being typed into a knob's field, which no run has yet, if a run of it would be too long.
 */
function useTyped(): ReturnType<typeof foreseenLimit> {
  const { store, catalogue } = usePage();
  const [typed, setTyped] = useState<ReturnType<typeof foreseenLimit>>();
  useEffect(() => {
    const leave = (): void => setTyped(undefined);
    const listen = ({ target }: Event): void => {
      const field =
        target instanceof HTMLInputElement && target.type === "text" ? target : undefined;
      const { knob: path = "", where = "both" } =
        field?.closest<HTMLElement>("[data-knob]")?.dataset ?? {};
      const knob = findKnob(catalogue.knobs, path);
      const read =
        knob === undefined || field === undefined ? undefined : parseValue(knob, field.value);
      setTyped(
        read?.ok === true
          ? foreseenWith(store.getState(), where as Where, path, read.value)
          : undefined,
      );
    };
    // Once a value is taken, the run itself says it.
    const unsubscribe = store.subscribe((state, previous) => {
      if (state.knobs !== previous.knobs || state.entry !== previous.entry) leave();
    });
    const escape = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") leave();
    };
    document.addEventListener("input", listen);
    document.addEventListener("keydown", escape);
    document.addEventListener("focusout", leave);
    return () => {
      unsubscribe();
      document.removeEventListener("input", listen);
      document.removeEventListener("keydown", escape);
      document.removeEventListener("focusout", leave);
    };
  }, [store, catalogue]);
  return typed;
}

/** Offers the longest duration that both sides come through. */
function RunFitting(): ReactNode {
  const { store } = usePage();
  const ns = useSelect(fittingNs);
  if (ns === undefined) return undefined;
  return (
    <button
      type="button"
      className="button"
      data-testid="run-fitting"
      onClick={() =>
        store.dispatch({
          type: "knob_set",
          where: "both",
          path: "duration",
          value: writeTime(ns),
          settled: true,
        })
      }
    >
      Run {formatNs(ns, 2)} on both sides
    </button>
  );
}

/**
 * Offers to keep more records, at the price of memory. A link opens without: its opener is asked
 * again.
 */
function MoreRecords(): ReactNode {
  const { store } = usePage();
  const had = useSelect((state) => state.moreRecords);
  if (had) return undefined;
  return (
    <button
      type="button"
      className="button"
      data-testid="more-records"
      title="Until another scenario is opened"
      onClick={() => store.dispatch({ type: "more_records_allowed" })}
    >
      Keep up to {MORE_RECORDS / 1e6} million records (about 1 GB a side)
    </button>
  );
}
