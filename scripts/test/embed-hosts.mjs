// `node scripts/test/embed-hosts.mjs`: embeds inside a real deck of Slidev and real notebooks of
// Jupyter. Both are hundreds of megabytes, so that they are no packages of the project: they are
// installed below target/, at the releases named here. What goes into the deck and the notebook is
// what docs/use/embeds.md shows. The site must be built (`npm run build`); e2e/hosts.spec.ts tests.
// `npm run test:long` does the same.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, isMain, main, runBin, say } from "../lib/run.mjs";

const FOLDER = join(ROOT, "target", "embed-hosts");

// UnoCSS is pinned as well: Slidev takes any newer release of it, and its packages work together
// only at one release.
const UNOCSS = "66.10.4";
const SLIDEV = {
  "@slidev/cli": "52.20.1",
  "@unocss/extractor-mdc": UNOCSS,
  "@unocss/preset-mini": UNOCSS,
  "@unocss/reset": UNOCSS,
  unocss: UNOCSS,
};
const JUPYTER = ["nbconvert==7.17.2", "ipykernel==7.4.0", "notebook==7.6.5"];

/**
 * Tries the embed in each host that can be had. Returns a sentence on each; throws when a test
 * fails.
 */
export async function tryHosts() {
  const hosts = [
    { name: `Slidev ${SLIDEV["@slidev/cli"]}`, env: deck() },
    { name: `Jupyter (${JUPYTER.join(", ").replaceAll("==", " ")})`, env: notebook() },
  ];
  const had = hosts.filter(({ env }) => env !== undefined);
  if (had.length > 0) {
    const env = Object.assign({}, ...had.map((host) => host.env));
    await runBin("@playwright/test", ["test", "hosts"], { env });
  }
  const told = hosts.map(({ name, env }) =>
    env === undefined
      ? `${name}: not tried, because it could not be installed`
      : `${name}: embeds load, play and walk as docs/use/embeds.md says`,
  );
  told.forEach(say);
  return told;
}

/** The code under a heading of docs/use/embeds.md, by its language. */
function documented(heading, language) {
  const text = readFileSync(join(ROOT, "docs", "use", "embeds.md"), "utf8");
  const [, section = ""] = text.split(new RegExp(`^## ${heading}\n`, "m"));
  const [, code] = new RegExp(`^\`\`\`${language}\n([^]*?)\`\`\``, "m").exec(section) ?? [];
  if (code === undefined)
    throw new Error(`docs/use/embeds.md: "${heading}" has no code in ${language}`);
  return code;
}

/** Builds a deck whose second slide has the embed; undefined if Slidev cannot be installed. */
function deck() {
  const folder = join(FOLDER, "slidev");
  mkdirSync(folder, { recursive: true });
  if (!slidevInstalled(folder)) return undefined;
  const [iframe] = documented("An embed in a page", "html").split("\n");
  // No theme to install, no fonts of other hosts, and no lock on the screen, which a browser
  // without windows refuses with an error.
  const head = "---\ntheme: none\nwakeLock: false\nfonts:\n  provider: none\n---\n";
  writeFileSync(
    join(folder, "slides.md"),
    [`${head}\n# title\n`, `${iframe}\n`, "# after\n", "# last\n"].join("\n---\n\n"),
  );
  writeFileSync(join(folder, "index.html"), documented("Slidev", "html"));
  // Slidev 52.20.1 writes a rule that its own minifier refuses.
  writeFileSync(
    join(folder, "vite.config.ts"),
    "export default { build: { cssMinify: false } };\n",
  );
  attempt(
    process.execPath,
    [
      join("node_modules", "@slidev", "cli", "bin", "slidev.mjs"),
      "build",
      "slides.md",
      "--out",
      "built",
    ],
    folder,
  );
  return { EMBED_DECK: join(folder, "built") };
}

function slidevInstalled(folder) {
  // Written when all of it is there.
  const done = join(folder, "node_modules", "installed.json");
  const wanted = `${JSON.stringify({ private: true, dependencies: SLIDEV }, undefined, 2)}\n`;
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return true;
  say(
    `installing Slidev ${SLIDEV["@slidev/cli"]} below target/ for a test in a real deck (500 MB)`,
  );
  writeFileSync(join(folder, "package.json"), wanted);
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  if (
    spawnSync("npm", args, { cwd: folder, stdio: "ignore", shell: process.platform === "win32" })
      .status !== 0
  )
    return false;
  writeFileSync(done, wanted);
  return true;
}

/** Runs a notebook and makes a page of it; undefined if Jupyter cannot be installed. */
function notebook() {
  const folder = join(FOLDER, "jupyter");
  const programs = join(folder, "python", process.platform === "win32" ? "Scripts" : "bin");
  const jupyter = join(programs, "jupyter");
  mkdirSync(folder, { recursive: true });
  if (!jupyterInstalled(folder, programs)) return undefined;
  // Settings, and which notebooks are trusted, are not those of the person who tests.
  const own = Object.fromEntries(
    ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"].map((name) => [
      name,
      join(folder, "home", name),
    ]),
  );
  writeFileSync(
    join(folder, "notebook.ipynb"),
    JSON.stringify(notebookOf(documented("Jupyter", "python"))),
  );
  const convert = (...args) =>
    attempt(jupyter, ["nbconvert", "--log-level", "ERROR", ...args], folder, own);
  convert("--to", "notebook", "--execute", "--output", "executed.ipynb", "notebook.ipynb");
  convert("--to", "html", "--output", "notebook.html", "executed.ipynb");
  return { ...own, EMBED_NOTEBOOK: folder, EMBED_JUPYTER: jupyter };
}

function notebookOf(source) {
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    cells: [
      { id: "embed", cell_type: "code", source, metadata: {}, outputs: [], execution_count: null },
    ],
  };
}

function jupyterInstalled(folder, programs) {
  // Written when all of it is there.
  const done = join(folder, "python", "installed.txt");
  const wanted = JUPYTER.join("\n");
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return true;
  say("installing Jupyter below target/ for a test in real notebooks (260 MB)");
  const did = (command, args) => spawnSync(command, args, { stdio: "ignore" }).status === 0;
  const python = process.platform === "win32" ? "python" : "python3";
  if (!did(python, ["-m", "venv", join(folder, "python")])) return false;
  if (!did(join(programs, "python"), ["-m", "pip", "install", "--quiet", ...JUPYTER])) return false;
  writeFileSync(done, wanted);
  return true;
}

/** Runs a host's program in its folder; what it printed explains a failure. */
function attempt(command, args, cwd, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status === 0) return;
  throw new Error(
    `\`${[command, ...args].join(" ")}\` failed: ${error?.message ?? ""}\n${stdout}\n${stderr}`,
  );
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await tryHosts();
  });
}
