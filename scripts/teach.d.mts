import type { Lesson } from "../src/state/lessons/lesson.ts";

export function seedsOf(text: string): readonly number[];
export function lessonsOf(asked: string | undefined): readonly (readonly [id: string, lesson: Lesson])[];
