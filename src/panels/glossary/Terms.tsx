// Prose whose terms lead to the glossary. Only parts that are fetched when they are shown have it.

import { Fragment, useMemo, type ReactNode } from "react";
import { Figures } from "../widgets/Figures.tsx";
import { usePage } from "../page/page.ts";
import { partsOf, type Part } from "./parts.ts";
import "./glossary.css";

/**
 * A text by itself, with a link at the first of each term; `quota`: whether it is about a quota.
 */
export default function Terms({
  text,
  quota = true,
}: {
  readonly text: string;
  readonly quota?: boolean;
}): ReactNode {
  return <Parts parts={useMemo(() => partsOf(text, { seen: new Set(), quota }), [text, quota])} />;
}

export function Parts({ parts }: { readonly parts: readonly Part[] }): ReactNode {
  const { root } = usePage();
  return parts.map(({ text, anchor }, index) => (
    <Fragment key={index}>
      {anchor === undefined ? (
        <Figures text={text} />
      ) : (
        <a
          className="term"
          href={`${root}glossary/#${anchor}`}
          target="_blank"
          rel="noreferrer"
          data-testid="term"
        >
          {text}
        </a>
      )}
    </Fragment>
  ));
}
