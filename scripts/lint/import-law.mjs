// The import law of docs/develop/architecture.md as a lint rule. Rooms of src/ have an order,
// and some rooms order their own folders: a folder imports only from folders to its left. Between
// all other folders a circle is refused, with the files that close it.

import { relative, resolve, dirname, sep } from "node:path";
import { circleThrough, readImports } from "./folder-graph.mjs";

/** Left to right; rooms of one group do not import each other. */
export const ROOMS = [
  ["lib"],
  ["engine"],
  ["model"],
  ["scenario"],
  ["links"],
  ["state"],
  ["effects"],
  ["timeline", "charts"],
  ["stage"],
  ["panels"],
  ["app", "speaker", "versions"],
];

/** The order inside a room; the files of the room's own folder come after all of its folders. */
export const INSIDE = {
  model: [
    ["trace"],
    ["tasks"],
    ["locks"],
    ["words"],
    ["compare"],
    ["causes"],
    ["stats", "overload", "rules"],
  ],
  state: [
    ["shape", "area"],
    ["select"],
    ["figures", "compare", "knobs"],
    ["branches", "side-run", "steps", "link", "sweep", "which"],
    ["find", "lessons", "play", "reduce"],
  ],
  effects: [
    [
      "address",
      "branches",
      "document",
      "embed",
      "offline",
      "paste",
      "play",
      "runs",
      "storage",
      "sweep",
      "talk",
    ],
    ["ahead", "idle", "strips"],
  ],
  timeline: [["plot"], ["draw", "input"], ["lanes"], ["marks"], ["tracks"], ["sides"], ["picture"]],
  panels: [
    ["page"],
    ["history", "moments", "offline", "widgets"],
    ["compare", "glossary", "picture", "real", "share", "strips"],
    ["live", "numbers", "variants"],
    ["area", "rules"],
    ["knobs", "latency"],
    ["sweep"],
    ["quota", "story", "which"],
    ["paste"],
    ["picker", "start"],
    ["editor", "palette"],
    ["frame"],
  ],
  app: [["keys"], ["guided"], ["embed", "lesson"], ["talk"]],
};

/** Test support: it imports what it likes, and only tests import it. */
const TESTING = "testing";

const rankIn = (order) =>
  new Map(order.flatMap((group, index) => group.map((name) => [name, index])));
const ROOM_RANK = rankIn(ROOMS);
const INSIDE_RANK = new Map(
  Object.entries(INSIDE).map(([room, order]) => [room, rankIn([...order, [""]])]),
);

/**
 * Why the file `from` may not import the file `to`, both as paths below src/ with `/`; undefined if
 * it may.
 * @param {string} from
 * @param {string} to
 * @returns {string | undefined}
 */
export function lawBroken(from, to) {
  const [source, target] = [from.split("/"), to.split("/")];
  if (target[0] === TESTING) return `src/${from} must not import src/${to}: it is for tests`;
  if (source[0] !== target[0])
    return refusal(ROOM_RANK, source[0], target[0], (room) => `src/${room}`);
  const inside = INSIDE_RANK.get(source[0] ?? "");
  const [folder, other] = [folderIn(source), folderIn(target)];
  if (inside === undefined || folder === other) return undefined;
  return refusal(inside, folder, other, (name) => `src/${source[0]}/${name}`);
}

/** The folder of a room that a file is in; "" for the room's own files. */
function folderIn(path) {
  return path.length > 2 ? path[1] : "";
}

/** @returns {string | undefined} */
function refusal(rank, from, to, name) {
  const unknown = [from, to].find((each) => !rank.has(each));
  if (unknown !== undefined)
    return `${name(unknown)} is not in the import law (scripts/lint/import-law.mjs)`;
  if (rank.get(to) < rank.get(from)) return undefined;
  return `${name(from)} must not import from ${name(to)}: a folder imports only from its left`;
}

/** Tests and their support import what they like. */
export function isTest(file) {
  return file.startsWith(`${TESTING}/`) || /\.test\.tsx?$|(?:^|\/)testing\.ts$/.test(file);
}

let imports;

export const importLaw = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const src = resolve(context.cwd, "src");
    const below = (file) => relative(src, file).split(sep).join("/");
    const from = below(context.filename);
    if (from.startsWith("..") || isTest(from)) return {};
    function check(node) {
      const specifier = node.source?.value;
      if (typeof specifier !== "string" || !specifier.startsWith(".")) return;
      const to = below(resolve(dirname(context.filename), specifier));
      if (to.startsWith("..")) return;
      imports ??= readImports(src, (file) => isTest(file) || file.includes("/gen/"));
      const message = lawBroken(from, to) ?? circleThrough(imports, from, to);
      if (message !== undefined) context.report({ node, message });
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};
