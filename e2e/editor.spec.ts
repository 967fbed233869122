// Form and text of one scenario side by side: one text, one history, the reader's errors at their
// place, and nothing typed lost.

import { readFileSync } from "node:fs";
import { expect, test, type Lab } from "./support/lab.ts";
import { expectAccessible } from "./support/axe.ts";
import { LONG, inTurn } from "./support/thorough.ts";

const TEXT = `{
  "schema": 1,
  "title": "Two tasks",
  "duration": "5ms",
  "machine": { "cpus": 4 },
  "kernel": { "version": "6.12" },
  "workload": {
    "tasks": {
      "front": { "run": 100, "sleep": 400 },

      "batch": { "run": 900, "cpus": "0-1" }
    }
  }
}
`;

/** Opens the editor of a scenario of one's own. */
async function openEditor(lab: Lab, text = TEXT, onPhone = false): Promise<void> {
  await lab.open("lab/");
  // A phone shows the picture first.
  if (onPhone) await lab.get("drawer-open").click();
  await lab.write(text);
  await lab.get("scenario-editor-open").click();
  await expectText(lab, text);
}

/** The whole text as it would be saved; the editor draws only the lines in sight. */
async function textOf(lab: Lab): Promise<string> {
  const [file] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.page.keyboard.press("ControlOrMeta+s"),
  ]);
  return readFileSync(await file.path(), "utf8");
}

async function expectText(lab: Lab, text: string): Promise<void> {
  await expect.poll(() => textOf(lab)).toBe(text);
}

const READ = "This text is a valid scenario";

/** Puts the caret behind `words` in the text. */
async function caretBehind(lab: Lab, words: string): Promise<void> {
  await lab.get("scenario-editor-text").focus();
  await lab.page.keyboard.press("ControlOrMeta+Home");
  await lab.page.keyboard.press("ControlOrMeta+f");
  await lab.page.keyboard.type(words);
  await lab.page.keyboard.press("Enter");
  await lab.page.keyboard.press("Escape");
  await lab.page.keyboard.press("ArrowRight");
}

test(
  "an own scenario starts from a template that runs; another start takes nothing typed away, in the drawer and in the editor",
  LONG,
  async ({ lab }) => {
    await lab.open("lab/");
    await expect(lab.get("editor-fine")).toContainText("This text is a valid scenario");
    await lab.headline("a", "latency.sleeper.max_ns");
    await lab.write(TEXT);
    await lab.get("start-from").selectOption("a group with quota");
    await lab.whenIdle();
    await expect(lab.get("editor")).toHaveValue(/"cpu_max"/);
    await expect(lab.get("editor-fine")).toContainText("This text is a valid scenario");
    const quota = await lab.get("editor").inputValue();
    await lab.write(quota.replace("500ms", "400ms"));
    await lab.open("lab/");
    await expect(lab.get("editor"), "the page opened anew has what was typed last").toHaveValue(
      /400ms/,
    );
    await lab.get("restore-draft").click();
    await lab.whenIdle();
    await expect(lab.get("editor")).toHaveValue(TEXT);
    await expect(lab.get("restore-draft"), "what was there is kept in turn").toHaveText(
      "Open it again",
    );
    await lab.write("");
    await expect(lab.get("empty-write"), "without a text there are the ways to one").toBeVisible();
    await lab.write(TEXT);

    await lab.get("scenario-editor-open").click();
    await expect(lab.get("scenario-editor-fine")).toContainText(READ);
    for (const start of ["two tasks, one CPU", "an RT task", "the least there is"]) {
      await lab.get("scenario-editor-start").selectOption(start);
      await expect.poll(() => textOf(lab)).not.toBe(TEXT);
      await expect(lab.get("scenario-editor-fine"), start).toContainText(READ);
      await lab.get("scenario-editor-undo").click();
      await expectText(lab, TEXT);
    }
  },
);

test("a typed error stands at its line, its fix mends it, and what runs is never replaced by it", async ({
  lab,
}) => {
  await openEditor(lab);
  const before = await lab.digest("a");
  await caretBehind(lab, '"cpus');
  await lab.page.keyboard.type("x");
  await expect(lab.get("scenario-editor-error-text")).toHaveText(
    /^line 5, column \d+: machine\.cpusx: there is no key "cpusx" here/,
  );
  const marker = lab.page.locator(".cm-lint-marker-error");
  await expect(marker).toHaveCount(1);
  const line = lab.page.locator(".cm-line", { hasText: '"machine"' });
  const [at, wanted] = [await marker.boundingBox(), await line.boundingBox()];
  expect(Math.abs((at?.y ?? 0) - (wanted?.y ?? 99))).toBeLessThan(8);

  await lab.page.keyboard.press("ControlOrMeta+Enter");
  await expect(lab.get("scenario-editor"), "a bad text does not run").toBeVisible();
  expect(await lab.digest("a")).toBe(before);

  await lab.get("scenario-editor-fix-0").click();
  await expect(lab.get("scenario-editor-fine")).toContainText(READ);
  await expectText(lab, TEXT);
});

test("a missing key and a time without a unit have their fixes", LONG, async ({ lab }) => {
  await openEditor(lab, TEXT.replace('{ "cpus": 4 }', "{}"));
  await expect(lab.get("scenario-editor-error-text")).toContainText('"cpus" is missing');
  await lab.get("scenario-editor-fix-0").click();
  await expect(lab.get("scenario-editor-fine")).toContainText(READ);
  await lab.get("field-duration").fill("5");
  await lab.get("field-duration").press("Enter");
  await expect(lab.get("scenario-editor-error-text")).toContainText('"5" is not a time');
  await expect(lab.get("field-duration")).toHaveAttribute("aria-invalid", "true");
  await lab.get("scenario-editor-error").getByText('Write "5ms"').click();
  await expect(lab.get("scenario-editor-fine")).toContainText(READ);
  await expect(lab.get("field-duration")).toHaveValue("5 ms");
});

test("completion offers the keys of the schema with their meaning, and writes one with a value", async ({
  lab,
}) => {
  await openEditor(lab);
  await caretBehind(lab, '"cpus": 4');
  await lab.page.keyboard.type(', "top');
  const offer = lab.page.locator(".cm-tooltip-autocomplete li", { hasText: "topology" });
  await expect(offer).toHaveAttribute("aria-selected", "true");
  await expect(lab.page.locator(".cm-completionInfo")).toContainText("Packages x CPUs per package");
  // A key in the first instants of a list is taken for typing.
  await offer.click();
  await expect(lab.get("field-machine.topology")).toHaveValue("auto");
  await expect(lab.get("scenario-editor-fine")).toContainText(READ);
  await expectText(lab, TEXT.replace('"cpus": 4', '"cpus": 4, "topology": "auto"'));
});

test(
  "a value is completed from its choices, and a key under the pointer says what it means",
  LONG,
  async ({ lab }) => {
    await openEditor(lab);
    await caretBehind(lab, '"version": "6.12"');
    await lab.page.keyboard.type(', "preempt": "ful');
    await expect(
      lab.page.locator(".cm-tooltip-autocomplete li", { hasText: "full" }).first(),
    ).toHaveAttribute("aria-selected", "true");
    await lab.page.locator(".cm-tooltip-autocomplete li", { hasText: "full" }).first().click();
    await expect(lab.get("field-kernel.preempt")).toHaveValue(/\d+/);
    await expect(lab.get("scenario-editor-fine")).toContainText(READ);
    await lab.page.locator(".cm-line", { hasText: '"duration"' }).getByText("duration").hover();
    await expect(lab.page.locator(".cm-tooltip-hover")).toContainText("Machine time to simulate.");
  },
);

test("an edit in the form changes its value alone: layout and comments stay; an edit in the text changes the form", async ({
  lab,
}) => {
  const commented = TEXT.replace('"machine":', '// a small one\n  "machine":');
  await openEditor(lab, commented);
  // The reader takes no comments; the form bears them, and the fix takes them out.
  await expect(lab.get("scenario-editor-error-text")).toContainText("comments are not allowed");
  await lab.get("field-machine.cpus").fill("8");
  await lab.get("field-machine.cpus").press("Enter");
  await expectText(lab, commented.replace('"cpus": 4', '"cpus": 8'));
  await lab.get("open-workload.tasks.front").click();
  await lab.get("down-workload.tasks.front").click();
  await lab.get("remove-workload.tasks.front.sleep").click();
  await lab.get("add-workload.tasks.front-key").selectOption("run");
  await lab.get("add-workload.tasks.front").click();
  await expectText(
    lab,
    commented
      .replace('"cpus": 4', '"cpus": 8')
      .replace(
        '"front": { "run": 100, "sleep": 400 },\n\n      "batch": { "run": 900, "cpus": "0-1" }',
        '"batch": { "run": 900, "cpus": "0-1" },\n\n      "front": { "run": 100, "run1": 100 }',
      ),
  );
  await caretBehind(lab, '"title": "Two tasks');
  await lab.page.keyboard.type(" and more");
  await expect(lab.get("field-title")).toHaveValue("Two tasks and more");
});

test("a task dragged to a CPU is bound to it; one history takes drag, form and typing back", async ({
  lab,
}) => {
  await openEditor(lab);
  await caretBehind(lab, '"title": "Two');
  await lab.page.keyboard.type("!");
  await lab.get("field-machine.cpus").fill("8");
  await lab.get("field-machine.cpus").press("Enter");
  // The CPUs that come move what lies below them.
  await expect(lab.get("pin-cpu-7")).toBeVisible();
  await lab.whenIdle();
  const task = await lab.get("pin-task-front").boundingBox();
  const cpu = await lab.get("pin-cpu-3").boundingBox();
  if (task === null || cpu === null) throw new Error("no task or no CPU");
  await lab.page.mouse.move(task.x + 10, task.y + 10);
  await lab.page.mouse.down();
  await lab.page.mouse.move(cpu.x + 8, cpu.y + 8, { steps: 5 });
  await expect(lab.get("pin-cpu-3")).toHaveAttribute("data-over", "true");
  expect(
    await lab.page.evaluate(() => getSelection()?.toString()),
    "dragging selects no text",
  ).toBe("");
  await lab.page.mouse.up();
  const [typed, resized] = [
    TEXT.replace("Two", "Two!"),
    TEXT.replace("Two", "Two!").replace('"cpus": 4', '"cpus": 8'),
  ];
  const bound = resized.replace('"sleep": 400 }', '"sleep": 400, "cpus": [3] }');
  await expectText(lab, bound);
  await expect(lab.get("pin-task-front")).toContainText("CPU 3");
  await expect(lab.get("pin-told")).toHaveText("front runs on CPU 3");

  for (const text of [resized, typed, TEXT]) {
    await lab.get("scenario-editor-undo").click();
    await expectText(lab, text);
  }
  await lab.get("field-machine.cpus").focus();
  for (const text of [typed, resized, bound]) {
    await lab.page.keyboard.press("ControlOrMeta+Shift+z");
    await expectText(lab, text);
  }
});

test("a task is bound with keys alone, to one CPU and to several", async ({ lab }) => {
  await openEditor(lab);
  await lab.get("pin-task-front").focus();
  await lab.page.keyboard.press("Enter");
  await expect(lab.get("pin-cpu-0")).toBeFocused();
  await lab.page.keyboard.press("ArrowRight");
  await lab.page.keyboard.press("Enter");
  await expect(lab.get("pin-task-front")).toContainText("CPU 1");
  await lab.page.keyboard.press("End");
  await lab.page.keyboard.press("Shift+Enter");
  await expect(lab.get("pin-task-front")).toContainText("CPUs 1,3");
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("pin-task-front")).toBeFocused();
  await expectText(lab, TEXT.replace('"sleep": 400 }', '"sleep": 400, "cpus": [1, 3] }'));
  await lab.get("pin-any").click();
  await expectText(lab, TEXT);
});

test("what is typed runs when it is asked to, and the page shows it", LONG, async ({ lab }) => {
  await openEditor(lab);
  const before = await lab.digest("a");
  await lab.get("field-title").fill("Three tasks");
  await lab.get("field-duration").fill("7ms");
  await lab.page.keyboard.press("ControlOrMeta+Enter");
  await expect(lab.get("scenario-editor")).toHaveCount(0);
  await lab.whenIdle();
  await expect(lab.get("question")).toHaveText("Three tasks");
  expect(await lab.digest("a")).not.toBe(before);
  await expect(lab.get("editor")).toHaveValue(TEXT.replace("Two", "Three").replace("5ms", "7ms"));
});

test("nothing typed is lost: closing and reloading keep text and history, in a shipped scenario too", async ({
  lab,
}) => {
  await lab.open("s/beside-idle/");
  await lab.get("drawer-open").click();
  await lab.get("scenario-editor-open").click();
  const shipped = await textOf(lab);
  await caretBehind(lab, '"duration": "1s');
  await lab.page.keyboard.type("x");
  const typed = shipped.replace('"duration": "1s"', '"duration": "1sx"');
  await expect(lab.get("scenario-editor-error-text")).toContainText('"1sx" is not a time');
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("scenario-editor")).toHaveCount(0);
  await lab.get("scenario-editor-open").click();
  await expectText(lab, typed);
  await lab.get("field-title").fill("Half a title");
  await lab.page.reload();
  await lab.whenIdle();
  await lab.get("drawer-open").click();
  await lab.get("scenario-editor-open").click();
  const title = /"title": "[^"]*"/;
  await expectText(lab, typed.replace(title, '"title": "Half a title"'));
  await lab.get("scenario-editor-undo").click();
  await expectText(lab, typed);
  await lab.get("scenario-editor-undo").click();
  await expectText(lab, shipped);
  await expect(lab.get("scenario-editor-note")).toContainText("As it runs");
});

test("text that is no JSON makes the form wait and loses nothing", LONG, async ({ lab }) => {
  await openEditor(lab);
  await caretBehind(lab, '"title": "Two tasks"');
  await lab.page.keyboard.press("Delete");
  await lab.page.keyboard.type(" oops ");
  await expect(lab.get("form-waits")).toContainText("line 3");
  await lab.get("scenario-editor-undo").click();
  await expect(lab.get("field-title")).toHaveValue("Two tasks");
  // Over all of it, the mark of an error included: the policy of the page refuses what the browser
  // would write by itself.
  await caretBehind(lab, '"cpus');
  await lab.page.keyboard.type("x");
  await expect(lab.get("scenario-editor-error-text")).toContainText("cpusx");
  await lab.page.keyboard.press("ControlOrMeta+a");
  await lab.page.keyboard.type("no more");
  await expectText(lab, "no more");
});

test("no accessibility violation in any theme", LONG, async ({ lab }) => {
  await lab.open("lab/");
  await lab.write(TEXT.replace('"seed"', '"sed"').replace('"sleep"', '"slep"'));
  for (const theme of inTurn(["light", "dark", "projector"] as const, 0)) {
    await lab.choose(theme);
    await lab.get("scenario-editor-open").click();
    await expect(lab.get("scenario-editor-error-text")).toContainText("slep");
    await lab.get("open-workload.tasks.front").click();
    await expectAccessible(lab, theme);
    await lab.get("scenario-editor-close").click();
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("form and text are one at a time and nothing scrolls sideways", async ({ lab }) => {
    await openEditor(lab, TEXT, true);
    await expect(lab.get("field-title")).toBeVisible();
    await expect(lab.get("scenario-editor-text")).toBeHidden();
    const wide = await lab
      .get("scenario-editor")
      .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(wide).toBe(0);
    await lab.get("scenario-editor-pane-text").check({ force: true });
    await expect(lab.get("scenario-editor-text")).toBeVisible();
    await expect(lab.get("field-title")).toBeHidden();
  });
});
