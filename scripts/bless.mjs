// `npm run bless`: runs every scenario natively and re-records what its tests expect. It wants a
// reason, because a golden that changes without one proves nothing; the reason goes to
// docs/records/blessings.md beside the scenarios it changed. `-- --reason "…"` answers beforehand,
// `--
// --only a,b` runs and records these scenarios alone.

import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { nativeCommand, runNatively } from "./lib/engines.mjs";
import { goldenOf, goldenText, textOf, writeGoldens } from "./lib/goldens.mjs";
import { Explained, ROOT, main, output, run, say } from "./lib/run.mjs";
import { shippedScenarios } from "./lib/scenarios.mjs";
import { setUp } from "./set-up/setup.mjs";

const LOG = join(ROOT, "docs", "records", "blessings.md");
const INTRO =
  "# Blessings\n\nEvery re-recording of the goldens under `scenarios/*/expected`, with its reason. Written by `npm run bless`.\n\n";

await main(
  async ({ only, reason: stated }) => {
    const chosen = only === undefined ? undefined : chosenOf(only);
    await setUp();
    const changed = newGoldens(await nativeCommand(), chosen);
    if (changed.length === 0) {
      say("nothing changed: every scenario gives what its golden says");
      return;
    }
    for (const { slug, before } of changed)
      say(`${before === undefined ? "new" : "changed"}: ${slug}`);
    const reason = await askReason(stated);
    for (const { slug, after } of changed) writeGoldens(slug, after);
    // The engine's fingerprint is made of the digests.
    await run("cargo", ["xtask", "gen"], {
      failure: "the engine's fingerprint could not be renewed: npm run gen",
    });
    record(
      reason,
      changed.map(({ slug }) => slug),
    );
    say(
      `recorded; look at \`git diff scenarios\` and commit it with ${LOG.slice(ROOT.length + 1)}`,
    );
  },
  { only: "SLUG,SLUG", reason: '"…"' },
);

/** The scenarios named in `only`, with commas between them. */
function chosenOf(only) {
  const slugs = shippedScenarios().map(({ slug }) => slug);
  return only.split(",").map((slug) => {
    if (!slugs.includes(slug))
      throw new Explained(`--only: expected names of folders in scenarios/, got "${slug}"`);
    return slug;
  });
}

function newGoldens(command, only) {
  const chosen = shippedScenarios().filter(({ slug }) => only?.includes(slug) ?? true);
  const all = chosen.map(({ slug, variants, figures }) => {
    const goldens = Object.fromEntries(
      variants.map(({ name, set }) => [
        name,
        goldenOf(runNatively(command, slug, set).report, figures),
      ]),
    );
    return { slug, before: goldenText(slug), after: textOf(goldens) };
  });
  return all.filter(({ before, after }) => before !== after);
}

async function askReason(stated = "") {
  if (stated.trim() !== "") return stated.trim();
  if (!process.stdin.isTTY)
    throw new Explained(
      'a reason is needed: npm run bless -- --reason "why the new result is right"',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = (await terminal.question("Why is the new result right? ")).trim();
  terminal.close();
  if (answer === "") throw new Explained("without a reason nothing is recorded");
  return answer;
}

function record(reason, slugs) {
  if (!existsSync(LOG)) writeFileSync(LOG, INTRO);
  const day = new Date().toISOString().slice(0, 10);
  const commit = output("git", ["rev-parse", "--short", "HEAD"]) ?? "no commit";
  appendFileSync(
    LOG,
    `- ${day}, on ${commit}: ${slugs.join(", ")}. ${reason.replaceAll(/\s+/g, " ")}\n`,
  );
}
