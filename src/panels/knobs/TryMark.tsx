// Marks the one switch to try on the front page, until a viewer has tried a knob in this browser.

import { useEffect, useState, type ReactNode } from "react";
import { keepChoice, keptChoice } from "../../effects/storage/stored-choice.ts";
import { usePage, useSelect } from "../page/page.ts";

const NAME = "tried";
const storage = (): Storage => localStorage;

export default function TryMark(): ReactNode {
  const { root } = usePage();
  const turned = useSelect(({ knobs }) =>
    [knobs.both, knobs.a, knobs.b].some((set) => set.length > 0),
  );
  const [before] = useState(() => keptChoice(root, storage, NAME) !== null);
  useEffect(() => {
    if (turned) keepChoice(root, storage, NAME, "1");
  }, [turned, root]);
  if (turned || before) return undefined;
  return (
    <span className="knob-try" data-testid="try-this">
      try this
    </span>
  );
}
