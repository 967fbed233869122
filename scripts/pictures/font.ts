// How wide words are in a TrueType font, read from its tables: pictures are drawn where no browser
// is there to ask. Kerning is left out.

import { readFileSync } from "node:fs";
import type { Ruler } from "../../src/timeline/picture/recorder.ts";

/** The faces that pictures are written in, by weight. */
const FACES = {
  400: "400Regular/Inter_400Regular.ttf",
  600: "600SemiBold/Inter_600SemiBold.ttf",
  700: "700Bold/Inter_700Bold.ttf",
};
export const FAMILY = "Inter";

/** Files of the faces; `folder`: of the package that has them. */
export function faceFiles(folder: string): readonly string[] {
  return Object.values(FACES).map((file) => `${folder}/${file}`);
}

/** Measures words in the face nearest to a canvas font's weight. */
export function faceRuler(folder: string): Ruler {
  const faces = Object.entries(FACES).map(([weight, file]) => ({
    weight: Number(weight),
    face: new Face(readFileSync(`${folder}/${file}`)),
  }));
  return {
    font: "",
    textBaseline: "middle",
    measureText(text) {
      const [, stated = "400", size = "10"] = /^(?:(\d+) )?([\d.]+)px /.exec(this.font) ?? [];
      const face = faces.findLast(({ weight }) => weight <= Number(stated)) ?? faces[0];
      return { width: (face?.face.widthOf(text) ?? 0) * Number(size) } as TextMetrics;
    },
  };
}

/** Advances of a font's letters, in shares of its size. */
class Face {
  private readonly glyphs = new Map<number, number>();
  private readonly advances: readonly number[];

  constructor(private readonly file: Buffer) {
    const unitsPerEm = file.readUInt16BE(this.tableAt("head") + 18);
    const count = file.readUInt16BE(this.tableAt("hhea") + 34);
    const at = this.tableAt("hmtx");
    this.advances = Array.from(
      { length: count },
      (_, glyph) => file.readUInt16BE(at + 4 * glyph) / unitsPerEm,
    );
    this.readGlyphs();
  }

  /** A letter that the font lacks is as wide as its box for what is missing. */
  widthOf(text: string): number {
    const advanceOf = (letter: string): number =>
      this.advances[this.glyphs.get(letter.codePointAt(0) ?? 0) ?? 0] ?? this.advances.at(-1) ?? 0;
    return Array.from(text).reduce((sum, letter) => sum + advanceOf(letter), 0);
  }

  private tableAt(tag: string): number {
    const { file } = this;
    const count = file.readUInt16BE(4);
    const entry = Array.from({ length: count }, (_, index) => 12 + 16 * index).find(
      (at) => file.toString("latin1", at, at + 4) === tag,
    );
    if (entry === undefined) throw new Error(`the font has no table ${tag}`);
    return file.readUInt32BE(entry + 8);
  }

  /** From the segmented table of whole Unicode (format 12), which every face of this family has. */
  private readGlyphs(): void {
    const { file, glyphs } = this;
    const map = this.tableAt("cmap");
    const tables = Array.from(
      { length: file.readUInt16BE(map + 2) },
      (_, index) => map + file.readUInt32BE(map + 8 + 8 * index),
    );
    const table = tables.find((at) => file.readUInt16BE(at) === 12);
    if (table === undefined) throw new Error("the font has no table of letters in format 12");
    const groups = file.readUInt32BE(table + 12);
    for (let group = 0; group < groups; group += 1) {
      const at = table + 16 + 12 * group;
      const [first, last, glyph] = [
        file.readUInt32BE(at),
        file.readUInt32BE(at + 4),
        file.readUInt32BE(at + 8),
      ];
      for (let letter = first; letter <= last; letter += 1)
        glyphs.set(letter, glyph + letter - first);
    }
  }
}
