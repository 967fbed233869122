// A drawing as PNG. It has at most 256 colours, which is what these pictures have but for the edges
// of letters and strokes: a third of the bytes. No font of the machine is used, so that the same
// drawing gives the same dots everywhere.

import { Resvg } from "@resvg/resvg-js";
import { crc32, deflateSync } from "node:zlib";
import type { Drawing } from "./card.ts";
import { FAMILY, faceFiles } from "./font.ts";

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const PALETTE_MAX = 256;

/** `fonts`: the folder of the faces. */
export function pngOf({ svg, width, height }: Drawing, fonts: string): Buffer {
  const font = {
    loadSystemFonts: false,
    fontFiles: [...faceFiles(fonts)],
    defaultFontFamily: FAMILY,
    sansSerifFamily: FAMILY,
    monospaceFamily: FAMILY,
  };
  const {
    pixels,
    width: wide,
    height: high,
  } = new Resvg(svg, { font, fitTo: { mode: "width", value: width } }).render();
  if (wide !== width || high !== height)
    throw new Error(`drawn as ${wide} x ${high} dots, not ${width} x ${height}`);
  const dots = new Uint32Array(new Uint8Array(pixels).buffer);
  const palette = paletteOf(dots);
  return encoded(palette, indexed(dots, palette), width, height);
}

/**
 * The colours that most dots have: large areas keep theirs exactly, and rare shades of edges take
 * the nearest of them.
 */
function paletteOf(dots: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const dot of dots) counts.set(dot, (counts.get(dot) ?? 0) + 1);
  return [...counts]
    .sort(([one, often], [other, oftenToo]) => oftenToo - often || one - other)
    .slice(0, PALETTE_MAX)
    .map(([dot]) => dot);
}

function indexed(dots: Uint32Array, palette: readonly number[]): Uint8Array {
  const known = new Map(palette.map((dot, index) => [dot, index]));
  return Uint8Array.from(dots, (dot) => {
    const index = known.get(dot) ?? nearestIn(palette, dot);
    known.set(dot, index);
    return index;
  });
}

function nearestIn(palette: readonly number[], dot: number): number {
  let best = 0;
  let least = Infinity;
  palette.forEach((colour, index) => {
    const away = [0, 8, 16].reduce(
      (sum, shift) => sum + (((colour >>> shift) & 255) - ((dot >>> shift) & 255)) ** 2,
      0,
    );
    if (away < least) [best, least] = [index, away];
  });
  return best;
}

function encoded(
  palette: readonly number[],
  indices: Uint8Array,
  width: number,
  height: number,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits a dot
  header[9] = 3; // indexed colour
  const colours = Buffer.from(
    palette.flatMap((dot) => [dot & 255, (dot >>> 8) & 255, (dot >>> 16) & 255]),
  );
  // Every row is preceded by the name of its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
