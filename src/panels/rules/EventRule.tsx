// Behind the event that was stepped to: the kernel's functions, as links.

import type { ReactNode } from "react";
import { cite } from "../../model/rules/rules.ts";
import type { Side } from "../../scenario/sides.ts";
import { useSelect } from "../page.ts";
import { rulesOfInstant } from "./here.ts";
import { SourceLink, useKernel } from "./RuleLink.tsx";

interface EventRuleProps {
  readonly side: Side;
  readonly ns: number;
  /** The CPU that is stepped along; all of them if none. */
  readonly cpu: number | undefined;
}

/** The line has room for two. */
const LINKS_MAX = 2;

export default function EventRule({ side, ns, cpu }: EventRuleProps): ReactNode {
  const trace = useSelect((state) => state.sides[side].shown?.trace);
  const kernel = useKernel(side);
  if (trace === undefined || kernel === undefined) return undefined;
  const cited = rulesOfInstant(trace, ns, cpu).flatMap((rule) => cite(rule, kernel) ?? []);
  return (
    <span className="event-rules">
      {cited.slice(0, LINKS_MAX).map((each) => (
        <SourceLink key={each.name} cited={each} />
      ))}
    </span>
  );
}
