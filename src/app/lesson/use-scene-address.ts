// A scene's own address, `learn/herd/#3`: each scene one goes to is an entry of the browser's
// history, so that Back is a scene back.

import { useEffect, useRef } from "react";

/** The scene, from 0, that the address names; undefined where it names none. */
export function sceneOfAddress(scenes: number): number | undefined {
  const [, named] = /^#(\d{1,3})$/.exec(window.location.hash) ?? [];
  const at = Number(named) - 1;
  return at >= 0 && at < scenes ? at : undefined;
}

/**
 * Keeps the address at the scene `at`, and goes where back, forward or an edited address say. The
 * bare address is the first scene's.
 */
export function useSceneAddress(at: number, scenes: number, goTo: (at: number) => void): void {
  const opening = useRef(true);
  useEffect(() => {
    // Where one stopped last time is where one is now: going back to the bare address would lead to
    // the same again.
    const how = opening.current ? "replaceState" : "pushState";
    opening.current = false;
    if ((sceneOfAddress(scenes) ?? 0) !== at) window.history[how](undefined, "", `#${at + 1}`);
  }, [at, scenes]);
  const latest = useRef(goTo);
  useEffect(() => void (latest.current = goTo));
  useEffect(() => {
    const moved = (): void => latest.current(sceneOfAddress(scenes) ?? 0);
    window.addEventListener("popstate", moved);
    return () => window.removeEventListener("popstate", moved);
  }, [scenes]);
}
