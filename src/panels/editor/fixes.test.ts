import { expect, test } from "vitest";
import type { ScenarioError } from "../../engine/gen/types.ts";
import { applied } from "./edits.ts";
import { fixesFor } from "./fixes.ts";

const NOT_JSON = "this is not JSON";

interface Case {
  readonly name: string;
  readonly text: string;
  /** The reader's error message; its place is the `|` in `text`. */
  readonly message: string;
  readonly suggestion?: string;
  readonly becomes: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "a nearest key",
    text: '{ |"sed": 7 }',
    message: 'there is no key "sed" here',
    suggestion: '"seed"',
    becomes: ['{ "seed": 7 }'],
  },
  {
    name: "a nearest key that stands there already",
    text: '{ |"durtion": "1ms", "duration": "2ms" }',
    message: 'there is no key "durtion" here',
    suggestion: '"duration"',
    becomes: ['{ "duration": "2ms" }'],
  },
  {
    name: "a number in quotes",
    text: '{ "machine": { "cpus": |"8" } }',
    message: 'the text "8" stands where a whole number is needed',
    suggestion: "8",
    becomes: ['{ "machine": { "cpus": 8 } }'],
  },
  {
    name: "a missing key gets its default",
    text: '{ "machine": |{ "idle": "poll" } }',
    message: '"cpus" is missing',
    becomes: ['{ "machine": { "idle": "poll", "cpus": 40 } }'],
  },
  {
    name: "a missing key of the file",
    text: '|{ "title": "x" }',
    message: '"schema" is missing',
    becomes: ['{ "title": "x", "schema": 1 }'],
  },
  {
    name: "a time without its unit",
    text: '{ "duration": |"100" }',
    message: '"100" is not a time',
    becomes: ['{ "duration": "100us" }', '{ "duration": "100ms" }', '{ "duration": "100s" }'],
  },
  {
    name: "a time with the page's sign of a microsecond",
    text: '{ "duration": |"1.5µs" }',
    message: '"1.5µs" is not a time',
    becomes: ['{ "duration": "1.5us" }'],
  },
  {
    name: "all comments at once",
    text: '{ |/* one */"seed": 7 // two\n}',
    message: `${NOT_JSON}: comments are not allowed`,
    becomes: ['{ "seed": 7 \n}'],
  },
  {
    name: "a trailing comma",
    text: '{ "seed": 7, |}',
    message: `${NOT_JSON}: key must be a string`,
    becomes: ['{ "seed": 7 }'],
  },
  {
    name: "single quotes",
    text: "{ |'seed': 7 }",
    message: `${NOT_JSON}: texts are written with double quotes`,
    becomes: ['{ "seed": 7 }'],
  },
  {
    name: "brackets that are not closed",
    text: '{ "knobs": ["seed"|',
    message: `${NOT_JSON}: it ends in the middle of a value`,
    becomes: ['{ "knobs": ["seed"]}'],
  },
  {
    name: "an event that stands twice",
    text: '{ "workload": { "tasks": { "a": { "run": 1, |"run": 2 } } } }',
    message: 'the key "run" stands here twice',
    becomes: ['{ "workload": { "tasks": { "a": { "run": 1, "run1": 2 } } } }'],
  },
  {
    name: "a figure in a caption, and not the caption",
    text: '{ "steps": [{ "caption": |"At most {rq_lock.max_waiter a} wait." }] }',
    message: 'there is no figure "rq_lock.max_waiter a"',
    suggestion: "{rq_lock.max_waiters a}",
    becomes: ['{ "steps": [{ "caption": "At most {rq_lock.max_waiters a} wait." }] }'],
  },
  {
    name: "a key nobody knows",
    text: '{ "seed": 7, |"zzz": 1 }',
    message: 'there is no key "zzz" here',
    becomes: ['{ "seed": 7 }'],
  },
  {
    name: "two titles: only the writer knows",
    text: '{ "title": "x", |"title": "y" }',
    message: 'the key "title" stands here twice',
    becomes: [],
  },
];

for (const { name, text: marked, message, suggestion, becomes } of CASES) {
  test(`a fix where it is certain: ${name}`, () => {
    const at = marked.indexOf("|");
    const text = marked.replace("|", "");
    const error: ScenarioError = {
      line: text.slice(0, at).split("\n").length,
      column: at - text.lastIndexOf("\n", at - 1),
      message,
      path: "",
      ...(suggestion === undefined ? {} : { suggestion }),
    };
    expect(fixesFor(text, error).map(({ changes }) => applied(text, changes))).toEqual(becomes);
  });
}
