// What is in view as files: pictures and films. Their bytes are read as any program would read them.

import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import AxeBuilder from "@axe-core/playwright";
import { expect, QUICK, SIDES, test, type Lab } from "./support/lab.ts";

type Format = "svg" | "pdf" | "png" | "webm" | "gif";

async function openPictures(lab: Lab): Promise<void> {
  await lab.page.keyboard.press("Control+Shift+KeyS");
  await expect(lab.get("picture-preview").locator("canvas")).toBeVisible();
}

async function saved(lab: Lab, format: Format): Promise<Buffer> {
  const [file] = await Promise.all([lab.page.waitForEvent("download"), lab.get(`picture-${format}`).click()]);
  expect(file.suggestedFilename()).toBe(`rt-pull-herd.${format}`);
  await expect(lab.get("picture-said")).toContainText(`Saved as rt-pull-herd.${format}`);
  return readFile(await file.path());
}

function labelsOf(lab: Lab): Promise<readonly string[]> {
  return Promise.all(SIDES.map((side) => lab.get(`timeline-${side}`).locator(".tl-label").innerText()));
}

test("the SVG says what it shows in words: both sides, the question, the seed, the engine and the link", async ({ lab }) => {
  await lab.open(QUICK);
  const link = await lab.copyLink();
  const caption = await lab.get("question").innerText();
  const labels = await labelsOf(lab);
  const digests = [await lab.digest("a"), await lab.digest("b")].map((digest) => digest.slice(0, 16));
  await openPictures(lab);
  await lab.get("picture-size").selectOption("1920x1080");
  const text = (await saved(lab, "svg")).toString("utf8");
  // A page without the site's policy, which lets nobody parse.
  const blank = await lab.page.context().newPage();
  const found = await blank.evaluate((svg) => {
    const document = new DOMParser().parseFromString(svg, "image/svg+xml");
    return {
      root: document.documentElement.nodeName,
      errors: document.querySelectorAll("parsererror").length,
      scripts: document.querySelectorAll("script, foreignObject").length,
      handlers: [...document.querySelectorAll("*")].flatMap(({ attributes }) => [...attributes]).filter(({ name }) => name.startsWith("on"))
        .length,
      images: document.querySelectorAll("image").length,
      size: [document.documentElement.getAttribute("width"), document.documentElement.getAttribute("height")],
      title: document.querySelector("title")?.textContent ?? "",
      about: document.querySelector("desc")?.textContent ?? "",
      words: [...document.querySelectorAll("text")].map(({ textContent }) => textContent),
    };
  }, text);
  expect(found).toMatchObject({ root: "svg", errors: 0, scripts: 0, handlers: 0, images: 0, size: ["1920", "1080"] });
  const words = found.words.join("\n");
  for (const each of ["A", "B", ...labels, "seed 7", "user code", ...digests]) expect(words).toContain(each);
  expect(found.about).toContain(link);
  expect(words.replaceAll("\n", "")).toContain(link);
  expect(found.title === caption || words.includes(found.title)).toBe(true);
});

test("a PNG has the size that was asked for, and the same picture is the same file twice: PNG, SVG and PDF", async ({ lab }) => {
  await lab.open(QUICK);
  await openPictures(lab);
  await lab.get("picture-theme").selectOption("paper");
  for (const [size, width, height] of [
    ["1920x1080", 1920, 1080],
    ["2560x1440", 2560, 1440],
  ] as const) {
    await lab.get("picture-size").selectOption(size);
    const png = await saved(lab, "png");
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
  }
  for (const format of ["png", "svg", "pdf"] as const) {
    const [one, other] = [await saved(lab, format), await saved(lab, format)];
    expect(one.equals(other), format).toBe(true);
  }
});

/** What a PDF's content streams say, with the words of its text commands as text. */
function contentOf(pdf: Buffer): string {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/\/Length (\d+)[^]*?>>\s*stream\r?\n/g)].map(({ index, 0: head, 1: length }) => {
    const from = index + head.length;
    return inflateSync(pdf.subarray(from, from + Number(length))).toString("latin1");
  });
  return streams.join("\n").replaceAll(/<([0-9A-Fa-f]*)> Tj/g, (_, hex: string) => Buffer.from(hex, "hex").toString("latin1"));
}

test("the PDF has one page, its words as words, and no script", async ({ lab }) => {
  await lab.open(QUICK);
  const labels = await labelsOf(lab);
  await openPictures(lab);
  const pdf = await saved(lab, "pdf");
  const text = pdf.toString("latin1");
  expect(text.startsWith("%PDF-1.")).toBe(true);
  expect(text.trimEnd().endsWith("%%EOF")).toBe(true);
  expect([...text.matchAll(/\/Type \/Page\b(?!s)/g)].length).toBe(1);
  expect(text).not.toMatch(/\/(JavaScript|JS|OpenAction|AA)\b/);
  const content = contentOf(pdf);
  for (const words of [...labels, "seed 7", "spinning for a lock", "/s/rt-pull-herd/#v="])
    expect(content.includes(words), words).toBe(true);
});

test("the window of pictures is reached from Share and by its key, and sound to axe", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("share-open").click();
  await lab.get("picture-open").click();
  await expect(lab.get("picture")).toBeVisible();
  await expect(lab.get("share")).toHaveCount(0);
  for (const theme of ["dark", "light", "projector"] as const) {
    await lab.page.keyboard.press("Escape");
    await expect(lab.get("picture")).toHaveCount(0);
    await lab.choose(theme);
    await openPictures(lab);
    const { violations } = await new AxeBuilder({ page: lab.page }).include("[data-testid=picture]").analyze();
    expect(violations.map(({ id, nodes }) => `${theme}: ${id} ${nodes[0]?.html ?? ""}`)).toEqual([]);
  }
});
