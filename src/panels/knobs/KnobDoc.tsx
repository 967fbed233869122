// What a knob means, in sentences whose terms lead to the glossary: a tooltip says the same where
// nothing can be pressed.

import type { ReactNode } from "react";
import { findKnob, valueWords } from "../../scenario/knob-values.ts";
import { knobDoc } from "../../scenario/knob-sentences.ts";
import { isOfQuota, partsOf } from "../glossary/parts.ts";
import { Parts } from "../glossary/Terms.tsx";
import { usePage } from "../page/page.ts";

interface KnobDocProps {
  readonly path: string;
  readonly testId: string;
  /** Without what each value means, and without the source. */
  readonly brief?: boolean;
}

/** Nothing where there are no sentences. */
export default function KnobDoc({ path, testId, brief = false }: KnobDocProps): ReactNode {
  const { catalogue } = usePage();
  const said = knobDoc(path);
  if (said === undefined) return undefined;
  const choices = findKnob(catalogue.knobs, path)?.choices ?? [];
  const of = brief ? [] : (said.choices ?? []);
  const block = { seen: new Set<string>(), quota: isOfQuota([path, said.doc, ...of].join(" ")) };
  return (
    <div className="knob-doc" data-testid={testId}>
      <p>
        <Parts parts={partsOf(said.doc, block)} />
      </p>
      {of.length > 0 && (
        <ul>
          {choices.map(({ value }, index) => (
            <li key={valueWords(value)}>
              <code>{valueWords(value)}</code>: <Parts parts={partsOf(of[index] ?? "", block)} />
            </li>
          ))}
        </ul>
      )}
      {!brief && <p className="muted">{said.source}</p>}
    </div>
  );
}
