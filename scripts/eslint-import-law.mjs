// The import law of docs/develop/architecture.md as a lint rule: a folder of src/ imports only from
// folders to its left.

import { relative, resolve, dirname, sep } from "node:path";

/** Left to right; folders of one group do not import each other. */
export const ORDER = [
  ["lib"],
  ["engine"],
  ["model"],
  ["state"],
  ["timeline", "charts"],
  ["stage"],
  ["panels"],
  ["app", "speaker"],
];

const rank = new Map(ORDER.flatMap((group, index) => group.map((folder) => [folder, index])));

/** Why `from` may not import `to` (folder names of src/), or undefined if it may. */
export function lawBroken(from, to) {
  if (from === to) return undefined;
  const [source, target] = [rank.get(from), rank.get(to)];
  if (source === undefined || target === undefined)
    return `src/${source === undefined ? from : to} is not in the import law`;
  return target < source
    ? undefined
    : `src/${from} must not import from src/${to}: a folder imports only leftwards`;
}

function folderOf(root, file) {
  const parts = relative(resolve(root, "src"), file).split(sep);
  return parts.length > 1 && parts[0] !== ".." ? parts[0] : undefined;
}

export const importLaw = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const from = folderOf(context.cwd, context.filename);
    function check(node) {
      const specifier = node.source?.value;
      if (from === undefined || typeof specifier !== "string" || !specifier.startsWith(".")) return;
      const to = folderOf(context.cwd, resolve(dirname(context.filename), specifier));
      const message = to === undefined ? undefined : lawBroken(from, to);
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
