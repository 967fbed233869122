// The status of a side's latest run. The viewer can mend an error in the scenario, so it looks like
// advice; a fault is our error and looks like one. Either way the previous run stays on screen.

import { Suspense, type ReactNode } from "react";
import type { Blame } from "../../engine/protocol.ts";
import { hasNoSimulator } from "../../state/select/shipped.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { RunStatus } from "../../state/shape/run.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { atLeisure, lazily, optionally } from "../../lib/lazily.tsx";
import { usePage, useSelect } from "../page/page.ts";

const faultFacts = () => import("./FaultFacts.tsx");
const FaultFacts = optionally(faultFacts);
const Limits = lazily(() =>
  atLeisure(() => {
    // What a fault needs is fetched while there is a network.
    void faultFacts().catch(() => undefined);
    return import("./Limits.tsx");
  }),
);
const ScenarioRefused = lazily(() => import("../widgets/ScenarioRefused.tsx"));

export function SideStatuses(): ReactNode {
  const sides = useSelect((state) => state.sides);
  const { a, b } = { a: sides.a.status, b: sides.b.status };
  const alike =
    a.kind === "scenario_error" &&
    b.kind === "scenario_error" &&
    a.error.path === b.error.path &&
    a.error.message === b.error.message;
  // What the browser or the network lacks, both sides lack.
  const lacking =
    a.kind === "fault" && b.kind === "fault" && a.blame === b.blame && hasNoSimulator(a);
  return (
    <div className="statuses">
      <Suspense>
        <Limits />
      </Suspense>
      {alike ? (
        <Suspense>
          <ScenarioRefused sides={SIDES} error={a.error} />
        </Suspense>
      ) : lacking ? (
        <Fault sides={SIDES} fault={a} />
      ) : (
        SIDES.map((side) => <SideStatus key={side} side={side} />)
      )}
    </div>
  );
}

function SideStatus({ side }: { readonly side: Side }): ReactNode {
  const status = useSelect((state) => state.sides[side].status);
  switch (status.kind) {
    case "waiting":
    case "computing":
    case "finished":
    case "limit":
    case "cancelled":
      return undefined; // Limits.tsx reports every run that ended early.
    case "scenario_error":
      return (
        <Suspense>
          <ScenarioRefused sides={[side]} error={status.error} />
        </Suspense>
      );
    case "fault":
      return <Fault sides={[side]} fault={status} />;
  }
}

/** What happened, and what to do about it. */
const FAULT_WORDS: Readonly<Record<Blame, readonly [what: string, then: string]>> = {
  engine: ["The simulator itself failed.", "This is our fault, not the scenario’s."],
  ended: [
    "The simulator stopped answering.",
    "Run it again, or try a shorter run or fewer CPUs: both need less memory.",
  ],
  network: [
    "The simulator could not be loaded.",
    "Check the connection and try again. The story needs no simulator.",
  ],
  browser: [
    "This browser cannot run the simulator.",
    "It needs WebAssembly and module workers: Chromium 110, Firefox 115, Safari 16 or newer, with no policy against them. The story needs neither.",
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
  const { runner } = usePage();
  const kept = useSelect((state) => state.sides[side].shown !== undefined);
  const [what, then] = FAULT_WORDS[blame];
  // The site's drawn picture below needs the room more than a list of features that the browser
  // lacks.
  const folded = hasNoSimulator(fault);
  const again = (
    <button
      type="button"
      className="button"
      data-testid={`again-${id}`}
      onClick={() => sides.forEach((each) => runner.again(each))}
    >
      Try again
    </button>
  );
  const facts = (
    <>
      <pre className="fault-message" data-testid={`fault-${id}-message`}>
        {message}
      </pre>
      <FaultFacts side={side} id={id} fault={fault} />
    </>
  );
  return (
    <div
      className={folded ? "strip strip-fault folded" : "strip strip-fault"}
      role="alert"
      data-testid={`fault-${id}`}
      data-blame={blame}
    >
      <div className="fault-head">
        {/* What the browser lacks is about no side. */}
        {(folded && sides.length > 1 ? [] : sides).map((each) => (
          <SideBadge key={each} side={each} />
        ))}{" "}
        <strong>{what}</strong> {!folded && then}
        {kept && " The last good picture stays."}
        {folded && again}
      </div>
      {folded ? (
        <details>
          <summary>Why, and what helps</summary>
          {then}
          {facts}
        </details>
      ) : (
        <>
          {facts}
          <div className="fault-buttons">{again}</div>
        </>
      )}
    </div>
  );
}
