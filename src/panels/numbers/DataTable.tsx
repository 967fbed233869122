// A table of any length: only the rows in sight are in the document. Sortable, walked by arrow
// keys, exported as it is sorted and filtered.

import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { plainText } from "../../engine/plain.ts";
import type { Cell, Table } from "../../lib/csv.ts";
import { counted } from "../../lib/count.ts";
import { formatCount } from "../../lib/format.ts";
import { useMedia } from "../../lib/use-media.ts";
import { Breakable } from "../widgets/Breakable.tsx";
import { TableFiles } from "./TableFiles.tsx";

export interface Column<T> {
  /** The column's name in exported files and test ids; with the unit: `run_ns`. */
  readonly id: string;
  /** At most four words; none for a column that is exported only. */
  readonly label?: string;
  /** The unit of the column's numbers, where the cells show numbers without it. */
  readonly unit?: string;
  /** What the label means, in a sentence. */
  readonly title?: string;
  /** The exact value: sorted by, and exported. */
  readonly cell: (row: T) => Cell;
  /** The printed text, where it is not the value itself. */
  readonly text?: (row: T) => string;
  /** Least width, rem; and what share of the room that is left it takes. */
  readonly width?: readonly [rem: number, share: number];
  readonly number?: boolean;
  /**
   * Puts this column on a first line and all others on the line below: a name beside four figures
   * would lose the part that distinguishes it from its neighbours.
   */
  readonly above?: boolean;
  /** What the cell says on hovering, beside its words. */
  readonly note?: (row: T) => string | undefined;
}

interface DataTableProps<T> {
  /** What the table lists, for screen readers; its test id, too: `numbers-<name>`. */
  readonly name: string;
  /** What its files are called beside the scenario, if not that. */
  readonly file?: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Said where there is no row. */
  readonly empty: string;
  readonly onRow?: (row: T) => void;
  /** What Enter and a click do, in a few words. */
  readonly rowHint?: string;
  readonly isMarked?: (row: T) => boolean;
}

interface Order {
  readonly id: string;
  readonly down: boolean;
}

/** Rows drawn beyond both edges of what is in sight. */
const SPARE = 6;
/** Rows of more, px, would be taller than browsers can lay out: Firefox stops at 17.9 million. */
const BODY_PX_MAX = 13_000_000;
/** Rows on paper: ten sheets of them are a table, a thousand are a mistake. */
const PRINTED_MAX = 200;
const ROW_REM = 1.625;
/** With a line above. */
const TALL_ROW_REM = 3.25;

export function DataTable<T>({
  name,
  file = name,
  columns,
  rows,
  empty,
  ...ofRows
}: DataTableProps<T>): ReactNode {
  const [order, setOrder] = useState<Order>();
  const sorted = useMemo(() => sortedBy(rows, columns, order), [rows, columns, order]);
  const shown = columns.filter(({ label }) => label !== undefined);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useWindow(
    scroller,
    sorted.length,
    shown.some(({ above }) => above) ? TALL_ROW_REM : ROW_REM,
  );
  const { laid } = view;
  const id = useId();
  const layout = layoutOf(shown);
  return (
    <>
      <div
        ref={scroller}
        className="data-table"
        role="grid"
        tabIndex={0}
        aria-label={name}
        aria-description={ofRows.rowHint}
        aria-rowcount={laid + 1}
        aria-activedescendant={
          laid > 0 && view.active >= view.first && view.active < view.last
            ? `${id}-${view.active}`
            : undefined
        }
        data-testid={`numbers-${name}`}
        data-rows={sorted.length}
        onScroll={view.onScroll}
        onKeyDown={(event) => {
          const row = sorted[view.active];
          if (walk(event, view, laid)) return;
          if (event.code !== "Enter" || event.target !== event.currentTarget || row === undefined)
            return;
          event.preventDefault();
          ofRows.onRow?.(row);
        }}
      >
        <div className="data-head" role="rowgroup" style={layout.least}>
          <div className="data-row" role="row" aria-rowindex={1} style={layout.template}>
            {shown.map((column) => (
              <Heading key={column.id} column={column} order={order} onOrder={setOrder} />
            ))}
          </div>
        </div>
        <Body id={id} rows={sorted} columns={shown} view={view} layout={layout} {...ofRows} />
      </div>
      {laid === 0 && <p className="empty">{empty}</p>}
      <Foot file={file} columns={columns} rows={sorted} laid={laid} />
    </>
  );
}

interface BodyProps<T> extends Omit<DataTableProps<T>, "name" | "file" | "empty"> {
  readonly id: string;
  readonly view: RowWindow;
  readonly layout: ReturnType<typeof layoutOf>;
}

/** The rows in sight, and some beyond both edges. */
function Body<T>(props: BodyProps<T>): ReactNode {
  const { id, rows, columns, view, layout, onRow, rowHint, isMarked } = props;
  const numbers = Array.from(
    { length: Math.max(0, view.last - view.first) },
    (_, at) => view.first + at,
  );
  return (
    <div className="data-body" role="rowgroup" style={{ ...layout.least, ...view.body }}>
      {numbers.map((at) => {
        const row = rows[at];
        if (row === undefined) return undefined;
        return (
          <Row
            key={at}
            id={`${id}-${at}`}
            at={at}
            row={row}
            columns={columns}
            active={at === view.active}
            marked={isMarked?.(row) ?? false}
            hint={rowHint}
            style={{ ...layout.template, ...view.place(at) }}
            onPress={() => {
              view.activate(at);
              onRow?.(row);
            }}
          />
        );
      })}
    </div>
  );
}

const WIDTH = [4.5, 1] as const;
/** Between columns, and before the first and after the last together, rem; as in numbers.css. */
const GAP_REM = 0.5;
const EDGES_REM = 1;

/** Every row is a grid of its own: equal tracks and one least width keep them level. */
function layoutOf<T>(columns: readonly Column<T>[]): {
  readonly template: { gridTemplateColumns: string };
  readonly least: { minWidth: string };
} {
  const widths = columns.filter(({ above }) => above !== true).map(({ width }) => width ?? WIDTH);
  const rem = widths.reduce((sum, [least]) => sum + least + GAP_REM, EDGES_REM - GAP_REM);
  return {
    template: {
      gridTemplateColumns: widths
        .map(([least, share]) => `minmax(${least}rem, ${share}fr)`)
        .join(" "),
    },
    least: { minWidth: `${rem}rem` },
  };
}

function classOf(number = false, above = false): string {
  return [number ? "number" : [], above ? "above" : []].flat().join(" ");
}

interface RowProps<T> {
  readonly id: string;
  readonly at: number;
  readonly row: T;
  readonly columns: readonly Column<T>[];
  readonly active: boolean;
  readonly marked: boolean;
  readonly hint: string | undefined;
  readonly style: CSSProperties;
  readonly onPress: () => void;
}

function Row<T>({
  id,
  at,
  row,
  columns,
  active,
  marked,
  hint,
  style,
  onPress,
}: RowProps<T>): ReactNode {
  return (
    <div
      id={id}
      className={active ? "data-row active" : "data-row"}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={marked}
      style={style}
      title={hint}
      onClick={onPress}
    >
      {columns.map(({ id: column, number, above, cell, text, note }) => {
        const words = plainText(String(text?.(row) ?? cell(row) ?? ""));
        const more = note?.(row) ?? (number === true || above === true ? words : undefined);
        return (
          <span
            key={column}
            role="gridcell"
            className={classOf(number, above)}
            title={more === undefined ? undefined : plainText(more)}
            data-column={column}
            data-value={cell(row)}
          >
            {above === true && number !== true ? <Breakable text={words} /> : words}
          </span>
        );
      })}
    </div>
  );
}

function Heading<T>({
  column,
  order,
  onOrder,
}: {
  readonly column: Column<T>;
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
}): ReactNode {
  const { id, label, unit, title, number, above } = column;
  const own = order?.id === id ? order : undefined;
  // Numbers are asked for their greatest first, words from A on; the third press goes back to the
  // order of the rows.
  const first = number === true;
  const next =
    own === undefined ? { id, down: first } : own.down === first ? { id, down: !first } : undefined;
  return (
    <span
      role="columnheader"
      className={classOf(number, above)}
      aria-sort={own === undefined ? "none" : own.down ? "descending" : "ascending"}
    >
      <button
        type="button"
        title={title}
        data-testid={`numbers-sort-${id}`}
        onClick={() => onOrder(next)}
      >
        {label}
        {unit !== undefined && <span className="data-unit"> ({unit})</span>}
        {own !== undefined && <span aria-hidden="true">{own.down ? " ↓" : " ↑"}</span>}
      </button>
    </span>
  );
}

interface FootProps<T> {
  readonly file: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** How many of the rows can be scrolled to, or are printed. */
  readonly laid: number;
}

function Foot<T>({ file, columns, rows, laid }: FootProps<T>): ReactNode {
  const paper = useMedia("print");
  const table = (): Table => ({
    columns: columns.map(({ id }) => id),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
  });
  return (
    <footer className="data-foot">
      <span className="muted" role="status">
        {counted(rows.length, "row")}
        {laid < rows.length
          ? `, the first ${formatCount(laid)} ${paper ? "printed: the CSV file has all" : "shown"}`
          : ""}
      </span>
      <TableFiles name={file} table={table} testId="numbers" />
    </footer>
  );
}

/** What is undefined comes last either way; equals keep their order. */
function sortedBy<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  order: Order | undefined,
): readonly T[] {
  const column = columns.find(({ id }) => id === order?.id);
  if (column === undefined || order === undefined) return rows;
  const keyed = rows.map((row) => ({ row, key: column.cell(row) }));
  const way = order.down ? -1 : 1;
  keyed.sort((one, other) => {
    if (one.key === undefined || other.key === undefined)
      return Number(one.key === undefined) - Number(other.key === undefined);
    if (typeof one.key === "number" && typeof other.key === "number")
      return way * (one.key - other.key);
    return way * String(one.key).localeCompare(String(other.key), "en", { numeric: true });
  });
  return keyed.map(({ row }) => row);
}

/** Moves the active row by a key of the table; false if it is none. */
function walk(event: KeyboardEvent, view: RowWindow, count: number): boolean {
  if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey)
    return false;
  const to = stepOf(event.code, view.active, count, view.page);
  if (to === undefined) return false;
  event.preventDefault();
  view.activate(to);
  return true;
}

/** Where a key leads from a row; undefined if it is no key of the table. */
function stepOf(code: string, at: number, count: number, page: number): number | undefined {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }[code];
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
}

interface RowWindow {
  /**
   * What makes the body as tall as all rows, and a row lie where it belongs. On paper rows follow
   * each other, as high as their words.
   */
  readonly body: CSSProperties;
  readonly place: (row: number) => CSSProperties;
  /** How many of the rows can be scrolled to, or are printed. */
  readonly laid: number;
  /** Rows `first` up to and without `last` are drawn. */
  readonly first: number;
  readonly last: number;
  /** Rows a page. */
  readonly page: number;
  readonly active: number;
  readonly activate: (row: number) => void;
  readonly onScroll: () => void;
}

/**
 * Rows of one height: which are in sight follows from how far the table is scrolled. On paper all
 * of them are, or as many as are printed.
 */
function useWindow(
  scroller: React.RefObject<HTMLDivElement | null>,
  rows: number,
  rowRem: number,
): RowWindow {
  const [{ top, height, rowPx }, setBox] = useState({ top: 0, height: 400, rowPx: 16 * rowRem });
  const [wanted, setActive] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setBox({
        top: element.scrollTop,
        height: element.clientHeight,
        rowPx: Math.round(rem * rowRem),
      });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, rowRem]);
  const paper = useMedia("print");
  const laid = Math.min(rows, paper ? PRINTED_MAX : Math.floor(BODY_PX_MAX / rowPx));
  const page = Math.max(1, Math.floor(height / rowPx) - 1);
  const first = paper ? 0 : Math.max(0, Math.floor(top / rowPx) - SPARE);
  return {
    body: paper ? {} : { height: laid * rowPx },
    place: (row) => (paper ? {} : { transform: `translateY(${row * rowPx}px)`, height: rowPx }),
    laid,
    first: Math.min(first, laid),
    last: paper ? laid : Math.min(laid, first + page + 2 * SPARE + 2),
    page,
    active: Math.min(wanted, Math.max(0, laid - 1)),
    activate: (row) => {
      setActive(row);
      const element = scroller.current;
      if (element === null) return;
      // One row is hidden by the heading that stays in sight.
      if (row * rowPx < element.scrollTop) element.scrollTo({ top: row * rowPx });
      else if ((row + 2) * rowPx > element.scrollTop + element.clientHeight)
        element.scrollTo({ top: (row + 2) * rowPx - element.clientHeight });
    },
    onScroll: () => {
      const element = scroller.current;
      if (element !== null) setBox((box) => ({ ...box, top: element.scrollTop }));
    },
  };
}
