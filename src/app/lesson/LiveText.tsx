// A paragraph of a lesson. Its figures are those of the runs on screen. A word that names CPUs, a
// task, a lock or a group highlights their lanes while the word is pointed at or focused; a lane
// that is pointed at marks the words that name it.

import { createContext, useContext, useMemo, type ReactNode } from "react";
import Terms from "../../panels/glossary/Terms.tsx";
import { useSelect } from "../../panels/page/page.ts";
import { lessonFigure } from "../../state/lessons/figures.ts";
import { partsOf, plainWords, type NamedWord } from "../../state/lessons/words.ts";
import { shownViewport } from "../../state/select/selectors.ts";
import { captionWith } from "../../state/steps/caption.ts";
import { readyRuns } from "../../state/steps/resolve.ts";
import { cpusNamed } from "./cpus-named.ts";

/** Highlights CPUs in the picture; undefined: those of the step. */
export const ShowCpus = createContext<(cpus: readonly number[] | undefined) => void>(
  () => undefined,
);

export function LiveText({ text }: { readonly text: string }): ReactNode {
  const told = useSelect((state) =>
    captionWith(text, (name, side) => lessonFigure(state, name, side)),
  );
  const quota = /quota|cpu\.max/.test(text);
  return (
    <p>
      {partsOf(told).map((part, index) =>
        typeof part === "string" ? (
          <Terms key={index} text={part} quota={quota} />
        ) : (
          <Named key={index} word={part} />
        ),
      )}
    </p>
  );
}

function Named({ word: { kind, name, words } }: { readonly word: NamedWord }): ReactNode {
  const show = useContext(ShowCpus);
  const runs = useSelect(readyRuns);
  const fromNs = useSelect((state) => shownViewport(state).fromNs);
  const toNs = useSelect((state) => shownViewport(state).toNs);
  const cpus = useMemo(
    () => cpusNamed(runs, { fromNs, toNs }, { kind, name }),
    [runs, fromNs, toNs, kind, name],
  );
  const pointed = useSelect((state) => state.track !== undefined && cpus.includes(state.track.cpu));
  const on = (): void => show(cpus);
  return (
    <button
      type="button"
      className="lesson-word"
      title={
        cpus.length === 0
          ? "Not in this part of the picture"
          : `In the picture: CPU ${cpus.join(", ")}`
      }
      data-testid="lesson-word"
      data-pointed={pointed}
      onFocus={on}
      onClick={on}
      onPointerEnter={on}
      onBlur={() => show(undefined)}
      onPointerLeave={(event) => {
        if (event.currentTarget !== document.activeElement) show(undefined);
      }}
    >
      {plainWords(words)}
    </button>
  );
}
