// A path or a name of code, which breaks behind its dots and underscores before it breaks within a
// word.

import { Fragment, type ReactNode } from "react";

/** Up to a place where a break reads well: no number is parted at its point. */
const PIECE = /[^]+?(?:_(?=[A-Za-z0-9])|\.(?=[A-Za-z])|$)/g;

export function Breakable({ text }: { readonly text: string }): ReactNode {
  return text.match(PIECE)?.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
