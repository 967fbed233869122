// Pages and decks of another site that hold embeds of ours. `https://SITE/` means our site in what
// they serve, as in docs/use/embeds.md: where the site under test lies is known only when the test
// runs. This file must not know what an embed shows.

import { readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { expect, type Frame, type Page } from "@playwright/test";

/** A placeholder of the address of our site. */
export const SITE = "https://SITE/";

/** What another site answers to a path. */
export interface Answer {
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};

/**
 * A file of `folder` as a static host sends it; `fallback` if there is none, for pages that read
 * their own address.
 */
export function fileOf(folder: string, path: string, fallback?: string): Answer {
  const asked = join(folder, decodeURIComponent(path));
  const file =
    fallback !== undefined && !statSync(asked, { throwIfNoEntry: false })?.isFile()
      ? join(folder, fallback)
      : asked;
  const type = TYPES[extname(file)];
  return type === undefined
    ? { type: "application/octet-stream", body: readFileSync(file) }
    : { type, body: readFileSync(file, "utf8") };
}

/** Listens on a free port. Returns its address. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** Another site beside ours, `site`: `answer(path)` is what it sends. `use` gets its address. */
export async function withHost(
  site: string,
  answer: (path: string) => Answer,
  use: (address: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    const { type, body, headers = {} } = answer(new URL(request.url ?? "", site).pathname);
    response
      .writeHead(200, { "content-type": type, ...headers })
      .end(typeof body === "string" ? body.replaceAll(SITE, site) : body);
  });
  try {
    await use(await listening(server));
  } finally {
    stop(server);
  }
}

/** The embed of a page that has one, at rest. */
export async function embedOf(page: Page): Promise<Frame> {
  // One that is lazy comes after the page.
  await expect
    .poll(() => page.frames().map((each) => each.url()))
    .toContainEqual(expect.stringContaining("/embed/"));
  const embed = page.frame({ url: /\/embed\// });
  if (embed === null) throw new Error("no embed in the page");
  await rested(embed);
  return embed;
}

export async function rested(frame: Frame): Promise<void> {
  await frame.waitForFunction(() => window.schedscope !== undefined);
  await frame.evaluate(() => window.schedscope?.whenIdle());
}
