// How it looks to different eyes: three themes, a projector's distance, a phone's width, a screen
// reader's tree.

import { DEPTH, expect, PUSH_IPI, QUICK, SPIN, test, type Lab } from "./support/lab.ts";
import { expectAccessible, expectReadable } from "./support/axe.ts";
import { LONG, THOROUGH, inTurn } from "./support/thorough.ts";

const PHONE = { width: 390, height: 844 };
const THEMES = ["dark", "light", "projector"] as const;

/**
 * Every screen but the editor of form and text, which has a test of its own. One page walks through
 * them.
 */
const SCREENS: readonly (readonly [
  name: string,
  enter: (lab: Lab) => Promise<void>,
  leave?: (lab: Lab) => Promise<void>,
])[] = [
  ["the lab with a selected wake-up", (lab) => lab.selectWorst()],
  [
    "an area",
    async (lab) => {
      await lab.press("m");
      await expect(lab.get("area")).toBeVisible();
    },
    (lab) => lab.press("Escape"),
  ],
  ["the latencies", (lab) => lab.dock("latency")],
  ["the numbers", (lab) => lab.dock("numbers")],
  ["the story", (lab) => lab.dock("story")],
  ["the sources", (lab) => lab.dock("sources")],
  ["sharing", (lab) => lab.get("share-open").click(), (lab) => lab.get("share-close").click()],
  [
    "pictures",
    async (lab) => {
      await lab.press("Control+Shift+S");
      await expect(lab.get("picture-preview")).toBeVisible();
    },
    (lab) => lab.get("picture-close").click(),
  ],
  ["the sweep", (lab) => lab.get("sweep-open").click(), (lab) => lab.get("sweep-close").click()],
  ["the help", (lab) => lab.get("help-open").click(), (lab) => lab.get("help-close").click()],
  [
    "the scenario's text",
    (lab) => lab.get("drawer-open").click(),
    (lab) => lab.get("drawer-open").click(),
  ],
  [
    "the questions",
    (lab) => lab.get("picker-open").click(),
    (lab) => lab.get("picker-open").click(),
  ],
  [
    "two sides that are the same",
    async (lab) => {
      await lab.flip(PUSH_IPI, "b", "off");
      await expect(lab.get("alike")).toBeVisible();
    },
  ],
  ["the front page", (lab) => lab.get("home").click()],
];

// Every fifth screen in `npm test`.
test("no accessibility violation on any screen in the dark theme", async ({ lab }) => {
  await lab.open(QUICK);
  for (const [number, [name, enter, leave]] of SCREENS.entries()) {
    if (number % 5 > 0 && !THOROUGH) continue;
    await enter(lab);
    await lab.whenIdle();
    await expectAccessible(lab, name);
    await leave?.(lab);
  }
});

// The other themes differ in colours and sizes, and are asked the rules of those.
test(
  "every screen is readable in the light and in the projector's theme",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    for (const [number, [name, enter, leave]] of SCREENS.entries()) {
      if (number % 2 === 1 && !THOROUGH) continue;
      for (const theme of inTurn(["light", "projector"] as const, number / 2)) {
        await lab.choose(theme);
        if ((await lab.get("rail").count()) === 0) await lab.get("rail-open").click();
        await enter(lab);
        await lab.whenIdle();
        await expectReadable(lab, `${name}, ${theme}`);
        await leave?.(lab);
      }
    }
  },
);

test("in forced colours what is chosen, the states of CPUs and the sides can still be told apart", async ({
  lab,
}) => {
  await lab.page.emulateMedia({ forcedColors: "active" });
  await lab.open(QUICK);
  await lab.selectWorst();
  const look = (selector: string): Promise<string> =>
    lab.page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { backgroundColor, borderBottomColor, borderBottomWidth } = getComputedStyle(element);
        return [backgroundColor, borderBottomColor, borderBottomWidth].join(" ");
      });
  for (const [chosen, other] of [
    [".themes .segment input:checked + span", ".themes .segment input:not(:checked) + span"],
    [".dock-tab[aria-selected=true]", ".dock-tab[aria-selected=false]"],
    [".topbar .button[aria-pressed=true]", ".topbar .button[aria-pressed=false]"],
  ] as const)
    expect(await look(chosen), chosen).not.toBe(await look(other));
  for (const side of ["a", "b"])
    await expect(lab.get(`headline-${DEPTH}-${side}`).locator("xpath=..")).toContainText(
      side.toUpperCase(),
    );
  // On the canvases the ground is the system's, the states keep hue and texture.
  const colours = await lab.get("lanes-a").evaluate((lanes) => {
    const [canvas] = lanes.querySelectorAll("canvas");
    const data =
      canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ??
      new Uint8ClampedArray(0);
    const probe = document.createElement("span");
    probe.style.color = "Canvas";
    document.body.append(probe);
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(
      Number,
    );
    const ground = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    const pixels = [...new Uint32Array(data.buffer)];
    return {
      all: new Set(pixels).size,
      ground: pixels.filter((pixel) => pixel === ground || pixel === 0).length / pixels.length,
    };
  });
  expect(colours.all).toBeGreaterThan(5);
  expect(colours.ground, "a tenth and more of the lanes is ground").toBeGreaterThan(0.1);
  await expectAccessible(lab, "forced colours");
});

/** The colours that words in SVGs are drawn in. */
function inksOfDrawings(lab: Lab): Promise<readonly string[]> {
  return lab.page
    .locator("svg text")
    .evaluateAll((texts) => [...new Set(texts.map((text) => getComputedStyle(text).fill))]);
}

function systemColour(lab: Lab, name: string): Promise<string> {
  return lab.page.evaluate((colour) => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = colour;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

test(
  "the front page in forced colours has no accessibility violation, and its picture is drawn on the system's ground",
  LONG,
  async ({ lab }) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await lab.page.emulateMedia({ forcedColors: "active", colorScheme });
      await lab.open("");
      await expect(lab.get("gallery-open")).toBeVisible();
      await expectAccessible(lab, `front page in forced colours, ${colorScheme}`);
      // A canvas, too, has the system's ground, whichever theme is on.
      await lab.choose(colorScheme === "dark" ? "light" : "dark");
      expect(await inksOfDrawings(lab), colorScheme).toEqual([
        await systemColour(lab, "CanvasText"),
      ]);
      const ground = await lab
        .get("scrubber")
        .locator("canvas")
        .evaluate((canvas: HTMLCanvasElement) => {
          const probe = document.createElement("span");
          probe.style.color = "Canvas";
          document.body.append(probe);
          const wanted = (getComputedStyle(probe).color.match(/\d+/g) ?? [])
            .slice(0, 3)
            .map(Number);
          probe.remove();
          const data =
            canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ??
            new Uint8ClampedArray(0);
          let count = 0;
          for (let at = 0; at < data.length; at += 4)
            if (wanted.every((channel, index) => data[at + index] === channel)) count += 1;
          return count / (data.length / 4);
        });
      expect(ground, colorScheme).toBeGreaterThan(0.05);
    }
  },
);

test("the two headline numbers are at least 48 px high for a projector, and the theme is kept", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.choose("projector");
  for (const metric of [DEPTH, SPIN]) {
    for (const side of ["a", "b"]) {
      const size = await lab
        .get(`headline-${metric}-${side}`)
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(size).toBeGreaterThanOrEqual(48);
    }
  }
  await lab.page.reload();
  await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "projector");
});

test("on paper the text is dark on white in every theme, and no bar lies over it", async ({
  lab,
}) => {
  await lab.open(QUICK);
  for (const theme of THEMES) {
    await lab.choose(theme);
    await lab.page.emulateMedia({ media: "print" });
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", "light");
    for (const id of ["transport", "share-open", "play"]) await expect(lab.get(id)).toBeHidden();
    for (const id of ["question", "headline", "timeline-a", "timeline-b", "story", "provenance"])
      await expect(lab.get(id)).toBeVisible();
    const cut = await lab.page.evaluate(() => [
      document.querySelector(".page")?.scrollHeight,
      document.body.scrollHeight,
    ]);
    expect(cut[0], "the page is as long as what is on it").toBe(cut[1]);
    const { text, paper } = await lab.get("question").evaluate((heading) => ({
      text: getComputedStyle(heading).color,
      paper: getComputedStyle(document.body).backgroundColor,
    }));
    expect(paper).toBe("rgb(255, 255, 255)");
    expect(
      Math.max(...(text.match(/\d+/g) ?? []).slice(0, 3).map(Number)),
      `${theme}: ${text}`,
    ).toBeLessThan(0x40);
    const kept = await lab.page
      .locator(".rail-setup")
      .evaluate((words) => getComputedStyle(words).minHeight);
    expect(kept, "no room is kept for words that may come").toBe("0px");
    await expect
      .poll(() => darkGround(lab), `${theme}: canvases are drawn for white paper`)
      .toBe(0);
    await expect(lab.page.getByText("ask for another")).toBeHidden();
    await lab.page.emulateMedia({ media: "screen" });
    await expect(lab.page.locator("html")).toHaveAttribute("data-theme", theme);
    const dark = expect.poll(
      () => darkGround(lab),
      `${theme}: canvases are drawn for the screen again`,
    );
    await (theme === "dark" ? dark.toBeGreaterThan(0) : dark.toBe(0));
  }
});

/** Pixels of the timeline's canvases that have the ground of the dark theme. */
function darkGround(lab: Lab): Promise<number> {
  return lab.page.evaluate(() => {
    let dark = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(".tl canvas")) {
      const { width, height } = canvas;
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, width, height) ?? { data: [] };
      for (let at = 0; at < data.length; at += 4)
        if (
          data[at] === 0x0e &&
          data[at + 1] === 0x11 &&
          data[at + 2] === 0x16 &&
          data[at + 3] === 255
        )
          dark += 1;
    }
    return dark;
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  for (const [name, address] of [
    ["the lab", QUICK],
    ["the front page", ""],
    ["the editor", "lab/"],
  ] as const) {
    test(`${name} does not scroll sideways and every control can be reached`, async ({ lab }) => {
      await lab.open(address);
      const sideways = await lab.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways).toBe(0);
      const unreachable = await lab.page.evaluate(unreachableControls);
      expect(unreachable).toEqual([]);
    });
  }

  test("no accessibility violation, and the selected wake-up is shown", async ({ lab }) => {
    await lab.open(QUICK);
    await lab.dock("why");
    await lab.get("worst-a").click();
    await expect(lab.get("waterfall-a")).toBeVisible();
    await expectAccessible(lab, "on a phone");
  });
});

test.describe("at 400 % of 1280 by 1024", () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test("nothing scrolls sideways, every control can be reached, and no bar stays over the text", async ({
    lab,
  }) => {
    await lab.open(QUICK);
    const reachable = async (what: string): Promise<void> => {
      const sideways = await lab.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways, what).toBe(0);
      expect(await lab.page.evaluate(unreachableControls), what).toEqual([]);
    };
    await reachable("the lab");
    await lab.dock("why");
    await lab.get("worst-a").click();
    await expect(lab.get("waterfall-a")).toBeVisible();
    await reachable("a wake-up's causes");
    const fixed = await lab.page.evaluate(
      () =>
        [...document.querySelectorAll("body *")].filter(
          (element) => element.checkVisibility() && getComputedStyle(element).position === "fixed",
        ).length,
    );
    expect(fixed).toBe(0);
    for (const dialog of ["share", "help"]) {
      await lab.get(`${dialog}-open`).click();
      const { left, right, bottom } = await lab
        .get(dialog)
        .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
      expect([left >= 0, right <= 320, bottom <= 256], dialog).toEqual([true, true, true]);
      await lab.get(`${dialog}-close`).click();
    }
  });
});

/**
 * Controls that, brought into view, still lie outside the window or under something else. Runs in
 * the page.
 */
function unreachableControls(): readonly string[] {
  const controls = [
    ...document.querySelectorAll<HTMLElement>(
      "button, a[href], input, select, textarea, summary, [role=slider]",
    ),
  ];
  const nameOf = (control: HTMLElement): string =>
    control.dataset["testid"] ?? control.textContent.slice(0, 40);
  return controls.flatMap((control) => {
    // A styled radio or file input is pressed through its label.
    const target = control.closest("label") ?? control;
    if (!target.checkVisibility() || control.classList.contains("skip")) return [];
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const outside =
      left < -1 || right > window.innerWidth + 1 || bottom <= 0 || top >= window.innerHeight;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const covered = hit === null || !(target.contains(hit) || hit.contains(target));
    return outside || covered ? [`${nameOf(control)}: ${outside ? "outside" : "covered"}`] : [];
  });
}

test("before a projector F leaves the stage alone, and F or Escape brings the rest back", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.choose("projector");
  const rest = ["transport", "question"].map((id) => lab.get(id).first());
  for (const part of rest) await expect(part).toBeVisible();
  for (const back of ["f", "Escape"]) {
    await lab.press("f");
    for (const part of rest) await expect(part).toHaveCount(0);
    const share = await lab.get("stage").evaluate((stage) => {
      const { width, height } = stage.getBoundingClientRect();
      return (width * height) / (innerWidth * innerHeight);
    });
    expect(share).toBeGreaterThan(0.97);
    await lab.press(back);
    for (const part of rest) await expect(part).toBeVisible();
  }
  await lab.press("p");
  const before = await lab.view();
  await lab.selectWorst();
  await lab.press("f", "f");
  expect(await lab.view(), "elsewhere F fits").not.toEqual(before);
  await expect(lab.get("transport")).toBeVisible();
});

test("before a projector numbers that have no room are counted and named", async ({ lab }) => {
  await lab.open("s/quota-burst/");
  await lab.choose("projector");
  const rows = lab.page.locator(".band .score-row");
  const more = lab.get("more-scores");
  for (const width of [1440, 1024, 1440, 3840]) {
    await lab.page.setViewportSize({ width, height: 900 });
    const away = (): Promise<number> =>
      rows.evaluateAll((each) => {
        const edge = each[0]?.parentElement?.getBoundingClientRect().bottom ?? 0;
        return each.filter((row) => row.getBoundingClientRect().bottom > edge + 1).length;
      });
    if (width === 3840) {
      await expect(more).toBeHidden();
      await expect.poll(away).toBe(0);
      continue;
    }
    await expect(more).toBeInViewport({ ratio: 1 });
    await expect(async () => {
      const count = await away();
      expect(count).toBeGreaterThan(0);
      expect(await more.innerText()).toBe(`+ ${String(count)} more`);
      expect((await more.getAttribute("title"))?.split("\n")).toHaveLength(count);
    }).toPass();
  }
});
