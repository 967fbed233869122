// Shows a scene: its scenario with the scene's own knobs, at its step.

import { useLayoutEffect, useRef } from "react";
import { usePage } from "../../panels/page/page.ts";
import { sceneAddress, type Lesson } from "../../state/lessons/lesson.ts";
import { seeded } from "./seeded-scene.ts";

/**
 * The scene's own knobs and step, each time one comes to it. The page opens with the first scene's
 * scenario as it ships. Before a puzzle looks at the runs.
 */
export function useScene(lesson: Lesson, at: number): void {
  const page = usePage();
  const opened = useRef(openingOf(lesson));
  useLayoutEffect(() => {
    const [scene] = lesson.scenes.slice(at);
    const address = scene === undefined ? undefined : sceneAddress(seeded(scene));
    if (address !== undefined && (at > 0 || address !== opened.current))
      page.go(page.root + address);
    opened.current = undefined;
  }, [page, lesson, at]);
}

/** What is open from the start: the first step of the first scene's scenario. */
function openingOf({ scenes: [first] }: Lesson): string | undefined {
  return first === undefined
    ? undefined
    : sceneAddress({ ...first, step: 1, set: {}, a: {}, b: {} });
}
