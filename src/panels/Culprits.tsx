// Why the selected wake-up was late, in sentences, the costliest cause first, each with the way to the instant.

import type { ReactNode } from "react";
import { plainText } from "../engine/plain.ts";
import { costWords, culpritsOf } from "../model/culprits.ts";
import type { WakeRecord } from "../model/types.ts";
import type { Side } from "../state/sides.ts";
import { useDispatch, useSelect } from "./page.ts";

export function Culprits({ side, wake }: { readonly side: Side; readonly wake: WakeRecord }): ReactNode {
  const dispatch = useDispatch();
  const run = useSelect((state) => state.sides[side].shown);
  const culprits = run === undefined ? [] : culpritsOf(run.trace, wake);
  if (culprits.length === 0) return undefined;
  return (
    <ul className="culprits" aria-label="Who was in the way" data-testid={`culprits-${side}`}>
      {culprits.map((culprit) => (
        <li key={culprit.words}>
          <button
            type="button"
            className="culprit"
            data-ns={culprit.atNs}
            onClick={() => dispatch({ type: "playhead_set", ns: culprit.atNs })}
          >
            For <strong>{costWords(culprit)}</strong>, {plainText(culprit.words)}
          </button>
        </li>
      ))}
    </ul>
  );
}
