// What comes after a lesson's last scene: the address to hand in, and the next lesson.

import type { ReactNode } from "react";
import { CopyButton } from "../../panels/widgets/CopyButton.tsx";
import { writeHandIn } from "../../links/hand-in.ts";
import { usePage } from "../../panels/page/page.ts";
import { LESSONS, type Listed } from "../../state/lessons/all.ts";
import { isDone, keptProgress, type Progress } from "../../effects/storage/lesson-progress.ts";

interface EndingProps {
  readonly id: string;
  readonly progress: Progress;
}

/** Copies an address that carries what was bet and solved, for who teaches the class. */
function HandIn({ id, progress: { bets, ways = {}, shown } }: EndingProps): ReactNode {
  const { root } = usePage();
  const seed = /^\d{1,9}$/.exec(new URLSearchParams(window.location.search).get("seed") ?? "")?.[0];
  const fragment = writeHandIn({
    lesson: id,
    seed: seed === undefined ? undefined : Number(seed),
    bets,
    ways,
    shown: Object.keys(shown).map(Number),
  });
  const query = seed === undefined ? "" : `?seed=${seed}`;
  return (
    <div className="lesson-hand-in">
      <CopyButton
        text={`${window.location.origin}${root}learn/${id}/${query}#${fragment}`}
        label="Hand in: copy the address"
        testId="lesson-hand-in"
      />
      <p className="muted">
        For a class: the address carries your bets and solutions. Nothing is sent.
      </p>
    </div>
  );
}

/** The lesson that this one names, else the next one of the list; none that is done. */
function nextLesson(id: string, isLeft: (lesson: Listed) => boolean): Listed | undefined {
  const here = LESSONS.findIndex((lesson) => lesson.id === id);
  const named = LESSONS.filter((lesson) => lesson.id === LESSONS[here]?.next);
  return [...named, ...LESSONS.slice(here + 1), ...LESSONS.slice(0, Math.max(0, here))].find(
    isLeft,
  );
}

export default function Ending(props: EndingProps): ReactNode {
  return (
    <>
      <HandIn {...props} />
      <Onward id={props.id} />
    </>
  );
}

function Onward({ id }: { readonly id: string }): ReactNode {
  const { root } = usePage();
  const isLeft = (lesson: Listed): boolean => {
    const progress = keptProgress(root, () => window.localStorage, lesson.id, lesson);
    return progress === undefined || !isDone(progress, lesson.scenes);
  };
  const next = nextLesson(id, isLeft);
  return next === undefined ? (
    <p className="lesson-onward" data-testid="lesson-all-done">
      You have done all lessons.
    </p>
  ) : (
    <a
      className="button primary-button lesson-onward"
      href={`${root}learn/${next.id}/`}
      data-testid="lesson-onward"
    >
      Next lesson: {next.title}
    </a>
  );
}
