// Why the selected wake-up was late, in sentences, the costliest cause first, each with the way to
// the instant.

import { useMemo, type ReactNode } from "react";
import { rowPress } from "../../charts/RowName.tsx";
import { plainText } from "../../engine/plain.ts";
import { costWords, culpritsOf } from "../../model/causes/culprits.ts";
import { freeCpuOf } from "../../model/tasks/free-cpus.ts";
import type { WakeRecord } from "../../model/trace/run-types.ts";
import type { Side } from "../../scenario/sides.ts";
import { isOfQuota, partsOf } from "../glossary/parts.ts";
import { Parts } from "../glossary/Terms.tsx";
import { useDispatch, useSelect } from "../page/page.ts";

export function Culprits({
  side,
  wake,
}: {
  readonly side: Side;
  readonly wake: WakeRecord;
}): ReactNode {
  const dispatch = useDispatch();
  const run = useSelect((state) => state.sides[side].shown);
  const culprits = run === undefined ? [] : culpritsOf(run.trace, wake);
  const trace = run?.trace;
  const free = useMemo(() => trace && freeCpuOf(trace, wake), [trace, wake]);
  if (culprits.length === 0) return undefined;
  // All culprits share one block: a term is a link only at its first place.
  const block = { seen: new Set<string>(), quota: culprits.some(({ words }) => isOfQuota(words)) };
  return (
    <ul className="culprits" aria-label="Who was in the way" data-testid={`culprits-${side}`}>
      {culprits.map((culprit) => (
        <li
          key={culprit.words}
          className="culprit"
          data-ns={culprit.atNs}
          onClick={rowPress(() => {
            dispatch({ type: "playhead_set", ns: culprit.atNs });
            if (culprit.lock !== undefined)
              dispatch({ type: "lock_shown", name: run?.meta.locks[culprit.lock] ?? "" });
          })}
        >
          {/* A press of it bubbles to its line; a link may not lie within it. */}
          <button type="button" className="culprit-cost">
            For <strong>{costWords(culprit)}</strong>
          </button>
          , <Parts parts={partsOf(plainText(culprit.words), block)} />
        </li>
      ))}
      {free !== undefined && (
        <li
          className="culprit"
          data-ns={free.atNs}
          data-testid={`meanwhile-${side}`}
          onClick={rowPress(() => dispatch({ type: "playhead_set", ns: free.atNs }))}
        >
          <button type="button" className="culprit-cost">
            Meanwhile
          </button>
          , as the trace shows, <Parts parts={partsOf(plainText(`${free.words}.`), block)} />
        </li>
      )}
    </ul>
  );
}
