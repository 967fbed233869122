// Finished wake-ups with the causes of their latency. True of wake chunks; must not know how a
// cause is drawn.

import type { WakeChunk } from "../../engine/protocol.ts";
import type { Column } from "../../lib/column.ts";
import { f64Column, u16Column, u32Column, u8Column } from "../../lib/column.ts";
import { largestRemainder } from "../../lib/percent.ts";
import { lowerBound } from "../../lib/search.ts";
import type { Selection, WakeRecord, WakeSegment, WakeSelection } from "./run-types.ts";

/**
 * At least this many of the worst are looked up at once: the next key press asks for the next one.
 */
const TOP_MIN = 64;

/** The wake-ups of one task in order of their due time. */
export interface TaskWakes {
  readonly rows: Uint32Array;
  /** ns, ascending; index as in `rows`. */
  readonly dues: Float64Array;
}

export class WakeTable {
  private readonly task = u16Column();
  private readonly nth = u32Column();
  private readonly cpu = u16Column();
  private readonly due = f64Column();
  private readonly latency = f64Column();
  private readonly segmentsEnd = u32Column();
  private readonly segmentCause = u8Column();
  private readonly segmentNs = u32Column();
  private readonly rowsOfTask = new Map<number, Column<Uint32Array>>();
  private readonly rowsOfCpu = new Map<number, Column<Uint32Array>>();
  private readonly timelines = new Map<string, TaskWakes>();
  private top: { readonly of: number; readonly rows: readonly number[] } = { of: 0, rows: [] };

  /** `taskNames`: index = task id. */
  constructor(private readonly taskNames: readonly string[]) {}

  /** Finished wake-ups so far. */
  get count(): number {
    return this.task.length;
  }

  get bytes(): number {
    const fixed = [
      this.task,
      this.nth,
      this.cpu,
      this.due,
      this.latency,
      this.segmentsEnd,
      this.segmentCause,
      this.segmentNs,
    ];
    const lists = [...this.rowsOfTask.values(), ...this.rowsOfCpu.values()];
    const timelines = [...this.timelines.values()].reduce(
      (sum, { rows, dues }) => sum + rows.byteLength + dues.byteLength,
      0,
    );
    return [...fixed, ...lists].reduce(
      (sum, column) => sum + column.bytes,
      this.top.rows.length * 8 + timelines,
    );
  }

  append(chunk: WakeChunk): void {
    const first = this.count;
    chunk.task.forEach((task, index) => {
      this.task.push(task);
      listOf(this.rowsOfTask, task).push(first + index);
      listOf(this.rowsOfCpu, chunk.cpu[index] ?? 0).push(first + index);
    });
    this.nth.append(chunk.nth);
    this.cpu.append(chunk.cpu);
    this.due.append(chunk.due);
    this.latency.append(chunk.latency);
    this.segmentsEnd.append(chunk.segmentsEnd);
    this.segmentCause.append(chunk.segmentCause);
    this.segmentNs.append(chunk.segmentNs);
  }

  /** How many had finished at `ns`, it included. */
  doneBy(ns: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.doneNs(middle) <= ns) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rows `from` up to and without `to`, as they came. */
  chunk(from: number, to: number): WakeChunk {
    const start = from === 0 ? 0 : this.segmentsEnd.at(from - 1);
    const end = to === 0 ? 0 : this.segmentsEnd.at(to - 1);
    return {
      task: Uint32Array.from(this.task.data.subarray(from, to)),
      nth: this.nth.data.subarray(from, to),
      cpu: this.cpu.data.subarray(from, to),
      due: this.due.data.subarray(from, to),
      latency: this.latency.data.subarray(from, to),
      segmentsEnd: this.segmentsEnd.data.subarray(from, to),
      segmentCause: this.segmentCause.data.subarray(start, end),
      segmentNs: this.segmentNs.data.subarray(start, end),
    };
  }

  taskIdOf(row: number): number {
    return this.task.at(row);
  }

  cpuOf(row: number): number {
    return this.cpu.at(row);
  }

  /** Number of the wake-up among its task's, from 0. */
  nthOf(row: number): number {
    return this.nth.at(row);
  }

  dueNs(row: number): number {
    return this.due.at(row);
  }

  latencyNs(row: number): number {
    return this.latency.at(row);
  }

  /** The instant the woken task ran: due + latency. */
  doneNs(row: number): number {
    return this.due.at(row) + this.latency.at(row);
  }

  /** Everything about one wake-up. */
  record(row: number): WakeRecord {
    const taskId = this.task.at(row);
    return {
      row,
      task: this.taskName(taskId),
      taskId,
      nth: this.nth.at(row),
      cpu: this.cpu.at(row),
      dueNs: this.due.at(row),
      latencyNs: this.latency.at(row),
      segments: this.segments(row),
    };
  }

  /** The wake-up's name, the same on both sides and in a link. */
  selectionOf(row: number): WakeSelection {
    return { kind: "wake", task: this.taskName(this.task.at(row)), nth: this.nth.at(row) };
  }

  /** The row of `task`'s wake-up number `nth`, or undefined if it has not finished (yet). */
  find(task: string, nth: number): number | undefined {
    const rows = this.rowsOfTask.get(this.taskNames.indexOf(task));
    if (rows === undefined) return undefined;
    // Numbers of one task ascend, and mostly without gaps: `nth` itself is the first guess.
    const guess = rows.length > nth ? rows.at(nth) : undefined;
    if (guess !== undefined && this.nth.at(guess) === nth) return guess;
    const numbers = Array.from(rows.data.subarray(0, rows.length), (row) => this.nth.at(row));
    const index = lowerBound(numbers, numbers.length, nth);
    return numbers[index] === nth ? rows.at(index) : undefined;
  }

  /**
   * The wake-ups of a task by name. A task finishes one before the next is due, so that their order
   * is that of their due times.
   */
  ofTask(task: string): TaskWakes {
    const rows = this.rowsOfTask.get(this.taskNames.indexOf(task));
    const known = this.timelines.get(task);
    if (known !== undefined && known.rows.length === (rows?.length ?? 0)) return known;
    const own = rows?.data.slice(0, rows.length) ?? new Uint32Array(0);
    const made = { rows: own, dues: Float64Array.from(own, (row) => this.due.at(row)) };
    this.timelines.set(task, made);
    return made;
  }

  findSelection(selection: Selection | undefined): number | undefined {
    return selection?.kind === "wake" ? this.find(selection.task, selection.nth) : undefined;
  }

  /** The first `count` rows by latency, worst first; the earlier due among equals. */
  worst(count: number): readonly number[] {
    if (this.top.of !== this.count || this.top.rows.length < Math.min(count, this.count)) {
      this.top = { of: this.count, rows: this.selectWorst(Math.max(count, TOP_MIN)) };
    }
    return this.top.rows.slice(0, count);
  }

  /** The row at `rank` in the order of `worst`, 0 = the worst; undefined past the end. */
  rowAtRank(rank: number): number | undefined {
    return this.worst(rank + 1)[rank];
  }

  /** Place of a row in the order of `worst`, from 0. */
  rank(row: number): number {
    let before = 0;
    for (let other = 0; other < this.count; other += 1)
      if (this.compareWorst(other, row) < 0) before += 1;
    return before;
  }

  /** Order of `worst`: negative if row `one` comes first. */
  compareWorst(one: number, other: number): number {
    const latency = this.latency.data;
    const due = this.due.data;
    return (
      (latency[other] ?? 0) - (latency[one] ?? 0) ||
      (due[one] ?? 0) - (due[other] ?? 0) ||
      one - other
    );
  }

  /**
   * The wake-up a viewer means by pointing at `ns` on `cpu`: the one whose wait covers it, else the
   * last that had finished there by then.
   */
  at(cpu: number, ns: number): number | undefined {
    const rows = this.rowsOfCpu.get(cpu);
    if (rows === undefined) return undefined;
    const index = this.firstDoneAfter(rows, ns);
    const next = index < rows.length ? rows.at(index) : undefined;
    if (next !== undefined && this.due.at(next) <= ns) return next;
    return index > 0 ? rows.at(index - 1) : undefined;
  }

  /**
   * Rows whose wake-ups ended on `cpu` and whose wait touches [fromNs, toNs], at most `limit`, in
   * order.
   */
  onCpu(cpu: number, fromNs: number, toNs: number, limit: number): number[] {
    const rows = this.rowsOfCpu.get(cpu);
    const found: number[] = [];
    if (rows === undefined) return found;
    for (
      let index = this.firstDoneAfter(rows, fromNs);
      index < rows.length && found.length < limit;
      index += 1
    ) {
      const row = rows.at(index);
      if (this.due.at(row) < toNs) found.push(row);
      else break;
    }
    return found;
  }

  /** Adds each segment of `row` to `sums` by cause. */
  addCauses(row: number, sums: number[]): void {
    const end = this.segmentsEnd.at(row);
    for (let segment = this.segmentsStart(row); segment < end; segment += 1) {
      const cause = this.segmentCause.at(segment);
      sums[cause] = (sums[cause] ?? 0) + this.segmentNs.at(segment);
    }
  }

  /** How long the first stretch of a row is, if it has this cause; else 0. */
  firstOf(row: number, cause: number): number {
    const start = this.segmentsStart(row);
    return start < this.segmentsEnd.at(row) && this.segmentCause.at(start) === cause
      ? this.segmentNs.at(start)
      : 0;
  }

  private segments(row: number): readonly WakeSegment[] {
    const start = this.segmentsStart(row);
    const lengths = Array.from(this.segmentNs.data.subarray(start, this.segmentsEnd.at(row)));
    const shares = largestRemainder(lengths);
    let fromNs = this.due.at(row);
    // Between two segments of 0 ns a long wait is summed by cause.
    let summed = false;
    return lengths.flatMap((ns, index) => {
      if (ns === 0) {
        summed = !summed;
        return [];
      }
      const segment = {
        cause: this.segmentCause.at(start + index),
        fromNs,
        ns,
        basisPoints: shares[index] ?? 0,
        ...(summed ? { summed: true as const } : {}),
      };
      fromNs += ns;
      return [segment];
    });
  }

  private segmentsStart(row: number): number {
    return row === 0 ? 0 : this.segmentsEnd.at(row - 1);
  }

  /** First index in a CPU's rows (in order of finishing) whose wake-up ends after `ns`. */
  private firstDoneAfter(rows: Column<Uint32Array>, ns: number): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.doneNs(rows.at(middle)) <= ns) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The worst rows without sorting them all: a run of a quarter of a million wake-ups must not stop
   * the page for a sort. A wake-up worse than the least of the best so far is let in; the crowd is
   * sorted and cut whenever it has doubled.
   */
  private selectWorst(count: number): number[] {
    let crowd: number[] = [];
    let least: number | undefined;
    for (let row = 0; row < this.count; row += 1) {
      if (least !== undefined && this.compareWorst(least, row) < 0) continue;
      crowd.push(row);
      if (crowd.length < count * 2) continue;
      crowd = crowd.sort((one, other) => this.compareWorst(one, other)).slice(0, count);
      least = crowd.at(-1);
    }
    return crowd.sort((one, other) => this.compareWorst(one, other)).slice(0, count);
  }

  taskName(id: number): string {
    return this.taskNames[id] ?? `task ${String(id)}`;
  }
}

function listOf(lists: Map<number, Column<Uint32Array>>, key: number): Column<Uint32Array> {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = u32Column();
  lists.set(key, made);
  return made;
}
