// Help from the schema for the writer of a text: the keys and values that a place takes, and the
// meaning of a key. Works on texts that are not JSON yet, because a text is not JSON while it is
// being written.

import {
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { EditorView, Tooltip } from "@codemirror/view";
import { getLocation, type Segment } from "jsonc-parser";
import { inline, membersOf, nodeAt, readDoc, type Doc } from "./edits.ts";
import {
  alternatives,
  choices,
  freeName,
  isTime,
  knownKeys,
  nameable,
  rangeWords,
  schemaAt,
  starter,
  unitOf,
  type Schema,
} from "./schema.ts";

/** The meaning, range, unit and default of a key, as sentences. */
export function about(schema: Schema, key: string): readonly string[] {
  const description =
    schema.description ??
    alternatives(schema).find(({ description: each }) => each !== undefined)?.description;
  const range = rangeWords(schema, key);
  return [
    ...(description === undefined
      ? []
      : [description.endsWith(".") ? description : `${description}.`]),
    ...(range === "" ? [] : [`${range[0]?.toUpperCase() ?? ""}${range.slice(1)}.`]),
    ...(schema.default === undefined ? [] : [`Default: ${inline(schema.default)}.`]),
  ];
}

/** Text of the schema as elements: nothing here is ever read as markup. */
function card(title: string, lines: readonly string[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "editor-card";
  const head = document.createElement("strong");
  head.textContent = title;
  box.append(
    head,
    ...lines.map((line) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }),
  );
  return box;
}

export function completeScenario(context: CompletionContext): CompletionResult | null {
  const text = context.state.doc.toString();
  const { path, isAtPropertyKey } = getLocation(text, context.pos);
  const typed = context.matchBefore(/"?[\w.$/ -]*$/);
  const word = /"[^"]*$|[\w.$]*$/.exec(typed?.text ?? "")?.[0] ?? "";
  if (word === "" && !context.explicit) return null;
  const from = context.pos - word.length;
  // The rest of a word that is being written over.
  const to = context.pos + (/^[\w.$]*"?/.exec(text.slice(context.pos))?.[0].length ?? 0);
  const options = isAtPropertyKey
    ? keyOptions(text, path, from, to)
    : valueOptions(readDoc(text), path, from, to);
  return options.length === 0
    ? null
    : { from: context.pos - word.replace(/^"/, "").length, options, validFor: /^[\w.$/-]*$/ };
}

function keyOptions(
  text: string,
  path: readonly Segment[],
  from: number,
  to: number,
): readonly Completion[] {
  const parent = schemaAt(path.slice(0, -1));
  if (parent === undefined) return [];
  const written = path.at(-1);
  const present = membersOf(nodeAt(readDoc(text), path.slice(0, -1)))
    .map(({ key }) => key)
    .filter((key) => key !== written);
  // A key that has its value already keeps it.
  const hasValue = /^\s*:/.test(text.slice(to));
  const more = !hasValue && /^\s*"/.test(text.slice(to)) ? "," : "";
  return knownKeys(parent, present)
    .filter(({ key, event }) => event || !present.includes(key))
    .map(({ key, schema, required, event }) => {
      const name = event ? freeName(key, present) : key;
      const value = inline(starter(schema, key));
      const insert = `${JSON.stringify(name)}${hasValue ? "" : `: #{${value.replaceAll(/[{}\\#]/g, "\\$&")}}${more}`}`;
      return {
        label: name,
        detail: required ? "required" : event ? "event" : unitOf(schema, key),
        type: "property",
        boost: required ? 2 : 0,
        info: () => card(key, about(schema, key)),
        apply: (view: EditorView, completion: Completion) =>
          snippet(insert)(view, completion, from, endOf(view, to)),
      };
    });
}

/** The end of the word at `to`, which may have grown while the list was open. */
function endOf(view: EditorView, to: number): number {
  const { head } = view.state.selection.main;
  const rest = /^[\w.$]*"?/.exec(view.state.sliceDoc(head, head + 200))?.[0].length ?? 0;
  return Math.max(Math.min(to, view.state.doc.length), head + rest);
}

function valueOptions(
  doc: Doc,
  path: readonly Segment[],
  from: number,
  to: number,
): readonly Completion[] {
  const schema = schemaAt(path);
  if (schema === undefined) return [];
  const key = path.findLast((each) => typeof each === "string") ?? "";
  const values = new Map<string, string>(
    choices(schema).map((each) => [JSON.stringify(each), "choice"]),
  );
  if (schema.default !== undefined) values.set(inline(schema.default), "default");
  for (const name of namesFor(doc, key)) values.set(JSON.stringify(name), "of this file");
  if (isTime(schema))
    for (const each of ["1us", "100us", "1ms", "10ms", "1s"])
      if (!values.has(`"${each}"`)) values.set(`"${each}"`, "time");
  return [...values].map(([literal, detail]) => ({
    label: literal.replace(/^"(.*)"$/, "$1"),
    detail,
    type: "enum",
    info: () => card(key, about(schema, key)),
    apply: (view: EditorView) =>
      view.dispatch({
        changes: { from, to: endOf(view, to), insert: literal },
        selection: { anchor: from + literal.length },
        userEvent: "input.complete",
      }),
  }));
}

/** Names the file itself gives: groups for what runs in one, tasks for what starts one. */
function namesFor(doc: Doc, key: string): readonly string[] {
  const groups = (): readonly string[] =>
    membersOf(nodeAt(doc, ["cgroups"])).map((each) => each.key);
  if (key === "group") return ["/", ...groups()];
  if (key === "taskgroup") return ["/", ...groups().map((each) => `/${each}`)];
  const starts = /^(fork|suspend|resume)[0-9_]*$/.test(key);
  return starts ? membersOf(nodeAt(doc, ["workload", "tasks"])).map((each) => each.key) : [];
}

/** What the key or value under the pointer means. */
export function explain(view: EditorView, pos: number): Tooltip | null {
  const text = view.state.doc.toString();
  const { path, previousNode } = getLocation(text, pos);
  if (
    previousNode === undefined ||
    pos < previousNode.offset ||
    pos > previousNode.offset + previousNode.length
  )
    return null;
  const key = path.findLast((each) => typeof each === "string") ?? "";
  const schema = schemaAt(path);
  const own = nameable(schemaAt(path.slice(0, -1)) ?? {}) !== undefined;
  const lines = schema === undefined ? [] : about(schema, key);
  if (lines.length === 0 || key === "") return null;
  return {
    pos: previousNode.offset,
    end: previousNode.offset + previousNode.length,
    above: true,
    create: () => ({ dom: card(own ? `${key}, a name of this file` : key, lines) }),
  };
}
