// Every scenario and variant must give the same digest and the same figures natively, in Node and in Chromium, and the ones
// its golden says.

import { MAX_RECORDS, nativeCommand, runInNode, runNatively, withChromiumEngine } from "./engines.mjs";
import { goldenOf, goldenText, textOf } from "./goldens.mjs";
import { Explained, isMain, main } from "./run.mjs";
import { shippedScenarios } from "./scenarios.mjs";
import { setUp } from "./setup.mjs";

/** Runs them all three ways and throws, naming every difference. */
export async function compareDigests() {
  const command = await nativeCommand();
  const differences = [];
  await withChromiumEngine(async (runInChromium) => {
    for (const scenario of shippedScenarios()) {
      differences.push(...(await compareScenario(scenario, command, runInChromium)));
    }
  });
  if (differences.length > 0) throw new Explained(differences.join("\n"));
}

async function compareScenario({ slug, text, variants }, command, runInChromium) {
  const goldens = {};
  const differences = [];
  for (const { name, set } of variants) {
    const native = runNatively(command, slug, set).report;
    const node = await runInNode(slug, text, set);
    const chromium = await runInChromium({ slug, text, set, maxRecords: MAX_RECORDS });
    const same = sameReport(native, node) && chromium.digest === native.digest && chromium.records === native.records;
    console.log(`${same ? "same     " : "DIFFERENT"} ${native.digest} ${slug}: ${name}`);
    if (!same) differences.push(`${slug}: ${name}: native ${native.digest}, Node ${node.digest}, Chromium ${chromium.digest}`);
    goldens[name] = goldenOf(native);
  }
  if (goldenText(slug) !== textOf(goldens)) {
    differences.push(`${slug}: not what scenarios/${slug}/expected says; if the new result is right, \`npm run bless\` records it`);
  }
  return differences;
}

/** The whole report, not only its digest: percentiles and sums are computed outside the digest. */
function sameReport(one, other) {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
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
