// Why a group was throttled, how long each time, which requests met that, and what people come for:
// the smallest limit that would do.

import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { GroupMetrics } from "../../engine/gen/types.ts";
import { plainText } from "../../engine/plain.ts";
import { counted } from "../../lib/count.ts";
import { fixed, formatCount, formatNs } from "../../lib/format.ts";
import {
  lostOnCpus,
  samplesThatMet,
  throttleBins,
  type ThrottleBin,
} from "../../model/tasks/throttles.ts";
import type { GroupTrack, TraceStore } from "../../model/index.ts";
import { seriesWords } from "../../scenario/labels.ts";
import { whyThrottled } from "../../state/figures/throttle-words.ts";
import type { Side } from "../../scenario/sides.ts";
import type { Run } from "../../state/shape/run.ts";
import Terms from "../glossary/Terms.tsx";
import { takeThrottle } from "./ask-throttle.ts";
import { LimitAnswer } from "./LimitAnswer.tsx";
import { usePage, useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { fileName, throttlesTable } from "../numbers/tables.ts";
import { lookAtThrottle } from "../moments/to-moment.ts";

interface ThrottlesProps {
  readonly side: Side;
  readonly run: Run;
  readonly track: GroupTrack;
  readonly group: GroupMetrics;
  readonly onSweep: () => void;
}

export function Throttles({ side, run, track, group, onSweep }: ThrottlesProps): ReactNode {
  const { info } = track;
  const { trace } = run;
  const id = `${info.path}-${side}`;
  const { store } = usePage();
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (side === "a" && takeThrottle(store.getState().entry.text))
      block.current?.scrollIntoView({ block: "start" });
  }, [side, store]);
  return (
    <div ref={block} className="quota-throttles" data-testid={`throttles-${id}`}>
      <p className="quota-words" data-testid={`why-throttled-${id}`}>
        <Terms text={whyThrottled(group, info.quota_ns, lostOnCpus(trace, track.id))} />
      </p>
      <Lengths side={side} trace={trace} track={track} id={id} />
      <Met trace={trace} track={track} id={id} />
      {group.nr_throttled > 0 && (
        <LimitAnswer of={{ side, meta: run.meta, info }} onSweep={onSweep} />
      )}
    </div>
  );
}

interface PartProps {
  readonly trace: TraceStore;
  readonly track: GroupTrack;
  readonly id: string;
}

function Lengths({ side, trace, track, id }: PartProps & { readonly side: Side }): ReactNode {
  const { version } = trace;
  // The store is one object for the whole run; its version says that it has grown.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
  const bins = useMemo(() => throttleBins(trace, track.id), [trace, track, version]);
  const { store } = usePage();
  if (bins.length === 0) return undefined;
  const most = Math.max(...bins.map(({ count }) => count));
  return (
    <>
      <table
        className="throttle-lengths"
        aria-label="How long it was throttled"
        data-testid={`throttle-lengths-${id}`}
      >
        <thead>
          <tr>
            <th scope="col">one throttle of one CPU</th>
            <th scope="col">times</th>
          </tr>
        </thead>
        <tbody>
          {bins.map((bin) => (
            <tr key={bin.fromNs} data-count={bin.count}>
              <th scope="row">{rangeOf(bin)}</th>
              <td>
                <button
                  type="button"
                  className="throttle-bar"
                  title={`Go to the longest of ${counted(bin.count, "throttle")}: ${formatNs(bin.longest.toNs - bin.longest.fromNs, 2)} on CPU ${String(bin.longest.cpu)}`}
                  data-testid={`throttle-bin-${id}-${String(bin.fromNs)}`}
                  onClick={() => lookAtThrottle(store, side, bin.longest)}
                >
                  {/* The longest leaves room for its number. */}
                  <span
                    aria-hidden="true"
                    style={{ width: `calc((100% - 4rem) * ${bin.count / most})` }}
                  />
                  {formatCount(bin.count)}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <TableFiles
        name={`throttles-${fileName(track.info.path)}-${side}`}
        table={() => throttlesTable(bins)}
        testId={`throttle-lengths-${id}`}
      />
    </>
  );
}

function rangeOf({ fromNs, toNs }: ThrottleBin): string {
  if (fromNs === 0) return `below ${formatNs(toNs)}`;
  return toNs === Infinity
    ? `${formatNs(fromNs)} and more`
    : `${formatNs(fromNs)} to ${formatNs(toNs)}`;
}

function Met({ trace, track, id }: PartProps): ReactNode {
  const { version } = trace;
  const labels = useSelect((state) => state.entry.labels);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the trace grows in place
  const met = useMemo(() => samplesThatMet(trace, track.id), [trace, track, version]);
  if (met.length === 0) return undefined;
  return (
    <ul
      className="quota-words"
      data-testid={`throttles-met-${id}`}
      title="A sample meets a throttle if its group is throttled on any CPU while the sample lasts."
    >
      {met.map(({ series, samples, met: count }) => (
        <li key={series}>
          <span title={plainText(series)}>{seriesWords(labels, series)}</span>: {formatCount(count)}{" "}
          of {formatCount(samples)} met a throttle ({fixed(count * 100, samples, 1)} %)
        </li>
      ))}
    </ul>
  );
}
