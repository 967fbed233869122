// What the dev server adds to a page that the built site has as a file of its own: which lesson a
// talk presents (`present/herd/`).

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HtmlTagDescriptor, Plugin } from "vite";
import type { Lesson } from "../../src/state/lessons/lesson.ts";

/**
 * The tag by which the page knows its lesson, as site-pages.ts writes it; none where the address is
 * no lesson's talk.
 */
export function lessonTag(root: string, address: string): HtmlTagDescriptor | undefined {
  const id = /^\/present\/([a-z0-9-]+)(?:\/|[?#]|$)/.exec(address)?.[1];
  const file = id === undefined ? undefined : join(root, "lessons", `${id}.json`);
  if (id === undefined || file === undefined || !existsSync(file)) return undefined;
  const lesson = JSON.parse(readFileSync(file, "utf8")) as Lesson;
  const slug = lesson.scenes[0]?.scenario ?? "";
  return {
    tag: "script",
    attrs: { type: "module", "data-slug": slug, "data-lesson": id, src: "/src/app/ahead.ts" },
    injectTo: "body-prepend",
  };
}

export function lessonTalks(root: string): Plugin {
  return {
    name: "schedscope-dev-lessons",
    apply: "serve",
    transformIndexHtml: (_html, { originalUrl = "" }) => {
      const tag = lessonTag(root, originalUrl);
      return tag === undefined ? [] : [tag];
    },
  };
}
