// How a side's latest run stands. An error in the scenario is the viewer's to fix and looks like advice; a fault is ours and
// looks like one. Either way the previous run stays on screen.

import type { ReactNode } from "react";
import type { ScenarioError } from "../engine/gen/types.ts";
import { plainText } from "../engine/plain.ts";
import { type Blame, OTHER_SIDE } from "../engine/protocol.ts";
import { counted } from "../lib/count.ts";
import { formatNs } from "../lib/format.ts";
import { replayOf } from "../state/links/commands.ts";
import { writeAddress } from "../state/links/link.ts";
import { contentOf } from "../state/links/link-state.ts";
import { valueText, writeTime } from "../state/knobs/knob-values.ts";
import { knobValue } from "../state/selectors.ts";
import { fittingNs, foreseenLimit } from "../state/runs/fit.ts";
import { otherSide, SIDES, type Side } from "../state/sides.ts";
import type { RunStatus } from "../state/state.ts";
import { CopyButton, SideBadge } from "./bits.tsx";
import { usePage, useSelect } from "./page.ts";

export function SideStatuses(): ReactNode {
  const sides = useSelect((state) => state.sides);
  const { a, b } = { a: sides.a.status, b: sides.b.status };
  const alike = a.kind === "scenario_error" && b.kind === "scenario_error" && errorText(a.error) === errorText(b.error);
  if (alike)
    return (
      <div className="statuses">
        <Refused sides={SIDES} error={a.error} />
      </div>
    );
  // What the browser or the network lacks, both sides lack.
  const lacking = a.kind === "fault" && b.kind === "fault" && a.blame === b.blame && a.blame !== "engine" && a.blame !== "ended";
  return (
    <div className="statuses">
      <Foreseen />
      {lacking ? <Fault sides={SIDES} fault={a} /> : SIDES.map((side) => <SideStatus key={side} side={side} />)}
    </div>
  );
}

function SideStatus({ side }: { readonly side: Side }): ReactNode {
  const status = useSelect((state) => state.sides[side].status);
  switch (status.kind) {
    case "waiting":
    case "computing":
    case "finished":
      return undefined;
    case "cancelled":
      return <Cancelled side={side} />;
    case "limit":
      return <Limit side={side} limit={status.limit} />;
    case "scenario_error":
      return <Refused sides={[side]} error={status.error} />;
    case "fault":
      return <Fault sides={[side]} fault={status} />;
  }
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
        <strong>Stopped at the {limitWords(limit)}.</strong> {counted(run?.report?.records ?? 0, "record")} cover {covered};{" "}
        {evened ? `${other.toUpperCase()} stops there too, and ` : ""}all numbers are of that part.
      </span>
      <RunFitting />
    </div>
  );
}

/** A run under way that will meet a limit says so as soon as its rate is known. */
function Foreseen(): ReactNode {
  const { runner } = usePage();
  const side = useSelect((state) => foreseenLimit(state)?.side);
  const ends = useSelect((state) => {
    const foreseen = foreseenLimit(state);
    return foreseen === undefined ? "" : `at about ${formatNs(foreseen.endNs, 0)} of ${formatNs(foreseen.durationNs)}`;
  });
  if (side === undefined) return undefined;
  return (
    <div className="strip strip-limit" role="status" data-testid="limit-foreseen">
      <SideBadge side={side} />
      <span>
        <strong>This run is too long for the page:</strong> at this rate it stops {ends}.
      </span>
      <RunFitting />
      <button type="button" className="button" onClick={() => SIDES.forEach((each) => runner.cancel(each))}>
        Stop now
      </button>
    </div>
  );
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
      onClick={() => store.dispatch({ type: "knob_set", where: "both", path: "duration", value: writeTime(ns), settled: true })}
    >
      Run {formatNs(ns, 2)} on both sides
    </button>
  );
}

function Cancelled({ side }: { readonly side: Side }): ReactNode {
  const { runner } = usePage();
  return (
    <div className="strip strip-limit" role="status" data-testid={`cancelled-${side}`}>
      <SideBadge side={side} /> <span>Cancelled. What was computed is shown.</span>
      <button type="button" className="button" onClick={() => runner.again(side)} data-testid={`again-${side}`}>
        Run it again
      </button>
    </div>
  );
}

/** One sentence: where, what, and what was expected. */
export function errorText(error: ScenarioError): string {
  const place = error.line === undefined ? "" : `line ${error.line}${error.column === undefined ? "" : `, column ${error.column}`}: `;
  const path = error.path === "" ? "" : `${error.path}: `;
  const expected = error.expected === undefined ? "" : ` Expected ${error.expected}.`;
  return plainText(`${place}${path}${error.message}${/[.!?]$/.test(error.message) ? "" : "."}${expected}`);
}

function Refused({ sides, error }: { readonly sides: readonly Side[]; readonly error: ScenarioError }): ReactNode {
  const kept = useSelect((state) => sides.some((side) => state.sides[side].shown !== undefined));
  const testId = `scenario-error-${sides.join("")}`;
  return (
    <div className="strip strip-error" role="alert" data-testid={testId}>
      {sides.map((side) => (
        <SideBadge key={side} side={side} />
      ))}
      <span>
        <strong>This scenario cannot run.</strong> <span data-testid={`${testId}-text`}>{errorText(error)}</span>
        {error.suggestion !== undefined && (
          <>
            {" "}
            Did you mean <code>{plainText(error.suggestion)}</code>?
          </>
        )}
        {kept && <span className="muted"> The run before it stays on screen.</span>}
      </span>
    </div>
  );
}

/** What happened, and what to do about it. */
const FAULT_WORDS: Readonly<Record<Blame, readonly [what: string, then: string]>> = {
  engine: ["The simulator itself failed.", "This is our fault, not the scenario’s."],
  ended: ["The simulator stopped answering.", "Run it again; a shorter run or fewer CPUs need less memory."],
  network: ["The simulator could not be loaded.", "Check the connection and try again. The story needs no simulator."],
  browser: [
    "This browser cannot run the simulator.",
    "It needs WebAssembly and module workers: Chromium 89, Firefox 114, Safari 15.2 or newer, with no policy against them. The story needs neither.",
  ],
};

interface FaultProps {
  /** Those that failed alike. */
  readonly sides: readonly Side[];
  readonly fault: Extract<RunStatus, { readonly kind: "fault" }>;
}

function Fault({ sides, fault }: FaultProps): ReactNode {
  const { message, blame } = fault;
  const id = sides.join("");
  const [side = "a"] = sides;
  // The engine knows a scenario by its name, which for one's own names nothing the command could find.
  const replay = useSelect((state) => (state.route === "own" ? replayOf(state, side) : fault.replay));
  const { runner, root } = usePage();
  const kept = useSelect((state) => state.sides[side].shown !== undefined);
  const seed = useSelect((state) => knobValue(state, side, "seed"));
  const title = useSelect((state) => state.entry.title);
  const link = useSelect((state) => writeAddress(contentOf(state)));
  return (
    <div className="strip strip-fault" role="alert" data-testid={`fault-${id}`} data-blame={blame}>
      <div className="fault-head">
        {sides.map((each) => (
          <SideBadge key={each} side={each} />
        ))}{" "}
        <strong>{FAULT_WORDS[blame][0]}</strong> {FAULT_WORDS[blame][1]}
        {kept && " The last good picture stays."}
      </div>
      <pre className="fault-message" data-testid={`fault-${id}-message`}>
        {message}
      </pre>
      <dl className="fault-facts">
        <dt>scenario</dt>
        <dd>{title}</dd>
        <dt>seed</dt>
        <dd>{seed === undefined ? "as in the scenario" : valueText(seed)}</dd>
        <dt>replay natively</dt>
        <dd>
          <code data-testid={`fault-${id}-replay`}>{replay}</code>
        </dd>
      </dl>
      <div className="fault-buttons">
        <button type="button" className="button" data-testid={`again-${id}`} onClick={() => sides.forEach((each) => runner.again(each))}>
          Try again
        </button>
        <CopyButton
          text={`${message}\n${replay}\n${link === undefined ? "" : window.location.origin + root + link}\n`}
          label="Copy a report"
          testId={`fault-${id}-copy`}
        />
      </div>
    </div>
  );
}
