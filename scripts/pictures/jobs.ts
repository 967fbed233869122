// Which pictures there are: one job for each shipped scenario, with the lessons whose first scene
// it is.

import { readFileSync, readdirSync } from "node:fs";
import { SCENARIOS } from "../../src/engine/gen/scenarios.ts";
import type { Lesson } from "../../src/state/lessons/lesson.ts";
import type { Job } from "./draw.ts";

/** `folder`: of the lessons' files. */
export function jobs(folder: string): readonly Job[] {
  const lessons = readdirSync(folder)
    .sort()
    .map((file) => ({
      id: file.replace(/\.json$/, ""),
      lesson: JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Lesson,
    }));
  return SCENARIOS.map((entry) => ({
    entry,
    lessons: lessons
      .filter(({ lesson }) => lesson.scenes[0]?.scenario === entry.slug)
      .map(({ id, lesson }) => ({ id, title: lesson.title })),
  }));
}
