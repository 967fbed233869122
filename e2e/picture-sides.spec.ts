// What is on screen is in the picture: which sides there are and how they lie, what is on its way
// between tanks and lanes, and the same lanes whether they are shapes or an image.

import { readFile } from "node:fs/promises";
import type { PictureFormat } from "../src/engine/gen/formats.ts";
import { SCENARIO } from "./support/quota.ts";
import { expect, QUICK, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

async function saved(lab: Lab, format: PictureFormat, size?: string): Promise<Buffer> {
  await lab.page.keyboard.press("Control+Shift+KeyS");
  await expect(lab.get("picture-preview").locator("canvas")).toBeVisible();
  if (size !== undefined) await lab.get("picture-size").selectOption(size);
  const [file] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get(`picture-${format}`).click(),
  ]);
  await expect(lab.get("picture-said")).toContainText("Saved as");
  const bytes = await readFile(await file.path());
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("picture")).toHaveCount(0);
  return bytes;
}

interface Words {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

async function wordsOf(lab: Lab): Promise<readonly Words[]> {
  const svg = (await saved(lab, "svg")).toString("utf8");
  return [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)<\/text>/g)].map(
    ([, x, y, text = ""]) => ({
      text,
      x: Number(x),
      y: Number(y),
    }),
  );
}

test(
  "a picture has the sides that are on screen: A over B, A beside B, or one alone",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    const labels = await Promise.all(
      (["a", "b"] as const).map((side) =>
        lab.get(`timeline-${side}`).locator(".tl-label").innerText(),
      ),
    );
    const [nameA = "", nameB = ""] = labels;
    const headOf = (words: readonly Words[], name: string): Words | undefined =>
      words.find(({ text }) => text === name);
    const over = await wordsOf(lab);
    expect(headOf(over, nameA)?.x).toBe(headOf(over, nameB)?.x);
    expect(headOf(over, nameB)?.y).toBeGreaterThan(headOf(over, nameA)?.y ?? Infinity);
    await lab.get("beside").click();
    await lab.whenIdle();
    const beside = await wordsOf(lab);
    expect(headOf(beside, nameA)?.y).toBe(headOf(beside, nameB)?.y);
    expect(headOf(beside, nameB)?.x).toBeGreaterThan((headOf(beside, nameA)?.x ?? Infinity) + 200);
    const ticks = (words: readonly Words[]): number =>
      words.filter(({ text }) => /^[\d.]+ (ms|µs)$/.test(text)).length;
    expect(ticks(beside), "each side has an axis of its own").toBeGreaterThan(1);
    expect(ticks(beside) % 2).toBe(0);
    await lab.press("Backslash");
    await lab.whenIdle();
    const alone = await wordsOf(lab);
    expect(headOf(alone, nameA)).toBeDefined();
    expect(headOf(alone, nameB)).toBeUndefined();
  },
);

test(
  "lanes of more rectangles than a file may have are an image in it, and it shows what the PNG shows",
  LONG,
  async ({ lab }) => {
    await lab.open("s/quota-double-spend/");
    await lab.press("0");
    const png = await saved(lab, "png", "1920x1080");
    const svg = await saved(lab, "svg", "1920x1080");
    const images = [
      ...svg
        .toString("utf8")
        .matchAll(/<image x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g),
    ];
    expect(images.length, "the lanes of both sides").toBe(2);
    // A page without the site's policy, which lets no data be an image.
    const blank = await lab.page.context().newPage();
    const differing = await blank.evaluate(
      async ({ files, boxes, block }) => {
        const [one, other] = await Promise.all(
          files.map(async (href) => {
            const image = new Image();
            image.src = href;
            await image.decode();
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [1920, 1080];
            const context = canvas.getContext("2d");
            context?.drawImage(image, 0, 0);
            return context;
          }),
        );
        // Textures are finer in the one than in the other: what counts is how light a patch of the
        // lanes is.
        const light = (
          context: CanvasRenderingContext2D | null | undefined,
          x: number,
          y: number,
        ): number => {
          const data = Array.from(context?.getImageData(x, y, block, block).data ?? []);
          return (
            data.reduce((sum, value, at) => (at % 4 === 3 ? sum : sum + value), 0) /
            (block * block * 3)
          );
        };
        return boxes.map(({ x, y, width, height }) => {
          let far = 0;
          let all = 0;
          let ink = 0;
          for (let row = y; row + block <= y + height; row += block)
            for (let column = x + 120; column + block <= x + width; column += block) {
              const [first, second] = [light(one, column, row), light(other, column, row)];
              all += 1;
              if (first > 40) ink += 1;
              if (Math.abs(first - second) > 32) far += 1;
            }
          return { far: far / all, ink: ink / all };
        });
      },
      {
        files: [
          `data:image/png;base64,${png.toString("base64")}`,
          `data:image/svg+xml;base64,${svg.toString("base64")}`,
        ],
        boxes: images.map(([, x, y, width, height]) => ({
          x: Math.round(Number(x)),
          y: Math.round(Number(y)),
          width: Number(width),
          height: Number(height),
        })),
        block: 12,
      },
    );
    for (const { far, ink } of differing) {
      expect(ink, "there is something on the lanes").toBeGreaterThan(0.1);
      expect(far, "share of the patches that are lighter or darker").toBeLessThan(0.02);
    }
  },
);

test(
  "a browser that cannot write so large a picture says so, and the next size can be made",
  LONG,
  async ({ lab }) => {
    await lab.page.addInitScript(() => {
      const { toBlob } = HTMLCanvasElement.prototype; // eslint-disable-line @typescript-eslint/unbound-method -- called on a canvas below
      HTMLCanvasElement.prototype.toBlob = function (
        this: HTMLCanvasElement,
        callback: BlobCallback,
        ...rest: [string?, number?]
      ) {
        if (this.width > 2000) callback(null);
        else toBlob.call(this, callback, ...rest);
      };
    });
    await lab.open(QUICK);
    await lab.page.keyboard.press("Control+Shift+KeyS");
    await lab.get("picture-size").selectOption("2560x1440");
    await lab.get("picture-png").click();
    await expect(lab.get("picture-error")).toContainText(
      "This browser could not write the picture: choose a smaller size.",
    );
    await lab.page.keyboard.press("Escape");
    const png = await saved(lab, "png", "1920x1080");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 1080]);
  },
);

test.describe("with motion", () => {
  test.use({ motion: "no-preference" });

  test(
    "what is on its way between tanks and lanes is in the picture, as many drops as on screen",
    LONG,
    async ({ lab }) => {
      await lab.open("lab/");
      await lab.write(SCENARIO);
      await expect(lab.get("tank-web-a")).toBeVisible();
      await lab.press("Shift", "0");
      await lab.get("scrubber").press("Home");
      const drops = lab.page.getByTestId("drop");
      const threads = async (): Promise<number> =>
        (await saved(lab, "svg")).toString("utf8").split('stroke-dasharray="2 3"').length - 1;
      expect(await drops.count()).toBe(0);
      const before = await threads();
      for (let step = 0; step < 400 && (await drops.count()) === 0; step += 1)
        await lab.page.keyboard.press("k");
      // A step comes near; from afar what it met is on its way for longer.
      await lab.press("Shift", "0");
      await lab.get("scrubber").press("ArrowRight");
      const shown = await drops.count();
      expect(shown).toBeGreaterThan(0);
      expect((await threads()) - before).toBe(shown);
    },
  );
});
