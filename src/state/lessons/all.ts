// All lessons at once, for the list of them and for what comes after one.

import type { Lesson } from "./lesson.ts";

/** A lesson with the name of its file. */
export interface Listed extends Lesson {
  readonly id: string;
}

const FILES = import.meta.glob<Lesson>("../../../lessons/*.json", {
  import: "default",
  eager: true,
});

/** By their files' names. */
export const LESSONS: readonly Listed[] = Object.entries(FILES).map(([path, lesson]) => ({
  ...lesson,
  id: path.replace(/^.*\/|\.json$/g, ""),
}));
