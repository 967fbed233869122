// What the page's buttons and windows do, as commands of the palette. Each goes the way to its
// button and presses it, or shows its place: no command has an action of its own. One whose button
// is not there, or cannot be pressed now, is not listed (`canReach`).

import { plainText } from "../../engine/plain.ts";
import { inOrder } from "../../state/branches/show.ts";
import { STRIPS_MAX, stripLetter } from "../../state/compare/strips.ts";
import { headlineWords } from "../../state/figures/headline.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { twoReleases } from "../../state/which/question.ts";
import { DOCK_NAMES, type DockTab } from "../page/dock-tabs.ts";
import type { Way } from "../page/press.ts";

export interface PageCommand {
  /** The page's words for the command. */
  readonly name: string;
  /** To the control. */
  readonly way: Way;
  /** `press` the control, or `show` it and give it the focus. */
  readonly how: "press" | "show";
  readonly hint?: string;
  /** Other words it is found by. */
  readonly also: string;
}

const press = (name: string, way: Way, also: string, hint = ""): PageCommand => ({
  name,
  way,
  also,
  hint,
  how: "press",
});
const show = (name: string, way: Way, also: string, hint = ""): PageCommand => ({
  name,
  way,
  also,
  hint,
  how: "show",
});

const STORY: Way = ["dock-open", "dock-story"];
const SWEEP: Way = ["sweep-open"];
const MORE_FORMS: Way = ["share-open", "share-more"];

const SHARING: readonly PageCommand[] = [
  press("Share this comparison", ["share-open"], "link address url copy send permalink", "Share"),
  show("QR code", [...MORE_FORMS, "share-qr"], "link photograph phone slide scan share", "Share"),
  show(
    "Iframe for a page or a deck",
    [...MORE_FORMS, "share-iframe"],
    "embed html slides share",
    "Share",
  ),
  show(
    "Present these steps",
    [...MORE_FORMS, "share-talk"],
    "talk presentation speaker clicker slides projector",
    "Share",
  ),
  show(
    "The same as a command",
    ["share-open", "share-command"],
    "command line terminal reproduce cli schedscope",
    "Share",
  ),
];

const SCENARIO: readonly PageCommand[] = [
  press(
    "All questions",
    ["picker-open"],
    "gallery scenarios tiles examples lessons menu browse open",
  ),
  press("Front page", ["home"], "home start logo"),
  press("Scenario", ["drawer-open"], "text json file edit source write own drawer"),
  press(
    "Form and text",
    ["drawer-open", "scenario-editor-open"],
    "editor scenario edit form json own machine",
    "Scenario",
  ),
  show(
    "Start from a template or a scenario",
    ["drawer-open", "start-from"],
    "template new own blank",
    "Scenario",
  ),
  show("Open file", ["drawer-open", "open-file"], "scenario load json upload import", "Scenario"),
];

const SWEEPS: readonly PageCommand[] = [
  press(
    "Sweep",
    SWEEP,
    "range values series parameter study many seeds chart",
    "one knob over many values",
  ),
  show(
    "Find the smallest value that keeps a metric low enough",
    [...SWEEP, "sweep-search", "sweep-search-bound"],
    "bisect search bound threshold limit sweep",
    "Sweep",
  ),
  press(
    "Sizes of the machine",
    [...SWEEP, "sweep-sizes"],
    "cpus cores small multiples scale slider how many threshold",
    "Sweep",
  ),
];

const WHICH: readonly PageCommand[] = [
  press(
    "Which change did it?",
    ["rail-open", "which-open"],
    "bisect releases versions kernel upgrade regression commit cause compare",
    "changes between two releases",
  ),
];

const PLAYBACK: readonly PageCommand[] = [
  press("Loop the view", ["loop"], "repeat again play"),
  show("Speed: machine time per second", ["speed"], "slow fast playback rate play"),
  press(
    "Run to the next late wake-up",
    ["find-open", "find-wake"],
    "breakpoint break stop later than latency",
    "Run to the next …",
  ),
  press(
    "Run to the next deep lock queue",
    ["find-open", "find-waiters"],
    "breakpoint break stop waiters contention herd",
    "Run to the next …",
  ),
  press(
    "Run to the next finding",
    ["find-open", "find-finding"],
    "breakpoint break stop",
    "Run to the next …",
  ),
  press(
    "Show the worst wake-up",
    ["find-open", "find-worst"],
    "breakpoint break stop latest maximum",
    "Run to the next …",
  ),
];

const QUOTA_STOPS: readonly PageCommand[] = [
  press(
    "Run to the next throttle before the quota was used",
    ["find-open", "find-throttle"],
    "breakpoint break stop group cgroup throttled",
    "Run to the next …",
  ),
  press(
    "Run to the next refill",
    ["find-open", "find-refill"],
    "breakpoint break stop period quota group",
    "Run to the next …",
  ),
];

const ANSWERS: Readonly<Record<DockTab, string>> = {
  why: "answers selected wake-up waterfall culprit explain cause late",
  area: "answers sums selection stretch statistics",
  latency: "answers histogram distribution percentile",
  story: "answers steps text explanation readme",
  numbers: "answers table metrics figures timehist",
  sources: "answers references assumptions costs digest provenance where from",
};

function answers(state: State): readonly PageCommand[] {
  return (Object.keys(ANSWERS) as DockTab[])
    .filter((tab) => tab !== "area" || state.area !== undefined)
    .map((tab) => press(DOCK_NAMES[tab], ["dock-open", `dock-${tab}`], ANSWERS[tab], "answers"));
}

const IN_ANSWERS: readonly PageCommand[] = [
  show(
    "On a real machine",
    [...STORY, "real-machine"],
    "commands sysctl chrt taskset rt-app shell reproduce kernel boot",
    "Story",
  ),
  show(
    "Change a task at the playhead",
    ["dock-open", "dock-why", "change-here", "change-task"],
    "write live affinity cpus policy priority nice signal wake intervene",
    "Why",
  ),
  press(
    "Numbers as CSV",
    ["dock-open", "dock-numbers", "numbers-csv"],
    "export download table save spreadsheet",
    "Numbers",
  ),
  press(
    "Numbers as JSON",
    ["dock-open", "dock-numbers", "numbers-json"],
    "export download table save",
    "Numbers",
  ),
  press(
    "Latencies as CSV",
    ["dock-open", "dock-latency", "latency-csv"],
    "export download histogram save",
    "Latency",
  ),
];

const RAIL: readonly PageCommand[] = [
  show("Search knobs", ["rail-open", "knob-search"], "find setting switch parameter sysctl option"),
  show("Variant of A", ["rail-open", "variant-a"], "choose pick compare side"),
  show("Variant of B", ["rail-open", "variant-b"], "choose pick compare side"),
];

const LANES: readonly PageCommand[] = [
  show("Lanes: order", ["lanes-open", "lanes-sort"], "sort rows cpus arrange counters"),
  press("Lanes: unfold all groups", ["lanes-open", "lanes-unfold"], "expand rows cpus"),
  press("Lanes: fold all groups", ["lanes-open", "lanes-fold"], "collapse rows cpus"),
  press("Lanes: reset", ["lanes-open", "lanes-reset"], "order pins default rows cpus"),
];

const SETTINGS: readonly PageCommand[] = [
  press(
    "Keys of one letter: on, off",
    ["help-open", "letters-on"],
    "single-letter shortcuts keyboard settings accessibility disable",
    "Keyboard",
  ),
  press(
    "A drag pans, or selects an area",
    ["help-open", "drag-pans"],
    "mouse settings pan select gesture",
    "Keyboard",
  ),
];

const LIMITS: readonly PageCommand[] = [
  press("Run the duration that fits", ["run-fitting"], "limit records too long shorter both sides"),
  press("Keep more records", ["more-records"], "limit memory million longer"),
];

/** The commands for the strips C and D, where they are shown. */
function strips({ strips: shown }: State): readonly PageCommand[] {
  return shown.slice(0, STRIPS_MAX).flatMap(({ variant, open }, index) => {
    const letter = stripLetter(index);
    const name = `strip ${letter.toUpperCase()}`;
    return [
      press(`Remove ${name}`, [`strip-${letter}-remove`], "variant close delete strips", variant),
      press(
        `${open ? "Fold" : "Open"} ${name}`,
        [`strip-${letter}-fold`],
        "variant lanes heat strips",
        variant,
      ),
      press(
        `Put ${name} on B`,
        [`strip-${letter}-promote`],
        "variant promote swap strips",
        variant,
      ),
    ];
  });
}

function branches(state: State): readonly PageCommand[] {
  const way = ["dock-open", "dock-why"] as const;
  const also = "branches history written what if";
  const listed = inOrder(state.branches, state.entry.text);
  const list = listed
    .slice(0, 1)
    .map(({ branch: { id } }) =>
      show("Branches", [...way, `branch-${id}-a`], `list ${also}`, "Why"),
    );
  const each = listed.flatMap(({ branch: { id } }) =>
    SIDES.map((side) =>
      press(`Branch ${id} on ${side.toUpperCase()}`, [...way, `branch-${id}-${side}`], also, "Why"),
    ),
  );
  return [...list, ...each];
}

/** The scenario's headline figures. Each command shows its figure among the results. */
export function metricCommands({ entry }: State): readonly PageCommand[] {
  return headlineWords(entry.headline, entry.labels).map(({ path, whole = "", label, of }) =>
    show(
      label,
      ["rail-open", `headline-${path}`],
      `metric figure number ${path} ${whole} ${of}`,
      plainText(path),
    ),
  );
}

/**
 * Each control group with a limit: its part of the panel with its quota, its books and its
 * cpu.stat.
 */
export function groupCommands({ sides }: State): readonly PageCommand[] {
  const paths = SIDES.flatMap(
    (side) => sides[side].shown?.trace.quota.limited.map(({ info }) => info.path) ?? [],
  );
  return [...new Set(paths)].map((path) =>
    show(`${path}: cpu.stat`, ["dock-open", "dock-numbers", `quota-${path}`], CPU_STAT, "group"),
  );
}

const CPU_STAT =
  "group cgroup metric nr_periods nr_throttled throttled_usec throttled_time nr_bursts burst_usec usage_usec quota books";

/**
 * All that the scenario and its runs have something for; whether the control is there, the page
 * says.
 */
export function pageCommands(state: State): readonly PageCommand[] {
  const withGroups = SIDES.some((side) => (state.sides[side].shown?.meta.groups.length ?? 0) > 0);
  return [
    ...SHARING,
    ...SCENARIO,
    ...SWEEPS,
    ...(twoReleases(state) === undefined ? [] : WHICH),
    ...answers(state),
    ...PLAYBACK,
    ...(withGroups ? QUOTA_STOPS : []),
    ...IN_ANSWERS,
    ...strips(state),
    ...branches(state),
    ...RAIL,
    ...LANES,
    ...SETTINGS,
    ...LIMITS,
  ];
}
