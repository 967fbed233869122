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

const COUNTED = [
  "cpu.max 100000 100000",
  "nr_periods 600\nnr_throttled 300\nthrottled_usec 60000000\nusage_usec 43630000",
  "nproc 4",
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

test("a Pod pasted onto the page opens as a scenario whose quota is its limit, and is there again", async ({
  lab,
}) => {
  await lab.open("lab/");
  await paste(lab, POD);
  await expect(lab.get("paste-says")).toContainText("50 ms in every 100 ms");
  await lab.page.keyboard.press("ControlOrMeta+Enter");
  await expect(lab.get("paste")).toHaveCount(0);
  await lab.whenIdle();
  await lab.dock("numbers");
  await expect(lab.get("quota-container-a")).toContainText("50 ms of every 100 ms");

  await lab.get("picker-open").click();
  await lab.get("tile-paste").click();
  await expect(lab.get("paste-text")).toHaveValue(POD);
});

test("counters are answered by runs, for a bound that is asked for: the limit, what keeps it, the run of a row as B; the page opens on why the group was throttled", async ({
  lab,
}) => {
  await lab.open("lab/");
  await paste(lab, COUNTED);
  await expect(lab.get("paste-says")).toContainText("throttled in 50.0 % of its periods");
  await lab.get("paste-within").fill("300");
  await expect(lab.get("paste-within")).toHaveAttribute("aria-invalid", "true");
  await lab.get("paste-within").fill("300ms");
  await expect(lab.get("paste-limits")).toContainText("Every burst ends within 300 ms", {
    timeout: 240_000,
  });
  await expect(lab.get("paste-within")).toHaveValue("300ms");
  await expect(lab.get("paste-answer")).toHaveAttribute("data-stage", "over", { timeout: 240_000 });
  await expect(lab.get("paste-fit")).toContainText("throttled periods");
  await expect(lab.get("paste-said")).toContainText("Does a burst help?");
  await lab.get("paste-open-run").first().click();
  await lab.whenIdle();
  await expect(lab.get("drawer")).toHaveCount(0);
  await expect(lab.get("dock-numbers")).toHaveAttribute("aria-selected", "true");
  await expect(lab.get("why-throttled-group-a")).toContainText(/^Throttled in /);
  await expect(lab.get("why-throttled-group-a")).toBeInViewport();
  await expect(lab.get("quota-group-b")).toContainText("Not throttled in any");
});

test("a cyclictest line is answered as it is typed, with what is left out, and opens", async ({
  lab,
}) => {
  await lab.open("lab/");
  await lab.get("drawer-paste").click();
  await expect(lab.get("paste-answer")).toHaveAttribute("data-kind", "empty");
  await lab.get("paste-text").fill("cyclictest -Smp95 -i1000 -l 200 --smi");
  await expect(lab.get("paste-says")).toContainText("one thread for each CPU of SCHED_FIFO 95");
  await expect(lab.get("paste-lines")).toContainText("--smi");
  await lab.get("paste-open").click();
  await lab.whenIdle();
  await expect(lab.get("question")).toContainText("cyclictest");
  await expect(lab.get("digest-a")).toHaveAttribute("data-digest", /./);
});

test("several commands are one text: each line says what became of it, and all of them are one machine", async ({
  lab,
}) => {
  await lab.open("lab/");
  await paste(
    lab,
    [
      "root@rt:~# uname -a",
      "Linux rt 6.12.57-rt #1 SMP PREEMPT_RT x86_64",
      "root@rt:~# cyclictest -Smp95 -i200",
      "isolcpus=2-3 nohz_full=2-3",
      "no line of any tool",
    ].join("\n"),
  );
  await expect(lab.get("paste-used")).toContainText("preemption is rt");
  await expect(lab.get("paste-lines")).toContainText("1 not understood");
  await expect(lab.get("paste-lines").locator("li[value='5']")).toContainText("not understood");
  await lab.get("paste-open").click();
  await lab.whenIdle();
  await expect(lab.get("digest-a")).toHaveAttribute("data-digest", /./);
});

test("a hostile text stays text: no markup, no invisible characters, no page that hangs", async ({
  lab,
}) => {
  await lab.open("lab/");
  const markup = '<img src=x onerror="document.title=1">\u202e\u2066';
  await paste(lab, `resources:\n  limits:\n    cpu: '${markup}'`);
  // Marks that come along when one copies a page are dropped; other invisible signs are shown.
  await expect(lab.get("paste-answer")).toContainText("\\u{2066}");
  await expect(lab.get("paste-answer")).not.toContainText("\u202e");
  await expect(lab.get("paste").locator("img")).toHaveCount(0);
  for (const text of [
    "[".repeat(60_000),
    `limits:\n${"  a: &a [*a, *a]\n".repeat(300)}`,
    `${"'".repeat(60_000)} docker run`,
    "x".repeat(100_000),
  ]) {
    await lab.get("paste-text").fill(text);
    await expect(lab.get("paste-answer")).toHaveAttribute("aria-busy", "false");
    await expect(lab.get("paste-open")).toHaveCount(0);
    await expect(lab.get("paste-answer")).toHaveAttribute("data-kind", /unknown|refused/);
  }
});

test("a text of 10 MB is cut before it enters the field, and what is left of it is read", async ({
  lab,
}) => {
  await lab.open("lab/");
  await lab.get("drawer-paste").click();
  await lab.get("paste-text").focus();
  await lab.page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", `cpu.max 50000 100000\n${"a log line\n".repeat(900_000)}`);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect(lab.get("paste-cut")).toContainText("The box holds 256 kB");
  await expect(lab.get("paste-says")).toContainText("50 ms in every 100 ms");
});

test("a text that is pasted before the box has come waits for it", async ({ lab }) => {
  await lab.page.goto("s/rt-pull-herd/", { waitUntil: "commit" });
  await lab.get("lab").waitFor();
  await paste(lab, "50000 100000");
  await expect(lab.get("paste-says")).toContainText("50 ms in every 100 ms");
});
