// Order, groups and counters of the lanes in a small window behind a button over the CPU numbers.
// A screen reader hears each change.

import { useId, useState } from "react";
import type { CSSProperties, ReactElement, ToggleEvent } from "react";
import type { Arranged } from "./arrange.ts";
import { changeChoice, togglePin } from "./choice.ts";
import type { Sort } from "./sorts.ts";
import { SORTS } from "./sorts.ts";

interface MenuProps {
  readonly arranged: Arranged;
  readonly lanes: string;
  readonly onLanes: (lanes: string) => void;
}

const SORT_WORDS: Readonly<Record<Sort, string>> = {
  number: "by number",
  busy: "busiest first",
  late: "worst wake-ups first",
};

export function LanesMenu({ arranged, lanes, onLanes }: MenuProps): ReactElement {
  const id = useId();
  const [place, setPlace] = useState<CSSProperties>({});
  return (
    <div className="tl-lanes-menu">
      <button
        type="button"
        popoverTarget={id}
        aria-label="Lanes"
        title="Order, groups and counters of the lanes"
        data-testid="lanes-open"
        onClick={(event) => {
          const { left, top } = event.currentTarget.getBoundingClientRect();
          setPlace({ left, bottom: window.innerHeight - top });
        }}
      >
        lanes
      </button>
      <div
        id={id}
        popover="auto"
        className="tl-lanes-window"
        style={place}
        data-testid="lanes-menu"
        onToggle={(event: ToggleEvent<HTMLDivElement>) => {
          if (event.newState === "open")
            event.currentTarget.querySelector<HTMLElement>("select, input")?.focus();
        }}
      >
        <Choices arranged={arranged} lanes={lanes} onLanes={onLanes} />
        <button
          type="button"
          disabled={lanes === ""}
          data-testid="lanes-reset"
          onClick={() => onLanes("")}
        >
          Reset
        </button>
      </div>
      <span className="tl-lanes-said" role="status" data-testid="lanes-said">
        {wordsOf(arranged, lanes)}
      </span>
    </div>
  );
}

function Choices({ arranged, lanes, onLanes }: MenuProps): ReactElement {
  const { choice, groups, grouped } = arranged;
  const change = (next: Parameters<typeof changeChoice>[1]): void =>
    onLanes(changeChoice(lanes, next));
  return (
    <>
      <label>
        Order{" "}
        <select
          value={choice.sort}
          data-testid="lanes-sort"
          onChange={(event) =>
            change({ sort: SORTS.find((sort) => sort === event.target.value) ?? "number" })
          }
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORT_WORDS[sort]}
            </option>
          ))}
        </select>
      </label>
      {groups.length > 1 ? (
        <label>
          <input
            type="checkbox"
            checked={grouped}
            disabled={choice.sort !== "number"}
            data-testid="lanes-grouped"
            onChange={(event) => change({ grouped: event.target.checked })}
          />{" "}
          {groups[0]?.label.startsWith("p") === true ? "Group by package" : "Group by 32 CPUs"}
        </label>
      ) : null}
      <label title="Runnable tasks of the machine, and CPUs idle while another is overloaded, over the lanes of each side">
        <input
          type="checkbox"
          checked={choice.counters}
          data-testid="lanes-counters"
          onChange={(event) => change({ counters: event.target.checked })}
        />{" "}
        Runnable and idle counters
      </label>
      <label title="IPIs that a CPU sends to itself, or of the push chain in view: how many, and what the CPU did not get to meanwhile">
        <input
          type="checkbox"
          checked={choice.ring}
          data-testid="lanes-ring"
          onChange={(event) => change({ ring: event.target.checked })}
        />{" "}
        Ring of IPIs
      </label>
      <label title="What had the CPU while the task of the selected wake-up waited for it, the largest first">
        <input
          type="checkbox"
          checked={choice.instead}
          data-testid="lanes-instead"
          onChange={(event) => change({ instead: event.target.checked })}
        />{" "}
        Who ran instead
      </label>
      {grouped ? <Folds groups={groups.length} onOpen={(open) => change({ open })} /> : null}
      <KeptLanes arranged={arranged} lanes={lanes} onLanes={onLanes} />
    </>
  );
}

interface FoldsProps {
  readonly groups: number;
  readonly onOpen: (open: readonly number[]) => void;
}

function Folds({ groups, onOpen }: FoldsProps): ReactElement {
  return (
    <p>
      <button
        type="button"
        data-testid="lanes-unfold"
        onClick={() => onOpen(Array.from({ length: groups }, (_, index) => index))}
      >
        Unfold all
      </button>{" "}
      <button type="button" data-testid="lanes-fold" onClick={() => onOpen([])}>
        Fold all
      </button>
    </p>
  );
}

/** The lanes on top, each with the way to let it go. */
function KeptLanes({ arranged: { choice }, lanes, onLanes }: MenuProps): ReactElement {
  return (
    <p>
      {choice.pins.length === 0
        ? "Click a CPU number, or press T on a lane, to keep it on top. Only lanes on top can be put in order, by drag or Alt with the arrows."
        : choice.pins.map((cpu) => (
            <button
              key={cpu}
              type="button"
              title={`Let CPU ${String(cpu)} go`}
              data-testid={`lanes-kept-${String(cpu)}`}
              onClick={() => onLanes(togglePin(lanes, cpu))}
            >
              CPU {cpu} ×
            </button>
          ))}
    </p>
  );
}

/** Empty for lanes in their first order: a screen reader then hears nothing. */
function wordsOf({ choice, grouped, groups }: Arranged, lanes: string): string {
  if (lanes === "") return "";
  const open = choice.open.filter((group) => group < groups.length).length;
  return [
    `Lanes ${SORT_WORDS[choice.sort]}`,
    ...(choice.pins.length === 0 ? [] : [`on top: CPU ${choice.pins.join(", ")}`]),
    ...(grouped ? [`${String(open)} of ${String(groups.length)} groups unfolded`] : []),
    ...(choice.counters ? ["counters over the lanes"] : []),
    ...(choice.ring ? ["ring of IPIs over the lanes"] : []),
    ...(choice.instead ? ["who ran instead over the lanes"] : []),
  ].join("; ");
}
