import { describe, expect, test } from "vitest";
import {
  add,
  applied,
  inline,
  move,
  nodeAt,
  readDoc,
  remove,
  rename,
  setValue,
  type Change,
} from "./edits.ts";

const TEXT = `{
  "title": "A question", // asked often
  /* the machine */
  "machine": { "cpus": 8 },
  "workload": {
    "tasks": {
      "web": { "run": 100, "sleep": 50 }, // the victim
      "batch": { "run": 900 }
    }
  }
}
`;

const after = (changes: readonly Change[], text = TEXT): string => applied(text, changes);

describe("a change leaves the rest of the text as it stands", () => {
  test("a value is written over and nothing beside it moves", () => {
    expect(after(setValue(readDoc(TEXT), ["machine", "cpus"], 16))).toBe(
      TEXT.replace('"cpus": 8', '"cpus": 16'),
    );
  });

  test("a new key goes on the line of an object of one line", () => {
    expect(after(setValue(readDoc(TEXT), ["machine", "topology"], "2x4"))).toBe(
      TEXT.replace('{ "cpus": 8 }', '{ "cpus": 8, "topology": "2x4" }'),
    );
  });

  test("a new key goes on a line of its own, indented like its neighbour", () => {
    expect(after(add(readDoc(TEXT), ["workload", "tasks"], { run: 5 }, "late"))).toBe(
      TEXT.replace(
        '"batch": { "run": 900 }',
        '"batch": { "run": 900 },\n      "late": { "run": 5 }',
      ),
    );
  });

  test("a remark behind the last member stays with it when another comes", () => {
    const text = '{\n  "seed": 7 // lucky\n}';
    expect(after(add(readDoc(text), [], "1ms", "duration"), text)).toBe(
      '{\n  "seed": 7, // lucky\n  "duration": "1ms"\n}',
    );
  });

  test("the first member of an empty object and the first item of an empty list", () => {
    expect(after(add(readDoc('{"a": {}}'), ["a"], 1, "b"), '{"a": {}}')).toBe('{"a": { "b": 1 }}');
    expect(after(add(readDoc('{"a": []}'), ["a"], 1), '{"a": []}')).toBe('{"a": [1]}');
  });

  test("a member leaves with its comma, first, last and alone on its line", () => {
    expect(after(remove(readDoc(TEXT), ["workload", "tasks", "web", "run"]))).toBe(
      TEXT.replace('"run": 100, ', ""),
    );
    expect(after(remove(readDoc(TEXT), ["workload", "tasks", "web", "sleep"]))).toBe(
      TEXT.replace(', "sleep": 50', ""),
    );
    expect(after(remove(readDoc(TEXT), ["machine"]))).toBe(
      TEXT.replace('\n  "machine": { "cpus": 8 },', ""),
    );
    const gone = after(remove(readDoc(TEXT), ["workload", "tasks", "batch"]));
    expect(gone).toContain("// the victim");
    expect(readDoc(gone).brokenAt).toBeUndefined();
    expect(nodeAt(readDoc(gone), ["workload", "tasks"])?.children).toHaveLength(1);
  });

  test("two members change places, what is between them stays", () => {
    expect(after(move(readDoc(TEXT), ["workload", "tasks", "batch"], -1))).toBe(
      TEXT.replace(
        '"web": { "run": 100, "sleep": 50 }, // the victim\n      "batch": { "run": 900 }',
        '"batch": { "run": 900 }, // the victim\n      "web": { "run": 100, "sleep": 50 }',
      ),
    );
    expect(move(readDoc(TEXT), ["workload", "tasks", "web"], -1)).toEqual([]);
  });

  test("a member gets another name", () => {
    expect(after(rename(readDoc(TEXT), ["workload", "tasks", "web"], "front"))).toBe(
      TEXT.replace('"web"', '"front"'),
    );
  });
});

test("values are written on one line as scenarios have them", () => {
  expect(inline({ a: [1, "x"], b: {} })).toBe('{ "a": [1, "x"], "b": {} }');
});

test("a text that is no JSON says where it stops, comments and trailing commas are borne", () => {
  expect(readDoc(TEXT).brokenAt).toBeUndefined();
  expect(readDoc('{ "a": [1, ], }').brokenAt).toBeUndefined();
  expect(readDoc('{ "a": }').brokenAt).toBe(7);
  expect(readDoc("").brokenAt).toBe(0);
  expect(readDoc("forty").brokenAt).toBe(0);
});
