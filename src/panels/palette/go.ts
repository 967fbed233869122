// What Enter does in the palette: the way to each kind of place.

import { liveOn } from "../../scenario/knob-sets.ts";
import { plainText } from "../../engine/plain.ts";
import {
  eventHit,
  herdHit,
  HERD_WAITERS,
  hitOf,
  type Direction,
  type Hit,
} from "../../state/find/next-hit.ts";
import { thingsOf, type Place, type Thing } from "../../state/find/targets.ts";
import { formatNs } from "../../lib/format.ts";
import type { Selection, TraceStore } from "../../model/index.ts";
import { findSample } from "../../model/tasks/samples.ts";
import { parseTime } from "../../scenario/knob-values.ts";
import { LESSONS } from "../../state/lessons/all.ts";
import { keeperOf } from "../../effects/offline/site-copy.ts";
import { searchedFromNs } from "../../state/play/breakpoints.ts";
import { domainNs } from "../../state/select/selectors.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { MARKS } from "../../timeline/marks/registry.ts";
import type { Page } from "../page/page.ts";
import { askPaste } from "../paste/ask-paste.ts";
import { findScenarios } from "../picker/find-scenarios.ts";
import { findTerms } from "../picker/find-terms.ts";
import { reach } from "../moments/go-to-instant.ts";
import { lookAtSample } from "../moments/to-moment.ts";
import { lookAt } from "../moments/wake-selection.ts";
import { copyWords } from "../offline/use-offline.ts";
import { blockedBy } from "./blocked-keys.ts";
import { eventsIn, functionsOf } from "./event-choices.ts";
import { COMMANDS, pressOf } from "./keymap.ts";
import { markHit } from "./mark-hits.ts";
import { groupCommands, metricCommands, pageCommands, type PageCommand } from "./page-commands.ts";
import { alongWay, canReach, pressIt, showIt } from "../page/press.ts";

/** Scenarios that are about a word which nothing is called by. */
const ABOUT_MAX = 6;

type Target =
  | Place
  | { readonly what: "mark"; readonly id: string }
  | { readonly what: "event"; readonly kind: number }
  | { readonly what: "herd" }
  | { readonly what: "finding" }
  | { readonly what: "paste" }
  | { readonly what: "page"; readonly command: PageCommand }
  /** A page of this site beside the lab, below its root. */
  | { readonly what: "site"; readonly path: string }
  | { readonly what: "offline" }
  | { readonly what: "key"; readonly key: string };

export type Choice = Thing<Target>;

/** Everything that can be gone to or done, the likeliest first. */
export function choicesOf(state: State, { catalogue, root }: Page): readonly Choice[] {
  const things: readonly Choice[] = thingsOf(state, catalogue.scenarios, catalogue.knobs);
  const split = things.findIndex(({ place }) => place.what !== "step" && place.what !== "wake");
  const [first, others] = [things.slice(0, split), things.slice(split)];
  const events = eventChoices(tracesOf(state));
  return [
    ...first,
    ...markChoices(state),
    ...figures(state),
    ...others,
    ...commands(state, root),
    ...PLACES,
    ...events,
  ];
}

function tracesOf({ sides }: State): readonly TraceStore[] {
  return SIDES.flatMap((side) => sides[side].shown?.trace ?? []);
}

function commands(state: State, root: string): readonly Choice[] {
  return [
    ...pageCommands(state)
      .filter(({ way }) => canReach(way))
      .map(pageChoice),
    ...commandChoices(),
    PASTE,
    offlineChoice(root),
  ];
}

function pageChoice(command: PageCommand): Choice {
  const { name, hint = "", also } = command;
  return {
    id: `page ${name}`,
    sort: "command",
    name,
    hint,
    also: `command ${hint} ${also}`,
    place: { what: "page", command },
  };
}

/** What was counted: the headline figures, and what each group's cpu.stat says. */
function figures(state: State): readonly Choice[] {
  const shown = [...metricCommands(state), ...groupCommands(state)].filter(({ way }) =>
    canReach(way),
  );
  return shown.map((command) => ({
    ...pageChoice(command),
    id: `metric ${command.way.at(-1) ?? ""}`,
    sort: "metric",
  }));
}

/**
 * Beside what is called so: the glossary's words, and where nothing is called so, scenarios that
 * are about it.
 */
export function meantChoices(
  query: string,
  { catalogue }: Page,
  scenarios: boolean,
): readonly Choice[] {
  if (query.trim() === "") return [];
  const terms = findTerms(query).map(({ name, anchor }): Choice => ({
    id: `term ${anchor}`,
    sort: "glossary",
    name,
    hint: "",
    also: "",
    place: { what: "site", path: `glossary/#${anchor}` },
  }));
  const about = scenarios ? findAmongTitles(query, catalogue) : [];
  return [...about, ...terms];
}

/** Without the stories, which this list does not load. */
function findAmongTitles(
  query: string,
  { scenarios, knobs }: Page["catalogue"],
): readonly Choice[] {
  return findScenarios(scenarios, knobs, query, {})
    .slice(0, ABOUT_MAX)
    .map(({ slug, title }) => ({
      id: `scenario ${slug}`,
      sort: "scenario",
      name: plainText(title),
      hint: "",
      also: "",
      place: { what: "scenario", slug },
    }));
}

/** What is said of the copy of the site, or the way to one. */
function offlineChoice(root: string): Choice {
  const said = copyWords(keeperOf(root).get().copy);
  const also = "command offline network conference keep copy install";
  return {
    id: "offline",
    sort: "command",
    name: said?.[0] ?? "Keep the site for offline",
    hint: "",
    also,
    place: { what: "offline" },
  };
}

const PLACES: readonly Choice[] = [
  ...LESSONS.map(({ id, title, minutes }): Choice => ({
    id: `lesson ${id}`,
    sort: "lesson",
    name: plainText(title),
    hint: `${minutes} minutes`,
    also: `lesson learn teach course bet puzzle ${id}`,
    place: { what: "site", path: `learn/${id}/` },
  })),
  {
    id: "glossary",
    sort: "page",
    name: "Glossary",
    hint: "",
    also: "terms words definitions meaning dictionary",
    place: { what: "site", path: "glossary/" },
  },
  {
    id: "model",
    sort: "page",
    name: "The rules of the model",
    hint: "",
    also: "documentation docs chapters kernel functions",
    place: { what: "site", path: "model/" },
  },
];

const PASTE: Choice = {
  id: "paste",
  sort: "command",
  name: "paste what you have",
  hint: "Ctrl V",
  also: "command cpu.max cpu.stat pod kubernetes docker systemd cyclictest rt-app sched_features preempt cpulist",
  place: { what: "paste" },
};

function markChoices(state: State): readonly Choice[] {
  const traces = tracesOf(state);
  const hint = "⇧ ↵ the one before";
  const has = (id: string): boolean =>
    MARKS.some(
      (mark) => mark.id === id && traces.some((trace) => mark.countIn({ trace }, 0, Infinity) > 0),
    );
  const marks = MARKS.filter(({ id }) => has(id)).map(
    ({ id, plural, short, legend, kinds }): Choice => {
      const also = `next mark ${id} ${short} ${legend.map(({ words }) => words).join(" ")} ${functionsOf(kinds)}`;
      return {
        id: `mark ${id}`,
        sort: "mark",
        name: `${plural}: next`,
        hint,
        also,
        place: { what: "mark", id },
      };
    },
  );
  const waiters = `more than ${String(HERD_WAITERS)} waiters for one lock`;
  const herds: readonly Choice[] = traces.some((trace) => herdHit(trace, -1, 1) !== undefined)
    ? [
        {
          id: "herd",
          sort: "mark",
          name: "herds: next",
          hint: waiters,
          also: "next herd lock held by a CPU while others wait",
          place: { what: "herd" },
        },
      ]
    : [];
  const found = SIDES.some((side) => (state.sides[side].shown?.report?.findings.length ?? 0) > 0);
  const findings: readonly Choice[] = found
    ? [
        {
          id: "finding",
          sort: "mark",
          name: "findings: next",
          hint,
          also: "next finding",
          place: { what: "finding" },
        },
      ]
    : [];
  return [...herds, ...marks, ...findings];
}

/** What the trace calls its records: the next of each. */
export function eventChoices(traces: readonly TraceStore[]): readonly Choice[] {
  return eventsIn(traces).map(({ kind, name, words, functions }) => ({
    id: `event ${name}`,
    sort: "event",
    name: `${name}: next`,
    hint: words,
    also: `next event ${words} ${functions}`,
    place: { what: "event", kind },
  }));
}

/** The instant that a text such as "700ms" names, within the runs. */
export function instantChoice(state: State, query: string): Choice | undefined {
  const ns = parseTime(query.trim());
  if (ns === undefined || ns > domainNs(state)) return undefined;
  const name = `${formatNs(ns, 5)}: put the playhead there`;
  return {
    id: `instant ${String(ns)}`,
    sort: "instant",
    name,
    hint: "",
    also: "",
    place: { what: "instant", ns },
  };
}

function commandChoices(): readonly Choice[] {
  return COMMANDS.map(({ key, name, also }) => ({
    id: `key ${key}`,
    sort: "command",
    name,
    hint: key,
    also: `command ${key} ${also}`,
    place: { what: "key", key },
  }));
}

/** What the page does once the dialog is out of the way, or why it cannot. */
export type Way = { readonly go: () => void } | { readonly nothing: string };

/**
 * The way to a choice from the playhead. `direction`: to the next one or to the previous one, where
 * a choice has several instants.
 */
export function wayTo({ place, name }: Choice, direction: Direction, page: Page): Way {
  const { dispatch } = page.store;
  switch (place.what) {
    case "wake":
      return wayToSelection(page, place.side, place.selection);
    case "instant":
      return { go: () => reach(page.store, place.ns) };
    case "knob":
      return { go: () => focusKnob(place.path) };
    case "variant":
      return { go: () => dispatch({ type: "variant_chosen", side: place.side, name: place.name }) };
    case "step":
      return { go: () => dispatch({ type: "step_opened", index: place.index }) };
    case "scenario":
      return { go: () => page.go(`${page.root}s/${place.slug}/`) };
    case "paste":
      return { go: askPaste };
    case "page": {
      const { way, how } = place.command;
      return { go: () => alongWay(way, how === "press" ? pressIt : showIt) };
    }
    case "site":
      return { go: () => window.location.assign(page.root + place.path) };
    case "offline":
      return { go: () => sayOffline(page) };
    case "theme":
      return { go: () => dispatch({ type: "theme_set", theme: place.theme }) };
    case "key": {
      const nothing = blockedBy(page.store.getState(), place.key);
      if (nothing !== undefined) return { nothing };
      const press = pressOf(place.key);
      return {
        go: () =>
          window.dispatchEvent(new KeyboardEvent("keydown", { ...press, cancelable: true })),
      };
    }
    default:
      return wayToHit(page, place, name, direction);
  }
}

/** Begins to keep a copy of the site, if no earlier call has, and says how much is kept. */
function sayOffline({ root, store }: Page): void {
  const keeper = keeperOf(root);
  keeper.begin();
  const more =
    copyWords(keeper.get().copy)?.[1] ??
    "The browser begins to keep every file of the site, for when there is no network";
  store.dispatch({ type: "replied", words: `${more}.` });
}

/**
 * To the next of a mark on the side in focus, else on the other one; nothing where there is none.
 */
export function goToMark(page: Page, id: string, direction: Direction): void {
  const way = wayToHit(page, { what: "mark", id }, id, direction);
  if ("go" in way) way.go();
}

function wayToSelection({ store }: Page, side: Side, selection: Selection): Way {
  const trace = store.getState().sides[side].shown?.trace;
  if (selection.kind === "sample") {
    const sample = trace === undefined ? undefined : findSample(trace, selection);
    return sample === undefined
      ? { nothing: "This sample is not in the run any more." }
      : { go: () => lookAtSample(store, side, sample) };
  }
  const wakes = trace?.wakes;
  const row = wakes?.find(selection.task, selection.nth);
  if (wakes === undefined || row === undefined)
    return { nothing: "This wake-up is not in the run any more." };
  return { go: () => lookAt(store, side, wakes.record(row)) };
}

type Repeated = Exclude<
  Target,
  {
    readonly what:
      | "wake"
      | "instant"
      | "knob"
      | "variant"
      | "step"
      | "scenario"
      | "theme"
      | "paste"
      | "page"
      | "site"
      | "offline"
      | "key";
  }
>;

/** On the side in focus; on the other one where that has none. */
function wayToHit({ store }: Page, place: Repeated, name: string, direction: Direction): Way {
  const now = store.getState();
  const state = direction === 1 ? { ...now, playheadNs: searchedFromNs(now) } : now;
  const sides = state.onlyOneSide ? [state.focus] : [state.focus, otherSide(state.focus)];
  for (const side of sides) {
    const hit = hitOn(state, side, place, direction);
    if (hit !== undefined) return { go: () => goToHit(store, side, place, hit) };
  }
  const where = `${direction === 1 ? "after" : "before"} ${formatNs(Math.max(0, state.playheadNs), 5)}`;
  return { nothing: plainText(`Nothing of “${name}” ${where}.`) };
}

function hitOn(state: State, side: Side, place: Repeated, direction: Direction): Hit | undefined {
  const run = state.sides[side].shown;
  if (run === undefined) return undefined;
  const { trace } = run;
  switch (place.what) {
    case "mark": {
      const mark = MARKS.find(({ id }) => id === place.id);
      return mark === undefined
        ? undefined
        : markHit(mark, { trace, changes: changesOf(state, side) }, state.playheadNs, direction);
    }
    case "event":
      return eventHit(trace, place.kind, state.playheadNs, direction);
    case "herd":
      return herdHit(trace, state.playheadNs, direction);
    case "finding": {
      const instants = (run.report?.findings ?? []).map(({ time_ns }) => time_ns);
      const ns =
        direction === 1
          ? instants.find((at) => at > state.playheadNs)
          : instants.findLast((at) => at < state.playheadNs);
      return ns === undefined ? undefined : { ns, cpu: undefined };
    }
    default:
      return hitOf(trace, place, state.playheadNs, direction);
  }
}

/** The changes that were written to the running kernel; the trace has no rows for them. */
function changesOf(
  { knobs }: State,
  side: Side,
): readonly { readonly ns: number; readonly words: string }[] {
  return liveOn(knobs, side).map(({ atNs, path }) => ({ ns: atNs, words: path }));
}

/** A task's wake-up that led to its running there is selected with it, a sample itself. */
function goToHit(
  store: Page["store"],
  side: Side,
  place: Repeated,
  { ns, cpu, sample, lock }: Hit,
): void {
  const wakes = store.getState().sides[side].shown?.trace.wakes;
  if (place.what === "task" && wakes !== undefined) {
    const { rows } = wakes.ofTask(place.name);
    const row = rows.findLast((each) => wakes.dueNs(each) <= ns);
    if (row !== undefined)
      store.dispatch({ type: "selected", side, selection: wakes.selectionOf(row) });
  }
  if (sample !== undefined)
    store.dispatch({
      type: "selected",
      side,
      selection: { kind: "sample", task: sample.task, nth: sample.nth },
    });
  store.dispatch({ type: "side_focused", side });
  if (cpu !== undefined) store.dispatch({ type: "track_pointed", track: { side, cpu } });
  reach(store, ns, cpu === undefined ? undefined : { side, cpu });
  // The lane shows the lock that is meant.
  if (lock !== undefined) store.dispatch({ type: "lock_shown", name: lock });
}

/**
 * Opens the rail and the list of further knobs as far as it must, and puts the focus on the knob.
 */
function focusKnob(path: string): void {
  alongWay(["rail-open", "knobs-more", `knob-card-${path}`], (card) => {
    card.scrollIntoView({ block: "center" });
    control(card)?.focus();
  });
}

/**
 * The value's own control before the buttons around it; of a radio group the choice in force, where
 * its one tab stop is.
 */
function control(card: HTMLElement): HTMLElement | null {
  const fields = ".knob-controls :is(input, select, button):not(:disabled)";
  return (
    card.querySelector<HTMLElement>(".knob-controls input:checked") ??
    card.querySelector<HTMLElement>(fields)
  );
}
