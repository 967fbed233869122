// What is wrong with a scenario, in a strip over the picture. Fetched when one is refused.

import type { ReactNode } from "react";
import type { ScenarioError } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { timeSigns } from "../../lib/format.ts";
import type { Side } from "../../scenario/sides.ts";
import { SideBadge } from "./SideBadge.tsx";
import { useSelect } from "../page/page.ts";

/** One sentence: where, what, and what was expected. */
export function errorText(error: ScenarioError): string {
  const place =
    error.line === undefined
      ? ""
      : `line ${error.line}${error.column === undefined ? "" : `, column ${error.column}`}: `;
  const path = error.path === "" ? "" : `${error.path}: `;
  const expected = error.expected === undefined ? "" : ` Expected ${error.expected}.`;
  return plainText(
    `${place}${path}${timeSigns(error.message)}${/[.!?]$/.test(error.message) ? "" : "."}${expected}`,
  );
}

export default function ScenarioRefused({
  sides,
  error,
}: {
  readonly sides: readonly Side[];
  readonly error: ScenarioError;
}): ReactNode {
  const kept = useSelect((state) =>
    sides.some((side) => state.sides[side].shown?.report !== undefined),
  );
  const testId = `scenario-error-${sides.join("")}`;
  return (
    <div className="strip strip-error" role="alert" data-testid={testId}>
      {sides.map((side) => (
        <SideBadge key={side} side={side} />
      ))}
      <span>
        <strong>This scenario cannot run.</strong>{" "}
        <span data-testid={`${testId}-text`}>{errorText(error)}</span>
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
