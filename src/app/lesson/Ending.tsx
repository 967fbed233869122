// What comes after a lesson's last scene.

import type { ReactNode } from "react";
import { usePage } from "../../panels/page/page.ts";
import { LESSONS, type Listed } from "../../state/lessons/all.ts";
import { isDone, keptProgress } from "../../effects/storage/lesson-progress.ts";

/** The lesson that this one names, else the next one of the list; none that is done. */
function nextLesson(id: string, isLeft: (lesson: Listed) => boolean): Listed | undefined {
  const here = LESSONS.findIndex((lesson) => lesson.id === id);
  const named = LESSONS.filter((lesson) => lesson.id === LESSONS[here]?.next);
  return [...named, ...LESSONS.slice(here + 1), ...LESSONS.slice(0, Math.max(0, here))].find(
    isLeft,
  );
}

export default function Ending({ id }: { readonly id: string }): ReactNode {
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
