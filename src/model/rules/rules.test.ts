// Every record, state and cause has a rule, and every rule leads to a place of the kernel's sources
// that can be an address.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { docPages } from "../../../scripts/docs/pages.ts";
import { CAUSES, CPU_STATES, KIND, KIND_NAMES, VECTORS } from "../../engine/gen/catalogue.ts";
import { POINT_WORDS } from "../../engine/gen/codes.ts";
import { VERSIONS } from "../../engine/versions.ts";
import { TraceStore } from "../trace/trace-store.ts";
import { rowsFrom, shapeOf, traceChunk, wakeChunk } from "../trace/trace-text.ts";
import {
  cite,
  commitUrl,
  fileIn,
  FINDING_RULES,
  modelPath,
  originWords,
  ruleOfCause,
  ruleOfRow,
  ruleOfState,
  ruleOfWrite,
  rulesOfKind,
  sourceUrl,
  versionsOf,
  WRITE_RULES,
  type Kernel,
  type Rule,
} from "./rules.ts";

/** What the kernel has no function for. */
const OWN = [
  ...[
    "CpuState",
    "WakeDone",
    "NoiseFire",
    "CpuStop",
    "CpuGo",
    "Finding",
    "ObjectWait",
    "ObjectWake",
    "MutexOwner",
    "ToolSample",
  ],
  ...["UserSpin", "UserSpinEnd", "UserLockOwner"],
];
/** States and causes in which no function of the kernel runs, or any. */
const WITHOUT_FUNCTION = [
  "state user",
  "state kernel",
  "state stopped",
  "state user_spin",
  "cause smi",
  "cause steal",
];

const NAMES = Object.keys(KIND) as (keyof typeof KIND)[];
const EVERY: readonly (readonly [string, Rule])[] = [
  ...NAMES.flatMap((name) =>
    rulesOfKind(KIND[name]).map((rule, way) => [`${name} ${String(way)}`, rule] as const),
  ),
  ...CPU_STATES.map(({ name }, state) => [`state ${name}`, ruleOf(ruleOfState(state))] as const),
  ...CAUSES.map(({ name }, cause) => [`cause ${name}`, ruleOf(ruleOfCause(cause))] as const),
  ...WRITE_RULES.map((rule, at) => [`write ${String(at)}`, rule] as const),
];

function ruleOf(rule: Rule | undefined): Rule {
  if (rule === undefined) throw new Error("no rule");
  return rule;
}

function kernel(version: string, switches: Readonly<Record<string, string>> = {}): Kernel {
  const all: Readonly<Record<string, string>> = {
    "kernel.version": version,
    "kernel.spinlock": "qspinlock",
    "kernel.fair": "eevdf",
    "kernel.rt_balance": "ipi_4_16_skip1",
    "kernel.rt_throttle": "950_1000_share",
    ...switches,
  };
  return (path) => all[path];
}

test.each(EVERY)("%s: says in one plain sentence what the kernel does", (_name, { says }) => {
  expect(says).toMatch(/^[A-Z0-9a-z_()][^\n]*\.$/);
  expect(says.split(" ").length).toBeLessThanOrEqual(25);
});

test.each(EVERY)(
  "%s: names functions in files of the kernel's tree, each in a run of versions",
  (name, { places }) => {
    if (!OWN.some((own) => name.startsWith(own)) && !WITHOUT_FUNCTION.includes(name))
      expect(places.length).toBeGreaterThan(0);
    for (const place of places) {
      expect(place.name).toMatch(/^(struct )?[a-z_][a-z0-9_]*$/);
      expect(versionsOf(place).length, place.name).toBeGreaterThan(0);
      for (const version of versionsOf(place))
        expect(fileIn(place, version)).toMatch(/^(kernel|arch|include|drivers)\/[\w/.-]+\.[ch]$/);
    }
  },
);

test.each(EVERY)(
  "%s: leads to one place in every version, at that version's tag",
  (_name, rule) => {
    if (rule.places.length === 0) return expect(cite(rule, kernel("6.12"))).toBeUndefined();
    for (const version of VERSIONS) {
      const cited = cite(rule, kernel(version));
      expect(cited?.url).toMatch(
        /^https:\/\/git\.kernel\.org\/pub\/scm\/linux\/kernel\/git\/(torvalds|stable)\/linux\.git\/tree\/[\w/.-]+\?h=v\d[\d.]*$/,
      );
      expect(() => new URL(cited?.url ?? "")).not.toThrow();
      expect(new URL(cited?.usesUrl ?? "").pathname).toMatch(/^\/linux\/v\d[\d.]*\/A\/ident\/\w+$/);
    }
  },
);

/** Releases whose sources were not at hand: names there were checked in the nearest ones. */
const NOT_READ = ["4.18", "5.10", "5.14", "5.16", "6.1", "6.3", "6.18"];
const ROOT = join(import.meta.dirname, "../../..");
const SOURCES = readFileSync(join(ROOT, "docs/model/sources.md"), "utf8");

test.each(EVERY)(
  "%s: names the commit behind each place, with a row among the sources, or the release it was read in",
  (_name, { places }) => {
    for (const { name, origin } of places)
      if ("readIn" in origin) {
        expect(VERSIONS).toContain(origin.readIn);
        expect(NOT_READ, name).not.toContain(origin.readIn);
        expect(originWords(origin)).toBe(`commit not known, read in ${origin.readIn}`);
      } else {
        expect(origin.commit).toMatch(/^[0-9a-f]{12}$/);
        expect(SOURCES, name).toContain(`| [${origin.commit}](${commitUrl(origin) ?? ""}) |`);
      }
  },
);

test("most places of the kernel have their commit", () => {
  const origins = new Map(
    EVERY.flatMap(([, { places }]) =>
      places.map((place) => [`${place.name} ${place.from}`, place.origin] as const),
    ),
  );
  const known = [...origins.values()].filter(({ commit }) => commit !== "not known");
  expect(known.length / origins.size).toBeGreaterThan(0.5);
});

const ANCHORS = new Set(
  docPages(ROOT).flatMap(({ folder, html }) =>
    [...html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id = ""]) => `${folder}/#${id}`),
  ),
);

test.each(EVERY)("%s: has a heading on a page of the model", (_name, { model }) => {
  expect(ANCHORS).toContain(modelPath(model));
});

test("every kind of finding has a rule that is on a page of the model", () => {
  const files = readdirSync(join(ROOT, "crates/engine/src"), {
    recursive: true,
    encoding: "utf8",
  }).filter((file) => file.endsWith(".rs"));
  const engine = files
    .map((file) => readFileSync(join(ROOT, "crates/engine/src", file), "utf8"))
    .join("\n");
  const kinds = [
    ...engine.matchAll(/\.found\(\s*"(\w+)"|Finding \{ time_ns[^}]*kind: "(\w+)"/g),
  ].map(([, found, made]) => found ?? made);
  expect(Object.keys(FINDING_RULES).sort()).toEqual([...new Set(kinds)].sort());
  for (const rule of Object.values(FINDING_RULES)) expect(ANCHORS).toContain(modelPath(rule));
});

test("one place alone holds in a version, or a switch decides between two", () => {
  for (const [name, { places }] of EVERY)
    for (const version of VERSIONS) {
      const here = places.filter(
        (place) => versionsOf(place).includes(version) && place.when === undefined,
      );
      expect(here.length, `${name} in ${version}`).toBeLessThanOrEqual(1);
    }
});

test("a stable release's tag is in the stable tree, and the patched 3.19 is 3.19", () => {
  expect(sourceUrl("kernel/sched/rt.c", "6.12.117")).toBe(
    "https://git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git/tree/kernel/sched/rt.c?h=v6.12.117",
  );
  expect(sourceUrl("kernel/sched/rt.c", "6.12")).toContain(
    "/torvalds/linux.git/tree/kernel/sched/rt.c?h=v6.12",
  );
  expect(sourceUrl("kernel/sched.c", "2.6.24")).toContain(
    "/torvalds/linux.git/tree/kernel/sched.c?h=v2.6.24",
  );
  expect(sourceUrl("kernel/sched/rt.c", "3.19-push-ipi")).toMatch(/\?h=v3\.19$/);
});

/** The function and its version, for a record's way. */
function nameOf(rule: Rule | undefined, of: Kernel): string {
  const cited = cite(ruleOf(rule), of);
  return `${cited?.name ?? ""} ${cited?.version ?? ""}${cited?.insteadOf === undefined ? "" : ` not ${cited.insteadOf}`}`;
}

test("functions are those of the run's version", () => {
  const resched = ruleOf(rulesOfKind(KIND.NeedResched)[0]);
  expect(nameOf(resched, kernel("3.16"))).toBe("resched_task 3.16");
  expect(nameOf(resched, kernel("3.17"))).toBe("resched_curr 3.17");
  const tick = ruleOf(rulesOfKind(KIND.Tick)[0]);
  expect(nameOf(tick, kernel("6.6"))).toBe("scheduler_tick 6.6");
  expect(nameOf(tick, kernel("6.12"))).toBe("sched_tick 6.12");
  const list = ruleOf(rulesOfKind(KIND.WakelistQueue)[0]);
  expect(nameOf(list, kernel("5.7"))).toBe("ttwu_queue_remote 5.7");
  expect(nameOf(list, kernel("5.8"))).toBe("ttwu_queue_wakelist 5.8");
  const softirq = ruleOf(rulesOfKind(KIND.SoftirqEntry)[0]);
  expect(nameOf(softirq, kernel("6.1"))).toBe("__do_softirq 6.1");
  expect(nameOf(softirq, kernel("6.1.192"))).toBe("handle_softirqs 6.1.192");
  expect(nameOf(softirq, kernel("6.3"))).toBe("__do_softirq 6.3");
});

test("a switch that is not of the version leads to the version that has it, and says so", () => {
  const hop = ruleOf(rulesOfKind(KIND.RtoHop)[0]);
  expect(nameOf(hop, kernel("4.2", { "kernel.rt_balance": "ipi_4_1" }))).toBe(
    "find_next_push_cpu 4.2",
  );
  expect(nameOf(hop, kernel("7.0"))).toBe("rto_next_cpu 7.0");
  expect(nameOf(hop, kernel("7.0", { "kernel.rt_balance": "ipi_4_1" }))).toBe(
    "find_next_push_cpu 4.2 not 7.0",
  );
  const same = CAUSES.findIndex(({ name }) => name === "same_class");
  expect(nameOf(ruleOfCause(same), kernel("6.12"))).toBe("pick_eevdf 6.12");
  expect(nameOf(ruleOfCause(same), kernel("6.12", { "kernel.fair": "cfs" }))).toBe(
    "pick_next_entity 6.3 not 6.12",
  );
  expect(nameOf(rulesOfKind(KIND.NeedReschedLazy)[0], kernel("6.6"))).toBe(
    "resched_curr_lazy 6.13 not 6.6",
  );
});

test("a column that says which way was taken chooses among a kind's rules", () => {
  expect(rulesOfKind(KIND.IpiArrive)).toHaveLength(VECTORS.length);
  expect(rulesOfKind(KIND.IrqEntry)).toHaveLength(VECTORS.length);
  expect(rulesOfKind(KIND.PreemptPoint)).toHaveLength(Object.keys(POINT_WORDS).length);
  expect(KIND_NAMES.length).toBe(NAMES.length);
  const trace = new TraceStore(shapeOf(4, 4, 1000));
  trace.append(
    1000,
    traceChunk(
      rowsFrom(`
    100  cpu1  arrive  cpu0 reschedule 30
    200  cpu1  arrive  cpu0 call_function_single 30
    600  cpu1  pull    t2 cpu0
    640  cpu1  push    t2 cpu3
    700  cpu1  take    return_to_user t1`),
    ),
    wakeChunk([]),
  );
  const names = [0, 1, 2, 3, 4].map((row) => nameOf(ruleOfRow(trace, row), kernel("6.12")));
  expect(names).toEqual([
    "native_smp_send_reschedule 6.12",
    "native_send_call_func_single_ipi 6.12",
    "pull_rt_task 6.12",
    "push_rt_task 6.12",
    "exit_to_user_mode_loop 6.12",
  ]);
});

test("what is written to the running kernel has its rule by its words", () => {
  expect(nameOf(ruleOfWrite("RT_PUSH_IPI off"), kernel("6.12"))).toBe("sched_feat_write 6.12");
  expect(nameOf(ruleOfWrite("preemption dynamic-full"), kernel("6.12"))).toBe(
    "sched_dynamic_update 6.12",
  );
  expect(nameOf(ruleOfWrite("/web cpu.max 20 ms"), kernel("6.12"))).toBe(
    "tg_set_cfs_bandwidth 6.12",
  );
});
