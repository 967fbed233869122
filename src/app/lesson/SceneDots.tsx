// A dot for each scene of a lesson, in the lesson and on its slides.

import type { ReactNode } from "react";
import type { Lesson } from "../../state/lessons/lesson.ts";

interface Props {
  readonly lesson: Lesson;
  readonly at: number;
  readonly onScene: (at: number) => void;
}

export function SceneDots({ lesson, at, onScene }: Props): ReactNode {
  return (
    <nav className="step-dots" aria-label="Scenes" data-testid="scene-dots" data-scene={at + 1}>
      {lesson.scenes.map(({ title }, index) => (
        <button
          key={index}
          type="button"
          className="step-dot"
          aria-current={index === at ? "step" : undefined}
          aria-label={`Scene ${index + 1}: ${title}`}
          title={title}
          data-testid={`lesson-dot-${index + 1}`}
          onClick={() => onScene(index)}
        />
      ))}
    </nav>
  );
}
