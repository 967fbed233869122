// `npm run test:long`: what needs more runs than `npm test` has time for. Random machines under
// every law, random texts against the parser, every browser test with every scenario and screen in
// every theme, embeds in real decks and notebooks, 10^5 iterations of rt-migrate-test, all runs of
// every claim, files of 256 CPUs in the tools that read them, and the herd over seeds, sizes and
// cost presets. The result is written to docs/records/test-long.md and committed with what it
// judged. `-- --cases N` sets how many random machines, `-- --from SEED` where they start.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSite } from "./build.mjs";
import { tryHosts } from "./test/embed-hosts.mjs";
import { nativeCommand, runNatively } from "./lib/engines.mjs";
import { Explained, ROOT, main, output, run, runBin, say } from "./lib/run.mjs";
import { checkReaders } from "./readers/check.mjs";
import { playWorkloads } from "./readers/rt-app.mjs";
import { setUp } from "./set-up/setup.mjs";

const OPTIONS = { cases: "N", from: "SEED" };
const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);
const SIZES = [16, 24, 40, 80];
const COSTS = ["2012_40core_ticket", "modern_2s_qspin"];
// The clean herd of the scenario's variants "one herd at a time": what the law of its depth is
// about.
const ONE_HERD = [
  ["workload.rt_noise.tasks", 1],
  ["workload.rt_noise.run", "30us"],
  ["workload.rt_noise.when", "all-cpus-in-cyclictest"],
  ["workload.rt_noise.min_gap", "600us"],
];
const WAYS = [
  { name: "pull", set: [["kernel.rt_push_ipi", "off"]] },
  { name: "push by IPI (2015)", set: [["kernel.rt_push_ipi", "on"]] },
  {
    name: "push by IPI (4.15)",
    set: [
      ["kernel.rt_balance", "ipi_4_15"],
      ["kernel.rt_push_ipi", "on"],
    ],
  },
];

await main(async ({ cases = "100000", from = "100001" }) => {
  for (const [name, text] of Object.entries({ cases, from }))
    if (!/^\d{1,9}$/.test(text))
      throw new Explained(`--${name}: expected a whole number, got "${text}"`);
  const scenarios = String(Math.ceil(Number(cases) / 5));
  await setUp({ checks: true });
  await tryRandom({ cases, scenarios, from });
  const hosts = await tryPage();
  await migrate();
  await playPuzzles();
  await checkClaims();
  say("files of each format in the tools that read them, 256 CPUs and 200 000 switches among them");
  const readers = await checkReaders({ command: await nativeCommand(), all: true });
  say("workloads in rt-app itself");
  playWorkloads(await nativeCommand());
  say(
    `the herd: ${SEEDS.length} seeds × ${SIZES.join(", ")} CPUs × ${COSTS.length} cost presets × ${WAYS.length} ways`,
  );
  const table = sweep(await nativeCommand());
  const broken = judge(table);
  writeFileSync(
    join(ROOT, "docs", "records", "test-long.md"),
    report(table, broken, { cases, scenarios, from, told: [...hosts, ...readers] }),
  );
  say("wrote docs/records/test-long.md");
  if (broken.length > 0) throw new Explained(broken.join("\n"));
}, OPTIONS);

/** Random machines, scenarios and texts under every law. */
async function tryRandom({ cases, scenarios, from }) {
  say(`${cases} random machines from seed ${from} under every law`);
  await rustTests("engine", "swarm::", { SWARM_CASES: cases, SWARM_FROM: from });
  say(`${scenarios} random scenarios of the generators under every law`);
  await rustTests("scenario", "swarm::", { SWARM_CASES: scenarios, SWARM_FROM: from });
  say("20000 mutations of the fuzz corpus against each target");
  await run("cargo", ["test", "--profile", "long", "--locked", "--package", "schedscope-fuzz"], {
    env: { FUZZ_CASES: "20000", FUZZ_FROM: from },
  });
  say("20000 random texts per property against the parser");
  await rustTests("scenario", "fuzz::", { PROPTEST_CASES: "20000" });
}

/** Every rule of eslint and every browser test; what the embeds did in a deck and in notebooks. */
async function tryPage() {
  say(
    "every rule of eslint, every browser test, every scenario and every screen in every theme and at every size, and every broken link",
  );
  await setUp({ browser: true });
  await runBin("eslint", ["--max-warnings", "0", "."], { env: { LINT_THOROUGH: "1" } });
  await buildSite();
  await runBin("@playwright/test", ["test"], { env: { E2E_THOROUGH: "1" } });
  say("embeds in a real deck and in real notebooks");
  return tryHosts();
}

async function migrate() {
  say(
    "rt-migrate-test: 100000 iterations with active balancing, 250 seeds x 50 for each of 8 generations",
  );
  await rustTests("scenario", "rt_migrate::with_active_balancing", { MIGRATE_SEEDS: "250" });
  say(
    "rt-migrate-test: every active generation, version and cost preset, 40 seeds x 50 iterations, 2 to 64 CPUs in turn",
  );
  await rustTests("scenario", "rt_migrate::in_no_active", { MIGRATE_MATRIX: "40" });
}

async function checkClaims() {
  say("every claim of scenarios/*/claims.json over all of its seeds and phases");
  await run("cargo", ["test", "--locked", "--package", "schedscope-claims", "--test", "claims"], {
    env: { CLAIMS: "long" },
  });
  say("questions of `bisect` whose answer is known");
  await run(
    "cargo",
    [
      "test",
      "--release",
      "--locked",
      "--package",
      "schedscope-cli",
      "--test",
      "cli",
      "--",
      "planted::",
    ],
    { env: { CLAIMS: "long" } },
  );
  for (const tests of ["quota_claims::", "live_lock::", "mutations::", "programs::the_preemption"])
    await rustTests("scenario", tests, { CLAIMS: "long" }, []);
  say("200 programs under a limit, their counters pasted: the range of limits holds their own");
  await rustTests("fit", "family::", { CLAIMS: "long" }, ["--release"]);
  say("other answers to each rule that a run never asks, one by one");
  const asked = ["--locked", "--package", "schedscope-runs", "--lib", "--", "asked::"];
  await run("cargo", ["test", ...asked], { env: { CLAIMS: "long" } });
}

/** The tests of one crate whose path holds `tests`, compiled as `npm run test:long` wants. */
async function rustTests(crate, tests, env, profile = ["--profile", "long"]) {
  const chosen = ["--locked", "--package", `schedscope-${crate}`, "--test", crate, "--", tests];
  await run("cargo", ["test", ...profile, ...chosen], { env });
}

/** A pupil's seed is one of these; npm test plays only the first. */
async function playPuzzles() {
  say("every puzzle of the lessons with the thirty seeds of a class");
  await runBin("vitest", ["run", "src/state/lessons"], { env: { LESSON_SEEDS: "30" } });
}

/** Means over the seeds, one row per cost preset, way and size. */
function sweep(command) {
  const rows = [];
  for (const costs of COSTS) {
    for (const way of WAYS) {
      for (const cpus of SIZES)
        rows.push({ costs, way: way.name, cpus, ...means(command, costs, way.set, cpus) });
    }
  }
  return rows;
}

function means(command, costs, set, cpus) {
  const common = [...ONE_HERD, ["machine.cpus", cpus], ["machine.costs", costs]];
  const runs = SEEDS.map((seed) => {
    const { report } = runNatively(command, "rt-pull-herd", [...common, ...set, ["seed", seed]]);
    const { latency, rq_lock: lock } = report.metrics;
    const spinShare = lock.wait_ns / (report.simulated_ns * cpus);
    return {
      depth: lock.max_waiters,
      spin: lock.wait_ns,
      spinShare,
      pulls: lock.pull_remote_acquisitions,
      worst: latency.cyclictest.max_ns,
    };
  });
  const mean = (pick) => runs.reduce((sum, one) => sum + pick(one), 0) / runs.length;
  return {
    depth: mean(({ depth }) => depth),
    deepest: Math.max(...runs.map(({ depth }) => depth)),
    spinUs: mean(({ spin }) => spin) / 1000,
    spinShare: mean(({ spinShare }) => spinShare),
    worstUs: mean(({ worst }) => worst) / 1000,
    pulls: mean(({ pulls }) => pulls),
  };
}

/** The claims of Rostedt 2015 that must hold whatever the seed and the costs. */
function judge(table) {
  const broken = [];
  for (const costs of COSTS) {
    const of = (way) => table.filter((row) => row.costs === costs && row.way === way);
    const pull = of("pull");
    pull.slice(1).forEach((row, index) => {
      if (row.depth <= pull[index].depth)
        broken.push(
          `${costs}: mean depth does not grow from ${pull[index].cpus} to ${row.cpus} CPUs`,
        );
      if (row.spinUs <= pull[index].spinUs)
        broken.push(
          `${costs}: total spin does not grow from ${pull[index].cpus} to ${row.cpus} CPUs`,
        );
    });
    for (const row of WAYS.slice(1).flatMap(({ name }) => of(name))) {
      if (row.deepest > 2)
        broken.push(
          `${costs}, ${row.way}, ${row.cpus} CPUs: ${row.deepest} CPUs wait for one lock`,
        );
      if (row.pulls > 0)
        broken.push(
          `${costs}, ${row.way}, ${row.cpus} CPUs: pull_rt_task still takes remote locks`,
        );
    }
  }
  return broken;
}

function report(table, broken, { cases, scenarios, from, told }) {
  const commit = output("git", ["rev-parse", "--short", "HEAD"]) ?? "unknown";
  const rows = table.map(({ costs, way, cpus, depth, deepest, spinUs, spinShare, worstUs }) => {
    const cells = [
      costs,
      way,
      cpus,
      depth.toFixed(1),
      deepest,
      spinUs.toFixed(0),
      `${(spinShare * 100).toFixed(2)} %`,
      worstUs.toFixed(1),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `# Long statistics

Written by \`npm run test:long\` on commit ${commit}, ${new Date().toISOString().slice(0, 10)}.

- ${cases} random machines from seed ${from}: no law of the engine broken, no value of a switch and no mechanism left out.
- ${scenarios} random scenarios of the generators from seed ${from}: no law broken, no option left out.
- 20000 mutations of the fuzz corpus against each of 5 targets: no panic, no law broken.
- 20000 random texts per property: the parser neither panicked nor accepted what it cannot write back.
- rt-migrate-test, 5 threads on 4 CPUs: 250 seeds x 50 iterations for each of the 8 active generations, 100000 in all, none made a stronger task
  wait; end - start lay within 20 000..20 100 us in every row.
- rt-migrate-test with every active generation, version and cost preset on 2 to 64 CPUs, 40 seeds x 50 iterations of each: none made a stronger
  task wait a millisecond.
- Every claim of scenarios/*/claims.json, over all of its seeds and phases: what the engine gives is what is stated, rounded.
${told.map((line) => `- ${line}.`).join("\n")}
- one herd at a time of rt-pull-herd over ${SEEDS.length} seeds: ${broken.length === 0 ? "every claim below holds." : `broken: ${broken.join("; ")}`}

Claims: with pull, mean depth and total spin grow with the number of CPUs; with push by IPI at most 2 CPUs wait for one lock and no remote lock is
taken by pull_rt_task. The figures are the model's; the costs are presets, assumed where docs say so.

| costs | way | CPUs | mean depth | deepest | mean spin (us) | spin share of CPU time | mean worst cyclictest (us) |
|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}
