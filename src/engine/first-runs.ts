// The runs a shipped scenario opens with, prepared when the page was built: they need no reader.
// Only the opened scenario's file is fetched.

import type { FirstRuns, Handover } from "./gen/types.ts";
import type { RunRequest } from "./protocol.ts";

const URLS = import.meta.glob<string>("./wasm/first/*.json", {
  query: "?url",
  import: "default",
  eager: true,
});

/** Files of scenarios that are held, those used last; a file is up to half a megabyte. */
const HELD = 3;

/** In order of their last use. */
const fetched = new Map<string, Promise<FirstRuns | undefined>>();
/** What has come of them, or that nothing did. */
const come = new Map<string, FirstRuns | undefined>();

/**
 * The run of exactly this text and these changes; undefined if it has to be read, also when the
 * file does not come.
 */
export async function firstRun(request: RunRequest): Promise<Handover | undefined> {
  await firstRuns(request.slug);
  return firstRunAtOnce(request)?.prepared;
}

/** The first run without waiting; undefined until the scenario's file has come. */
export function firstRunAtOnce(
  request: RunRequest,
): { readonly prepared: Handover | undefined } | undefined {
  const { slug, text, set, changes = [] } = request;
  if (!come.has(slug)) return undefined;
  // The reader is needed to say why a write is refused.
  return { prepared: changes.length > 0 ? undefined : matching(come.get(slug), text, set) };
}

/** Those of one scenario, fetched when they are first asked for. */
export function firstRuns(slug: string): Promise<FirstRuns | undefined> {
  const url = URLS[`./wasm/first/${slug}.json`];
  const runs =
    fetched.get(slug) ??
    (url === undefined ? Promise.resolve(undefined) : fetchRuns(url)).then((all) =>
      remember(slug, all),
    );
  fetched.delete(slug);
  fetched.set(slug, runs);
  for (const old of [...fetched.keys()].slice(0, -HELD)) forget(old);
  return runs;
}

function forget(slug: string): void {
  fetched.delete(slug);
  come.delete(slug);
}

function remember(slug: string, all: FirstRuns | undefined): FirstRuns | undefined {
  if (fetched.has(slug)) come.set(slug, all);
  return all;
}

/** Exported for tests. */
export function matching(
  first: FirstRuns | undefined,
  text: string,
  set: RunRequest["set"],
): Handover | undefined {
  if (first?.text !== text) return undefined;
  const wanted = JSON.stringify(set);
  return first.runs.find((run) => JSON.stringify(run.set) === wanted)?.prepared;
}

async function fetchRuns(url: string): Promise<FirstRuns | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as FirstRuns) : undefined;
  } catch {
    return undefined; // The reader does it, and says what is wrong if the network is.
  }
}
