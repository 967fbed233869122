// Search and palette in one: a field, and under it everything that can be gone to or done. A
// combobox with a list, as screen readers know it.

import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";
import { matching, type Matches } from "../../lib/match.ts";
import type { Direction } from "../../state/find/next-hit.ts";
import { isComputing } from "../../state/select/selectors.ts";
import { Dialog } from "../widgets/Dialog.tsx";
import { usePage, useSelect, type Page } from "../page/page.ts";
import { choicesOf, instantChoice, meantChoices, wayTo, type Choice } from "./go.ts";
import { takeTypedAhead } from "./typed-ahead.ts";
import "./palette.css";

/** The most results that are listed; a longer list would not be read. */
const LISTED_MAX = 60;
/** What PageUp and PageDown move by. */
const PAGE = 8;

/**
 * What was looked for last: the next search begins with it, so that the same key and Enter go on to
 * the next hit.
 */
let last = { query: "", id: "" };

export default function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const page = usePage();
  const field = useRef<HTMLInputElement>(null);
  const { closed, afterwards } = useAfterClose(onClose);
  const listId = useId();
  const [query, setQuery] = useState(last.query);
  const { items, instead } = useFound(query);
  const listed = items.slice(0, LISTED_MAX);
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      listed.findIndex(({ id }) => id === last.id),
    ),
  );
  const [trouble, setTrouble] = useState("");
  const at = Math.min(active, listed.length - 1);
  useFocus(field, setQuery);
  useEffect(() => {
    document.getElementById(`${listId}-${String(at)}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, at, query]);
  const move = (to: number): void => {
    setTrouble("");
    setActive(Math.min(Math.max(0, to), listed.length - 1));
  };
  const choose = (choice: Choice | undefined, direction: Direction): void => {
    if (choice === undefined) return;
    const way = wayTo(choice, direction, page);
    last = { query, id: choice.id };
    if ("nothing" in way) return setTrouble(way.nothing);
    afterwards(way.go);
    field.current?.closest("dialog")?.close();
  };
  const press = (event: KeyboardEvent): void => {
    const to = movedTo(event.key, at, listed.length);
    if (to !== undefined) move(to);
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey)
      choose(listed[at], event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={closed} testId="palette">
      <div className="palette">
        <Field
          field={field}
          listId={listId}
          at={listed.length > 0 ? at : undefined}
          query={query}
          onQuery={(text) => {
            setQuery(text);
            setActive(0);
            setTrouble("");
          }}
          onPress={press}
        />
        <ChoiceList id={listId} listed={listed} at={at} onChoose={choose} />
        <p className="muted" role="status" data-testid="palette-said">
          {trouble === "" ? countWords(query, items.length, instead) : trouble}
        </p>
      </div>
    </Dialog>
  );
}

interface ChoiceListProps {
  readonly id: string;
  readonly listed: readonly Choice[];
  /** The row that Enter chooses. */
  readonly at: number;
  readonly onChoose: (choice: Choice, direction: Direction) => void;
}

function ChoiceList({ id, listed, at, onChoose }: ChoiceListProps): ReactNode {
  return (
    <ul
      id={id}
      className="palette-list"
      role="listbox"
      aria-label="Found"
      data-testid="palette-list"
    >
      {listed.map((choice, index) => (
        <Option
          key={choice.id}
          id={`${id}-${String(index)}`}
          choice={choice}
          active={index === at}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

/**
 * Gives the field the focus and the keys that the viewer typed before the field was there. Runs
 * when the field is on the page, not when it is first drawn: React may show the field a third of a
 * second later, and keys come until then.
 */
function useFocus(field: RefObject<HTMLInputElement | null>, write: (typed: string) => void): void {
  useLayoutEffect(() => {
    field.current?.focus();
    const ahead = takeTypedAhead();
    if (ahead === "") field.current?.select();
    else write(ahead);
  }, [field, write]);
}

/**
 * What is chosen is done once the dialog is closed: no key acts behind it, and it gives the focus
 * back to where that was.
 */
function useAfterClose(onClose: () => void): {
  readonly closed: () => void;
  readonly afterwards: (go: () => void) => void;
} {
  const chosen = useRef<() => void>(undefined);
  return {
    closed: () => {
      onClose();
      chosen.current?.();
    },
    afterwards: (go) => (chosen.current = go),
  };
}

interface FieldProps {
  readonly field: Ref<HTMLInputElement>;
  readonly listId: string;
  /** The active option's number; undefined if there is none. */
  readonly at: number | undefined;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onPress: (event: KeyboardEvent) => void;
}

function Field({ field, listId, at, query, onQuery, onPress }: FieldProps): ReactNode {
  return (
    <input
      ref={field}
      className="input palette-field"
      type="text"
      role="combobox"
      aria-label="Find a task, CPU, lock, group, wake-up, mark, event, knob, step, scenario, lesson or command"
      aria-expanded={at !== undefined}
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={at === undefined ? undefined : `${listId}-${String(at)}`}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      placeholder="task, CPU, lock, event, knob, scenario, command"
      value={query}
      data-testid="palette-field"
      onChange={({ target }) => onQuery(target.value)}
      onKeyDown={onPress}
    />
  );
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly active: boolean;
  readonly onChoose: (choice: Choice, direction: Direction) => void;
}

function Option({ id, choice, active, onChoose }: OptionProps): ReactNode {
  return (
    // By keys the field chooses: the focus never leaves it.
    <li
      id={id}
      role="option"
      className="palette-option"
      aria-selected={active}
      data-choice={choice.id}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ shiftKey }) => onChoose(choice, shiftKey ? -1 : 1)}
    >
      <span className="palette-sort">{choice.sort}</span>
      <span className="palette-name">{choice.name}</span>
      <span className="palette-hint">{choice.hint}</span>
    </li>
  );
}

/** The list is made anew when the runs are others, or are done; not at every chunk of them. */
function useFound(query: string): {
  readonly items: readonly Choice[];
  readonly instead: string | undefined;
} {
  const page = usePage();
  const runs = useSelect(
    (state) =>
      `${String(state.sides.a.shown?.id)} ${String(state.sides.b.shown?.id)} ${String(isComputing(state))}`,
  );
  const choices = useMemo(
    () => ({ of: runs, all: choicesOf(page.store.getState(), page) }),
    [page, runs],
  );
  return useMemo(() => {
    const { items, instead } = foundFor(query, choices.all, page);
    const instant = instantChoice(page.store.getState(), query);
    return instant === undefined
      ? { items, instead }
      : { items: [instant, ...items], instead: undefined };
  }, [query, choices, page]);
}

/**
 * What is called so; a word that only a slip of the finger would explain is looked for by what it
 * means first.
 */
function foundFor(query: string, all: readonly Choice[], page: Page): Matches<Choice> {
  const named = matching(query, all);
  const isNamed = named.items.length > 0 && named.instead === undefined;
  const meant = meantChoices(query, page, !isNamed);
  if (isNamed) return { items: [...named.items, ...meant], instead: undefined };
  return meant.length > 0 ? { items: meant, instead: undefined } : named;
}

function movedTo(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % Math.max(1, count);
    case "ArrowUp":
      return (at - 1 + count) % Math.max(1, count);
    case "PageDown":
      return at + PAGE;
    case "PageUp":
      return at - PAGE;
    default:
      return undefined;
  }
}

function countWords(query: string, count: number, instead: string | undefined): string {
  const meant = instead === undefined ? "" : ` for “${instead}”`;
  if (count === 0) return `Nothing here is called “${query}”.`;
  if (count > LISTED_MAX)
    return `The first ${String(LISTED_MAX)} of ${String(count)}${meant}: type more of the name.`;
  return `${String(count)} found${meant}. ↵ goes there, ⇧ ↵ to the one before.`;
}
