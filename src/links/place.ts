// Which page of the site a path names. A path that names none is never taken for another: it is
// refused with what it may have meant.

import { nearest } from "../lib/nearest.ts";
import { plainText } from "../engine/plain.ts";
import type { LinkProblem } from "./link-types.ts";

export type Place =
  | { readonly kind: "home" }
  | { readonly kind: "preset"; readonly slug: string }
  | { readonly kind: "own" }
  | { readonly kind: "unknown" };

/** The scenario of the front page, first in every list. */
export const FIRST_SLUG = "rt-pull-herd";

/** Pages at the root that are no scenario. */
const PAGES =
  "lab glossary sources model claims versions trace decisions known-gaps command-line scenario-format".split(
    " ",
  );

/** Longest path that is repeated in a message, characters. */
const TOLD_MAX = 80;

/**
 * Path of the site's root with its closing slash, from the address of one of the page's own
 * scripts. The page's own address may have any depth, as typed, when a host answers with 404.html.
 */
export function rootOf(scriptUrl: string): string {
  return new URL(scriptUrl).pathname.replace(/(?:assets|src\/app)\/[^/]*$/, "");
}

/** What the path names below the site's root. */
export function placeOf(pathname: string, root: string): Place {
  const below = pathname.startsWith(root)
    ? pathname.slice(root.length)
    : pathname === root.slice(0, -1)
      ? ""
      : undefined;
  const page = below?.replace(/(^|\/)index\.html$/, "").replace(/\/$/, "");
  if (page === "") return { kind: "home" };
  if (page === "lab") return { kind: "own" };
  const slug = /^s\/([a-z0-9-]+)$/.exec(page ?? "")?.[1];
  return slug === undefined ? { kind: "unknown" } : { kind: "preset", slug };
}

/** Why nothing opens there, and the page that is nearest; what the fragment says stays with it. */
export function unknownPlace(
  pathname: string,
  root: string,
  fragment: string,
  slugs: readonly string[],
): LinkProblem {
  const below = decoded(pathname.startsWith(root) ? pathname.slice(root.length) : pathname);
  const words = below.split("/").filter((word) => word !== "" && word !== "index.html");
  const [only] = words;
  const slug = words.map((word) => nearest(word, slugs)).findLast((each) => each !== undefined);
  const page = words.length === 1 && only !== undefined ? nearest(only, PAGES) : undefined;
  const path = slug !== undefined ? `s/${slug}/` : page && `${page}/`;
  const shown = plainText(below.length > TOLD_MAX ? `${below.slice(0, TOLD_MAX)}…` : below);
  return {
    code: "no_page",
    slug: undefined,
    path: shown,
    ...(path === undefined ? {} : { near: nearTo(path, fragment) }),
  };
}

/** No scenario has this name. */
export function unknownPreset(
  slug: string,
  fragment: string,
  slugs: readonly string[],
): LinkProblem {
  const near = nearest(slug, slugs);
  return {
    code: "no_preset",
    slug,
    ...(near === undefined ? {} : { near: nearTo(`s/${near}/`, fragment) }),
  };
}

function nearTo(path: string, fragment: string): string {
  return fragment === "" ? path : `${path}#${fragment}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A broken escape: the path as it came.
  }
}
