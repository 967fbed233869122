// The machine as the text states it, a square a CPU, and the tasks that can be bound to them: by
// dragging a task onto a CPU, or by choosing it and then the CPU with keys. Which CPUs a task has
// is read from the text and written into it, nowhere else.

import {
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { plainText } from "../../engine/plain.ts";
import type { Doc } from "./edits.ts";
import { cpuCount, packageSize, pinnables, type Pinnable } from "./task-pins.ts";

interface PinMapProps {
  readonly doc: Doc;
  readonly onPin: (task: Pinnable, cpus: readonly number[]) => void;
  readonly onDrag: (name: string, event: PointerEvent<HTMLElement>) => void;
  /** The CPU a dragged task is over. */
  readonly over: number | undefined;
  /** What was bound last, in words. */
  readonly said: string;
}

export function PinMap({ doc, onPin, onDrag, over, said }: PinMapProps): ReactNode {
  const [chosen, setChosen] = useState<string>();
  const map = useRef<HTMLDivElement>(null);
  const tasks = pinnables(doc);
  const task = tasks.find(({ name }) => name === chosen);
  const count = cpuCount(doc);
  if (count === 0) return undefined;
  const choose = (name: string, byKey: boolean): void => {
    setChosen(name === chosen && !byKey ? undefined : name);
    const first = tasks.find((each) => each.name === name)?.cpus?.[0] ?? 0;
    if (byKey) cellOf(map, first)?.focus();
  };
  const back = (): void => document.getElementById(`pin-task-${chosen ?? ""}`)?.focus();
  return (
    <section className="pins" aria-label="CPUs and tasks" data-testid="pins">
      <p className="form-about">
        {tasks.length === 0
          ? "No task here can be bound to a CPU: add one under workload, tasks."
          : task === undefined
            ? "Drag a task onto a CPU to bind it. With keys: Enter on a task, arrows to the CPU, Enter."
            : `${plainText(task.name)}: ${task.where}. Enter: this CPU alone. Shift+Enter: this one too, or no more.`}
      </p>
      <div className="pin-tasks">
        {tasks.map((each) => (
          <button
            key={each.name}
            type="button"
            id={`pin-task-${each.name}`}
            className="pin-task"
            aria-pressed={each.name === chosen}
            data-testid={`pin-task-${each.name}`}
            onPointerDown={(event) => onDrag(each.name, event)}
            onClick={(event) => choose(each.name, event.detail === 0)}
          >
            <span aria-hidden="true">⠿</span> {plainText(each.name)}{" "}
            <span className="pin-where">{each.where}</span>
          </button>
        ))}
        {task?.cpus !== undefined && (
          <button
            type="button"
            className="button tiny"
            data-testid="pin-any"
            onClick={() => onPin(task, [])}
          >
            Unbind
          </button>
        )}
      </div>
      <Cells
        map={map}
        count={count}
        size={packageSize(doc)}
        tasks={tasks}
        task={task}
        over={over}
        onPin={onPin}
        onBack={back}
      />
      <span className="visually-hidden" role="status" data-testid="pin-told">
        {said}
      </span>
    </section>
  );
}

type CellRef = RefObject<HTMLDivElement | null>;

function cellOf(map: CellRef, cpu: number): HTMLElement | null {
  return map.current?.querySelector<HTMLElement>(`[data-pin-cpu="${cpu}"]`) ?? null;
}

interface CellsProps {
  readonly map: CellRef;
  readonly count: number;
  /** CPUs of a package; undefined where the text leaves it to the machine. */
  readonly size: number | undefined;
  readonly tasks: readonly Pinnable[];
  readonly task: Pinnable | undefined;
  readonly over: number | undefined;
  readonly onPin: PinMapProps["onPin"];
  readonly onBack: () => void;
}

function Cells({ map, count, size, tasks, task, over, onPin, onBack }: CellsProps): ReactNode {
  const [at, setAt] = useState(0);
  const stop = Math.min(at, count - 1);
  const put = (cpu: number, more: boolean): void => {
    if (task !== undefined) onPin(task, pinned(task, cpu, more));
  };
  const pressed = (event: KeyboardEvent, cpu: number): void => {
    const next = neighbour(map, cpu, count, event.key);
    if (next !== undefined) cellOf(map, next)?.focus();
    else if (event.key === "Enter" && event.shiftKey) put(cpu, true);
    else if (event.key === "Escape" && task !== undefined) onBack();
    else return;
    event.preventDefault();
  };
  const names = new Map<number, string[]>();
  for (const { name, cpus = [] } of tasks) {
    for (const cpu of cpus) {
      const here = names.get(cpu);
      if (here === undefined) names.set(cpu, [name]);
      else here.push(name);
    }
  }
  const packages = packagesOf(count, size);
  return (
    <div className="pin-map" ref={map} role="group" aria-label="Map of the machine">
      {packages.map((cpus, index) => (
        <div
          key={index}
          className="pin-package"
          role="group"
          aria-label={packages.length === 1 ? "CPUs" : `Package ${index}`}
        >
          {cpus.map((cpu) => {
            const here = names.get(cpu) ?? [];
            return (
              <button
                key={cpu}
                type="button"
                className="pin-cpu"
                data-pin-cpu={cpu}
                data-testid={`pin-cpu-${cpu}`}
                data-over={over === cpu}
                data-held={here.length > 0}
                aria-pressed={task?.cpus?.includes(cpu) ?? false}
                tabIndex={cpu === stop ? 0 : -1}
                aria-label={`CPU ${cpu}${here.length === 0 ? "" : `: ${plainText(here.join(", "))}`}`}
                title={here.length === 0 ? undefined : plainText(here.join(", "))}
                onFocus={() => setAt(cpu)}
                onKeyDown={(event) => pressed(event, cpu)}
                onClick={(event) => put(cpu, event.shiftKey)}
              >
                {cpu}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** This CPU alone; or with those there are, without it if it was one of them. */
export function pinned(
  { cpus = [] }: Pick<Pinnable, "cpus">,
  cpu: number,
  more: boolean,
): readonly number[] {
  if (!more) return [cpu];
  return cpus.includes(cpu) ? cpus.filter((each) => each !== cpu) : [...cpus, cpu];
}

function packagesOf(count: number, size = count): readonly (readonly number[])[] {
  const all = Array.from({ length: count }, (_, cpu) => cpu);
  return Array.from({ length: Math.ceil(count / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** The CPU an arrow leads to: up and down go by what is drawn above and below. */
function neighbour(map: CellRef, cpu: number, count: number, key: string): number | undefined {
  const here = cellOf(map, cpu);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === "ArrowRight") return Math.min(cpu + 1, count - 1);
  if (key === "ArrowLeft") return Math.max(cpu - 1, 0);
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  if (step === 0 || here === null) return undefined;
  const { left, top } = here.getBoundingClientRect();
  for (let each = cpu + step; each >= 0 && each < count; each += step) {
    const box = cellOf(map, each)?.getBoundingClientRect();
    if (box !== undefined && box.top !== top && Math.abs(box.left - left) < box.width / 2)
      return each;
  }
  return cpu;
}
