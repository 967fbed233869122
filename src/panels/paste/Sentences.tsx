import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import Terms from "../glossary/Terms.tsx";

/** Sentences below a title; nothing where there are none. `wrong`: what they say cannot be. */
export function Sentences({
  title,
  sentences,
  testId,
  wrong = false,
}: {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly testId: string;
  readonly wrong?: boolean;
}): ReactNode {
  if (sentences.length === 0) return undefined;
  return (
    <section className={wrong ? "paste-wrong" : undefined} aria-label={title}>
      <h3>{title}</h3>
      <ul data-testid={testId}>
        {sentences.map((sentence) => (
          <li key={sentence}>
            <Terms text={plainText(sentence)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
