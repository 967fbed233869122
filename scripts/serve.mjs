// A static file server for the built site, on loopback unless `--host` states another address; the
// archive of the site contains it. It behaves like a plain static host: right MIME types, a folder
// answers with its index.html, nothing outside the folder is reachable, nothing is rewritten.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, relative, sep } from "node:path";
import { Explained, ROOT, isMain, main } from "./lib/run.mjs";

/** @type {Record<string, string>} */
const MIME = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Serves `folder` at `base` ("/" or "/deep/sub/") to `host`: 127.0.0.1 for this machine, 0.0.0.0
 * for every machine that reaches it. With a stated port that is taken it fails; without one it
 * tries the next twenty. Returns the address and a function that stops the server.
 * @param {{ folder?: string, base?: string, host?: string, port?: number, firstPort?: number }} options
 * @returns {Promise<{ readonly address: string, stop(): Promise<void> }>}
 */
export async function serve({
  folder = join(ROOT, "dist"),
  base = "/",
  host = "127.0.0.1",
  port,
  firstPort = 4173,
} = {}) {
  const server = createServer((request, response) => answer(folder, base, request, response));
  const ports =
    port === undefined ? Array.from({ length: 20 }, (_, index) => firstPort + index) : [port];
  for (const candidate of ports) {
    if (await listens(server, candidate, host)) {
      const bound = /** @type {import("node:net").AddressInfo} */ (server.address());
      return {
        address: `http://${host}:${bound.port}${base}`,
        stop: () => stop(server),
      };
    }
  }
  throw new Explained(`port ${ports.join(", ")} is taken: choose another with \`-- --port N\``);
}

/** The number of a port in an option. */
export function portOf(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port < 65_536) return port;
  throw new Explained(`--port: expected a number from 0 to 65535, got "${text}"`);
}

/** @returns {Promise<boolean>} */
function listens(server, port, host) {
  return new Promise((done, fail) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" ? done(false) : fail(error)));
    server.listen(port, host, () => done(true));
  });
}

/** @returns {Promise<void>} */
function stop(server) {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

function answer(folder, base, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405);
  const path = pathOf(request.url);
  if (path === undefined || !path.startsWith(base)) return refuse(response, 404);
  const file = normalize(join(folder, path.slice(base.length)));
  if (file !== folder && !file.startsWith(folder + sep)) return refuse(response, 404);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory() && !path.endsWith("/")) return redirect(response, `${path}/`);
  const wanted = stats?.isDirectory() ? join(file, "index.html") : file;
  if (statSync(wanted, { throwIfNoEntry: false })?.isFile())
    return send(request, response, wanted, 200, needsEmbedder(relative(folder, wanted)));
  // A path that looks like a page, a folder without one included, gets the site's own 404.html, as
  // static hosts do; a missing file a bare 404.
  const isPage = path.endsWith("/") || ["", ".html"].includes(extname(path));
  return isPage ? send(request, response, join(folder, "404.html"), 404) : refuse(response, 404);
}

function pathOf(url = "/") {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined; // A broken escape names no file.
  }
}

function send(request, response, file, status, embedder = false) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return refuse(response, 404);
  response.writeHead(status, {
    "Content-Type": MIME[extname(file)] ?? "application/octet-stream",
    "Content-Length": stats.size,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    // Decks and pages of other sites import the helpers, and a frame without an origin counts as
    // another site. Nothing here is secret.
    "Access-Control-Allow-Origin": "*",
    // A page with a Cross-Origin-Embedder-Policy frames only documents that allow it and have such
    // a policy themselves; the workers of such a document need one, too.
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(embedder ? { "Cross-Origin-Embedder-Policy": "require-corp" } : {}),
  });
  if (request.method === "HEAD") return response.end();
  return createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}

/** Embeds, and scripts: any of them may be a worker's. `path` is below the site's folder. */
function needsEmbedder(path) {
  return extname(path) === ".js" || path.startsWith(`embed${sep}`);
}

function redirect(response, location) {
  response.writeHead(301, { Location: encodeURI(location) }).end();
}

function refuse(response, status) {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${status}\n`);
}

if (isMain(import.meta.url)) {
  await main(
    async ({ port, host = "127.0.0.1", base = "/" }) => {
      const { address } = await serve({
        base,
        host,
        ...(port === undefined ? {} : { port: portOf(port) }),
      });
      console.log(address);
    },
    { port: "N", host: "ADDRESS", base: "/FOLDER/" },
  );
}
