// A rule with the ways to read more: the kernel's function with its file and version, and the
// chapter of the model.

import { useMemo, type ReactNode } from "react";
import {
  calledWords,
  cite,
  commitUrl,
  modelPath,
  modelWords,
  originWords,
  ruleOfCause,
  type Cited,
  type Kernel,
  type ModelRule,
  type Rule,
} from "../../model/rules/rules.ts";
import type { Side } from "../../scenario/sides.ts";
import Terms from "../glossary/Terms.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { Breakable } from "../widgets/Breakable.tsx";
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
      title={`${cited.says} ${placeWords(cited)}, ${originWords(cited.origin)}`}
    >
      <code>
        <Breakable text={calledWords(cited.name)} />
      </code>
    </a>
  );
}

/** The commit that made it so, as a link; in words where it is not known. */
export function CommitLink({ cited }: { readonly cited: Cited }): ReactNode {
  const url = commitUrl(cited.origin);
  if (url === undefined) return originWords(cited.origin);
  return (
    <a
      className="rule-link"
      href={url}
      target="_blank"
      rel="noreferrer"
      data-testid="commit-link"
      title={`Opens ${url}`}
    >
      {originWords(cited.origin)}
    </a>
  );
}

/** The rule in the model's chapter, on a page of this site; `brief` where the column is narrow. */
export function ModelLink({
  rule,
  brief = false,
}: {
  readonly rule: ModelRule;
  readonly brief?: boolean;
}): ReactNode {
  const { root } = usePage();
  return (
    <a
      className="rule-link"
      href={`${root}${modelPath(rule)}`}
      target="_blank"
      rel="noreferrer"
      data-testid="model-link"
      title={`What the model does here, with its versions and sources: ${modelWords(rule)}`}
    >
      {brief ? "rule" : `rule: ${modelWords(rule)}`}
    </a>
  );
}

/** "kernel/sched/rt.c, 6.12", and why another version is meant. */
export function placeWords({ file, version, insteadOf }: Cited): string {
  return `${file}, ${version}${insteadOf === undefined ? "" : ` (${insteadOf} as released does not have it)`}`;
}

/** A rule in full: what is done, where, and every use. */
export function RuleEntry({
  rule,
  kernel,
}: {
  readonly rule: Rule;
  readonly kernel: Kernel;
}): ReactNode {
  const cited = cite(rule, kernel);
  return (
    <>
      {cited !== undefined && (
        <>
          <SourceLink cited={cited} />{" "}
          <span className="muted">
            {placeWords(cited)},{" "}
            <a
              className="rule-link"
              href={cited.usesUrl}
              target="_blank"
              rel="noreferrer"
              data-testid="rule-uses"
            >
              definition and uses
            </a>
            , <CommitLink cited={cited} />
          </span>
          <br />
        </>
      )}
      <Terms text={rule.says} /> <ModelLink rule={rule.model} />
    </>
  );
}

/** Behind a cause of latency. */
export function CauseRule({
  side,
  cause,
}: {
  readonly side: Side;
  readonly cause: number;
}): ReactNode {
  const kernel = useKernel(side);
  const rule = ruleOfCause(cause);
  if (kernel === undefined || rule === undefined) return undefined;
  const cited = cite(rule, kernel);
  return (
    <>
      {cited !== undefined && <SourceLink cited={cited} />} <ModelLink rule={rule.model} brief />
    </>
  );
}
