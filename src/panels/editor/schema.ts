// What the scenario schema says of each place in a file: which keys, which values, which units, and
// what a new one starts as. The schema is generated from the tables that also check the file, so
// nothing here knows a key by name. It judges nothing: the reader does.

import type { Segment } from "jsonc-parser";
import raw from "../../../scenarios/scenario.schema.json?raw";

/** The parts of JSON Schema that the generated schema uses. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
}

export const SCENARIO = JSON.parse(raw) as Schema;

/** A key that an object may have. */
export interface KnownKey {
  readonly key: string;
  readonly schema: Schema;
  readonly required: boolean;
  /**
   * An rt-app event: it may repeat, numbered, and its place among the other events has a meaning.
   */
  readonly event: boolean;
}

/** `^run[0-9_]*$`: an event and its number. */
const EVENT = /^\^([a-z_]+)\[0-9_\]\*\$$/;

function deref(schema: Schema): Schema {
  const name = schema.$ref?.replace("#/$defs/", "");
  return name === undefined ? schema : (SCENARIO.$defs?.[name] ?? {});
}

/** The forms a value may have, none of them a choice of forms itself. */
export function alternatives(schema: Schema): readonly Schema[] {
  const here = deref(schema);
  return here.anyOf === undefined ? [here] : here.anyOf.flatMap(alternatives);
}

function objects(schema: Schema): readonly Schema[] {
  return alternatives(schema).filter(({ type }) => type === "object");
}

function memberOf(schema: Schema, key: string): Schema | undefined {
  const named = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
  if (named !== undefined) return named;
  const pattern = Object.keys(schema.patternProperties ?? {}).find((each) =>
    new RegExp(each).test(key),
  );
  if (pattern !== undefined) return schema.patternProperties?.[pattern];
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/**
 * The schema of `key` in an object, or of an index in a list; undefined where the schema allows no
 * such key or index.
 */
export function childSchema(schema: Schema, key: Segment): Schema | undefined {
  if (typeof key === "number")
    return alternatives(schema).find(({ items }) => items !== undefined)?.items;
  for (const each of objects(schema)) {
    const found = memberOf(each, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function schemaAt(path: readonly Segment[]): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (here, key) => (here === undefined ? undefined : childSchema(here, key)),
    SCENARIO,
  );
}

/** The keys of an object that has `present`: only of those forms that know all of them. */
export function knownKeys(schema: Schema, present: readonly string[]): readonly KnownKey[] {
  const all = objects(schema);
  const fitting = all.filter((each) => present.every((key) => memberOf(each, key) !== undefined));
  const keys = new Map<string, KnownKey>();
  for (const { properties = {}, patternProperties = {}, required = [] } of fitting.length > 0
    ? fitting
    : all) {
    for (const [key, each] of Object.entries(properties))
      keys.set(key, { key, schema: each, required: required.includes(key), event: false });
    for (const [pattern, each] of Object.entries(patternProperties)) {
      const key = EVENT.exec(pattern)?.[1];
      if (key !== undefined) keys.set(key, { key, schema: each, required: false, event: true });
    }
  }
  // `interval_us` and `interval_ns` are other spellings of `interval`: one of the three is enough.
  return [...keys.values()].filter(
    ({ key }) => !/_(us|ns)$/.test(key) || !keys.has(key.slice(0, -3)),
  );
}

/** Whether the names in an object are the writer's own: tasks, control groups, phases. */
export function nameable(schema: Schema): Schema | undefined {
  return objects(schema)
    .map(({ additionalProperties }) => additionalProperties)
    .find((each) => typeof each === "object");
}

export function isEvent(schema: Schema, key: string): boolean {
  return objects(schema).some(({ properties = {}, patternProperties = {} }) => {
    return (
      !Object.hasOwn(properties, key) &&
      Object.keys(patternProperties).some((each) => EVENT.test(each) && new RegExp(each).test(key))
    );
  });
}

/** The first name like `key` that is not taken: run, run1, run2. */
export function freeName(key: string, present: readonly string[]): string {
  if (!present.includes(key)) return key;
  let number = 1;
  while (present.includes(`${key}${number}`)) number += 1;
  return `${key}${number}`;
}

/** The values that a writer may write literally. */
export function choices(schema: Schema): readonly unknown[] {
  return alternatives(schema).flatMap((each) => {
    if (each.const !== undefined) return [each.const];
    return each.type === "boolean" ? [true, false] : (each.enum ?? []);
  });
}

/** Whether a value is one of `choices` and nothing else. */
export function isChoice(schema: Schema): boolean {
  return alternatives(schema).every(
    (each) => each.enum !== undefined || each.const !== undefined || each.type === "boolean",
  );
}

export function takes(schema: Schema, type: Schema["type"]): boolean {
  return alternatives(schema).some((each) => each.type === type);
}

/** A text with a unit, such as "100us". */
export function isTime(schema: Schema): boolean {
  return alternatives(schema).some(({ pattern }) => pattern?.includes("(ns|us|ms|s)") === true);
}

/** The unit of a number, "" where it has none or the text carries it. */
export function unitOf(schema: Schema, key: string): string {
  const about = alternatives(schema)
    .map(({ description = "" }) => description)
    .join(" ");
  const all = `${schema.description ?? ""} ${about}`;
  if (!takes(schema, "integer")) return "";
  if (key.endsWith("_us") || /\bmicroseconds\b|, us\b|\(us\)/i.test(all)) return "µs";
  if (key.endsWith("_ns")) return "ns";
  if (key.endsWith("_ms")) return "ms";
  if (/^\s*seconds\b/i.test(all)) return "s";
  return /\bpercent\b/.test(all) ? "%" : "";
}

/** The values that this key takes, in words. */
export function rangeWords(schema: Schema, key: string): string {
  const unit = unitOf(schema, key);
  const words = alternatives(schema).flatMap((each) => {
    if (each.type === "integer") {
      const { minimum, maximum } = each;
      const range =
        maximum === undefined
          ? minimum === undefined
            ? ""
            : ` from ${minimum}`
          : ` from ${minimum ?? 0} to ${maximum}`;
      return [`a whole number${range}${unit === "" ? "" : ` ${unit}`}`];
    }
    if (each.pattern?.includes("(ns|us|ms|s)") === true)
      return ["a time with its unit: ns, us, ms or s"];
    if (each.enum !== undefined)
      return each.enum.length > 12
        ? [`one of ${each.enum.length} names`]
        : [
            each.enum.length === 1
              ? `"${String(each.enum[0])}"`
              : `one of ${each.enum.map(String).join(", ")}`,
          ];
    if (each.type === "boolean") return ["true or false"];
    return each.type === undefined
      ? []
      : [{ object: "an object", array: "a list", string: "a text" }[each.type]];
  });
  const all = [...new Set(words)];
  // What every key without a form of its own takes needs no words.
  return all.length === 1 && all[0] === "a text" ? "" : all.join("; or ");
}

/**
 * What a new value starts as: the default, the only choice, or the least that is a value of its
 * form.
 */
export function starter(schema: Schema, key: string): unknown {
  const here = deref(schema);
  if (here.default !== undefined) return here.default;
  const [first = {}] = alternatives(here);
  if (first.const !== undefined) return first.const;
  if (first.enum !== undefined) return first.enum[0];
  if (first.pattern !== undefined) return "100us";
  switch (first.type) {
    case "integer":
      // A run or a sleep of 1 us is nothing to look at.
      return unitOf(here, key) === "µs"
        ? Math.max(100, first.minimum ?? 0)
        : Math.max(1, first.minimum ?? 1);
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return Object.fromEntries(
        (first.required ?? []).map((each) => [each, starter(childSchema(first, each) ?? {}, each)]),
      );
    default:
      return first.minLength === undefined ? "" : key;
  }
}
