// The index of overload of a run that is done, read in parts so that no frame waits for it.

import { useEffect, useState } from "react";
import { Overload } from "../../model/overload/overload.ts";
import type { TraceStore } from "../../model/index.ts";

/** Rows of one part: some milliseconds. */
const PART_ROWS = 40_000;

const known = new WeakMap<TraceStore, Overload>();

/** The index; undefined until all of the run is read, and while there is no such run. */
export function useOverload(trace: TraceStore | undefined): Overload | undefined {
  const [done, setDone] = useState<{ readonly trace: TraceStore; readonly overload: Overload }>();
  useEffect(() => {
    if (trace === undefined) return undefined;
    const overload = known.get(trace) ?? new Overload(trace);
    known.set(trace, overload);
    let timer = 0;
    const read = (): void => {
      if (overload.advance(PART_ROWS)) setDone({ trace, overload });
      else timer = window.setTimeout(read);
    };
    read();
    return () => window.clearTimeout(timer);
  }, [trace]);
  return done !== undefined && done.trace === trace ? done.overload : undefined;
}
