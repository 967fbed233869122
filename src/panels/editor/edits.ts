// Changes to a scenario's text that keep everything else: layout, order, comments. All changes are
// made from the tree of the text. That tree has comments and trailing commas although the reader of
// scenarios refuses them: a form must not lose what the writer wrote.

import {
  createScanner,
  findNodeAtLocation,
  parseTree,
  type Node,
  type ParseError,
  type Segment,
} from "jsonc-parser";
import type { TextChange } from "../../scenario/text-fixes.ts";

export type Path = readonly Segment[];

export type Change = TextChange;

/** A text and its tree. */
export interface Doc {
  readonly text: string;
  readonly root: Node | undefined;
  /**
   * Where the text stops being JSON; undefined if it is. Without it no form may change the text.
   */
  readonly brokenAt: number | undefined;
}

export function readDoc(text: string): Doc {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    allowTrailingComma: true,
    disallowComments: false,
    allowEmptyContent: false,
  });
  return {
    text,
    root,
    brokenAt: root?.type === "object" ? errors[0]?.offset : (errors[0]?.offset ?? 0),
  };
}

export function nodeAt({ root }: Doc, path: Path): Node | undefined {
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

/** The members of an object as key, whole member and value. */
export function membersOf(
  node: Node | undefined,
): readonly { readonly key: string; readonly value: Node }[] {
  return (node?.type === "object" ? (node.children ?? []) : []).flatMap(
    ({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [{ key: String(key.value), value }],
  );
}

/** A value on one line, as scenarios are written. */
export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${inline(each)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Writes a value where there is one already, or as a new member of an object that is there. */
export function setValue(doc: Doc, path: Path, value: unknown): readonly Change[] {
  const node = nodeAt(doc, path);
  if (node !== undefined)
    return [{ from: node.offset, to: node.offset + node.length, insert: inline(value) }];
  const key = path.at(-1);
  return typeof key === "string" ? add(doc, path.slice(0, -1), value, key) : [];
}

/** Adds a member called `key` to an object, or an item to a list, behind what is there. */
export function add(doc: Doc, parentPath: Path, value: unknown, key?: string): readonly Change[] {
  const parent = nodeAt(doc, parentPath);
  if (parent === undefined) return [];
  const insert = key === undefined ? inline(value) : `${JSON.stringify(key)}: ${inline(value)}`;
  const last = parent.children?.at(-1);
  const { text } = doc;
  if (last === undefined) {
    const [from, to] = [parent.offset + 1, parent.offset + parent.length - 1];
    const blank = text.slice(from, to).trim() === "";
    const pad = parent.type === "object" ? " " : "";
    return [{ from, to: blank ? to : from, insert: `${pad}${insert}${pad}` }];
  }
  const end = last.offset + last.length;
  const comma = commaIn(text, end, parent.offset + parent.length - 1);
  const at = comma === undefined ? end : comma + 1;
  const lead = indentBefore(text, last.offset);
  if (lead === undefined)
    return [{ from: at, to: at, insert: `${comma === undefined ? "," : ""} ${insert}` }];
  // A remark behind the last member stays with that member.
  const lineEnd = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
  const rest = /^\s*(\/\/.*|\/\*.*\*\/)\s*$/.test(text.slice(at, lineEnd)) ? lineEnd : at;
  const line = { from: rest, to: rest, insert: `\n${lead}${insert}` };
  if (comma !== undefined) return [line];
  return rest === at
    ? [{ ...line, insert: `,${line.insert}` }]
    : [{ from: at, to: at, insert: "," }, line];
}

/** Takes a member or an item out, with its comma, and its line if it has one to itself. */
export function remove(doc: Doc, path: Path): readonly Change[] {
  const { text } = doc;
  const found = itemAt(doc, path);
  if (found === undefined) return [];
  const { parent, item, index } = found;
  const end = item.offset + item.length;
  const comma = commaIn(text, end, parent.offset + parent.length - 1);
  const alone = indentBefore(text, item.offset) !== undefined;
  if (comma !== undefined) {
    const after = comma + 1;
    const spaces = /^[ \t]*/.exec(text.slice(after))?.[0].length ?? 0;
    const from =
      alone && text[after + spaces] === "\n"
        ? text.lastIndexOf("\n", item.offset - 1)
        : item.offset;
    return [{ from, to: after + (from === item.offset ? spaces : 0), insert: "" }];
  }
  const start =
    item.offset - (/\s*$/.exec(text.slice(parent.offset + 1, item.offset))?.[0].length ?? 0);
  const before = parent.children?.[index - 1];
  const commaBefore =
    before === undefined ? undefined : commaIn(text, before.offset + before.length, item.offset);
  if (commaBefore === undefined) return [{ from: start, to: end, insert: "" }];
  return commaBefore + 1 === start
    ? [{ from: commaBefore, to: end, insert: "" }]
    : [
        { from: commaBefore, to: commaBefore + 1, insert: "" },
        { from: start, to: end, insert: "" },
      ];
}

/** Changes places with the one before (`-1`) or behind (`1`). */
export function move(doc: Doc, path: Path, by: 1 | -1): readonly Change[] {
  const found = itemAt(doc, path);
  const other = found?.parent.children?.[found.index + by];
  if (found === undefined || other === undefined) return [];
  const textOf = (node: Node): string => doc.text.slice(node.offset, node.offset + node.length);
  const put = (at: Node, what: Node): Change => ({
    from: at.offset,
    to: at.offset + at.length,
    insert: textOf(what),
  });
  return [put(found.item, other), put(other, found.item)].sort((one, two) => one.from - two.from);
}

/** Gives a member another name. */
export function rename(doc: Doc, path: Path, name: string): readonly Change[] {
  const key = itemAt(doc, path)?.item.children?.[0];
  return key === undefined
    ? []
    : [{ from: key.offset, to: key.offset + key.length, insert: JSON.stringify(name) }];
}

/** The text after changes that are in order and lie apart. */
export function applied(text: string, changes: readonly Change[]): string {
  return changes.reduceRight(
    (here, { from, to, insert }) => here.slice(0, from) + insert + here.slice(to),
    text,
  );
}

interface Item {
  readonly parent: Node;
  /** The whole member with its key, or the item of a list. */
  readonly item: Node;
  readonly index: number;
}

function itemAt(doc: Doc, path: Path): Item | undefined {
  const node = path.length === 0 ? undefined : nodeAt(doc, path);
  const item = node?.parent?.type === "property" ? node.parent : node;
  const parent = item?.parent;
  const index = item === undefined ? -1 : (parent?.children?.indexOf(item) ?? -1);
  return item === undefined || parent === undefined || index < 0
    ? undefined
    : { parent, item, index };
}

/** Offset of the next comma, if nothing but space and comments comes before it. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const [first] = marks(text.slice(from, to));
  return first !== undefined && text[from + first] === "," ? from + first : undefined;
}

/** Where each word and sign of a JSON text starts, comments left out. */
export function* marks(text: string): Generator<number> {
  const scanner = createScanner(text, true);
  for (;;) {
    scanner.scan();
    if (scanner.getTokenLength() === 0) return;
    yield scanner.getTokenOffset();
  }
}

/** The indentation of the line of `offset`, if only spaces come before `offset` on that line. */
function indentBefore(text: string, offset: number): string | undefined {
  const lead = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return text.lastIndexOf("\n", offset - 1) >= 0 && lead.trim() === "" ? lead : undefined;
}
