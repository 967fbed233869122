// Keeps the address bar naming what is on screen, and takes the page where back, forward or an
// edited address say. A settled knob or selection makes a history entry, nearly at once; anything
// else replaces the last one, at most once a second.

import type { Knob, ScenarioEntry } from "../../engine/gen/types.ts";
import { assertUnreachable } from "../../lib/unreachable.ts";
import { readFragment, writeFragment } from "../../links/link.ts";
import { contentOf, openContent } from "../../state/link/link-state.ts";
import { placeOf, unknownPlace, unknownPreset } from "../../links/place.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import type { Route, State } from "../../state/shape/state.ts";
import type { Store } from "../../state/store.ts";

const BETWEEN_WRITES_MS = 1_000;
/** A reload takes what the address says by then. Safari refuses more than 100 entries in 30 s. */
const BETWEEN_ENTRIES_MS = 300;

/** What of the browser's window is needed; a test gives its own. */
export interface AddressHost {
  readonly location: { readonly pathname: string; readonly hash: string };
  readonly history: {
    pushState(data: unknown, unused: string, url: string): void;
    replaceState(data: unknown, unused: string, url: string): void;
  };
  addEventListener(type: "popstate" | "hashchange" | "pagehide", listener: () => void): void;
  removeEventListener(type: "popstate" | "hashchange" | "pagehide", listener: () => void): void;
}

/** What there is on this site. */
export interface Catalogue {
  /** The site's path with its closing slash. */
  readonly root: string;
  readonly scenarios: readonly ScenarioEntry[];
  readonly knobs: readonly Knob[];
  /** The viewer's own text as last typed, "" for none. */
  readonly draft: () => string;
  /**
   * What an own scenario starts as where nothing was typed yet; undefined where nothing can be
   * written, as in an embed.
   */
  readonly start?: string | undefined;
}

/** Path of the page for a route, below the site's root. */
export function pathOf(state: Pick<State, "route" | "entry">): string {
  switch (state.route) {
    case "home":
      return "";
    case "preset":
      return `s/${state.entry.slug}/`;
    case "own":
      return "lab/";
  }
}

/** Whether anything is on screen that the bare path would not show. */
function isTouched({
  route,
  knobs,
  strips,
  viewport,
  layout,
  selection,
  area,
  lanes,
  step,
  sweep,
  which,
  unknownFields,
}: State): boolean {
  const turned =
    strips.length + knobs.both.length + knobs.a.length + knobs.b.length + knobs.live.length > 0;
  const chosen = selection !== undefined && selection !== step.selected;
  return (
    turned ||
    sweep.shown ||
    which.shown ||
    route === "own" ||
    viewport !== undefined ||
    layout === "beside" ||
    area !== undefined ||
    lanes !== "" ||
    chosen ||
    step.linked?.side !== undefined ||
    unknownFields.length > 0
  );
}

/**
 * The address of what is on screen; a scenario too big for a link keeps a path without a fragment.
 */
export function addressOf(state: State, root: string): string {
  const fragment = isTouched(state) ? writeFragment(contentOf(state)) : "";
  const changed = fragment !== undefined && fragment !== "";
  // The front page has no name of its own for a changed comparison: the preset's page has.
  const path = state.route === "home" && changed ? `s/${state.entry.slug}/` : pathOf(state);
  return `${root}${path}${changed ? `#${fragment}` : ""}`;
}

/**
 * Opens what the address says; an unreadable link opens nothing. `fresh` forgets what was on screen
 * before.
 */
export function openAddress(
  store: Store,
  address: { readonly pathname: string; readonly hash: string },
  catalogue: Catalogue,
  fresh: boolean,
): void {
  const fragment = address.hash.replace(/^#/, "");
  const place = placeOf(address.pathname, catalogue.root);
  const slugs = catalogue.scenarios.map(({ slug }) => slug);
  switch (place.kind) {
    case "home":
      // Changes without the name of what they change: the first scenario's knobs may be others.
      if (fragment === "") openPreset(store, catalogue.scenarios[0], "home", "", catalogue, fresh);
      else
        store.dispatch({
          type: "link_refused",
          problem: { code: "no_page", slug: undefined, path: "" },
        });
      return;
    case "preset": {
      const entry = catalogue.scenarios.find((each) => each.slug === place.slug);
      if (entry === undefined)
        store.dispatch({
          type: "link_refused",
          problem: unknownPreset(place.slug, fragment, slugs),
        });
      else openPreset(store, entry, "preset", fragment, catalogue, fresh);
      return;
    }
    case "own":
      openOwn(store, fragment, catalogue, fresh);
      return;
    case "unknown":
      store.dispatch({
        type: "link_refused",
        problem: unknownPlace(address.pathname, catalogue.root, fragment, slugs),
      });
      return;
    default:
      assertUnreachable(place);
  }
}

function openPreset(
  store: Store,
  entry: ScenarioEntry | undefined,
  route: Route,
  fragment: string,
  catalogue: Catalogue,
  fresh: boolean,
): void {
  if (entry === undefined) return;
  const result = readFragment({ slug: entry.slug, fragment });
  if (!result.ok) {
    store.dispatch({ type: "link_refused", problem: result.problem });
    return;
  }
  const opened = openContent(result.content, entry, catalogue.knobs);
  const same =
    !fresh && store.getState().entry.slug === entry.slug && store.getState().route !== "own";
  store.dispatch({ type: same ? "returned" : "opened", route, opened });
}

function openOwn(store: Store, fragment: string, catalogue: Catalogue, fresh: boolean): void {
  if (fragment === "") {
    const draft = catalogue.draft();
    const entry = ownEntry(draft.trim() === "" ? (catalogue.start ?? "") : draft);
    store.dispatch({
      type: "opened",
      route: "own",
      opened: openContent(
        { slug: undefined, scenario: entry.text, both: [], a: [], b: [], view: {}, unknown: [] },
        entry,
        catalogue.knobs,
      ),
    });
    return;
  }
  const result = readFragment({ slug: undefined, fragment });
  if (!result.ok) {
    store.dispatch({ type: "link_refused", problem: result.problem });
    return;
  }
  const entry = ownEntry(result.content.scenario ?? "");
  const before = store.getState();
  const same = !fresh && before.route === "own" && before.entry.text === entry.text;
  store.dispatch({
    type: same ? "returned" : "opened",
    route: "own",
    opened: openContent(result.content, same ? before.entry : entry, catalogue.knobs),
  });
}

/** The kept address bar. */
export interface AddressKeeper {
  /**
   * Goes to an address of this site without a reload; what is on screen keeps its own history
   * entry.
   */
  goTo(path: string): void;
  stop(): void;
}

/** Starts to keep the address bar. */
export function keepAddress(
  store: Store,
  host: AddressHost,
  catalogue: Catalogue,
  now: () => number = () => performance.now(),
): AddressKeeper {
  const { root } = catalogue;
  const here = (): string => host.location.pathname + host.location.hash;
  let written = here();
  let commits = store.getState().commits;
  let lastWrite = -Infinity;

  const write = (): void => {
    const state = store.getState();
    if (state.linkProblem !== undefined) return;
    const address = addressOf(state, root);
    if (address !== written) {
      if (state.commits === commits) host.history.replaceState(undefined, "", address);
      else host.history.pushState(undefined, "", address);
      written = address;
      lastWrite = now();
    }
    commits = state.commits;
  };
  const writing = once(write, now);
  const changed = (): void => {
    const state = store.getState();
    if (state.linkProblem !== undefined) return;
    writing.by(lastWrite + (state.commits === commits ? BETWEEN_WRITES_MS : BETWEEN_ENTRIES_MS));
  };
  const moved = (): void => {
    if (here() === written) return;
    writing.stop();
    written = here();
    openAddress(store, host.location, catalogue, false);
    commits = store.getState().commits;
  };
  const unsubscribe = store.subscribe((state, previous) => {
    if (relevant(state, previous)) changed();
  });
  host.addEventListener("popstate", moved);
  host.addEventListener("hashchange", moved);
  const leaving = (): void => {
    if (writing.stop()) write();
  };
  host.addEventListener("pagehide", leaving);
  return {
    goTo: (path) => {
      leaving();
      if (path !== here()) host.history.pushState(undefined, "", path);
      written = here();
      openAddress(store, host.location, catalogue, true);
      writing.stop();
      commits = store.getState().commits;
    },
    stop: () => {
      unsubscribe();
      writing.stop();
      host.removeEventListener("popstate", moved);
      host.removeEventListener("hashchange", moved);
      host.removeEventListener("pagehide", leaving);
    },
  };
}

/**
 * Does `act` once, by the earliest of the instants that are asked for; `stop` says whether it was
 * still to be done.
 */
function once(
  act: () => void,
  now: () => number,
): { readonly by: (ms: number) => void; readonly stop: () => boolean } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueMs = Infinity;
  const stop = (): boolean => {
    const due = dueMs < Infinity;
    clearTimeout(timer);
    dueMs = Infinity;
    return due;
  };
  const by = (ms: number): void => {
    if (dueMs <= ms) return;
    clearTimeout(timer);
    dueMs = ms;
    timer = setTimeout(
      () => {
        dueMs = Infinity;
        act();
      },
      Math.max(0, ms - now()),
    );
  };
  return { by, stop };
}

/** Playing moves the playhead sixty times a second: the address names where it comes to rest. */
function relevant(state: State, previous: State): boolean {
  const {
    knobs,
    strips,
    viewport,
    playheadNs,
    playback,
    onlyOneSide,
    layout,
    focus,
    selection,
    area,
    route,
    entry,
    sides,
    unknownFields,
    commits,
    sweep,
  } = state;
  const same =
    (playback.playing || (playheadNs === previous.playheadNs && !previous.playback.playing)) &&
    onlyOneSide === previous.onlyOneSide &&
    layout === previous.layout &&
    focus === previous.focus &&
    knobs === previous.knobs &&
    strips === previous.strips &&
    viewport === previous.viewport &&
    selection === previous.selection &&
    area === previous.area &&
    state.markers === previous.markers &&
    state.lanes === previous.lanes &&
    route === previous.route &&
    entry === previous.entry &&
    unknownFields === previous.unknownFields &&
    sweep === previous.sweep &&
    state.which === previous.which &&
    commits === previous.commits &&
    sides.a.status === previous.sides.a.status &&
    sides.b.status === previous.sides.b.status;
  return !same;
}
