// Marks the one switch to try on the front page, until somebody has tried a knob in this browser.

import { useEffect, useState, type ReactNode } from "react";
import { keepChoice, keptChoice } from "../../state/kept-choice.ts";
import { usePage, useSelect } from "../page.ts";

const NAME = "tried";
const storage = (): Storage => localStorage;

export function TryMark({ path }: { readonly path: string }): ReactNode {
  const { root } = usePage();
  const isFirst = useSelect(({ route, entry }) => route === "home" && entry.knobs[0] === path);
  const turned = useSelect(({ knobs }) => [knobs.both, knobs.a, knobs.b].some((set) => set.length > 0));
  const [before] = useState(() => keptChoice(root, storage, NAME) !== null);
  useEffect(() => {
    if (isFirst && turned) keepChoice(root, storage, NAME, "1");
  }, [isFirst, turned, root]);
  if (!isFirst || turned || before) return undefined;
  return (
    <span className="knob-try" data-testid="try-this">
      try this
    </span>
  );
}
