// What a visitor downloads, in brotli. The script is what the front page's own imports reach, and
// the worker: what is fetched later, when it is asked for, is not waited for.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const ASSETS = "dist/assets";

/** The scripts that `dist/index.html` names and all that they import from the start. */
function firstScripts() {
  const found = new Set();
  const follow = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(posix.join(ASSETS, name), "utf8");
    for (const [, next] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
      follow(next);
  };
  const page = readFileSync("dist/index.html", "utf8");
  for (const [, name] of page.matchAll(/assets\/([\w-]+\.js)"/g)) follow(name);
  if (found.size === 0) throw new Error("dist/index.html names no script");
  const workers = readdirSync(ASSETS).filter((name) => /^engine\.worker-.*\.js$/.test(name));
  return [...found, ...workers].map((name) => posix.join(ASSETS, name));
}

/**
 * What the front page's picture takes before any script: its HTML, styles, the drawn stage of one
 * theme, if it was drawn.
 */
function staticPicture() {
  const page = "dist/index.html";
  const drawn = existsSync("dist/pictures")
    ? readdirSync("dist/pictures").filter((name) => /^stage-.*-dark\.svg$/.test(name))
    : [];
  return [page, ...firstStyles(), ...drawn.map((name) => posix.join("dist/pictures", name))];
}

/** The style sheets that `dist/index.html` names. */
function firstStyles() {
  const named = readFileSync("dist/index.html", "utf8").matchAll(/assets\/([\w-]+\.css)"/g);
  return Array.from(named, ([, name = ""]) => posix.join(ASSETS, name));
}

export default [
  // 5 kB of it copy a run's whole state: snapshots. 6 kB are what every event comes by, inlined: a
  // run takes a fifth less time. 4 kB are hardware noise, device interrupts, RCU callbacks and
  // slice extensions, 1 kB are the laws of waits. 1.9 kB know at once what waits depend on:
  // hackbench takes a third less time, a herd a twentieth. 2.3 kB write down once what many waits
  // that are alike wait for: thousands due at one instant take linear time. 0.7 kB are yield,
  // protection, lag limit and wake-up actions of EEVDF, and softirqs, by release. 2 kB are
  // cpu.pressure of groups, 4.2 kB the fair server by release, the remote tick, wake-ups from inside
  // of kernel work, groups that stay queued, HRTICK and the first CFS. 3 kB are costs that vary, cores
  // with threads, modes of control groups, throttling at the charge, and devices that wake.
  // 5.2 kB are 7.2 and 7.3: threads that gather in a cache, one queue for the tasks of all groups,
  // short slices that preempt. 0.3 kB are a remote tick for each CPU and the escape of 7.3-rc1.
  { name: "engine (wasm)", path: `${ASSETS}/engine_bg-*.wasm`, limit: "197.8 kB", brotli: true },
  // 0.9 kB say where each switch’s value comes from, also where its release did not bring it. 0.4
  // kB are the rules and costs that came with cores and with costs that vary.
  {
    name: "first runs of a shipped scenario",
    path: `${ASSETS}/quota-pinned-*.json`,
    limit: "32.2 kB",
    brotli: true,
  },
  // Fetched when a text is read: no picture of a shipped scenario waits for it. 4 kB of it are spin
  // locks and hardware noise, 5 kB the checks of writes to the running kernel and why one is
  // refused, 4.5 kB the rules of versions that can be stated, with their sources. Half a kilobyte
  // names the era that switches make, what a kernel never had, and what can be set in an object’s
  // place, a fifth the new point of schedule(), 1.5 kB what cpu.stat, cpu.pressure and
  // /proc/schedstat of a version print, 0.5 kB where a step stops, plays slowly,
  // what it asks, and what variants are called, 0.4 kB choices of bets and the version below an
  // unknown one. 3.6 kB are the ranges of releases of every row, how well each value is known, and
  // the rows of 6.17 to 7.1; 3 kB the rows of the fair server and of EEVDF's features, and kernel
  // work that wakes; 0.7 kB those of cores, modes of control groups and devices that wake; 0.4 kB those
  // of 7.2 and 7.3, 1.3 kB the names of 7.1 to 7.3, the escape, and samples that need their stamps.
  // Two builds differ by some hundred bytes.
  {
    name: "reader of scenarios (wasm)",
    path: `${ASSETS}/reader_bg-*.wasm`,
    limit: "190.8 kB",
    brotli: true,
  },
  // Fetched when a person first saves a run for other tools: 23 kB read the setup, and a dozen
  // formats take some 5 kB each. 8 kB follow writes to policies, the end that a run reached and what
  // each tool prints exactly.
  {
    name: "writer of runs (wasm)",
    path: `${ASSETS}/writer_bg-*.wasm`,
    limit: "117.1 kB",
    brotli: true,
  },
  // Fetched after the picture of the lab: lines and files that do the same on a real machine.
  {
    name: "real commands (wasm)",
    path: `${ASSETS}/real_bg-*.wasm`,
    limit: "68.3 kB",
    brotli: true,
  },
  // Fetched when a person asks which change did it. It reads scenarios for two releases, as the
  // reader does, and has the table of kernels in words (35 kB), the plan of runs and the ranking.
  {
    name: "which change did it (wasm)",
    path: `${ASSETS}/bisector_bg-*.wasm`,
    limit: "275.9 kB",
    brotli: true,
  },
  // Fetched when a person first pastes: the readers of all forms of texts, a reader of YAML (50 kB),
  // and the model behind "which limit".
  {
    name: "texts that people paste (wasm)",
    path: `${ASSETS}/paste_bg-*.wasm`,
    limit: "404 kB",
    brotli: true,
  },
  // 1.5 kB describe a side's run after changes of its knobs, the switches that a version moves, and
  // the notice where nothing can run. 0.6 kB name the rules of versions, 0.4 kB answer a key at a
  // thousand CPUs with the rows in view, 0.5 kB keep a mark's text inside the window and give knobs
  // one name in all places. 3.6 kB are questions, answers and names of sides in the texts of all
  // scenarios; the lab's frame, header, line and figures come when it is opened. 4 kB are silos, large
  // lanes, bets and heroes of steps, 0.4 kB brackets over overloaded CPUs, 0.4 kB choices of
  // bets in the texts of scenarios, 0.1 kB a release as it is typed, 0.2 kB brackets around
  // caches and cores. 0.3 kB are the question "Which change did it?" in the state and in links.
  // 0.1 kB start workers of more than one file, 2.7 kB are the texts of five more scenarios.
  {
    name: "script to the first live picture",
    path: firstScripts(),
    limit: "231.9 kB",
    brotli: true,
  },
  {
    name: "first static picture, without script",
    path: staticPicture(),
    limit: "60 kB",
    brotli: true,
  },
  // Half a kilobyte is for paper, a quarter keeps captions, figures and notes whole where there is
  // little room, a fifth gives low phones lanes, a tenth gives lanes room at 400 %, a tenth is for
  // forced colours and low talks. A third is the list of formats of a run, fetched with its window.
  // Since the guided page the lab's answers have a sheet of their own, which comes with the lab: a
  // sheet alone takes 0.4 kB more than as a part of another. 1.3 kB are bets, sizes, symptoms and
  // verbs, each with what it styles; 0.2 kB are countdowns, refills in the hand and what switches
  // come to, 0.1 kB the page of kernel releases, 0.3 kB the answer beside a pasted text.
  { name: "styles of the guided page", path: firstStyles(), limit: "12.8 kB", brotli: true },
  { name: "styles", path: `${ASSETS}/*.css`, limit: "26.3 kB", brotli: true },
];
