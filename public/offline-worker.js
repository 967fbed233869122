// Keeps a copy of the whole site and serves it when there is no network (docs/use/offline.md). Files
// are kept by their content: only the changed files of a newer build are fetched, and a page sees
// the files of one build alone. The worker answers only for files of the list: the browser makes
// any other request, under the page's policy.

/**
 * The build writes the list: path below this file's folder, of a page its folder, and SHA-256 of
 * what is in it, in base64.
 */
const FILES = {};

const ROOT = new URL("./", self.location.href);
const CACHE = `schedscope offline ${ROOT.pathname}`;
/** What a host shows for a page it does not have. */
const MISSING = "404.html";
/** So many files are fetched at a time: the page's own requests go first. */
const AT_ONCE = 4;

const paths = Object.keys(FILES);
const addressOf = (path) => new URL(path, ROOT).href;
const keyOf = (path) => `${addressOf(path)}?${new URLSearchParams({ sha256: FILES[path] })}`;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  // A viewer said so; until then the older build stays with the pages that it began.
  if (event.data === "take over") event.waitUntil(self.skipWaiting());
  // What a browser threw away meanwhile is fetched again.
  else if (event.data === "news") event.waitUntil(tidy().then(keepAll));
});

self.addEventListener("fetch", (event) => {
  const answer = event.request.method === "GET" ? answerTo(event.request) : undefined;
  if (answer !== undefined) event.respondWith(answer);
});

let keeping;

/** Once at a time, whoever asks. */
function keepAll() {
  keeping ??= keepMissing().finally(() => (keeping = undefined));
  return keeping;
}

/**
 * Fetches the missing files and reports the progress to every page. Fetched files stay even if the
 * rest fail.
 */
async function keepMissing() {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  const todo = paths.filter((path) => !here.has(keyOf(path)));
  let missing = todo.length;
  await report(missing);
  const work = async () => {
    for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
      const came = await keep(cache, path)
        .then(() => true)
        .catch(() => false);
      if (came) await report((missing -= 1));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (missing === 0) return;
  await report(missing, true);
  throw new Error(`${missing} of ${paths.length} files did not come`);
}

/**
 * The browser compares with the list: a file of another build, or one that a host changed, is
 * refused.
 */
async function keep(cache, path) {
  // The name of an asset changes with what is in it.
  const fresh = path.startsWith("assets/") ? "default" : "no-cache";
  const response = await fetch(addressOf(path), {
    integrity: `sha256-${FILES[path]}`,
    cache: fresh,
    priority: "low",
  });
  // A page may not be opened with an answer that was redirected.
  await cache.put(
    keyOf(path),
    response.redirected ? new Response(response.body, { headers: response.headers }) : response,
  );
}

async function report(missing, failed = false) {
  for (const page of await pages())
    page.postMessage({
      schedscope: "offline",
      have: paths.length - missing,
      of: paths.length,
      failed,
    });
}

async function pages() {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url }) => url.startsWith(ROOT.href));
}

/** Forgets files of older builds, unless a page that was opened with one may still ask for them. */
async function tidy() {
  const { installing, waiting } = self.registration;
  if (installing !== null || waiting !== null || (await pages()).length > 1) return;
  const cache = await caches.open(CACHE);
  const listed = new Set(paths.map(keyOf));
  const old = (await cache.keys()).filter(({ url }) => !listed.has(url));
  await Promise.all(old.map((key) => cache.delete(key)));
}

/** Undefined: not ours to answer. */
function answerTo(request) {
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== ROOT.origin || !pathname.startsWith(ROOT.pathname)) return undefined;
  const path = pathname.slice(ROOT.pathname.length).replace(/(^|\/)index\.html$/, "$1");
  if (Object.hasOwn(FILES, path)) return kept(path, request);
  if (Object.hasOwn(FILES, `${path}/`))
    return Promise.resolve(Response.redirect(`${addressOf(`${path}/`)}${search}`, 301));
  if (request.mode === "navigate") return fetch(request).catch(() => missingPage());
  return path.startsWith("assets/") ? older(path, request) : undefined;
}

async function kept(path, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(keyOf(path))) ?? fetch(request);
}

/** A part of the build that an open page began with. */
async function older(path, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(addressOf(path), { ignoreSearch: true })) ?? fetch(request);
}

async function missingPage() {
  const cache = await caches.open(CACHE);
  const page = await cache.match(keyOf(MISSING));
  return page === undefined
    ? Response.error()
    : new Response(page.body, { status: 404, headers: page.headers });
}
