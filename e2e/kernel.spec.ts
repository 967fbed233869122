// Which kernel it is: each knob of it changes the run, and what a version does not have is not
// offered.

import { expect, framed, PUSH_IPI, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

test("each of them changes the run", async ({ lab }) => {
  await lab.open(QUICK);
  const digests = async (): Promise<string> => `${await lab.digest("a")} ${await lab.digest("b")}`;
  const seen = [await digests()];
  for (const [path, value] of [
    ["kernel.hz", "250"],
    ["kernel.preempt", "none"],
    ["kernel.rt_balance", "active_plist"],
  ] as const) {
    await lab.flip(path, "both", value);
    seen.push(await digests());
  }
  expect(new Set(seen).size, "four different runs").toBe(seen.length);
  await lab.flip("kernel.version", "both", "3.2");
  await expect(lab.get("knob-kernel.version")).toHaveValue("3.2");
  await expect(lab.get("progress")).toHaveText("computed");
});

test(
  "a knob that is stated differently but comes to the same is said to be the same",
  LONG,
  async ({ lab }) => {
    await lab.open("s/rt-pull-herd/");
    await lab.flip("kernel.rt_push_ipi", "a", "auto_gt16");
    await expect(lab.get("setup")).toContainText(
      "Both sides are identical: RT_PUSH_IPI is auto_gt16 and on",
    );
    expect(await lab.digest("a")).toBe(await lab.digest("b"));
  },
);

test("a knob and its values are explained where the pointer rests, and knobs are found by that sentence", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const card = lab.get("knob-card-kernel.preempt");
  await expect(card.locator(".knob-label")).toHaveAttribute("title", /^kernel\.preempt: .{20}/);
  await expect(card.locator("option, .segment").first()).toHaveAttribute("title", /.{20}/);
  await lab.get("knob-search").fill("starts the random numbers");
  await expect(lab.get("knob-card-seed")).toBeVisible();
  await expect(card).toHaveCount(0);
});

test("what 7.0 dropped leaves the list with its reason; the value in force moves to the nearest, and undo brings both back", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.flip("kernel.preempt", "both", "none");
  const offered = (): Promise<readonly string[]> =>
    lab.get("knob-kernel.preempt").locator("option").allTextContents();
  expect(await offered()).toContain("voluntary");
  await lab.flip("kernel.version", "both", "7.0");
  await expect(lab.get("knob-kernel.preempt")).toHaveValue("lazy");
  await expect(lab.get("knob-kernel.preempt-moved")).toContainText(
    /moved from none to lazy: .*7\.0 dropped none and voluntary/,
  );
  await expect(lab.get("knob-moved-all"), "told where the version was chosen, too").toContainText(
    "moved with it: preemption none → lazy, ",
  );
  const reasons = lab.get("knob-kernel.preempt-unavailable");
  await expect(reasons).toBeHidden();
  await lab
    .get("knob-card-kernel.preempt")
    .getByRole("button", { name: /choices of/ })
    .click();
  await expect(reasons).toBeVisible();
  await expect(reasons).toContainText("7.0 dropped none and voluntary");
  await lab.page.keyboard.press("Escape");
  await expect(reasons, "closed from the keyboard").toBeHidden();
  const left = await offered();
  expect(left).toEqual(expect.arrayContaining(["full", "lazy"]));
  for (const gone of ["none", "voluntary", "dynamic-none", "dynamic-voluntary"])
    expect(left).not.toContain(gone);
  await expect(lab.get("scenario-error-ab")).toHaveCount(0);
  await lab.get("undo").click();
  await lab.whenIdle();
  await expect(lab.get("knob-kernel.preempt")).toHaveValue("none");
  await expect(lab.get("knob-kernel.version")).toHaveValue("3.19-push-ipi");
  await expect(lab.get("knob-kernel.preempt-moved")).toHaveCount(0);
});

test("another version tells how many knobs moved with it and the first three; Enter opens the whole list; the next knob takes it away", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.flip("kernel.version", "both", "6.6");
  const told = lab.get("knob-moved-all");
  const summary = told.locator("summary");
  await expect(summary).toHaveText(
    /^\d+ knobs moved with it: RT balancing ipi_\w+ → ipi_\w+, [^,]+ → [^,]+, [^,]+ → [^,]+ and \d+ others$/,
  );
  const list = lab.get("knob-moved-list");
  await expect(list).toBeHidden();
  await summary.focus();
  await lab.page.keyboard.press("Enter");
  const all = Number.parseInt((await summary.textContent()) ?? "", 10);
  await expect(list.locator("li")).toHaveCount(all);
  await expect(list.locator("li").filter({ hasText: "TTWU_QUEUE: " })).toBeVisible();
  await expect(lab.get("knob-moved-said")).toHaveText(
    /^Moved with the kernel version: .+ to .+ and \d+ other knobs\.$/,
  );
  await lab.flip("kernel.hz", "both", "250");
  await expect(told).toHaveCount(0);
});

test("a live switch is flipped in mid-run: what came before stays, a mark and a sentence say when, the link has it, undo takes it back", async ({
  lab,
  elsewhere,
}) => {
  await lab.open(QUICK);
  const before = [await lab.digest("a"), await lab.digest("b")];
  await lab.scrub(0.5);
  const at = await lab.playhead();
  await lab.fromHere(PUSH_IPI);
  await lab.flip(PUSH_IPI, "a", "on");
  expect(await lab.digest("a"), "A has become another run").not.toBe(before[0]);
  expect(await lab.digest("a"), "and not the one that had the bit on from the start").not.toBe(
    before[1],
  );
  expect(await lab.digest("b")).toBe(before[1]);
  expect(await lab.playhead(), "nothing moved the playhead").toBe(at);
  await expect(lab.get("setup")).toContainText("On A RT_PUSH_IPI becomes on at 10 ms");
  await expect(
    lab.get("variant-a").locator("option:checked"),
    "the variant alone is no name for it",
  ).toHaveText(/pull, on from 10 ms$/);
  await expect(lab.get("timeline-a")).toContainText("pull, on from 10 ms");
  await expect(lab.get(`knob-${PUSH_IPI}-live`)).toContainText("on from 10 ms on");
  await lab.get("share-open").click();
  await expect(lab.get("share-live")).toBeVisible();
  await lab.get("share-close").click();
  await elsewhere.open(await lab.copyLink());
  expect([await elsewhere.digest("a"), await elsewhere.digest("b")], "the same runs").toEqual([
    await lab.digest("a"),
    before[1],
  ]);
  await expect(elsewhere.get("setup")).toContainText("On A RT_PUSH_IPI becomes on at 10 ms");
  await expect(elsewhere.get("result-differs")).toHaveCount(0);
  expect(await elsewhere.playhead()).toBe(at);
  await lab.get("undo").click();
  await lab.whenIdle();
  expect([await lab.digest("a"), await lab.digest("b")]).toEqual(before);
  await expect(lab.get(`knob-${PUSH_IPI}-live`)).toHaveCount(0);
});

test("sysctls of RT throttling are written in mid-run, and a value the running kernel refuses is said to be refused", async ({
  lab,
}) => {
  const RUNTIME = "kernel.sched_rt_runtime_us";
  await lab.open("s/rt-throttling/");
  const before = [await lab.digest("a"), await lab.digest("b")];
  await lab.scrub(0.5);
  await lab.fromHere(RUNTIME);
  await lab.flip(RUNTIME, "both", "500000");
  const after = [await lab.digest("a"), await lab.digest("b")];
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  await expect(lab.get(`knob-${RUNTIME}-live`)).toContainText("500 ms from 2 s on");
  await lab.flip(RUNTIME, "both", "1000001");
  await expect(lab.get("scenario-error-ab")).toContainText(
    "the runtime would be longer than the period",
  );
  await lab.get("undo").click();
  await lab.whenIdle();
  await expect(lab.get("scenario-error-ab")).toHaveCount(0);
  expect([await lab.digest("a"), await lab.digest("b")]).toEqual(after);
});

test(
  "TTWU_QUEUE is turned off in mid-run, and only the rule this kernel was compiled with is offered there",
  LONG,
  async ({ lab }) => {
    const TTWU = "kernel.ttwu_queue";
    await lab.open("s/polling-or-halt/");
    await lab.flip("machine.topology", "both", "2x1");
    const before = await lab.digest("a");
    await lab.scrub(0.5);
    await lab.fromHere(TTWU);
    expect(await lab.get(`knob-${TTWU}`).locator("option").allTextContents()).toEqual([
      "off",
      "cross_llc",
    ]);
    await lab.flip(TTWU, "both", "off");
    const half = await lab.digest("a");
    expect(half).not.toBe(before);
    await lab.get("undo").click();
    await lab.whenIdle();
    expect(await lab.digest("a")).toBe(before);
    await lab.get(`knob-${TTWU}-here`).uncheck();
    await lab.flip(TTWU, "both", "off");
    expect(
      await lab.digest("a"),
      "off from the start is another run than off from half way on",
    ).not.toBe(half);
  },
);

test(
  "the dynamic modes of preemption are switched in mid-run, and no others",
  LONG,
  async ({ lab }) => {
    await lab.open("s/lazy-or-now/");
    await lab.scrub(0.5);
    await expect(lab.get("knob-kernel.preempt-here"), "full and lazy were compiled in").toHaveCount(
      0,
    );
    await lab.flip("kernel.preempt", "a", "dynamic-full");
    await lab.fromHere("kernel.preempt");
    const offered = await lab.get("knob-kernel.preempt-a").locator("option").allTextContents();
    expect(offered).toEqual(["dynamic-none", "dynamic-voluntary", "dynamic-full", "dynamic-lazy"]);
    const before = await lab.digest("a");
    await lab.flip("kernel.preempt", "a", "dynamic-none");
    expect(await lab.digest("a")).not.toBe(before);
  },
);

test("what everything costs is told of both sides where they differ, to the nanosecond", async ({
  lab,
}) => {
  const cells = (cost: string): Promise<readonly string[]> =>
    lab.get(`cost-${cost}`).locator("td.number").allTextContents();
  await lab.open(`s/quota-stranded/#${framed("k.duration=20ms")}`);
  await lab.dock("sources");
  expect(await cells("schedule_ns")).toEqual(["900 ns"]);
  await lab.open(`s/quota-stranded/#${framed("k.duration=20ms&b.machine.costs.schedule_ns=1234")}`);
  await lab.dock("sources");
  expect(await cells("schedule_ns")).toEqual(["900 ns", "1\u202f234 ns"]);
  expect(await cells("tick_ns")).toHaveLength(2);
  await expect(lab.get("costs").locator("tr[data-differs=true]")).toHaveCount(1);
  await expect(lab.get("costs").locator("summary")).toContainText("stated");
});

test("a knob for both sides that one kernel lacks can be turned, and says which side it changes", async ({
  lab,
}) => {
  await lab.open("s/half-the-throughput/");
  const card = lab.get("knob-card-kernel.rseq_slice_extension");
  await expect(lab.knob("kernel.rseq_slice_extension")).toBeEnabled();
  await expect(card).toContainText("B only. A: this kernel has no slice extensions");
  const [a, b] = [await lab.digest("a"), await lab.digest("b")];
  await lab.knob("kernel.rseq_slice_extension").click();
  await lab.whenIdle();
  expect(await lab.digest("a")).toBe(a);
  expect(await lab.digest("b")).not.toBe(b);
});

test("a release is typed as uname prints it, and what is not known of that kernel is said", async ({
  lab,
}) => {
  await lab.open(QUICK);
  const version = lab.get("knob-kernel.version");
  await version.selectOption("another release …");
  await expect(version).toBeFocused();
  await version.fill("6.8.x y");
  await expect(lab.page.locator(".knob").getByRole("alert")).toContainText("expected");
  await version.fill("6.6.30-1-generic");
  await version.press("Enter");
  await expect(version).toHaveValue("6.6.30-1-generic");
  await expect(lab.get("kernel-known-a")).toContainText("of a neighbour");
  await expect(lab.get("remarks-a")).toContainText("what the distribution changed in it");
  await lab.flip("kernel.version", "both", "6.12");
  await expect(version).toHaveValue("6.12");
});

test("the page of releases says what changed between two of them, in the address too", async ({
  lab,
}) => {
  await lab.page.goto("versions/#from=6.12.57&to=6.12.117");
  const difference = lab.page.locator("#difference");
  await expect(difference).toContainText("6.12.57 to 6.12.117:");
  await expect(difference.getByRole("heading", { name: "kernel.rt_push_ipi" })).toContainText(
    "on → rt_only",
  );
  await lab.page.getByLabel("to", { exact: true }).fill("6.20");
  await expect(difference).toContainText("a release from 2.6.24 to 7.3 is needed");
  await lab.page.getByLabel("From").fill("6.8");
  await lab.page.getByLabel("to", { exact: true }).fill("6.8.0-45-generic");
  await lab.page.keyboard.press("Enter");
  await expect(difference).toContainText("0 changes");
  await expect(lab.page).toHaveURL(/from=6\.8&to=6\.8/);
});
