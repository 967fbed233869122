// What the page looks like on sheets of paper, as far as a file of them shows without being drawn:
// how many there are, and the pictures on them.

import { inflateSync } from "node:zlib";
import type { Lab } from "./lab.ts";

interface Printed {
  readonly pages: number;
  readonly images: readonly PrintedImage[];
}

interface PrintedImage {
  readonly width: number;
  readonly height: number;
  /** Share of its dots that are neither black, white nor grey. */
  readonly hue: number;
  /** Share that is white. */
  readonly white: number;
}

/**
 * A file holds its pictures as rows of dots, red, green and blue; what is clear of them is a
 * picture of its own.
 */
export async function printed(
  lab: Lab,
  options: { readonly landscape?: boolean } = {},
): Promise<Printed> {
  const file = (await lab.page.pdf({ format: "A4", ...options })).toString("latin1");
  const images = [
    ...file.matchAll(/<<\/Type \/XObject\n\/Subtype \/Image\n([^>]+)>>\s*stream\r?\n/g),
  ].flatMap((found) => {
    const [width = 0, height = 0, length = 0] = ["Width", "Height", "Length"].map((name) =>
      Number(new RegExp(`/${name} (\\d+)`).exec(found[1] ?? "")?.[1]),
    );
    if (!found[1]?.includes("/ICCBased")) return [];
    const from = found.index + found[0].length;
    return [
      {
        width,
        height,
        ...coloursOf(inflateSync(Buffer.from(file.slice(from, from + length), "latin1"))),
      },
    ];
  });
  return { pages: file.match(/\/Type \/Page\b/g)?.length ?? 0, images };
}

/** Channels this far apart are a hue. */
const APART = 40;

function coloursOf(dots: Buffer): Pick<PrintedImage, "hue" | "white"> {
  let [hue, white] = [0, 0];
  for (let at = 0; at + 2 < dots.length; at += 3) {
    const channels = [...dots.subarray(at, at + 3)];
    if (Math.max(...channels) - Math.min(...channels) > APART) hue += 1;
    if (Math.min(...channels) === 255) white += 1;
  }
  return { hue: (hue * 3) / dots.length, white: (white * 3) / dots.length };
}
