// The form side: the same file as rows, in the order of the text. The form is made from the schema
// alone. A key that the schema does not know appears as written, because the reader of scenarios
// reports its error.

import { useState, type ReactNode } from "react";
import type { Node } from "jsonc-parser";
import { plainText } from "../../engine/plain.ts";
import { about } from "./assist.ts";
import { add, membersOf, move, nodeAt, remove, rename, type Path } from "./edits.ts";
import { Field } from "./Fields.tsx";
import { pathKey, useForm } from "./form-context.ts";
import {
  childSchema,
  freeName,
  isEvent,
  knownKeys,
  nameable,
  SCENARIO,
  starter,
  type Schema,
} from "./schema.ts";

/** Parts that are open from the start: what a scenario is about. */
const OPEN = ["machine", "kernel", "workload", "workload.tasks", "cgroups"];

/** A longer list shows only this many rows; the rest is in the text. */
const ROWS_MAX = 200;

/** The file's own form, which no writer chooses. */
const HIDDEN = ["$schema", "schema"];

export function Form(): ReactNode {
  const { doc } = useForm();
  return doc.root === undefined ? undefined : (
    <Members path={[]} schema={SCENARIO} node={doc.root} />
  );
}

interface PartProps {
  readonly path: Path;
  readonly schema: Schema;
  readonly node: Node;
}

function Members({ path, schema, node }: PartProps): ReactNode {
  const members = membersOf(node).filter(({ key }) => path.length > 0 || !HIDDEN.includes(key));
  return (
    <div className="form-members">
      {members.slice(0, ROWS_MAX).map(({ key, value }) => (
        <Entry key={key} path={[...path, key]} name={key} parent={schema} node={value} />
      ))}
      {members.length > ROWS_MAX && (
        <p className="muted">{members.length - ROWS_MAX} more are in the text.</p>
      )}
      <AddMember path={path} schema={schema} present={membersOf(node).map(({ key }) => key)} />
    </div>
  );
}

interface EntryProps {
  readonly path: Path;
  readonly name: string;
  readonly parent: Schema;
  readonly node: Node;
}

/** A member of an object or an item of a list. */
function Entry({ path, name, parent, node }: EntryProps): ReactNode {
  const key = path.at(-1) ?? "";
  const schema = childSchema(parent, key);
  const own =
    typeof key === "string" &&
    nameable(parent) !== undefined &&
    !knownKeys(parent, []).some((each) => each.key === key);
  const orders = typeof key === "number" || own || isEvent(parent, key);
  const required =
    typeof key === "string" &&
    knownKeys(parent, []).some((each) => each.key === key && each.required);
  const buttons = <EntryButtons path={path} name={name} orders={orders} removable={!required} />;
  if (node.type !== "object" && node.type !== "array")
    return (
      <Field path={path} name={name} schema={schema} node={node}>
        {buttons}
      </Field>
    );
  return (
    <Part path={path} name={name} schema={schema ?? {}} node={node} own={own} buttons={buttons} />
  );
}

function Part({
  path,
  name,
  schema,
  node,
  own,
  buttons,
}: PartProps & {
  readonly name: string;
  readonly own: boolean;
  readonly buttons: ReactNode;
}): ReactNode {
  const { drag, error } = useForm();
  const key = pathKey(path);
  const [open, setOpen] = useState(OPEN.includes(key));
  const isTask = path.length === 3 && path[0] === "workload" && path[1] === "tasks";
  const inside = error !== undefined && (error.at === key || error.at.startsWith(`${key}.`));
  return (
    <div className="form-part" data-refused={inside} data-testid={`part-${key}`}>
      <div className="form-part-head">
        <button
          type="button"
          className="form-part-name"
          aria-expanded={open}
          data-testid={`open-${key}`}
          onClick={() => setOpen(!open)}
        >
          <span aria-hidden="true">{open ? "▾" : "▸"}</span> {plainText(name)}{" "}
          <span className="form-sum">{open ? "" : sumOf(node)}</span>
        </button>
        {isTask && (
          <span
            className="form-drag"
            title="Drag onto a CPU of the map to bind the task to it"
            aria-hidden="true"
            data-testid={`drag-${name}`}
            onPointerDown={(event) => drag(name, event)}
          >
            ⠿
          </span>
        )}
        <span className="form-buttons">{buttons}</span>
      </div>
      {error?.at === key && <p className="form-about form-refused">{error.words}</p>}
      {open && (
        <div className="form-inside">
          {about(schema, name).length > 0 &&
            node.type === "object" &&
            schema.description !== undefined && <p className="form-about">{schema.description}</p>}
          {own && <Name path={path} name={name} />}
          {node.type === "array" ? (
            <Items path={path} schema={schema} node={node} />
          ) : (
            <Members path={path} schema={schema} node={node} />
          )}
        </div>
      )}
    </div>
  );
}

/** What a closed part holds, on one line. */
function sumOf(node: Node): string {
  if (node.type === "array")
    return `${node.children?.length ?? 0} ${node.children?.length === 1 ? "entry" : "entries"}`;
  const words = membersOf(node).map(({ key, value }) => {
    const shown: unknown = value.value;
    return value.type === "object" || value.type === "array" ? key : `${key} ${String(shown)}`;
  });
  const line = words.join(", ");
  return plainText(line.length > 90 ? `${line.slice(0, 88)}…` : line);
}

function Items({ path, schema, node }: PartProps): ReactNode {
  const { doc, change } = useForm();
  const items = node.children ?? [];
  const item = childSchema(schema, 0);
  const titled = (each: Node): string => {
    const title: unknown = nodeTitle(each);
    return typeof title === "string" && title !== "" ? `: ${title}` : "";
  };
  return (
    <div className="form-members">
      {items.slice(0, ROWS_MAX).map((each, index) => (
        <Entry
          key={index}
          path={[...path, index]}
          name={`${index + 1}${titled(each)}`}
          parent={schema}
          node={each}
        />
      ))}
      {item !== undefined && (
        <button
          type="button"
          className="button tiny"
          id={`add-${pathKey(path)}`}
          data-testid={`add-${pathKey(path)}`}
          onClick={() => change(add(doc, path, starter(item, "")))}
        >
          Add one
        </button>
      )}
    </div>
  );
}

function nodeTitle(node: Node): unknown {
  return membersOf(node).find(({ key }) => key === "name" || key === "caption" || key === "label")
    ?.value.value;
}

function Name({ path, name }: { readonly path: Path; readonly name: string }): ReactNode {
  const { doc, change } = useForm();
  const [typed, setTyped] = useState<string>();
  const taken = membersOf(nodeAt(doc, path.slice(0, -1))).map(({ key }) => key);
  const write = (): void => {
    const next = typed?.trim() ?? name;
    if (next !== "" && !taken.includes(next)) change(rename(doc, path, next));
    setTyped(undefined);
  };
  return (
    <label className="form-row">
      <span className="form-key">name</span>
      <span className="form-control">
        <input
          type="text"
          className="form-input mono"
          value={typed ?? name}
          data-testid={`name-${pathKey(path)}`}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={write}
          onKeyDown={(event) => {
            if (event.key === "Enter") write();
          }}
        />
      </span>
    </label>
  );
}

function AddMember({
  path,
  schema,
  present,
}: {
  readonly path: Path;
  readonly schema: Schema;
  readonly present: readonly string[];
}): ReactNode {
  const { doc, change } = useForm();
  const [chosen, setChosen] = useState("");
  const own = nameable(schema);
  const keys = knownKeys(schema, present).filter(
    ({ key, event }) => event || !present.includes(key),
  );
  if (keys.length === 0 && own === undefined) return undefined;
  const what = path.length === 0 ? "the scenario" : String(path.at(-1));
  const put = (): void => {
    const known = keys.find(({ key }) => key === chosen);
    if (known !== undefined) {
      const name = known.event ? freeName(known.key, present) : known.key;
      change(add(doc, path, starter(known.schema, known.key), name));
    } else if (own !== undefined) {
      const name = freeName(chosen.trim() === "" ? "new" : chosen.trim(), present);
      change(add(doc, path, starterOf(own), name));
    }
    setChosen("");
  };
  const testId = `add-${pathKey(path)}`;
  return (
    <div className="form-add">
      {own === undefined ? (
        <KeyChoice id={testId} what={what} keys={keys} chosen={chosen} onChoose={setChosen} />
      ) : (
        <input
          type="text"
          className="form-input mono"
          id={testId}
          placeholder="new name"
          value={chosen}
          aria-label={`Name of what to add to ${what}`}
          data-testid={`${testId}-key`}
          onChange={(event) => setChosen(event.target.value)}
        />
      )}
      <button
        type="button"
        className="button tiny"
        disabled={own === undefined && chosen === ""}
        data-testid={testId}
        onClick={put}
      >
        Add<span className="visually-hidden"> to {what}</span>
      </button>
    </div>
  );
}

interface KeyChoiceProps {
  readonly id: string;
  /** The object to which the chosen key is added. */
  readonly what: string;
  readonly keys: ReturnType<typeof knownKeys>;
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

/** The keys that the schema knows for an object. */
function KeyChoice({ id, what, keys, chosen, onChoose }: KeyChoiceProps): ReactNode {
  return (
    <select
      className="form-input"
      id={id}
      value={chosen}
      aria-label={`What to add to ${what}`}
      data-testid={`${id}-key`}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">Add to {plainText(what)} …</option>
      {keys.map(({ key, event }) => (
        <option key={key} value={key}>
          {key}
          {event ? " (event)" : ""}
        </option>
      ))}
    </select>
  );
}

/** A task that does nothing is refused: a new one runs. */
function starterOf(schema: Schema): unknown {
  return isEvent(schema, "run") ? { run: 100, sleep: 900 } : starter(schema, "");
}

interface ButtonsProps {
  readonly path: Path;
  readonly name: string;
  readonly orders: boolean;
  readonly removable: boolean;
}

function EntryButtons({ path, name, orders, removable }: ButtonsProps): ReactNode {
  const { doc, change } = useForm();
  const key = pathKey(path);
  const drop = (): void => {
    change(remove(doc, path));
    requestAnimationFrame(() =>
      document.getElementById(`add-${pathKey(path.slice(0, -1))}`)?.focus(),
    );
  };
  const shift = (by: 1 | -1): void => {
    change(move(doc, path, by));
    // The focus follows the moved row; only their numbers distinguish the rows of a list.
    const last = path.at(-1) ?? "";
    const moved = typeof last === "number" ? [...path.slice(0, -1), last + by] : path;
    requestAnimationFrame(() =>
      document.getElementById(`${by < 0 ? "up" : "down"}-${pathKey(moved)}`)?.focus(),
    );
  };
  return (
    <>
      {orders && (
        <>
          <IconButton label={`Move ${name} up`} id={`up-${key}`} onClick={() => shift(-1)}>
            ↑
          </IconButton>
          <IconButton label={`Move ${name} down`} id={`down-${key}`} onClick={() => shift(1)}>
            ↓
          </IconButton>
        </>
      )}
      {removable && (
        <IconButton label={`Remove ${name}`} id={`remove-${key}`} onClick={drop}>
          ×
        </IconButton>
      )}
    </>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly id: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function IconButton({ label, id, onClick, children }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="button tiny form-icon"
      id={id}
      aria-label={plainText(label)}
      title={plainText(label)}
      data-testid={id}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
