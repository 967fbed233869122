// What can be written to one task of the running kernel from the playhead on: where it may run, how
// strong it is, the end of its sleep.

import { useId, useState, type ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import { instantText } from "../../lib/format.ts";
import { plainRanges } from "../../lib/ranges.ts";
import type { LiveChange, Where } from "../../scenario/knob-sets.ts";
import { settingWords } from "../../scenario/path-words.ts";
import {
  TASK_WRITES,
  taskPath,
  taskWriteOf,
  troubleOf,
  type TaskWrite,
} from "../../scenario/task-writes.ts";
import { latestMeta } from "../../state/select/offers.ts";
import { SIDES } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import { taskSpans, type TaskState } from "../../model/tasks/task-track.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { Branches } from "./Branches.tsx";
import Terms from "../glossary/Terms.tsx";
import { Icon } from "../widgets/Icon.tsx";
import { useDispatch, usePage, useSelect } from "../page/page.ts";
import "./change.css";

const WORDS: Readonly<Record<TaskWrite, string>> = {
  cpus: "allowed CPUs",
  policy: "policy and priority",
  wake: "a signal",
};
const HINTS: Readonly<Record<TaskWrite, string>> = {
  cpus: "sched_setaffinity(): CPUs and ranges of CPUs, with commas between them",
  policy: "sched_setscheduler(): SCHED_FIFO 50, SCHED_RR 1, SCHED_OTHER -5 (nice), SCHED_IDLE",
  wake: "Ends a sleep before its timer does; refused unless the task sleeps on a timer",
};
/** More names than this are not offered, only taken. */
const OFFERED_MAX = 500;
/** Threads of a CPU's own. */
const BOUND: ReadonlySet<string> = new Set(["migration", "ksoftirqd"]);

/** The form, and what was written to tasks so far, each with its way back. */
export default function ChangeHere(): ReactNode {
  const selected = useSelect((state) => state.selection?.task);
  const meta = useSelect((state) => latestMeta(state, state.selectedOn));
  const [typed, setTyped] = useState<string>();
  if (meta === undefined) return <Branches />;
  const tasks = meta.tasks.filter(({ kind }) => !BOUND.has(kind));
  const task = typed ?? selected ?? tasks[0]?.name ?? "";
  return (
    <>
      <details className="change-here" data-testid="change-here">
        <summary>Change a task at the playhead</summary>
        <TaskField task={task} names={tasks.map(({ name }) => name)} onTask={setTyped} />
        <WriteForm
          key={task}
          task={task}
          info={tasks.find(({ name }) => name === task)}
          cpus={meta.cpus}
        />
        <Written />
      </details>
      <Branches />
    </>
  );
}

interface TaskFieldProps {
  readonly task: string;
  readonly names: readonly string[];
  readonly onTask: (task: string) => void;
}

function TaskField({ task, names, onTask }: TaskFieldProps): ReactNode {
  const list = useId();
  return (
    <label className="change-row">
      <span>Task</span>
      <input
        className="input"
        list={list}
        value={task}
        data-testid="change-task"
        onChange={({ target }) => onTask(target.value)}
      />
      <datalist id={list}>
        {names.slice(0, OFFERED_MAX).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

/**
 * Why the kernel would refuse a signal to a task that does not sleep; the run on screen shows
 * whether the task sleeps.
 */
function awakeOn(state: State, where: Where, task: string, atNs: number): string | undefined {
  const told = SIDES.filter((side) => where === "both" || where === side).flatMap((side) => {
    const run = state.sides[side].shown;
    const id = run?.meta.tasks.findIndex(({ name }) => name === task) ?? -1;
    const [span] =
      run === undefined || id < 0 || run.trace.endNs <= atNs
        ? []
        : taskSpans(run.trace, id, atNs, atNs + 1);
    return span === undefined || span.state === "sleeping"
      ? []
      : [`${plainText(task)} ${DOES[span.state]} on ${side.toUpperCase()}`];
  });
  return told.length === 0
    ? undefined
    : `a signal ends a sleep until a time: at ${instantText(atNs)} ${told.join(" and ")}`;
}

const DOES: Readonly<Record<Exclude<TaskState, "sleeping">, string>> = {
  running: "runs",
  waking: "is woken already",
  ready: "waits for a CPU",
  preempted: "waits for a CPU",
  blocked: "waits for another task",
};

/** The policy as the viewer would write it: SCHED_IDLE has no priority. */
function policyOf(info: WriteFormProps["info"]): string {
  if (info === undefined) return "";
  return info.policy === "SCHED_IDLE" ? info.policy : `${info.policy} ${String(info.priority)}`;
}

interface WriteFormProps {
  readonly task: string;
  readonly info:
    { readonly policy: string; readonly priority: number; readonly cpus: string } | undefined;
  readonly cpus: number;
}

function WriteForm({ task, info, cpus }: WriteFormProps): ReactNode {
  const { store } = usePage();
  const dispatch = useDispatch();
  const playhead = useSelect((state) => state.playheadNs);
  const [what, setWhat] = useState<TaskWrite>("cpus");
  const [text, setText] = useState<string>();
  const [where, setWhere] = useState<Where>("both");
  const [trouble, setTrouble] = useState<string>();
  const own = { cpus: info?.cpus ?? "", policy: policyOf(info), wake: "signal" }[what];
  const value = text ?? own;
  const write = (): void => {
    const state = store.getState();
    const atNs = Math.round(state.playheadNs);
    const awake = what === "wake" ? awakeOn(state, where, task, atNs) : undefined;
    const wrong =
      info === undefined
        ? `there is no task “${plainText(task)}”`
        : (awake ?? troubleOf(what, value.trim(), cpus));
    setTrouble(wrong);
    if (wrong !== undefined) return;
    const written = what === "cpus" ? plainRanges(value) : value.trim();
    dispatch({
      type: "knob_live_set",
      change: { where, path: taskPath(task, what), value: written, atNs },
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        write();
      }}
    >
      <label className="change-row">
        <span>What</span>
        <select
          className="select"
          value={what}
          data-testid="change-what"
          onChange={({ target }) => {
            setWhat(TASK_WRITES.find((each) => each === target.value) ?? "cpus");
            setText(undefined);
            setTrouble(undefined);
          }}
        >
          {TASK_WRITES.map((each) => (
            <option key={each} value={each}>
              {WORDS[each]}
            </option>
          ))}
        </select>
      </label>
      {what !== "wake" && (
        <ValueField value={value} wrong={trouble !== undefined} onValue={setText} />
      )}
      <p className="muted">
        <Terms text={HINTS[what]} />
      </p>
      <OnSides where={where} onChange={setWhere} />
      {trouble !== undefined && (
        <p className="change-trouble" role="alert" data-testid="change-trouble">
          {trouble}
        </p>
      )}
      <button type="submit" className="button" disabled={playhead <= 0} data-testid="change-write">
        Change at {instantText(playhead)}
      </button>
    </form>
  );
}

interface ValueFieldProps {
  readonly value: string;
  readonly wrong: boolean;
  readonly onValue: (value: string) => void;
}

function ValueField({ value, wrong, onValue }: ValueFieldProps): ReactNode {
  return (
    <label className="change-row">
      <span>Value</span>
      <input
        className="input"
        value={value}
        data-testid="change-value"
        aria-invalid={wrong}
        onChange={({ target }) => onValue(target.value)}
      />
    </label>
  );
}

function OnSides({
  where,
  onChange,
}: {
  readonly where: Where;
  readonly onChange: (where: Where) => void;
}): ReactNode {
  return (
    <label className="change-row">
      <span>On</span>
      <select
        className="select"
        value={where}
        data-testid="change-where"
        onChange={({ target }) => onChange(whereOf(target.value))}
      >
        <option value="both">both sides</option>
        <option value="a">A</option>
        <option value="b">B</option>
      </select>
    </label>
  );
}

function whereOf(text: string): Where {
  return text === "a" || text === "b" ? text : "both";
}

function Written(): ReactNode {
  const dispatch = useDispatch();
  const live = useSelect((state) => state.knobs.live);
  const own = live.filter(({ path }) => taskWriteOf(path) !== undefined);
  if (own.length === 0) return undefined;
  return (
    <ul className="knob-live" aria-label="Changes of tasks" data-testid="change-list">
      {own.map((change) => (
        <li key={`${change.where} ${change.path} ${String(change.atNs)}`}>
          {change.where !== "both" && <SideBadge side={change.where} />} {wordsOf(change)}{" "}
          <button
            type="button"
            className="button tiny"
            aria-label={`Take back ${wordsOf(change)}`}
            onClick={() => dispatch({ type: "knob_live_dropped", change })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function wordsOf({ path, value, atNs }: LiveChange): string {
  return plainText(`${settingWords(path, value)} at ${instantText(atNs)}`);
}
