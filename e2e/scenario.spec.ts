// Bad input in the page: one message with its place and what was expected, the run before stays,
// nothing typed is lost.

import { readFileSync, writeFileSync } from "node:fs";
import { DEPTH, expect, QUICK, SPIN, test, type Lab } from "./support/lab.ts";

type Text = Record<string, unknown> & {
  machine: Record<string, unknown>;
  workload: Record<string, unknown>;
};

const SHIPPED = readFileSync(
  new URL("../scenarios/rt-pull-herd/scenario.json", import.meta.url),
  "utf8",
);

/** The shipped scenario, small, and changed by `change`. */
function changed(change: (scenario: Text) => void): string {
  const scenario = JSON.parse(SHIPPED) as Text;
  scenario.machine["cpus"] = 16;
  scenario["duration"] = "20ms";
  change(scenario);
  return JSON.stringify(scenario, undefined, 2);
}

interface Bad {
  readonly name: string;
  readonly text: string;
  /** What the message names. */
  readonly says: RegExp;
  readonly offers?: string;
}

const BAD: readonly Bad[] = [
  {
    name: "a wrong type",
    text: changed(({ machine }) => (machine["cpus"] = "many")),
    says: /line \d+, column \d+: machine\.cpus: .*Expected/,
  },
  {
    name: "an unknown key",
    text: changed(({ machine }) => (machine["cpu"] = 4)),
    says: /line \d+, column \d+: machine.*cpu/,
    offers: "cpus",
  },
  {
    name: "no CPU",
    text: changed(({ machine }) => (machine["cpus"] = 0)),
    says: /line \d+, column \d+: machine\.cpus: .*Expected.*1.*1024/,
  },
  {
    name: "100 000 CPUs",
    text: changed(({ machine }) => (machine["cpus"] = 100_000)),
    says: /line \d+, column \d+: machine\.cpus: .*Expected.*1.*1024/,
  },
  {
    name: "a negative time",
    text: changed((scenario) => (scenario["duration"] = "-1ms")),
    says: /line \d+, column \d+: duration: .*Expected/,
  },
  {
    name: "affinity to a CPU that is not there",
    text: changed(
      ({ workload }) =>
        (workload["tasks"] = { far: { cpus: [99], priority: 10, policy: "SCHED_FIFO", run: 10 } }),
    ),
    says: /line \d+, column \d+: workload\.tasks\.far\.cpus.*99/,
  },
  {
    name: "text that is not JSON",
    text: "forty CPUs, please",
    says: /line 1, column \d+: .*Expected/,
  },
];

async function openDrawer(lab: Lab): Promise<void> {
  await lab.get("drawer-open").click();
  await expect(lab.get("editor")).toBeVisible();
}

test("every bad scenario gets one message with its place; the run before stays, and the text", async ({
  lab,
}) => {
  await lab.open("lab/");
  await lab.write(changed(() => undefined));
  const before = [await lab.digest("a"), await lab.digest("b")];
  expect(before[0]).toMatch(/^\d+-[0-9a-f]{32}$/);
  for (const { name, text, says, offers } of BAD) {
    await test.step(name, async () => {
      await lab.write(text);
      await expect(lab.get("editor-error-text")).toHaveText(says);
      await expect(lab.get("scenario-error-ab"), "one message for both sides").toHaveCount(1);
      if (offers !== undefined)
        await expect(lab.get("editor-error")).toContainText(
          new RegExp(`Did you mean "?${offers}"?\\?`),
        );
      expect([await lab.digest("a"), await lab.digest("b")], "the run before").toEqual(before);
      await expect(lab.get("timeline-a")).toBeVisible();
      await expect(lab.get("editor")).toHaveValue(text);
    });
  }
});

test("the nearest name is offered and put in its place by one press", async ({ lab }) => {
  await lab.open("lab/");
  await lab.write(
    changed((scenario) => (scenario["duratoin"] = "1ms")).replace(/\n\s*"duration": "20ms",/, ""),
  );
  await expect(lab.get("editor-error")).toContainText(/Did you mean "?duration"?\?/);
  await lab.get("editor-error-fix").click();
  await lab.whenIdle();
  await expect(lab.get("editor-error")).toHaveCount(0);
  await expect(lab.get("editor-fine")).toContainText("This text is a valid scenario");
});

test("a file of 50 MB is refused at once and the text stays", async ({ lab }, testInfo) => {
  const file = testInfo.outputPath("big.json");
  writeFileSync(file, Buffer.alloc(50 * 1_048_576, " "));
  await lab.open(QUICK);
  const before = await lab.headlines(DEPTH, SPIN);
  await openDrawer(lab);
  const text = await lab.get("editor").inputValue();
  await lab.get("open-file").setInputFiles(file);
  await expect(lab.get("drawer-remark")).toContainText("50 MB");
  await expect(lab.get("editor")).toHaveValue(text);
  expect(await lab.headlines(DEPTH, SPIN)).toEqual(before);
});

test("a file opens; an own scenario travels in its link, and unfinished text survives a reload", async ({
  lab,
  elsewhere,
}) => {
  await lab.open("lab/");
  const text = changed((scenario) => (scenario["title"] = "Mine"));
  await lab
    .get("open-file")
    .setInputFiles({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await lab.whenIdle();
  await expect(lab.get("question")).toHaveText("Mine");
  const link = await lab.copyLink();
  expect(link).toContain("/lab/#v=3.");
  await elsewhere.open(link);
  await expect(elsewhere.get("question")).toHaveText("Mine");
  expect(await elsewhere.digest("a")).toBe(await lab.digest("a"));
  await expect(elsewhere.get("result-differs")).toHaveCount(0);

  const broken = text.replace('"seed"', '"sed"');
  await lab.write(broken);
  await expect(lab.get("editor-error")).toContainText(/Did you mean "?seed"?\?/);
  await lab.page.reload();
  await lab.whenIdle();
  await expect(lab.get("editor")).toHaveValue(broken);
});

test("while a text is refused all of the page shows the scenario before it", async ({ lab }) => {
  await lab.open(QUICK);
  await openDrawer(lab);
  const text = await lab.get("editor").inputValue();
  const before = await lab.headlines(DEPTH, SPIN);
  const question = await lab.get("question").innerText();
  const [a, b] = [await lab.get("variant-a").inputValue(), await lab.get("variant-b").inputValue()];
  expect(a).not.toBe(b);
  for (const broken of [`BROKEN ${text}`, text.replace('"variants"', '"variant"')]) {
    await lab.write(broken);
    await expect(lab.get("editor-error")).toBeVisible();
    await expect(lab.get("question")).toHaveText(question);
    expect(await lab.headlines(DEPTH, SPIN)).toEqual(before);
    await expect(lab.get("variant-a")).toHaveValue(a);
    await expect(lab.get("variant-b")).toHaveValue(b);
    await expect(lab.get("alike")).toHaveCount(0);
  }
  await lab.write(text.replace('"title": "', '"title": "Mended: '));
  await expect(lab.get("editor-error")).toHaveCount(0);
  await expect(lab.get("question")).toContainText("Mended: ");
});
