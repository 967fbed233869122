// A lesson's runs with a seed of one's own.

import type { Scene } from "../../state/lessons/lesson.ts";

/** `?seed=5`: every pupil's runs are others (docs/use/teach). */
export function seeded(scene: Scene): Scene {
  const seed = /^\d{1,9}$/.exec(new URLSearchParams(window.location.search).get("seed") ?? "")?.[0];
  return seed === undefined ? scene : { ...scene, set: { ...scene.set, seed: Number(seed) } };
}
