// The rule of the kernel behind what lies under the pointer, in words for a tooltip. The rules are
// fetched with the first tooltip; a tooltip shown before they came has a line less.

import { useEffect, useState } from "react";
import type { TraceStore } from "../../model/index.ts";
import type * as Rules from "../../model/rules/rules.ts";
import type { Hit } from "./hit.ts";

let fetched: typeof Rules | undefined;

/**
 * "kernel: push_rt_task(), kernel/sched/rt.c, 6.12, commit e8fa136262e1; rule: push": of the mark,
 * else of what the CPU does.
 */
export function useRuleWords(
  trace: TraceStore,
  kernel: Rules.Kernel | undefined,
  hit: Hit | undefined,
): string | undefined {
  const [rules, setRules] = useState(fetched);
  const wanted = hit !== undefined && rules === undefined;
  useEffect(() => {
    if (!wanted) return;
    void import("../../model/rules/rules.ts")
      .then((module) => {
        fetched = module;
        setRules(module);
      })
      .catch(() => undefined);
  }, [wanted]);
  if (rules === undefined || kernel === undefined || hit === undefined) return undefined;
  const rule =
    hit.about === undefined
      ? rules.ruleOfState(hit.state ?? -1)
      : rules.ruleAbout(trace, hit.about);
  if (rule === undefined) return undefined;
  const cited = rules.cite(rule, kernel);
  const origin = cited === undefined ? "" : rules.originWords(cited.origin);
  const place =
    cited === undefined
      ? ""
      : `kernel: ${rules.calledWords(cited.name)}, ${cited.file}, ${cited.version}, ${origin}; `;
  return `${place}rule: ${rules.modelWords(rule.model)}`;
}
