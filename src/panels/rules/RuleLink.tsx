// A rule of the kernel with the way to its source: function, file and version.

import { Fragment, useMemo, type ReactNode } from "react";
import { calledWords, cite, ruleOfCause, type Cited, type Kernel, type Rule } from "../../model/rules/index.ts";
import type { Side } from "../../state/sides.ts";
import { useSelect } from "../page.ts";
import "./rules.css";

/** A side's kernel, as resolved: undefined while the side has no run. */
export function useKernel(side: Side): Kernel | undefined {
  const knobs = useSelect((state) => state.sides[side].shown?.meta.knobs);
  return useMemo(() => {
    if (knobs === undefined) return undefined;
    const values = new Map(knobs.map(({ path, value }) => [path, value]));
    return (path) => values.get(path);
  }, [knobs]);
}

/** The function as a link to its file at the version's tag; a line may end behind an underscore. */
export function SourceLink({ cited }: { readonly cited: Cited }): ReactNode {
  return (
    <a
      className="rule-link"
      href={cited.url}
      target="_blank"
      rel="noreferrer"
      data-testid="rule-link"
      title={`${cited.says} ${placeWords(cited)}`}
    >
      <code>
        {calledWords(cited.name)
          .split(/(?<=_)(?=[^_])/)
          .map((part, index) => (
            <Fragment key={index}>
              {index > 0 && <wbr />}
              {part}
            </Fragment>
          ))}
      </code>
    </a>
  );
}

/** "kernel/sched/rt.c, 6.12", and why another version is meant. */
export function placeWords({ file, version, insteadOf }: Cited): string {
  return `${file}, ${version}${insteadOf === undefined ? "" : ` (${insteadOf} as released does not have it)`}`;
}

/** A rule in full: what is done, where, and every use. */
export function RuleEntry({ rule, kernel }: { readonly rule: Rule; readonly kernel: Kernel }): ReactNode {
  const cited = cite(rule, kernel);
  return (
    <>
      {cited !== undefined && (
        <>
          <SourceLink cited={cited} />{" "}
          <span className="muted">
            {placeWords(cited)},{" "}
            <a className="rule-link" href={cited.usesUrl} target="_blank" rel="noreferrer" data-testid="rule-uses">
              definition and uses
            </a>
          </span>
          <br />
        </>
      )}
      {rule.says}
    </>
  );
}

/** Behind a cause of latency. */
export function CauseRule({ side, cause }: { readonly side: Side; readonly cause: number }): ReactNode {
  const kernel = useKernel(side);
  const rule = ruleOfCause(cause);
  const cited = kernel === undefined || rule === undefined ? undefined : cite(rule, kernel);
  return cited === undefined ? undefined : <SourceLink cited={cited} />;
}
