// The pictures that scripts/pictures/pictures.mjs has drawn, as the site has them: files of `pictures/`, the
// words of a page's head that name its own, and for the page a list of the tiles there are. A
// scenario without pictures is shown without.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { DrawnStage } from "./shell.ts";

const MODULE = "virtual:pictures";
const RESOLVED = `\0${MODULE}`;
/** Dots of a card. */
const CARD = { width: 1200, height: 630 };

interface Drawn {
  /** In `target/pictures`. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly alt: string;
}

/** A picture that the site has. */
interface SitePicture {
  /** Below the site's root. */
  readonly fileName: string;
  readonly source: Buffer;
  readonly alt: string;
}

function drawnOf(root: string): readonly (readonly [slug: string, drawn: Drawn])[] {
  const home = join(root, "target", "pictures");
  const manifest = join(home, "manifest.json");
  if (!existsSync(manifest)) return [];
  const drawn = JSON.parse(readFileSync(manifest, "utf8")) as Readonly<Record<string, Drawn>>;
  return Object.entries(drawn).filter(([, { folder }]) => existsSync(join(home, folder)));
}

/** All pictures of the site. */
export function sitePictures(root: string): readonly SitePicture[] {
  return drawnOf(root).flatMap(([, { folder, files, alt }]) =>
    files.map((file) => ({
      fileName: `pictures/${file}`,
      source: readFileSync(join(root, "target", "pictures", folder, file)),
      alt,
    })),
  );
}

/** `export const TILES` of `virtual:pictures`: by scenario, what its tile says. */
export function picturesModule(root: string): Plugin {
  return {
    name: "schedscope-pictures",
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      return `export const TILES = ${JSON.stringify(Object.fromEntries(drawnOf(root).map(([slug, { alt }]) => [slug, alt])))};`;
    },
  };
}

/** The drawn stage of a scenario; none where it was not drawn. */
export function stageOf(pictures: readonly SitePicture[], slug: string): DrawnStage | undefined {
  const [dark, light] = ["dark", "light"].map((theme) =>
    pictures.find(({ fileName }) => fileName === `pictures/stage-${slug}-${theme}.svg`),
  );
  return dark === undefined || light === undefined
    ? undefined
    : { files: { dark: dark.fileName, light: light.fileName }, alt: dark.alt };
}

/** The card of a page in `folder`, for who has no scripts; none where it was not drawn. */
export function cardOf(pictures: readonly SitePicture[], folder: string): SitePicture | undefined {
  return pictures.find(({ fileName }) => fileName === `pictures/${folder.replace("/", "-")}.png`);
}

/**
 * `content` of the head's `meta` elements by name; `up`: the way to the site's root, or its
 * address.
 */
export function previewOf(
  pictures: readonly SitePicture[],
  folder: string,
  up: string,
): readonly (readonly [name: string, content: string])[] {
  const card = cardOf(pictures, folder);
  if (card === undefined) return [];
  return [
    ["og:image", `${up}${card.fileName}`],
    ["og:image:width", String(CARD.width)],
    ["og:image:height", String(CARD.height)],
    ["og:image:alt", card.alt],
    ["twitter:card", "summary_large_image"],
  ];
}
