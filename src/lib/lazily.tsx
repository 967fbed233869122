// A part of the page whose script is fetched when it is first shown. React remembers for good that
// a script did not come; here a viewer can ask for it again, since the network may be back.

import {
  createElement,
  lazy,
  useEffect,
  useLayoutEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";

/** What makes those that did not come be fetched anew. */
const missing = new Set<() => void>();

/**
 * Like React's `lazy`; a part whose script has come is drawn at once, so that a sheet of paper has
 * it.
 */
export function lazily<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): Lazy<Props> {
  let known: ComponentType<Props> | undefined;
  const fetched = (): ReturnType<typeof load> =>
    load().then((module) => {
      known = module.default;
      return module;
    });
  const attempt = (): ComponentType<Props> =>
    lazy(() =>
      fetched().catch((error: unknown) => {
        missing.add(() => (current = attempt()));
        throw error;
      }),
    );
  let current = attempt();
  function Lazily(props: Props): ReactNode {
    // What a part was first drawn as it stays: another kind of component would begin anew.
    const [is] = useState(() => known);
    return createElement(is ?? current, props);
  }
  return Object.assign(Lazily, { fetch: () => void fetched().catch(() => undefined) });
}

export type Lazy<Props extends object> = ComponentType<Props> & { readonly fetch: () => void };

/**
 * Longest time that a script of the first screen waits for a moment in which nothing else is to be
 * done, ms.
 */
const QUIET_MS = 2_000;
/** Scripts and parts that have not come. */
let waiting = 0;

/**
 * What the first picture does not need: fetched when the page has a moment for it, which while it
 * comes up is after the picture.
 */
export async function atLeisure<Module>(load: () => Promise<Module>): Promise<Module> {
  waiting += 1;
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in window)
    await new Promise((quiet) => requestIdleCallback(quiet, { timeout: QUIET_MS }));
  return load().finally(() => (waiting -= 1));
}

/**
 * Draws nothing where a part has not come, and counts it as waiting: React shows a part up to a
 * third of a second after its script has come.
 */
export function Coming(): ReactNode {
  useLayoutEffect(() => {
    waiting += 1;
    return () => {
      waiting -= 1;
    };
  }, []);
  return undefined;
}

/** Whether every script and part that was put off has come. */
export function isAtLeisure(): boolean {
  return waiting === 0;
}

/**
 * A part that the page does without: its place is empty until its script has come, and stays empty
 * if the script does not come.
 */
export function optionally<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Optionally(props: Props): ReactNode {
    const [part, setPart] = useState<{ readonly is: ComponentType<Props> | undefined }>({
      is: known,
    });
    useEffect(() => {
      if (known !== undefined) return;
      void load()
        .then((module) => setPart({ is: (known = module.default) }))
        .catch(() => undefined);
    }, []);
    return part.is === undefined ? undefined : createElement(part.is, props);
  };
}

/** Every script that did not come is asked for again when its part is next shown. */
export function retryMissing(): void {
  for (const retry of missing) retry();
  missing.clear();
}

/** Whether an error says that a script did not come, in the words of any browser. */
export function isUnfetched(message: string): boolean {
  return /dynamically imported module|module script failed|Unable to preload/i.test(message);
}
