// A link says completely what was on screen, anywhere; a broken one says what is wrong and opens
// nothing else.

import { readFileSync } from "node:fs";
import { serve } from "../scripts/serve.mjs";
import {
  DEPTH,
  expect,
  fieldsOf,
  framed,
  HERD,
  PUSH_IPI,
  QUICK,
  SPIN,
  test,
  type Lab,
} from "./support/lab.ts";
import { LONG, THOROUGH } from "./support/thorough.ts";

interface Fixture {
  readonly name: string;
  readonly address: string;
  readonly error?: {
    readonly code: string;
    readonly slug: string | null;
    readonly arrived?: number;
    readonly length?: number;
  };
}

const { links } = JSON.parse(
  readFileSync(new URL("fixtures/links.json", import.meta.url), "utf8"),
) as {
  readonly links: readonly Fixture[];
};

/** What a person must be able to read in the message. */
const WORDS: Readonly<Record<string, RegExp>> = {
  cut: /This link is cut/,
  changed: /was changed on its way|is no link of this page/,
  newer: /made with version \d+/,
  malformed: /malformed/,
  payload: /scenario in this link cannot be read/,
  no_scenario: /carries none/,
};

async function expectRefused(lab: Lab, code: string): Promise<void> {
  await expect(lab.get("link-refused")).toHaveAttribute("data-code", code);
  await expect(lab.page.getByRole("heading", { level: 1 })).toHaveText(WORDS[code] ?? /./);
  for (const testId of ["lab", "timeline", "editor", "step-dots", "sweep-open", "share-open"])
    await expect(lab.get(testId)).toHaveCount(0);
}

/** Another address of the page's own: the hash alone would not load the page again. */
async function load(lab: Lab, address: string): Promise<void> {
  await lab.page.goto("about:blank");
  await lab.page.goto(address);
}

/** Turns things, opens the link in another browser, and wants to see the same there. */
async function expectSameElsewhere(lab: Lab, elsewhere: Lab): Promise<void> {
  await lab.flip(PUSH_IPI, "b", "auto_gt16");
  await lab.get("reroll").click();
  await lab.whenIdle();
  await lab.selectWorst();
  await lab.press("w");
  const link = await lab.copyLink();
  expect(fieldsOf(link)).toMatchObject({
    seed: "8",
    "b.kernel.rt_push_ipi": "auto_gt16",
    fp: /^[0-9a-f]{8}$/.exec(fieldsOf(link)["fp"] ?? "")?.[0],
  });

  await elsewhere.open(link);
  await expect(elsewhere.get("result-differs")).toHaveCount(0);
  await expect(elsewhere.get("link-notes")).toHaveCount(0);
  expect(await elsewhere.headlines(DEPTH, SPIN)).toEqual(await lab.headlines(DEPTH, SPIN));
  expect([await elsewhere.digest("a"), await elsewhere.digest("b")]).toEqual([
    await lab.digest("a"),
    await lab.digest("b"),
  ]);
  expect(await elsewhere.waterfall("a")).toEqual(await lab.waterfall("a"));
  expect(await elsewhere.axis()).toEqual(await lab.axis());
  expect(
    await elsewhere.copyLink(),
    "the same link again: same fingerprint, selection and viewport",
  ).toBe(link);
}

test("a link of newer pages says how to get one, and offline why that must wait", async ({
  lab,
}) => {
  const address =
    links.find(({ error }) => error?.code === "newer")?.address.replace(/^.*schedscope\//, "") ??
    "";
  await lab.page.goto(address);
  await expectRefused(lab, "newer");
  await expect(lab.get("link-refused")).toContainText("Reload to get a newer page.");
  await lab.open(QUICK);
  await lab.page.context().setOffline(true);
  await lab.page.evaluate(
    (hash) => (window.location.hash = hash),
    address.slice(address.indexOf("#")),
  );
  await expectRefused(lab, "newer");
  await expect(lab.get("link-refused")).toContainText("You are offline");
  await expect(lab.get("link-refused")).not.toContainText("Reload to get");
  await lab.page.context().setOffline(false);
});

test("a copied link shows the same to another person", async ({ lab, elsewhere }) => {
  await lab.open(QUICK);
  await expectSameElsewhere(lab, elsewhere);
});

test(
  "a copied link shows the same where the site lies in a folder deep below its host",
  LONG,
  async ({ lab, elsewhere }) => {
    const { DIST_FOLDER: folder } = process.env;
    const server = await serve({
      base: "/deep/sub/",
      firstPort: 4600,
      ...(folder === undefined ? {} : { folder }),
    });
    try {
      await lab.open(`${server.address}${QUICK}`);
      await expectSameElsewhere(lab, elsewhere);
      expect(lab.page.url()).toContain("/deep/sub/s/rt-pull-herd/");
    } finally {
      await server.stop();
    }
  },
);

test("the address bar alone is the link", LONG, async ({ lab, elsewhere }) => {
  await lab.open(QUICK);
  await lab.selectWorst();
  const link = await lab.copyLink();
  await expect(lab.page).toHaveURL(link);
  await elsewhere.open(lab.page.url());
  expect(await elsewhere.waterfall("a")).toEqual(await lab.waterfall("a"));
});

test("every broken link says what is wrong and opens nothing", async ({ lab }) => {
  const codes = new Set<string | undefined>();
  for (const { name, address, error } of links) {
    const [, local] = /\/schedscope\/(.*)/.exec(address) ?? [];
    // Without a fragment the page's editor is not a link; an address of another site is its host's.
    if (error === undefined || local === undefined || !local.includes("#")) continue;
    // Each kind of fault once; the reader's own tests read all of them.
    if (codes.has(error.code) && !THOROUGH) continue;
    codes.add(error.code);
    await test.step(name, async () => {
      await load(lab, local);
      await expectRefused(lab, error.code);
      if (error.arrived !== undefined)
        await expect(lab.page.getByRole("heading", { level: 1 })).toContainText(
          `${error.arrived} of ${String(error.length)} characters`,
        );
      await expect(lab.get("link-open-preset")).toHaveCount(error.slug === "rt-pull-herd" ? 1 : 0);
    });
  }
});

test(
  "a real link cut anywhere is called cut; the preset opens on request",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.selectWorst();
    const link = await lab.copyLink();
    const start = link.indexOf("#") + 1;
    const fragment = link.slice(start);
    for (const part of THOROUGH
      ? [0.001, 0.02, 0.05, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95, 0.999]
      : [0.02, 0.95]) {
      const arrived = Math.min(
        fragment.length - 1,
        Math.max(1, Math.floor(part * fragment.length)),
      );
      await load(lab, link.slice(0, start + arrived));
      await expectRefused(lab, "cut");
    }
    await lab.get("link-open-preset").click();
    await lab.whenIdle();
    await expect(lab.page).toHaveURL(/\/s\/rt-pull-herd\/$/);
    expect(await lab.headline("a", DEPTH)).toBeGreaterThanOrEqual(8);
  },
);

test("a phone's link opens on the side that the phone shows, and shows both sides on a wide screen", async ({
  lab,
  elsewhere,
}) => {
  for (const each of [lab, elsewhere]) await each.page.setViewportSize({ width: 390, height: 844 });
  await lab.open(QUICK);
  await lab.get("side-toggle-b").check({ force: true });
  const link = await lab.copyLink();
  await elsewhere.open(link);
  await expect(elsewhere.get("side-toggle-b")).toBeChecked();
  await expect(elsewhere.get("timeline-b")).toBeVisible();
  await expect(elsewhere.get("timeline-a")).toHaveCount(0);
  expect(await elsewhere.copyLink()).toBe(link);
  await elsewhere.page.setViewportSize({ width: 1440, height: 900 });
  for (const side of ["a", "b"]) await expect(elsewhere.get(`timeline-${side}`)).toBeVisible();
});

test(
  "a link that lost its whole fragment opens the preset; a changed one does not, even in an open page",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    const before = lab.page.url();
    await lab.page.evaluate(() => (window.location.hash = "v=1.24&seed=1&c=00000000"));
    await expectRefused(lab, "changed");
    await lab.page.goBack();
    await lab.whenIdle();
    await expect(lab.get("link-refused")).toHaveCount(0);
    await expect(lab.page).toHaveURL(before);
    await load(lab, `${HERD}#`);
    await expect(lab.get("lab")).toBeVisible();
  },
);

test("what the page does not know is listed, kept, and written again", async ({ lab }) => {
  await lab.open(
    `${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&colour=~C3~A9&a.kernel.someday=1")}`,
  );
  await expect(lab.get("link-notes")).toContainText("colour=é");
  await expect(lab.get("link-notes")).toContainText("a.kernel.someday=1");
  await lab.get("reroll").click();
  await lab.whenIdle();
  const fields = fieldsOf(await lab.copyLink());
  expect(fields).toMatchObject({ seed: "8", colour: "~C3~A9", "a.kernel.someday": "1" });
});

test("a result that is not the sender's is said so, with both numbers and the engine", async ({
  lab,
}) => {
  const then = "e=0.0.1-0123abcd&fp=00000000&was.rq_lock.max_waiters=99_98";
  await lab.open(`${HERD}#${framed(`k.duration=20ms&k.machine.cpus=16&${then}`)}`);
  const strip = lab.get("result-differs");
  await expect(strip).toContainText("engine 0.0.1-0123abcd");
  for (const [side, then] of [
    ["a", "99"],
    ["b", "98"],
  ] as const) {
    const row = strip
      .getByRole("row")
      .filter({ has: lab.page.getByRole("cell", { name: then, exact: true }) });
    await expect(row).toContainText(DEPTH);
    await expect(
      row.getByRole("cell", { name: String(await lab.headline(side, DEPTH)), exact: true }),
    ).toBeVisible();
  }
});

test("figures of a link of version 1, which does not name them, are shown as they came", async ({
  lab,
}) => {
  await lab.open(
    `${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&e=0.0&was=99_1_98_2&fp=00000000", 1)}`,
  );
  const strip = lab.get("result-differs");
  await expect(strip).toContainText("engine 0.0;");
  await expect(strip).toContainText("99, 1, 98, 2");
  await expect(
    strip.getByRole("cell", { name: String(await lab.headline("a", DEPTH)), exact: true }).first(),
  ).toBeVisible();
});

test("10 000 keys that the page does not know are ten, and their number", LONG, async ({ lab }) => {
  const items = Array.from({ length: 10_000 }, (_, n) => `x${n}=1`).join("&");
  await lab.open(`${HERD}#${framed(`k.duration=20ms&k.machine.cpus=16&${items}`)}`);
  await expect(lab.get("link-notes").getByRole("listitem")).toHaveCount(11);
  await expect(lab.get("link-notes")).toContainText("10000 such items");
});

test(
  "a link at the end of a sentence opens, from the address and pasted",
  LONG,
  async ({ lab }) => {
    await lab.open(`${QUICK}.`);
    await expect(lab.get("question")).toContainText("16 CPUs");
    await load(lab, `${HERD}#v=1.24&seed=1&c=00000000`);
    await lab.get("link-paste").fill(`(https://example.org/x/${QUICK}).`);
    await lab.get("link-paste-open").click();
    await lab.whenIdle();
    await expect(lab.get("question")).toContainText("16 CPUs");
  },
);

test("a pasted link opens; what is no link is refused", async ({ lab }) => {
  await load(lab, `${HERD}#v=1.24&seed=1&c=00000000`);
  await lab.get("link-paste").fill("https://example.org/other/page");
  await lab.get("link-paste-open").click();
  await expect(lab.page.getByRole("alert")).toContainText("not a link of this page");
  await lab.get("link-paste").fill(`https://example.org/some/folder/${QUICK}`);
  await lab.get("link-paste-open").click();
  await lab.whenIdle();
  await expect(lab.page.locator(".question")).toContainText("16 CPUs");
});

test("a link is shared as an embed, as Markdown, as a talk and as a code to photograph, each the same place", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.get("share-open").click();
  const link = await lab.get("share-link").inputValue();
  await lab.get("share-more").locator("summary").click();
  const embed = link.replace("/s/", "/embed/");
  const written = await lab.get("share-iframe").inputValue();
  expect(written).toContain(`src="${embed.replaceAll("&", "&amp;")}"`);
  expect(await lab.get("share-markdown").inputValue()).toBe(
    `[Why do 16 CPUs wait for one lock?](${link})`,
  );
  const picture = `${new URL(link).origin}/pictures/s-rt-pull-herd.png`;
  expect(await lab.get("share-markdown-picture").inputValue()).toBe(
    `[![Why do 16 CPUs wait for one lock?](${picture})](${link})`,
  );
  await expect(lab.get("share-talk")).toHaveAttribute("href", link.replace("/s/", "/present/"));
  await expect(lab.get("share-qr")).toBeVisible();
  await lab.open(embed);
  await expect(lab.get("question")).toHaveText("Why do 16 CPUs wait for one lock?");
});

test.describe("with motion", () => {
  test.use({ motion: "no-preference" });

  test("a link that holds an instant opens there, and does not play away from it", async ({
    lab,
  }) => {
    await lab.open(`${HERD}#${framed("k.duration=20ms&k.machine.cpus=16&p=5ms")}`);
    await lab.whenIdle();
    await expect(lab.get("play")).toHaveAccessibleName("Play");
    expect(await lab.playhead()).toBe(5_000_000);
  });
});
