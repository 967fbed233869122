// What is not an ordinary result: the simulator died, a script did not come, the scenario is wrong.
// Things that a person must be able to distinguish at a glance.

import { expect, framed, Lab, PUSH_IPI, QUICK, test } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";
import { countWorkers, openCounted } from "./support/workers.ts";

/** The part of a report that a test spoils. */
interface SpoiltReport {
  readonly metrics: { readonly groups?: Readonly<Record<string, { granted_ns: number }>> };
}

/** Makes side A's engine panic, as a bug of ours would. The first worker made is A's. */
async function crash(lab: Lab): Promise<void> {
  await lab.page.evaluate(() => window.workersMade?.[0]?.postMessage({ type: "crash" }));
}

test("a command that replays a crash makes what was changed from the playhead on", async ({
  lab,
}) => {
  await openCounted(lab);
  await lab.scrub(0.5);
  await lab.fromHere(PUSH_IPI);
  await lab.flip(PUSH_IPI, "a", "on");
  await crash(lab);
  await expect(lab.get("fault-a-replay")).toContainText(/--live \d+ns=kernel\.rt_push_ipi=on/);
});

test("a crashed engine keeps the picture, looks like no scenario error, and runs again to the same result", async ({
  lab,
}) => {
  const before = await openCounted(lab);
  await crash(lab);
  const fault = lab.get("fault-a");
  await expect(fault).toContainText("The simulator itself failed");
  await expect(fault).toContainText("seed");
  await expect(lab.get("fault-a-replay")).toHaveText(
    /^schedscope run rt-pull-herd .*--set machine\.cpus=16/,
  );
  await expect(lab.get("timeline-a")).toBeVisible();
  expect(await lab.digest("a"), "the last good picture").toBe(before);
  await expect(lab.get("fault-b")).toHaveCount(0);
  await expect(lab.get("fault-a-replay"), "nothing was changed in mid-run").not.toContainText(
    "--live",
  );
  const colour = await fault.evaluate(
    (element) => getComputedStyle(element).backgroundColor + getComputedStyle(element).borderColor,
  );

  await lab.get("again-a").click();
  await lab.whenIdle();
  await expect(fault).toHaveCount(0);
  expect(await lab.digest("a")).toBe(before);

  await lab.get("drawer-open").click();
  await lab.write("no scenario");
  const error = lab.get("scenario-error-ab");
  await expect(error).toContainText("This scenario cannot run");
  const other = await error.evaluate(
    (element) => getComputedStyle(element).backgroundColor + getComputedStyle(element).borderColor,
  );
  expect(other).not.toBe(colour);
});

test("a side whose knobs cannot run has no run, and nothing says that one was stopped early or is on the way", async ({
  lab,
}) => {
  await lab.open(`s/lazy-or-now/#${framed("k.kernel.version=6.6")}`);
  await expect(lab.get("scenario-error-b")).toBeVisible();
  await expect(lab.get("progress"), "A ran to its end").toHaveText("no run of B");
  await lab.get("dock-numbers").click();
  await expect(lab.get("dock-panel-numbers")).toContainText("if its scenario has an error");
  await lab.flip("kernel.version", "both", "6.13");
  await expect(lab.get("progress")).toHaveText("computed");
});

test("books of a group that do not balance are said to be so, with both sums, and the other side's stay as they are", async ({
  lab,
}) => {
  // No run of the engine comes to this: its own law would stop it. The report of the first worker,
  // which is A's, is spoilt by 1 ns on its way.
  await lab.page.addInitScript(() => {
    let first = true;
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (!first) return;
        first = false;
        this.addEventListener(
          "message",
          ({ data }: MessageEvent<{ type?: string; report?: SpoiltReport }>) => {
            for (const group of Object.values(data.report?.metrics.groups ?? {}))
              group.granted_ns += 1;
          },
        );
      }
    };
  });
  await lab.open("s/quota-stranded/");
  await lab.get("dock-numbers").click();
  await expect(lab.get("quota-books-fibtest-a")).toHaveAttribute("data-balanced", "false");
  await expect(lab.get("quota-sum-fibtest-a")).toContainText("the sums differ");
  const [came = 0, went = 0] = (await lab.get("quota-sum-fibtest-a").innerText())
    .split("≠")
    .map((sum) => Number(sum.replaceAll(/\D/g, "")));
  expect(came - went).toBe(1);
  await expect(lab.get("quota-books-fibtest-b")).toHaveAttribute("data-balanced", "true");
});

test("the replay command of an own scenario carries it as a link", async ({ lab, elsewhere }) => {
  await countWorkers(lab);
  await lab.open("lab/");
  const text = JSON.stringify({
    schema: 1,
    title: "mine",
    duration: "1ms",
    seed: 5,
    machine: { cpus: 2, topology: "1x2", costs: "zero" },
    kernel: { version: "4.15" },
    workload: {
      tasks: { worker: { policy: "SCHED_FIFO", priority: 5, loop: -1, run: 100, sleep: 100 } },
    },
  });
  await lab.write(text);
  const digest = await lab.digest("a");
  await crash(lab);
  await expect(lab.get("fault-a")).toBeVisible();
  const command = await lab.get("fault-a-replay").innerText();
  const [, link = ""] = /^schedscope run '([^']+)'$/.exec(command) ?? [];
  await elsewhere.open(link);
  await expect(elsewhere.get("question")).toHaveText("mine");
  expect(await elsewhere.digest("a")).toBe(digest);
});

test(
  "a worker that the browser ended is a failed run, which runs again to the same result",
  LONG,
  async ({ lab }) => {
    const before = await openCounted(lab);
    await lab.get("knobs-more").click();
    await lab.page.evaluate(() => {
      const [first] = window.workersMade ?? [];
      const heard = first?.onmessage;
      if (first === undefined || heard === undefined || heard === null)
        throw new Error("no worker");
      // As soon as the long run has begun, the worker is gone without a word, as when memory is
      // short.
      first.onmessage = (event: MessageEvent<{ readonly type: string }>) => {
        heard.call(first, event);
        if (event.data.type === "chunk") Worker.prototype.terminate.call(first);
      };
    });
    await lab.get("knob-duration-split").click();
    const field = lab.knob("duration", "a");
    await field.fill("30s");
    await field.press("Enter");
    const fault = lab.get("fault-a");
    await expect(fault).toHaveAttribute("data-blame", "ended");
    await expect(fault).toContainText("stopped answering");
    await expect(fault).not.toContainText("our fault");
    await expect(lab.get("fault-b")).toHaveCount(0);
    await lab.flip("duration", "a", "20ms");
    await expect(fault).toHaveCount(0);
    expect(await lab.digest("a")).toBe(before);
  },
);

for (const [what, without] of [
  ["has no WebAssembly", () => Reflect.deleteProperty(globalThis, "WebAssembly")],
  ["starts no workers", () => Reflect.deleteProperty(globalThis, "Worker")],
] as const) {
  test(`a browser that ${what} is told so, and the story is there to read`, async ({ lab }) => {
    await lab.page.addInitScript(without);
    await lab.open(QUICK);
    const fault = lab.get("fault-ab");
    await expect(fault).toHaveAttribute("data-blame", "browser");
    await expect(fault).toContainText("This browser cannot run the simulator");
    await expect(fault).not.toContainText("our fault");
    await expect(lab.get("again-ab")).toBeVisible();
    await expect(lab.get("story")).toContainText("run queue");
    await expect(
      lab.page.locator(".score-figure", { hasText: /\d/ }),
      "no run with these knobs was shipped",
    ).toHaveCount(0);
  });

  test(`a browser that ${what} shows what is shipped: picture, scores and captions, and no knob whose value it cannot know`, async ({
    lab,
  }) => {
    await lab.page.addInitScript(without);
    for (const [address, picture] of [
      ["", /\/pictures\/stage-rt-pull-herd-(?:dark|light)[.]svg$/],
      ["s/quota-stranded/", /\/pictures\/s-quota-stranded[.]png$/],
    ] as const) {
      await lab.open(address);
      const drawn = lab.get("as-drawn").locator("img");
      await expect(drawn, "the drawn stage").toBeInViewport();
      await expect(drawn).toHaveAttribute("src", picture);
      await expect(drawn).toHaveAttribute("alt", /\w/);
      expect(
        await drawn.evaluate((image: HTMLImageElement) => image.naturalWidth),
        "the picture came",
      ).toBeGreaterThan(0);
      for (const side of ["a", "b"])
        await expect(
          lab.page.locator(`.score-number.side-${side}`).first(),
          "the shipped scores",
        ).toContainText(/\d/);
      await expect(lab.get("knobs-unknown")).toContainText("only a run knows their values");
      await expect(lab.page.locator("[data-knob]")).toHaveCount(0);
      await expect(lab.get("as-drawn-needs")).toHaveAttribute("href", /\/known-gaps\/$/);
    }
    await lab.open("");
    for (const key of ["l", "Shift+X"]) {
      await lab.press(key);
      await expect(lab.get("reply-line"), key).toContainText(
        "A has no run: this browser cannot run the simulator",
      );
    }
    await expect(lab.get("story-caption"), "it stays beside the answer").toBeVisible();
    await expect(lab.get("story-caption")).toHaveText(
      "40 CPUs finish together: 40 queue for one run-queue lock in A, at most 4 in B.",
    );
    for (const caption of await lab.get("story-steps").getByRole("listitem").all())
      if ((await caption.innerText()).includes("…"))
        await expect(caption).toContainText("Only a run knows");
    const needs = await lab.page.request.get(
      (await lab.get("as-drawn-needs").getAttribute("href")) ?? "",
    );
    expect(await needs.text()).toContain("Firefox 115");
  });
}

/**
 * How much of the stage's room the drawn picture fills, of its width or of its height, whichever is
 * more; what it is of belongs to it.
 */
async function drawnShare(lab: Lab): Promise<number> {
  return await lab.page.evaluate(() => {
    const image = document.querySelector<HTMLImageElement>(".as-drawn > img");
    const room = image?.closest(".stage-empty")?.getBoundingClientRect();
    const words = image?.nextElementSibling?.getBoundingClientRect().height ?? 0;
    if (image === null || room === undefined) return 0;
    const { width, height } = image.getBoundingClientRect();
    const scale = Math.min(width / image.naturalWidth, height / image.naturalHeight);
    return Math.max(
      (image.naturalWidth * scale) / room.width,
      (image.naturalHeight * scale + words) / room.height,
    );
  });
}

test("where nothing can run, one line says so and opens, and the drawn picture has all room below it, on every kind of page", async ({
  lab,
}) => {
  await lab.page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  for (const [address, width, height, next] of [
    ["s/quota-stranded/", 360, 740, undefined],
    ["s/quota-stranded/", 1440, 900, undefined],
    ["s/quota-stranded/", 1920, 1080, undefined],
    ["", 1280, 720, undefined],
    ["learn/herd/#2", 390, 844, undefined],
    ["present/quota-stranded/", 360, 740, "ArrowRight"],
    ["present/quota-stranded/", 1280, 720, "ArrowRight"],
    ["embed/quota-stranded/", 360, 300, undefined],
    ["embed/rt-pull-herd/", 360, 300, undefined],
    ["embed/quota-stranded/", 720, 400, undefined],
  ] as const) {
    await lab.page.setViewportSize({ width, height });
    await lab.open(address);
    if (next !== undefined) {
      await expect(lab.get("talk-bet"), "the bet lies over it").toBeVisible();
      await lab.page.keyboard.press(next);
      await expect(lab.get("talk-bet")).toHaveCount(0);
    }
    const name = `${address} at ${width} x ${height}`;
    await expect(lab.get("fault-ab-message"), name).toBeHidden();
    await expect(
      lab.get("fault-ab").getByRole("button", { name: "Try again" }),
      name,
    ).toBeInViewport();
    await expect(lab.get("as-drawn").locator("img"), name).toBeInViewport({ ratio: 0.95 });
    expect(await drawnShare(lab), `${name}: the picture is as large as its room`).toBeGreaterThan(
      0.95,
    );
    const { height: drawn = 0 } = (await lab.get("as-drawn").locator("img").boundingBox()) ?? {};
    expect(drawn, `${name}: the picture's room is not a strip`).toBeGreaterThan(
      height * (height < 400 ? 0.42 : 0.24),
    );
    const over = await lab.page.evaluate(() => {
      const { top = 0, left = 0 } = document.querySelector("footer")?.getBoundingClientRect() ?? {};
      return document.elementFromPoint(left + 20, top + 12)?.closest(".as-drawn");
    });
    expect(over, `${name}: the picture does not lie over the foot`).toBeNull();
    await lab.get("fault-ab").locator("summary").click();
    await expect(lab.get("fault-ab-message"), name).toBeVisible();
  }
});

// Not through `lab`: a page that lost its network has something to complain of.
test(
  "offline, another scenario is computed with what came before, says what did not come, and gets it when the network is back",
  LONG,
  async ({ page, context }) => {
    const lab = new Lab(page);
    await lab.open(QUICK);
    await context.setOffline(true);
    await lab.get("picker-open").click();
    await lab.get("tile-quota-tree").click();
    await lab.whenIdle();
    await expect(lab.get("timeline-a")).toBeVisible();
    await expect(lab.get("crashed"), "what is not asked for is not missed").toHaveCount(0);
    await lab.dock("numbers");
    await expect(lab.get("crashed")).toContainText("The table of numbers failed");
    await expect(lab.get("crashed")).toContainText("check the connection");
    await context.setOffline(false);
    await lab.get("crashed-again").click();
    await expect(lab.get("crashed")).toHaveCount(0);
    await expect(lab.get("quota")).toBeVisible();
  },
);

test("a report of a fault can be copied without a network, and the notice says that nothing is sent", async ({
  lab,
}) => {
  await countWorkers(lab);
  await lab.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await lab.open(QUICK);
  await lab.page.context().setOffline(true);
  await crash(lab);
  await expect(lab.get("fault-a")).toContainText("Nothing is sent.");
  await lab.get("fault-a-copy").click();
  await expect(lab.get("fault-a-copy")).toHaveText("Copied ✓");
  const copied = await lab.page.evaluate(() => navigator.clipboard.readText());
  await lab.page.context().setOffline(false);
  const [replay, message] = [
    await lab.get("fault-a-replay").innerText(),
    await lab.get("fault-a-message").innerText(),
  ];
  for (const part of [
    replay,
    message.split("\n")[0] ?? "",
    "/s/rt-pull-herd/#",
    await lab.page.evaluate(() => navigator.userAgent),
  ])
    expect(copied).toContain(part);
});

test("an engine that did not come is the network's fault, and comes on request", async ({
  page,
  context,
}) => {
  let lost = true;
  await context.route(/engine_bg-[^/]*[.]wasm/, (route) =>
    lost ? route.abort() : route.continue(),
  );
  const lab = new Lab(page);
  await lab.open(QUICK);
  await expect(lab.get("fault-ab")).toHaveAttribute("data-blame", "network");
  await expect(lab.get("fault-ab")).not.toContainText("our fault");
  lost = false;
  await lab.get("again-ab").click();
  await lab.whenIdle();
  await expect(lab.get("fault-ab")).toHaveCount(0);
  await expect(lab.get("timeline-a")).toBeVisible();
});

test("a page whose scripts do not come says so, on every kind of page, with its text and a way back, and not that it is a file", async ({
  page,
}) => {
  const pages = [
    "",
    "lab/",
    "s/quota-tree/",
    "learn/herd/",
    "present/quota-stranded/",
    "present/herd/",
    "embed/quota-stranded/",
  ];
  for (const lost of [/[.]js$/, /[.](?:js|css)$/, /[/]assets[/]/]) {
    await page.route(lost, (route) => route.abort());
    for (const path of pages) {
      await page.goto(path);
      await expect(page.locator(".lost-line"), path).toBeVisible();
      await expect(page.locator(".lost-line"), path).toContainText("did not start");
      await expect(page.locator("body"), path).not.toHaveText(/opened as a file.*serve[.]mjs/s, {
        useInnerText: true,
      });
      await expect(page.locator("body"), path).not.toHaveText(/no origin of its own/, {
        useInnerText: true,
      });
      if (path !== "lab/") await expect(page.locator(".shell-story"), path).toBeVisible();
    }
    await page.goto("speaker/");
    await expect(page.locator("body")).toContainText("waits for its script");
    await page.goto("learn/herd/");
    await page.unroute(lost);
    await page.locator(".lost-line").getByRole("link", { name: "reload" }).click();
    await expect(page.getByTestId("lesson")).toBeVisible();
    await expect(page.locator(".notice-line:visible")).toHaveCount(0);
  }
  await page.route(/[.]js$/, (route) => route.abort());
  await page.goto("learn/herd/");
  await page.locator(".lost-line").getByRole("link", { name: "first page" }).click();
  await expect(page).toHaveURL(/^[^/]*[/][/][^/]*[/]$/);
});

test("a panel whose script did not arrive asks for it again on request", async ({
  page,
  context,
}) => {
  let lost = true;
  await context.route(/Story-[^/]*[.]js/, (route) => (lost ? route.abort() : route.continue()));
  const lab = new Lab(page);
  await lab.open(QUICK);
  await expect(lab.get("crashed")).toContainText("check the connection");
  await expect(lab.get("crashed-home")).toBeVisible();
  lost = false;
  await lab.get("crashed-again").click();
  await expect(lab.get("story")).toBeVisible();
  await expect(lab.get("crashed")).toHaveCount(0);
});

test("a window whose script did not come says which, hides no other's failure, and comes on request", async ({
  page,
  context,
}) => {
  let lost = true;
  await context.route(/(?:Help|Share)Dialog-[^/]*[.]js/, (route) =>
    lost ? route.abort() : route.continue(),
  );
  const lab = new Lab(page);
  await lab.open(QUICK);
  await lab.get("help-open").click();
  await expect(lab.get("crashed")).toContainText("The keyboard help failed");
  await lab.get("share-open").click();
  await expect(lab.get("crashed")).toContainText("The window for sharing failed");
  lost = false;
  await lab.get("crashed-again").click();
  await expect(lab.get("share")).toBeVisible();
  await expect(lab.get("crashed")).toHaveCount(0);
});

// Not through `lab`: a page that lost a file has something to complain of.
test("a panel that fails leaves the others, says how to replay, and loses nothing typed", async ({
  page,
}) => {
  await page.route(/Story-[^/]*[.]js/, (route) => route.abort());
  const lab = new Lab(page);
  await lab.open(QUICK);
  await expect(lab.get("crashed")).toContainText("The story failed");
  await expect(lab.get("crashed-message")).not.toBeEmpty();
  await expect(lab.get("crashed-replay-a")).toHaveText(
    /^schedscope run rt-pull-herd .*--set machine[.]cpus=16/,
  );
  await expect(lab.get("timeline-a")).toBeVisible();
  await lab.get("drawer-open").click();
  await lab.write('{ "title": "half a thou');
  await expect(page).toHaveURL(/\/lab\//); // The address follows within a moment; before, a reload opens the former one.
  await page.reload();
  await lab.whenIdle();
  await expect(lab.get("editor")).toHaveValue('{ "title": "half a thou');
});
