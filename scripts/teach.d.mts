import type { Lesson } from "../src/state/lessons/lesson.ts";
import type { Stated } from "./teach/sheet.ts";

export function seedsOf(text: string): readonly number[];
export function lessonsOf(
  asked: string | undefined,
): readonly (readonly [id: string, lesson: Lesson])[];
export function sheetsOf(seeds: number): string;
export function siteOf(text: string): string;
export function statedBy(): Stated;
