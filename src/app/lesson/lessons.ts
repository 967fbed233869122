// The lessons of the site: what they are called, and each on request.

import { nearest } from "../../lib/nearest.ts";
import type { Lesson } from "../../state/lessons/lesson.ts";

const FILES = import.meta.glob<Lesson>("../../../lessons/*.json", { import: "default" });

/** The lesson that was meant by a name that none has. */
export function nearestLesson(id: string): string | undefined {
  const ids = Object.keys(FILES).map((path) => path.replace(/^.*\/(.*)\.json$/, "$1"));
  return nearest(id, ids);
}

/** The lesson of that name; undefined where there is none. */
export async function lessonNamed(id: string): Promise<Lesson | undefined> {
  return FILES[`../../../lessons/${id}.json`]?.();
}
