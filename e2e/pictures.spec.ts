// What is in view as files: pictures and films. Their bytes are read as any program would read
// them.

import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import {
  FILM_FORMATS,
  FORMATS,
  PICTURE_FORMATS,
  type FilmFormat,
  type PictureFormat,
} from "../src/engine/gen/formats.ts";
import { expect, QUICK, SIDES, test, type Lab } from "./support/lab.ts";
import { LONG } from "./support/thorough.ts";

type Format = PictureFormat | FilmFormat;

async function openPictures(lab: Lab): Promise<void> {
  await lab.page.keyboard.press("Control+Shift+KeyS");
  await expect(lab.get("picture-preview").locator("canvas")).toBeVisible();
}

async function saved(lab: Lab, format: Format): Promise<Buffer> {
  const [file] = await Promise.all([
    lab.page.waitForEvent("download"),
    lab.get(`picture-${format}`).click(),
  ]);
  const name = `rt-pull-herd.${FORMATS[format].extension}`;
  expect(file.suggestedFilename()).toBe(name);
  await expect(lab.get("picture-said")).toContainText(`Saved as ${name}`);
  return readFile(await file.path());
}

function labelsOf(lab: Lab): Promise<readonly string[]> {
  return Promise.all(
    SIDES.map((side) => lab.get(`timeline-${side}`).locator(".tl-label").innerText()),
  );
}

test("the SVG says what it shows in words: both sides, the question, the seed, the engine and the link", async ({
  lab,
}) => {
  await lab.open(QUICK);
  await lab.page.keyboard.press("Shift+KeyA");
  await lab.page.keyboard.press("KeyK");
  await lab.page.keyboard.press("Shift+KeyB");
  await expect(lab.get("marker-delta")).toBeVisible();
  const delta = await lab.get("marker-delta").innerText();
  const link = await lab.copyLink();
  const caption = await lab.get("question").innerText();
  const labels = await labelsOf(lab);
  const digests = [await lab.digest("a"), await lab.digest("b")].map((digest) =>
    digest.slice(0, 16),
  );
  await openPictures(lab);
  await lab.get("picture-size").selectOption("1920x1080");
  const text = (await saved(lab, "svg")).toString("utf8");
  // A page without the site's policy, which lets no script parse.
  const blank = await lab.page.context().newPage();
  const found = await blank.evaluate((svg) => {
    const document = new DOMParser().parseFromString(svg, "image/svg+xml");
    return {
      root: document.documentElement.nodeName,
      errors: document.querySelectorAll("parsererror").length,
      scripts: document.querySelectorAll("script, foreignObject").length,
      handlers: [...document.querySelectorAll("*")]
        .flatMap(({ attributes }) => [...attributes])
        .filter(({ name }) => name.startsWith("on")).length,
      images: document.querySelectorAll("image").length,
      size: [
        document.documentElement.getAttribute("width"),
        document.documentElement.getAttribute("height"),
      ],
      title: document.querySelector("title")?.textContent ?? "",
      about: document.querySelector("desc")?.textContent ?? "",
      words: [...document.querySelectorAll("text")].map(({ textContent }) => textContent),
    };
  }, text);
  expect(found).toMatchObject({
    root: "svg",
    errors: 0,
    scripts: 0,
    handlers: 0,
    images: 0,
    size: ["1920", "1080"],
  });
  const words = found.words.join("\n");
  for (const each of [
    "A",
    "B",
    ...labels,
    "seed 7",
    "user code",
    "from",
    `to ${delta}`,
    ...digests,
  ])
    expect(words).toContain(each);
  expect(found.about).toContain(link);
  // The picture has the link without what its sender saw; engine and digests are beside it.
  const [, view = ""] = /#v=[\d.]+(&.*)&e=/.exec(link) ?? [];
  expect(view).not.toBe("");
  expect(words.replaceAll("\n", "")).toContain(view);
  expect(found.title === caption || words.includes(found.title)).toBe(true);
});

test("a PNG has the size that was asked for, and the same picture is the same file twice, in every format", async ({
  lab,
}) => {
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
  for (const format of PICTURE_FORMATS) {
    const [one, other] = [await saved(lab, format), await saved(lab, format)];
    expect(one.equals(other), format).toBe(true);
  }
});

/** What a PDF's content streams say, with the words of its text commands as text. */
function contentOf(pdf: Buffer): string {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/\/Length (\d+)[^]*?>>\s*stream\r?\n/g)].map(
    ({ index, 0: head, 1: length }) => {
      const from = index + head.length;
      return inflateSync(pdf.subarray(from, from + Number(length))).toString("latin1");
    },
  );
  return streams
    .join("\n")
    .replaceAll(/<([0-9A-Fa-f]*)> Tj/g, (_, hex: string) =>
      Buffer.from(hex, "hex").toString("latin1"),
    );
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

test("the window of pictures is reached from Share and by its key", async ({ lab }) => {
  await lab.open(QUICK);
  await lab.get("share-open").click();
  await lab.get("picture-open").click();
  await expect(lab.get("picture")).toBeVisible();
  await expect(lab.get("share")).toHaveCount(0);
  await lab.page.keyboard.press("Escape");
  await expect(lab.get("picture")).toHaveCount(0);
  await openPictures(lab);
});

/** Milliseconds that each frame of a GIF is shown, by its own blocks. */
function gifDelays(gif: Buffer): readonly number[] {
  const tableOf = (flags: number): number =>
    (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
  const delays: number[] = [];
  let at = 13 + tableOf(gif.readUInt8(10));
  const skipBlocks = (): void => {
    while (gif.readUInt8(at) !== 0) at += gif.readUInt8(at) + 1;
    at += 1;
  };
  for (let kind = gif.readUInt8(at); kind !== 0x3b; kind = gif.readUInt8(at)) {
    if (kind === 0x21) {
      if (gif.readUInt8(at + 1) === 0xf9) delays.push(gif.readUInt16LE(at + 4) * 10);
      at += 2;
    } else {
      expect(kind, "an image").toBe(0x2c);
      at += 11 + tableOf(gif.readUInt8(at + 9));
    }
    skipBlocks();
  }
  return delays;
}

test(
  "a GIF lasts at most eight seconds, whatever length is asked for, and goes round",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await openPictures(lab);
    await lab.get("picture-length").selectOption("30");
    const gif = await saved(lab, "gif");
    expect(gif.subarray(0, 6).toString("latin1")).toBe("GIF89a");
    expect(gif.includes("NETSCAPE2.0")).toBe(true);
    expect(gif.readUInt16LE(6)).toBeLessThanOrEqual(1280);
    const delays = gifDelays(gif);
    expect(delays.length).toBe(100);
    expect(delays.reduce((sum, ms) => sum + ms, 0)).toBe(8000);
  },
);

/** Elements of an EBML file with this id, inside those that hold others, as they come. */
function ebml(file: Buffer, wanted: number): readonly Buffer[] {
  const holders = [0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0xe0];
  const found: Buffer[] = [];
  const walk = (from: number, to: number): void => {
    for (let at = from; at < to;) {
      const wide = Math.clz32(file.readUInt8(at)) - 23;
      const id = file.readUIntBE(at, wide);
      at += wide;
      const long = Math.clz32(file.readUInt8(at)) - 23;
      // A size is up to eight bytes; the first says how many, and no file of ours needs the upper
      // two.
      const size = [...file.subarray(at, at + long)].reduce(
        (sum, byte, index) => sum * 256 + (index === 0 ? byte & ((1 << (8 - long)) - 1) : byte),
        0,
      );
      at += long;
      if (id === wanted) found.push(file.subarray(at, at + size));
      if (holders.includes(id)) walk(at, at + size);
      at += size;
    }
  };
  walk(0, file.length);
  return found;
}

test("a WebM has as many frames as planned, and the browser plays it", async ({ lab }) => {
  await lab.open(QUICK);
  await openPictures(lab);
  await lab.get("picture-length").selectOption("4");
  const webm = await saved(lab, "webm");
  await expect(lab.get("picture-said")).toContainText("120 frames, 4 s");
  expect(webm.readUInt32BE(0)).toBe(0x1a45dfa3);
  expect(ebml(webm, 0xa3).length).toBe(120);
  const blank = await lab.page.context().newPage();
  const film = await blank.evaluate(async (base64) => {
    const video = document.createElement("video");
    video.src = `data:video/webm;base64,${base64}`;
    await new Promise((done, fail) => {
      video.onloadeddata = done;
      video.onerror = () => fail(new Error(video.error?.message));
    });
    return { seconds: video.duration, width: video.videoWidth };
  }, webm.toString("base64"));
  expect(film.seconds).toBeCloseTo(4, 0);
  expect(film.width % 2).toBe(0);
});

test(
  "a film that is being made can be cancelled: no file comes, and the next one can be made",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await openPictures(lab);
    let files = 0;
    lab.page.on("download", () => (files += 1));
    const frames: Readonly<Record<FilmFormat, string>> = { webm: "900", gif: "100" };
    for (const format of FILM_FORMATS) {
      await lab.get("picture-length").selectOption("30");
      await lab.get(`picture-${format}`).click();
      await expect(lab.get("picture-progress")).toHaveAttribute("max", frames[format]);
      await lab.get("picture-cancel").click();
      await expect(lab.get("picture-said")).toHaveText("Cancelled. No file was saved.");
      expect(files).toBe(0);
    }
    await lab.page.keyboard.press("Escape");
    await expect(
      lab.get("picture"),
      "Escape closes the window although the button that had the focus is gone",
    ).toHaveCount(0);
    await openPictures(lab);
    await saved(lab, "svg");
  },
);

test("a browser without WebCodecs says so, and still makes a GIF", async ({ lab }) => {
  await lab.page.addInitScript(() => Reflect.deleteProperty(window, "VideoEncoder"));
  await lab.open(QUICK);
  await openPictures(lab);
  await expect(lab.get("picture-webm")).toBeDisabled();
  await expect(lab.get("picture")).toContainText(
    "This browser has no WebCodecs and cannot write WebM: save a GIF.",
  );
  await expect(lab.get("picture-gif")).toBeEnabled();
});

test(
  "histograms and the wake-ups behind a bar are files with exact figures, too",
  LONG,
  async ({ lab }) => {
    await lab.open(QUICK);
    await lab.dock("latency");
    const exported = async (id: string): Promise<string> => {
      const [file] = await Promise.all([lab.page.waitForEvent("download"), lab.get(id).click()]);
      return readFile(await file.path(), "utf8");
    };
    const bars = JSON.parse(await exported("latency-json")) as readonly {
      readonly side: string;
      readonly wake_ups: number;
    }[];
    const shown = lab.get("histogram-a").locator("[data-count]");
    const counts = await shown.evaluateAll((all) =>
      all.map((each) => Number(each.getAttribute("data-count"))),
    );
    expect(bars.filter(({ side }) => side === "A").map(({ wake_ups }) => wake_ups)).toEqual(counts);
    expect((await exported("latency-csv")).split("\r\n")[0]).toMatch(
      /^side,from_ns,to_ns,wake_ups,\w+_ns/,
    );
    await shown.first().press("Enter");
    const wakes = JSON.parse(await exported("wake-list-json")) as readonly unknown[];
    expect(wakes.length).toBe(counts[0]);
  },
);
