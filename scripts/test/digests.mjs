// Every scenario and variant must give the same digest and the same figures natively, in Node and
// in Chromium, and the ones its golden says.

import { setImmediate } from "node:timers/promises";
import {
  MAX_RECORDS,
  runInNode,
  runNatively,
  testedCommand,
  withChromiumEngine,
} from "../lib/engines.mjs";
import { goldenOf, goldenText, textOf } from "../lib/goldens.mjs";
import { Explained, isMain, main } from "../lib/run.mjs";
import { shippedScenarios } from "../lib/scenarios.mjs";
import { setUp } from "../set-up/setup.mjs";

/** Runs them all three ways and throws, naming every difference. */
export async function compareDigests() {
  const command = await testedCommand();
  const differences = [];
  await withChromiumEngine(async (runInChromium) => {
    const scenarios = shippedScenarios();
    for (const scenario of scenarios) {
      differences.push(...(await compareScenario(scenario, command, runInChromium)));
    }
    for (const changed of CHANGED)
      differences.push(...(await compareChanged(scenarios, changed, command, runInChromium)));
  });
  if (differences.length > 0) throw new Explained(differences.join("\n"));
}

/**
 * Runs that are written to on the way: a switch, and each thing that can be written to a task or a
 * group.
 */
const CHANGED = [
  { slug: "rt-pull-herd", changes: [[10_000_000, "kernel.rt_push_ipi", "on"]] },
  {
    slug: "rt-pull-herd",
    changes: [
      [10_000_000, 'tasks."rt_noise.0".cpus', "0-3"],
      [12_345_678, 'tasks."cyclictest.3".policy', "SCHED_FIFO 20"],
    ],
  },
  {
    slug: "quota-stranded",
    changes: [
      [150_000_000, "cgroups.fibtest.cpu_max", "50000 100000"],
      [200_000_000, "cgroups.fibtest.cpu_weight", "400"],
    ],
  },
];

/** The page's worker and the command make the same writes. */
async function compareChanged(scenarios, { slug, changes }, command, runInChromium) {
  const text = scenarios.find((scenario) => scenario.slug === slug)?.text;
  const flags = changes.flatMap(([ns, path, value]) => ["--live", `${ns}ns=${path}=${value}`]);
  const native = runNatively(command, slug, [], flags).report;
  const chromium = await runInChromium({ slug, text, set: [], changes, maxRecords: MAX_RECORDS });
  const same = chromium.digest === native.digest && chromium.records === native.records;
  console.log(
    `${same ? "same     " : "DIFFERENT"} ${native.digest} ${slug}, changed in mid-run: ${flags.join(" ")}`,
  );
  return same
    ? []
    : [`${slug}, changed in mid-run: native ${native.digest}, Chromium ${chromium.digest}`];
}

async function compareScenario({ slug, text, figures, variants }, command, runInChromium) {
  const goldens = {};
  const differences = [];
  for (const { name, set } of variants) {
    // The browser computes beside this process, once the message is out: what follows lets no
    // message out.
    const coming = runInChromium({ slug, text, set, maxRecords: MAX_RECORDS });
    await setImmediate();
    const native = runNatively(command, slug, set).report;
    const node = await runInNode(slug, text, set);
    const chromium = await coming;
    const same =
      sameReport(native, node) &&
      chromium.digest === native.digest &&
      chromium.records === native.records;
    console.log(`${same ? "same     " : "DIFFERENT"} ${native.digest} ${slug}: ${name}`);
    if (!same)
      differences.push(
        `${slug}: ${name}: native ${native.digest}, Node ${node.digest}, Chromium ${chromium.digest}`,
      );
    goldens[name] = goldenOf(native, figures);
  }
  if (goldenText(slug) !== textOf(goldens)) {
    differences.push(
      `${slug}: not what scenarios/${slug}/expected says; if the new result is right, \`npm run bless\` records it`,
    );
  }
  return differences;
}

/**
 * The whole report, not only its digest: percentiles and sums are computed outside the digest. The
 * page's engine lists no activations.
 */
function sameReport(native, node) {
  return JSON.stringify(sorted(withoutActivations(native))) === JSON.stringify(sorted(node));
}

function withoutActivations(report) {
  const tasks = Object.fromEntries(
    Object.entries(report.metrics.tasks).map(([name, task]) => [
      name,
      { ...task, activations: [] },
    ]),
  );
  return { ...report, metrics: { ...report.metrics, tasks } };
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setUp({ browser: true });
    await compareDigests();
  });
}
