// What mends an error of the reader where that is certain: a nearest name, a missing key, a unit, a
// comment, a comma too many. The reader says what is wrong and where; here is only how its text
// would be right. Nothing is offered where the writer has to decide.

import { getLocation, visit } from "jsonc-parser";
import type { ScenarioError } from "../../engine/gen/types.ts";
import { fixOf, offsetOf } from "../../scenario/text-fixes.ts";
import {
  add,
  marks,
  membersOf,
  nodeAt,
  readDoc,
  remove,
  type Change,
  type Doc,
  type Path,
} from "./edits.ts";
import { childSchema, freeName, isEvent, isTime, schemaAt, starter } from "./schema.ts";

export interface Fix {
  /** At most four words, and what is written. */
  readonly label: string;
  readonly changes: readonly Change[];
}

/** The part of the text that an error marks. */
export function placeOf(
  text: string,
  error: ScenarioError,
): { readonly from: number; readonly to: number } {
  if (error.line === undefined) return { from: 0, to: Math.min(1, text.length) };
  const from = offsetOf(text, error.line, error.column ?? 1);
  const token = /^(?:"(?:[^"\\\n]|\\.)*"|[^\s,\]}:[{"]+|.)/u.exec(text.slice(from))?.[0] ?? "";
  // Something has to be marked even at the end of the text.
  return { from: token === "" ? Math.max(0, from - 1) : from, to: from + token.length };
}

export function fixesFor(text: string, error: ScenarioError): readonly Fix[] {
  const doc = readDoc(text);
  const from = error.line === undefined ? 0 : offsetOf(text, error.line, error.column ?? 1);
  const suggested = fixOf(text, error);
  if (suggested !== undefined && !isBeside(doc, from, suggested.insert))
    return [{ label: `Write ${suggested.insert}`, changes: [suggested] }];
  if (error.message.startsWith("this is not JSON")) return syntaxFixes(text, from);
  if (/ is missing$/.test(error.message)) return missing(doc, error, from);
  if (/ stands here twice$/.test(error.message)) return renumbered(doc, from);
  if (/^there is no key /.test(error.message)) return removal(doc, from);
  return units(doc, from);
}

/**
 * Whether the object of a wrong key has the key that is meant already: written a second time it
 * would be refused.
 */
function isBeside(doc: Doc, at: number, key: string): boolean {
  const { path, isAtPropertyKey } = getLocation(doc.text, at + 1);
  return (
    isAtPropertyKey &&
    membersOf(nodeAt(doc, path.slice(0, -1))).some((member) => JSON.stringify(member.key) === key)
  );
}

function syntaxFixes(text: string, at: number): readonly Fix[] {
  const comments: Change[] = [];
  const noted = (from: number, length: number): unknown =>
    comments.push({ from, to: from + length, insert: "" });
  visit(text, { onComment: noted }, { disallowComments: false, allowTrailingComma: true });
  if (comments.some(({ from }) => from === at))
    return [
      {
        label: comments.length === 1 ? "Remove the comment" : `Remove ${comments.length} comments`,
        changes: comments,
      },
    ];
  const comma = commaBefore(text, at);
  if (comma !== undefined && /[\]}]/.test(text[at] ?? "")) {
    return [{ label: "Remove the comma", changes: [{ from: comma, to: comma + 1, insert: "" }] }];
  }
  const quoted = /^'([^'"\\\n]*)'/.exec(text.slice(at));
  if (quoted?.[1] !== undefined) {
    return [
      {
        label: "Use double quotes",
        changes: [{ from: at, to: at + quoted[0].length, insert: `"${quoted[1]}"` }],
      },
    ];
  }
  return closers(text, at);
}

/** The comma that is the last thing before `at`. */
function commaBefore(text: string, at: number): number | undefined {
  const last = [...marks(text.slice(0, at))].at(-1);
  return last !== undefined && text[last] === "," ? last : undefined;
}

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** A text that ends too early, after a whole value, gets the brackets it lacks. */
function closers(text: string, at: number): readonly Fix[] {
  if (text.slice(at).trim() !== "" || /[,:]\s*$/.test(text)) return [];
  const open: string[] = [];
  for (const mark of marks(text)) {
    const sign = text[mark] ?? "";
    if (/[\]}]/.test(sign)) open.pop();
    const closer = CLOSERS[sign];
    if (closer !== undefined) open.push(closer);
  }
  const insert = open.reverse().join("");
  return insert === ""
    ? []
    : [
        {
          label: `Add ${insert} at the end`,
          changes: [{ from: text.length, to: text.length, insert }],
        },
      ];
}

function missing(doc: Doc, error: ScenarioError, at: number): readonly Fix[] {
  const key = /^"([^"]+)" is missing$/.exec(error.message)?.[1];
  const parent = pathAt(doc, at);
  const schema = schemaAt(parent);
  const child = key === undefined || schema === undefined ? undefined : childSchema(schema, key);
  if (key === undefined || child === undefined) return [];
  const value = starter(child, key);
  return [{ label: `Add "${key}"`, changes: add(doc, parent, value, key) }];
}

/**
 * Numbers a second event of the same name, because events may repeat with numbers. For two other
 * equal keys only the writer knows which one is meant.
 */
function renumbered(doc: Doc, at: number): readonly Fix[] {
  const path = pathAt(doc, at);
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const schema = schemaAt(parent);
  if (typeof key !== "string" || schema === undefined || !isEvent(schema, key)) return [];
  const member = nodeAt(doc, parent)?.children?.find(({ offset }) => offset === at)?.children?.[0];
  if (member === undefined) return [];
  const present = (nodeAt(doc, parent)?.children ?? []).map(({ children }) =>
    String(children?.[0]?.value),
  );
  const name = freeName(key.replace(/[0-9_]*$/, ""), present);
  return [
    {
      label: `Call it ${name}`,
      changes: [
        { from: member.offset, to: member.offset + member.length, insert: JSON.stringify(name) },
      ],
    },
  ];
}

function removal(doc: Doc, at: number): readonly Fix[] {
  const path = pathAt(doc, at);
  return path.length === 0 ? [] : [{ label: "Remove the key", changes: remove(doc, path) }];
}

/**
 * Offers units for a time that has none; its writer chooses one by one press. The page writes µs,
 * but a file writes us.
 */
function units(doc: Doc, at: number): readonly Fix[] {
  const path = pathAt(doc, at);
  const schema = schemaAt(path);
  const node = nodeAt(doc, path);
  const [, number, micro] = /^(\d+(?:\.\d+)?)(\s*[µμ]s)?$/.exec(String(node?.value)) ?? [];
  if (schema === undefined || node === undefined || number === undefined || !isTime(schema))
    return [];
  return (micro === undefined ? ["us", "ms", "s"] : ["us"]).map((unit) => ({
    label: `Write "${number}${unit}"`,
    changes: [
      {
        from: node.offset,
        to: node.offset + node.length,
        insert: JSON.stringify(`${number}${unit}`),
      },
    ],
  }));
}

function pathAt(doc: Doc, at: number): Path {
  return getLocation(doc.text, at + 1).path.filter((each) => each !== "");
}
