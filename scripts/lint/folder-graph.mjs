// Which folder of src/ imports which, read from the files' text, and the circles in it. Type
// imports count: a reader follows them too.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\()\s*"(\.[^"]+)"/g;

/**
 * For each folder below `src`, the folders it imports from, each with the first pair of files.
 * Files that `isLeftOut` names do not count.
 */
export function readImports(src, isLeftOut) {
  const graph = new Map();
  for (const file of filesOf(src)) {
    const from = below(src, file);
    if (isLeftOut(from)) continue;
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(SPECIFIER)) {
      const target = resolve(dirname(file), specifier);
      if (existsSync(target)) add(graph, from, below(src, target));
    }
  }
  return graph;
}

/**
 * Folder to folder, with the files that import.
 * @typedef {ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>} FolderGraph
 */

/**
 * The circle of folders that the import of `to` by `from` closes, in words; undefined if none.
 * @param {FolderGraph} graph
 * @param {string} from
 * @param {string} to
 * @returns {string | undefined}
 */
export function circleThrough(graph, from, to) {
  const [start, end] = [dirname(from), dirname(to)];
  if (start === end) return undefined;
  const way = wayBetween(graph, end, start);
  if (way === undefined) return undefined;
  const steps = way.map(
    ([folder, next, [file, imported]]) => `src/${folder} → src/${next} (${file} → ${imported})`,
  );
  return `a circle of folders: src/${start} → src/${end} (${from} → ${to}), ${steps.join(", ")}`;
}

function wayBetween(graph, start, end) {
  /** @type {Map<string, any>} */
  const cameBy = new Map([[start, undefined]]);
  const waiting = [start];
  for (const folder of waiting) {
    if (folder === end) return stepsTo(cameBy, end);
    for (const [next, files] of graph.get(folder) ?? []) {
      if (cameBy.has(next)) continue;
      cameBy.set(next, [folder, next, files]);
      waiting.push(next);
    }
  }
  return undefined;
}

function stepsTo(cameBy, end) {
  const steps = [];
  for (let step = cameBy.get(end); step !== undefined; step = cameBy.get(step[0]))
    steps.unshift(step);
  return steps;
}

function add(graph, from, to) {
  const [source, target] = [dirname(from), dirname(to)];
  if (source === target) return;
  const known = graph.get(source) ?? new Map();
  if (!known.has(target)) known.set(target, [from, to]);
  graph.set(source, known);
}

function below(src, file) {
  return relative(src, file).split(sep).join("/");
}

function filesOf(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesOf(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}
