// Shapes as a PDF of one page. Words are set in the fonts that every reader has (Helvetica,
// Courier), as wide as they were measured; what these fonts lack becomes "?", and is reported.
// Nothing is dated: the same shapes give the same bytes.

import { PDFDocument, PDFName, StandardFonts, type PDFFont, type PDFRef } from "@cantoo/pdf-lib";
import type { Box, Command, Font, Shape, Tile } from "./shapes.ts";
import { pixelRects } from "./shapes.ts";
import type { Page } from "./svg.ts";

/** Points to a CSS px. */
const POINTS = 0.75;
/** Copies of a texture, side by side, in the piece that is repeated. */
const REPEATS = 16;

export interface Pdf {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Characters that no font had, each once. */
  readonly missing: string;
}

export async function pdfOf(shapes: readonly Shape[], page: Page): Promise<Pdf> {
  const writer = await PdfWriter.begin(page);
  for (const shape of shapes) await writer.add(shape);
  return writer.finish(page);
}

const FONTS = {
  sans: StandardFonts.Helvetica,
  sansBold: StandardFonts.HelveticaBold,
  mono: StandardFonts.Courier,
  monoBold: StandardFonts.CourierBold,
} as const;
type FontName = keyof typeof FONTS;

interface KnownFont {
  readonly font: PDFFont;
  readonly has: ReadonlySet<number>;
}

class PdfWriter {
  private readonly lines: string[] = [];
  private readonly missing = new Set<string>();
  private readonly tiles = new Map<Tile, string>();
  private readonly forms: Record<string, PDFRef> = {};
  private readonly states: Record<string, { readonly ca: number; readonly CA: number }> = {};

  private constructor(
    private readonly document: PDFDocument,
    private readonly fonts: Readonly<Record<FontName, KnownFont>>,
  ) {}

  static async begin({ title, about, background, width, height }: Page): Promise<PdfWriter> {
    const document = await PDFDocument.create({ updateMetadata: false });
    document.setTitle(title);
    document.setSubject(about);
    document.setCreator("schedscope");
    const known = async (name: FontName): Promise<KnownFont> => {
      const font = await document.embedFont(FONTS[name]);
      return { font, has: new Set(font.getCharacterSet()) };
    };
    const fonts = {
      sans: await known("sans"),
      sansBold: await known("sansBold"),
      mono: await known("mono"),
      monoBold: await known("monoBold"),
    };
    const writer = new PdfWriter(document, fonts);
    writer.lines.push(`${inkOf(background)} rg`, `0 0 ${number(width)} ${number(height)} re f`);
    return writer;
  }

  async add(shape: Shape): Promise<void> {
    switch (shape.kind) {
      case "rect":
        this.faint(shape.alpha, [`${inkOf(shape.colour)} rg`, rectPath(shape.box), "f"]);
        break;
      case "path":
        this.path(shape);
        break;
      case "text":
        this.text(shape);
        break;
      case "tile":
        this.tile(shape);
        break;
      case "image":
        await this.image(shape);
        break;
      case "clip":
        this.lines.push("q", ...pathLines(shape.commands), "W n");
        break;
      case "unclip":
        this.lines.push("Q");
    }
  }

  private faint(alpha: number, lines: readonly string[]): void {
    if (alpha === 1) {
      this.lines.push(...lines);
      return;
    }
    const name = `G${Math.round(alpha * 100)}`;
    this.states[name] = { ca: alpha, CA: alpha };
    this.lines.push("q", `/${name} gs`, ...lines, "Q");
  }

  private path({ commands, fill, stroke, alpha }: Extract<Shape, { readonly kind: "path" }>): void {
    const inks = fill === undefined ? [] : [`${inkOf(fill)} rg`];
    const pen =
      stroke === undefined
        ? []
        : [
            `${inkOf(stroke.colour)} RG`,
            `${number(stroke.width)} w`,
            `[${stroke.dash.join(" ")}] 0 d`,
          ];
    this.faint(alpha, [
      ...inks,
      ...pen,
      ...pathLines(commands),
      fill === undefined ? "S" : stroke === undefined ? "f" : "B",
    ]);
  }

  private text({
    text,
    x,
    y,
    width,
    font,
    colour,
    alpha,
  }: Extract<Shape, { readonly kind: "text" }>): void {
    if (text === "") return;
    const name = fontName(font);
    const known = this.fonts[name];
    const words = Array.from(text, (character) => {
      if (known.has.has(character.codePointAt(0) ?? 0)) return character;
      this.missing.add(character);
      return "?";
    }).join("");
    const squeeze = (100 * width) / Math.max(0.01, known.font.widthOfTextAtSize(words, font.size));
    this.faint(alpha, [
      "BT",
      `${inkOf(colour)} rg`,
      `/${name} ${number(font.size)} Tf`,
      `${number(squeeze)} Tz`,
      // The page counts from its top, letters are upright.
      `1 0 0 -1 ${number(x)} ${number(y)} Tm`,
      `${known.font.encodeText(words).toString()} Tj`,
      "ET",
    ]);
  }

  private tile({ box, anchorX, tile }: Extract<Shape, { readonly kind: "tile" }>): void {
    const name = this.tileForm(tile);
    const wide = tile.width * tile.size * REPEATS;
    this.lines.push("q", rectPath(box), "W n");
    for (let x = anchorX; x < box.x + box.width; x += wide) {
      if (x + wide > box.x)
        this.lines.push(`q 1 0 0 1 ${number(x)} ${number(box.y)} cm /${name} Do Q`);
    }
    this.lines.push("Q");
  }

  private tileForm(tile: Tile): string {
    const known = this.tiles.get(tile);
    if (known !== undefined) return known;
    const name = `T${this.tiles.size + 1}`;
    this.tiles.set(tile, name);
    const rects = pixelRects(tile);
    const lines = [`${number(tile.size)} 0 0 ${number(tile.size)} 0 0 cm`];
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      for (const each of rects)
        lines.push(
          `${inkOf(each.colour)} rg`,
          rectPath({ ...each, x: each.x + repeat * tile.width }),
          "f",
        );
    }
    const size = [0, 0, tile.width * tile.size * REPEATS, tile.height * tile.size];
    const { context } = this.document;
    this.forms[name] = context.register(
      context.flateStream(lines.join("\n"), {
        Type: "XObject",
        Subtype: "Form",
        BBox: size,
        Resources: {},
      }),
    );
    return name;
  }

  private async image({ box, png }: Extract<Shape, { readonly kind: "image" }>): Promise<void> {
    const image = await this.document.embedPng(png);
    const name = `I${Object.keys(this.forms).length + 1}`;
    this.forms[name] = image.ref;
    const place = [box.width, 0, 0, -box.height, box.x, box.y + box.height].map(number).join(" ");
    this.lines.push(`q ${place} cm /${name} Do Q`);
  }

  async finish({ width, height, scale }: Page): Promise<Pdf> {
    const { document, fonts, forms, states } = this;
    const to = POINTS * scale;
    const page = document.addPage([width * to, height * to]);
    const content = [
      `${number(to)} 0 0 ${number(-to)} 0 ${number(height * to)} cm`,
      ...this.lines,
    ].join("\n");
    page.node.set(
      PDFName.of("Contents"),
      document.context.register(document.context.flateStream(content)),
    );
    for (const [name, { font }] of Object.entries(fonts))
      page.node.setFontDictionary(PDFName.of(name), font.ref);
    for (const [name, ref] of Object.entries(forms)) page.node.setXObject(PDFName.of(name), ref);
    for (const [name, state] of Object.entries(states))
      page.node.setExtGState(PDFName.of(name), document.context.obj({ ...state }));
    const bytes = await document.save({ addDefaultPage: false, useObjectStreams: false });
    return { bytes: new Uint8Array(bytes), missing: [...this.missing].join(" ") };
  }
}

function fontName({ weight, mono }: Font): FontName {
  if (mono) return weight >= 600 ? "monoBold" : "mono";
  return weight >= 600 ? "sansBold" : "sans";
}

/** `#RRGGBB` as three shares. */
function inkOf(colour: string): string {
  return [1, 3, 5].map((at) => number(parseInt(colour.slice(at, at + 2), 16) / 255)).join(" ");
}

function rectPath({ x, y, width, height }: Box): string {
  return `${number(x)} ${number(y)} ${number(width)} ${number(height)} re`;
}

const OPERATORS = { M: "m", L: "l", C: "c", Z: "h" } as const;

function pathLines(commands: readonly Command[]): readonly string[] {
  return commands.map(({ op, at }) => [...at.map(number), OPERATORS[op]].join(" "));
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000 + 0);
}
