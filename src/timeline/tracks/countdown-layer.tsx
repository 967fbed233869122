// Beside the playhead on each tall lane with a need_resched flag: how long the CPU has until it acts
// on the flag.
//
//   |/ / / / / /[tick in 2.1 ms]/ / / /|##############|
//              ↑ playhead

import { useEffect, useRef, type ReactElement } from "react";
import { threeFigures } from "../../lib/format.ts";
import type { Flag } from "../../model/index.ts";
import { NO_POINT } from "../../model/trace/flags.ts";
import type { Scene } from "../marks/mark.ts";
import { isTall, WORDED_MAX } from "../marks/pennant.ts";
import { barTop, inSight, xOf } from "../plot/plot.ts";

interface CountdownProps {
  readonly scene: Scene;
  readonly playheadNs: number;
}

export function CountdownLayer({ scene, playheadNs }: CountdownProps): ReactElement {
  const { plot, trace, off = [] } = scene;
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = root.current;
    if (node === null) return;
    const room = node.parentElement?.querySelector<HTMLElement>(".tl-room");
    node.style.top = `${String(room?.offsetTop ?? 0)}px`;
  });
  const ns = Math.round(playheadNs);
  const flags = off.includes("flag") ? [] : trace.flags.list(ns, ns, trace.endNs);
  const said = flags.flatMap((flag) => {
    const row = plot.rows.rowOfCpu[flag.cpu];
    const words = countdown(flag, ns);
    const tall = row !== undefined && isTall(plot, row) && inSight(plot, barTop(plot, row));
    return tall && words !== undefined ? [{ cpu: flag.cpu, words, top: barTop(plot, row) }] : [];
  });
  const x = xOf(plot, playheadNs);
  const beyond = x > plot.width - plot.theme.fontPx * ROOM;
  return (
    <div ref={root} className="tl-countdowns" aria-hidden="true">
      {x >= plot.gutter &&
        x <= plot.width &&
        said.length <= WORDED_MAX &&
        said.map(({ cpu, words, top }) => (
          <span
            key={cpu}
            className={beyond ? "tl-countdown tl-countdown-left" : "tl-countdown"}
            style={{ left: x, top }}
            data-testid="countdown"
          >
            {words}
          </span>
        ))}
    </div>
  );
}

/** So wide are the words at most, in sizes of the text. */
const ROOM = 12;

/** What happens to a flag next, and how long that takes; undefined where nothing acts on it. */
export function countdown(flag: Flag, ns: number): string | undefined {
  if (flag.upgradeNs !== undefined && ns < flag.upgradeNs)
    return `tick in ${threeFigures(flag.upgradeNs - ns)}`;
  if (flag.honouredAt === undefined || flag.honouredAt === NO_POINT || ns >= flag.toNs)
    return undefined;
  return `schedule() in ${threeFigures(flag.toNs - ns)}`;
}
