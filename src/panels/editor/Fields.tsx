// One value of the form: a switch, a choice, a number or a text, with its unit, its meaning and
// what the reader refuses in it. A value is written into the text when its field is left or Enter
// is pressed, as one step of the history.

import { useId, useState, type ReactNode } from "react";
import type { Node } from "jsonc-parser";
import { plainText } from "../../engine/plain.ts";
import { timeSigns } from "../../lib/format.ts";
import { about } from "./assist.ts";
import { setValue, type Path } from "./edits.ts";
import { pathKey, useForm } from "./form-context.ts";
import { choices, isChoice, isTime, takes, unitOf, type Schema } from "./schema.ts";

interface FieldProps {
  readonly path: Path;
  /** The key, or a number of a list in words. */
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly node: Node;
  /** Buttons at the row's end. */
  readonly children?: ReactNode;
}

export function Field({ path, name, schema = {}, node, children }: FieldProps): ReactNode {
  const { doc, change, error } = useForm();
  const id = useId();
  const key = pathKey(path);
  const refused = error?.at === key ? error.words : undefined;
  const common = {
    id,
    schema,
    name,
    refused: refused !== undefined,
    describedBy: `${id}-about`,
    testId: `field-${key}`,
    value: node.value as unknown,
    onValue: (value: unknown) => {
      if (value !== node.value) change(setValue(doc, path, value));
    },
  };
  const known = choices(schema);
  return (
    <div className="form-row" data-refused={refused !== undefined}>
      <label htmlFor={id} className="form-key">
        {plainText(name)}
      </label>
      <span className="form-control">
        {isChoice(schema) && known.includes(node.value) ? (
          typeof node.value === "boolean" && known.length === 2 ? (
            <Flag {...common} />
          ) : (
            <Choice {...common} />
          )
        ) : (
          <Words {...common} />
        )}
        <span className="form-unit">{unitOf(schema, name)}</span>
      </span>
      <span className="form-buttons">{children}</span>
      <p className="form-about" id={`${id}-about`}>
        {refused !== undefined && <strong className="form-refused">{timeSigns(refused)} </strong>}
        {timeSigns(about(schema, name).join(" "))}
      </p>
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly name: string;
  readonly schema: Schema;
  readonly refused: boolean;
  readonly describedBy: string;
  readonly testId: string;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

function Flag({ id, refused, describedBy, testId, value, onValue }: ControlProps): ReactNode {
  return (
    <input
      id={id}
      type="checkbox"
      className="form-flag"
      checked={value === true}
      aria-invalid={refused}
      aria-describedby={describedBy}
      data-testid={testId}
      onChange={(event) => onValue(event.target.checked)}
    />
  );
}

function Choice({
  id,
  schema,
  refused,
  describedBy,
  testId,
  value,
  onValue,
}: ControlProps): ReactNode {
  const known = choices(schema);
  return (
    <select
      id={id}
      className="form-input"
      value={known.indexOf(value)}
      aria-invalid={refused}
      aria-describedby={describedBy}
      data-testid={testId}
      onChange={(event) => onValue(known[Number(event.target.value)])}
    >
      {known.map((each, index) => (
        <option key={String(each)} value={index}>
          {String(each)}
        </option>
      ))}
    </select>
  );
}

/** Numbers, times, texts: what was typed stays as typed until it is written. */
function Words({
  id,
  name,
  schema,
  refused,
  describedBy,
  testId,
  value,
  onValue,
}: ControlProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const stated = isTime(schema) ? timeSigns(text) : text;
  const offers = choices(schema).map(String);
  const long = !takes(schema, "integer") && !isTime(schema) && offers.length === 0;
  const write = (): void => {
    if (typed !== undefined && typed !== stated) onValue(valueOf(typed, schema));
    setTyped(undefined);
  };
  return (
    <>
      <input
        id={id}
        type="text"
        className={`form-input ${long && /caption|title|note|bet|source|label/.test(name) ? "form-prose" : "mono"}`}
        autoComplete="off"
        spellCheck={false}
        list={offers.length > 0 ? `${id}-offers` : undefined}
        inputMode={takes(schema, "integer") && offers.length === 0 ? "numeric" : undefined}
        value={typed ?? stated}
        aria-invalid={refused}
        aria-describedby={describedBy}
        data-testid={testId}
        data-typed={typed !== undefined && typed !== stated}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={write}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) write();
          if (event.key !== "Escape" || typed === undefined) return;
          // Takes back what was typed here, and closes nothing.
          event.preventDefault();
          setTyped(undefined);
        }}
      />
      {offers.length > 0 && (
        <datalist id={`${id}-offers`}>
          {offers.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  );
}

/**
 * The value that typed text means: a number where the schema takes one, a name from the list of
 * choices, else a text. The reader of scenarios judges the value.
 */
export function valueOf(typed: string, schema: Schema): unknown {
  const text = typed.trim();
  const known = choices(schema).find((each) => String(each) === text);
  if (known !== undefined) return known;
  if (takes(schema, "integer") && /^-?\d{1,15}$/.test(text)) return Number(text);
  // The page shows `5 µs` and takes it; files have `5us`.
  const [, number, unit] = (isTime(schema) && /^([\d.]+)\s*([nmuµμ]?s)$/.exec(text)) || [];
  return number === undefined || unit === undefined ? typed : number + unit.replace(/[µμ]/, "u");
}
