// The tools of the lanes once they have come. Without them the lanes are in order, each a row.

import { useEffect, useState } from "react";
import type * as tools from "./late-tools.ts";

export type LaneTools = typeof tools;

let loaded: LaneTools | undefined;

export function useLaneTools(): LaneTools | undefined {
  const [come, setCome] = useState(loaded);
  useEffect(() => {
    if (come !== undefined) return;
    // A script that does not come leaves the picture as it is.
    void import("./late-tools.ts").then((all) => setCome((loaded = all))).catch(() => undefined);
  }, [come]);
  return come;
}
