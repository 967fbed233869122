// For tests: how often single numbers of a column are read, so that work can be counted where time
// cannot be trusted.

import type { Column, ColumnData } from "./column.ts";

/** Counts from now on; `end` returns the number of reads and puts the column back. */
export function countReads(column: Column<ColumnData>): { readonly end: () => number } {
  const { data } = column;
  let reads = 0;
  column.data = new Proxy(data, {
    get: (target, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    end: () => {
      column.data = data;
      return reads;
    },
  };
}
