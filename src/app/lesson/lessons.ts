// The lessons of the site: what they are called, and each on request.

import type { Lesson } from "../../state/lessons/lesson.ts";

const FILES = import.meta.glob<Lesson>("../../../lessons/*.json", { import: "default" });

/** The lesson of that name; undefined where there is none. */
export async function lessonNamed(id: string): Promise<Lesson | undefined> {
  return FILES[`../../../lessons/${id}.json`]?.();
}
