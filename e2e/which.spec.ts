// "Which change did it?": two releases on the page, and the change between them that made the
// difference.

import { readFileSync } from "node:fs";
import { expectAccessible } from "./support/axe.ts";
import { expect, framed, HERD, PUSH_IPI, test } from "./support/lab.ts";

/** The herd on few CPUs, before and after RT_PUSH_IPI. */
const RELEASES =
  "k.duration=20ms&k.machine.cpus=8&a.kernel.version=3.19&b.kernel.version=4.18&lab=1";
const QUESTION =
  "bisect.from=3.19&bisect.to=4.18&bisect.metric=rq_lock.max_waiters&bisect.seeds=3&bisect.most=3";

test("between 3.19 and 4.18 a herd is broken up by RT_PUSH_IPI, whose runs open as A and B", async ({
  lab,
}) => {
  await lab.open(`${HERD}#${framed(RELEASES)}`);
  await lab.get("which-open").click();
  await expect(lab.get("which-from")).toHaveValue("3.19");
  await expect(lab.get("which-to")).toHaveValue("4.18");
  await lab.get("which-metric").selectOption("rq_lock.max_waiters");
  await lab.get("which-seeds").fill("3");
  await lab.get("which-most").fill("3");
  await lab.page.keyboard.press("Enter");
  await expect(lab.get("which-progress")).toHaveCount(0, { timeout: 200_000 });
  await expect(lab.get("which-verdict")).toContainText(PUSH_IPI);
  await expectAccessible(lab, "which change did it", "which");
  const change = lab.get("which-changes").locator("li").first();
  await expect(change).toContainText("4.1");
  await expect(change.getByRole("link", { name: /^[0-9a-f]{12}$/ }).first()).toBeVisible();
  const saved = lab.page.waitForEvent("download");
  await lab.get("which-json").click();
  const object = JSON.parse(readFileSync(await (await saved).path(), "utf8")) as {
    schema: string;
    complete: boolean;
    ranking: { changes: string[] }[];
  };
  expect(object).toMatchObject({ schema: "schedscope.bisect/1", complete: true });
  expect(object.ranking[0]?.changes).toContain(PUSH_IPI);
  await change.getByTestId("which-open-to").click();
  await expect(lab.get("which")).toHaveCount(0);
  await lab.whenIdle();
  await expect(lab.knob("kernel.version")).toHaveValue("4.18");
});

test("one who stops keeps what came, and a link asks the same again", async ({ lab }) => {
  await lab.open(`${HERD}#${framed(`${RELEASES}&${QUESTION}`)}`);
  await expect(lab.get("which-metric")).toHaveValue("rq_lock.max_waiters");
  await lab.get("which-seeds").fill("4");
  await lab.get("which-most").fill("64");
  await lab.get("which-ask").click();
  await expect(lab.get("which-releases")).toBeVisible({ timeout: 120_000 });
  await lab.get("which-stop").click();
  await expect(lab.get("which-verdict")).toContainText("Stopped: this is what came by then.");
  await expect(lab.get("which-releases")).toContainText("3.19");
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("which")).toHaveCount(0);
  await lab.get("which-open").click();
  await expect(lab.get("which-seeds"), "nothing typed is lost").toHaveValue("4");
  await expect(lab.get("which-releases"), "nor what came").toBeVisible();
});
