import { Lexer, walkTokens } from "marked";
import { beforeAll, expect, test } from "vitest";
import { KNOBS } from "../engine/gen/knobs.ts";
import { SCENARIOS } from "../engine/gen/scenarios.ts";
import { STORIES } from "../engine/gen/stories.ts";
import type { ScenarioEntry } from "../engine/gen/types.ts";
import { DriverOnBench, loadEngine } from "../engine/testing.ts";
import { effectiveSet } from "../scenario/knob-sets.ts";
import { SIDES } from "../scenario/sides.ts";
import { openContent } from "../state/link/link-state.ts";
import { readLink } from "./link.ts";
import { addressOfTrial, isCommand, readCommand, type Trial } from "./read-command.ts";

beforeAll(loadEngine);

function entryOf(slug: string): ScenarioEntry {
  const entry = SCENARIOS.find((each) => each.slug === slug);
  if (entry === undefined) throw new Error(`no scenario ${slug}`);
  return entry;
}

function trialOf(entry: ScenarioEntry, text: string): Trial {
  const read = readCommand(text, entry, KNOBS);
  if (!read.ok) throw new Error(`${entry.slug}: ${text}: ${read.wrong}`);
  return read.trial;
}

/** The code in a story. */
function codeIn(story: string): readonly string[] {
  const found: string[] = [];
  void walkTokens(Lexer.lex(story), (token) => {
    if (token.type === "codespan" || token.type === "code")
      found.push((token as { readonly text: string }).text);
  });
  return found;
}

const COMMANDS = SCENARIOS.flatMap((entry) =>
  codeIn(STORIES[entry.slug] ?? "")
    .filter((text) => isCommand(text, entry))
    .map((text) => [entry, text] as const),
);

/** Why the engine refuses to begin such a run; undefined if it begins. */
function refusal(entry: ScenarioEntry, set: ReturnType<typeof effectiveSet>): unknown {
  const bench = new DriverOnBench();
  bench.start(1, { slug: entry.slug, text: entry.text, set, maxRecords: 100, trace: "none" });
  const said = (...types: readonly string[]): unknown =>
    bench.messages.find(({ type }) => types.includes(type));
  while (said("meta", "scenario_error", "fault") === undefined && bench.step());
  return said("scenario_error", "fault");
}

test("every command in a story sets knobs that exist to values the scenario's reader takes, on both sides", () => {
  expect(COMMANDS.length).toBeGreaterThan(60);
  for (const [entry, text] of COMMANDS) {
    const { knobs } = trialOf(entry, text);
    for (const side of SIDES)
      expect(
        refusal(entry, effectiveSet(entry, knobs, side)),
        `${entry.slug}: ${text}`,
      ).toBeUndefined();
  }
}, 120_000);

test("every scenario with a part on what to try has a command there, and no command of it names another scenario", () => {
  for (const entry of SCENARIOS) {
    const tries = (STORIES[entry.slug] ?? "").split("\n## Try\n")[1];
    if (tries === undefined) continue;
    const code = codeIn(tries);
    expect(code.filter((text) => isCommand(text, entry)).length, entry.slug).toBeGreaterThan(0);
    for (const text of code.filter(
      (each) => each.startsWith("schedscope ") || each.startsWith("--"),
    ))
      expect(isCommand(text, entry), `${entry.slug}: ${text}`).toBe(true);
  }
});

test("the link of a command opens the same knobs", () => {
  for (const [entry, text] of COMMANDS) {
    const trial = trialOf(entry, text);
    const read = readLink(addressOfTrial(entry, trial));
    if (!read.ok) throw new Error(`${text}: ${read.problem.code}`);
    const opened = openContent(read.content, entry, KNOBS);
    expect(opened.unknownFields, text).toEqual([]);
    for (const side of SIDES)
      expect(effectiveSet(entry, opened.knobs, side), text).toEqual(
        effectiveSet(entry, trial.knobs, side),
      );
  }
});

test("with --a and --b a side is the file and these, without them the first two variants", () => {
  const storm = entryOf("ipi-storm");
  const both = trialOf(
    storm,
    "schedscope compare ipi-storm --a kernel.rt_balance=ipi_4_1 --b kernel.rt_push_ipi=off --set machine.cpus=8",
  );
  const [a, b] = SIDES.map((side) => Object.fromEntries(effectiveSet(storm, both.knobs, side)));
  expect(a).toMatchObject({ "kernel.rt_balance": "ipi_4_1", "machine.cpus": 8 });
  expect(b).toMatchObject({ "kernel.rt_push_ipi": "off", "machine.cpus": 8 });
  expect(b?.["kernel.rt_balance"], "B's variant no longer speaks").not.toBe("ipi_4_15");
  const plain = trialOf(storm, "--set machine.cpus=8");
  expect(Object.fromEntries(effectiveSet(storm, plain.knobs, "b"))).toMatchObject({
    "kernel.rt_balance": "ipi_4_15",
    "machine.cpus": 8,
  });
});

test("a sweep of two knobs has the scenario's variants as lines for the one they set", () => {
  const locks = entryOf("quota-kernel-lock");
  const text =
    "schedscope sweep quota-kernel-lock --over kernel.bandwidth=6.13,6.18 --over kernel.preempt=none,full,lazy --seeds 3..32 --for 1s";
  const { sweep, knobs } = trialOf(locks, text);
  expect(sweep).toMatchObject({
    path: "kernel.preempt",
    values: "none, full, lazy",
    seeds: "30",
    seedFrom: "3",
    left: [],
  });
  expect(sweep?.variants).toEqual(locks.variants.slice(0, 2).map(({ name }) => name));
  expect(knobs.both).toEqual([["duration", "1s"]]);
});

test("a sweep of two knobs fills in both where no variants stand for one", () => {
  const herd = entryOf("rt-pull-herd");
  const text = "schedscope sweep rt-pull-herd --over machine.cpus=16,40 --over kernel.hz=100,250";
  expect(trialOf(herd, text).sweep).toMatchObject({
    path: "machine.cpus",
    values: "16, 40",
    secondPath: "kernel.hz",
    secondValues: "100, 250",
    variants: [],
    left: [],
  });
  expect(trialOf(herd, `${text} --over duration=1ms,2ms`).sweep?.left).toEqual(["duration"]);
});

test("a command with a wrong knob, value or flag is refused in words", () => {
  const herd = entryOf("rt-pull-herd");
  const wrong = (text: string): string => {
    const read = readCommand(text, herd, KNOBS);
    return read.ok ? "" : read.wrong;
  };
  expect(wrong("--set machine.cpu=8")).toBe("no such knob: machine.cpu");
  expect(wrong("--set machine.cpus=many")).toContain("machine.cpus: expected a whole number");
  expect(wrong("schedscope run rt-pull-herd --sets machine.cpus=8")).toBe("no such flag: --sets");
  expect(wrong("schedscope sweep rt-pull-herd --over machine.cpus=1,x")).toContain(
    "machine.cpus: expected",
  );
});
