// The paste box in the page: what is pasted is understood while it is typed, opens as a scenario,
// and is never more than text.

import { expect, test, type Lab } from "./support/lab.ts";

const POD = [
  "spec:",
  "  containers:",
  "    - name: web",
  "      resources:",
  "        limits:",
  '          cpu: "500m"',
].join("\n");

/** Ctrl+V on the page, outside of any field. */
async function paste(lab: Lab, text: string): Promise<void> {
  await lab.page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
  await expect(lab.get("paste-text")).toHaveValue(text);
}

test("a Pod pasted onto the page opens as a scenario whose quota is its limit, and the search for a smaller one is filled in", async ({
  lab,
}) => {
  await lab.open("lab/");
  await paste(lab, POD);
  await expect(lab.get("paste-what")).toContainText("50 ms in every 100 ms");
  await lab.page.keyboard.press("ControlOrMeta+Enter");
  await expect(lab.get("paste")).toHaveCount(0);
  await lab.whenIdle();
  await lab.dock("numbers");
  await expect(lab.get("quota-pod-a")).toContainText("50 ms of every 100 ms");

  // What was typed is there again.
  await lab.get("picker-open").click();
  await lab.get("tile-paste").click();
  await expect(lab.get("paste-text")).toHaveValue(POD);
  await lab.get("paste-search").click();
  await expect(lab.get("sweep-search-bound")).toHaveValue("50ms");
  await expect(lab.get("sweep-find")).toBeEnabled();
});

test("cpu.stat opens on why its group was throttled: the tab is open, the sentence in sight, the text of the scenario closed", async ({
  lab,
}) => {
  await lab.open("lab/");
  await paste(
    lab,
    [
      "cpu.max 100000 100000",
      "nr_periods 1000\nnr_throttled 100\nthrottled_usec 30000000",
      "nr_periods 1600\nnr_throttled 250\nthrottled_usec 75000000",
    ].join("\n"),
  );
  await lab.get("paste-open").click();
  await lab.whenIdle();
  await expect(lab.get("drawer")).toHaveCount(0);
  await expect(lab.get("dock-numbers")).toHaveAttribute("aria-selected", "true");
  await expect(lab.get("why-throttled-group-a")).toContainText(/^Throttled in /);
  await expect(lab.get("why-throttled-group-a")).toBeInViewport();
  // Only then: whoever closes and opens it afterwards is obeyed.
  await lab.get("drawer-open").click();
  await expect(lab.get("drawer")).toBeVisible();
});

test("a cyclictest line is told back as it is typed, with what is left out, and opens", async ({
  lab,
}) => {
  await lab.open("lab/");
  await lab.get("drawer-paste").click();
  await expect(lab.get("paste-answer")).toHaveAttribute("data-kind", "empty");
  await lab.get("paste-text").fill("cyclictest -Smp95 -i1000 -l 200 --smi");
  await expect(lab.get("paste-what")).toContainText("one thread per CPU of SCHED_FIFO priority 95");
  await expect(lab.get("paste-cannot")).toContainText("--smi");
  await lab.get("paste-open").click();
  await lab.whenIdle();
  await expect(lab.get("question")).toContainText("cyclictest");
  await expect(lab.get("digest-a")).toHaveAttribute("data-digest", /./);
});

test("a hostile text stays text: no markup, no invisible characters, no page that hangs", async ({
  lab,
}) => {
  await lab.open("lab/");
  const markup = '<img src=x onerror="document.title=1">\u202e';
  await paste(lab, `resources:\n  limits:\n    cpu: '${markup}'`);
  await expect(lab.get("paste-wrong")).toContainText("\\u{202e}");
  await expect(lab.get("paste").locator("img")).toHaveCount(0);
  for (const text of [
    "[".repeat(60_000),
    `limits:\n${"  a: &a [*a, *a]\n".repeat(300)}`,
    `${"'".repeat(60_000)} docker run`,
    "x".repeat(100_000),
  ]) {
    await lab.get("paste-text").fill(text);
    await expect(lab.get("paste-open")).toHaveCount(0);
    await expect(lab.get("paste-answer")).toHaveAttribute("data-kind", /unknown|refused/);
  }
});

test("a text that is pasted before the box has come waits for it", async ({ lab }) => {
  await lab.page.goto("s/rt-pull-herd/", { waitUntil: "commit" });
  await lab.get("lab").waitFor();
  await paste(lab, "50000 100000");
  await expect(lab.get("paste-what")).toContainText("50 ms in every 100 ms");
});
