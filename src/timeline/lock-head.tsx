// One side's heading: which side, what it changed, and the lock lane in words at the playhead.

import type { ReactElement } from "react";
import type { LockMoment, LockTrack, TraceStore } from "../model/index.ts";

/** More waiting CPUs than this end in "+ n". */
const CHIPS_MAX = 14;
const NOBODY: LockMoment = { holder: undefined, queue: [] };

interface HeadProps {
  readonly id: "a" | "b";
  readonly label: string;
  readonly trace: TraceStore;
  readonly lock: LockTrack | undefined;
  readonly playheadNs: number;
}

export function SideHead({ id, label, trace, lock, playheadNs }: HeadProps): ReactElement {
  return (
    <div className="tl-head">
      <span className="tl-badge">{id.toUpperCase()}</span>
      <span className="tl-label">{label}</span>
      {lock === undefined ? <span className="tl-lock">no lock has been waited for</span> : <LockWords trace={trace} lock={lock} ns={playheadNs} />}
    </div>
  );
}

function LockWords({ trace, lock, ns }: { readonly trace: TraceStore; readonly lock: LockTrack; readonly ns: number }): ReactElement {
  const { holder, queue } = ns <= trace.endNs ? lock.at(ns) : NOBODY;
  const hidden = queue.length - CHIPS_MAX;
  return (
    <span className="tl-lock" data-testid="lock-words">
      <span>{trace.lockName(lock.id)} lock</span>
      {holder === undefined ? <span>free</span> : <span>held by <span className="tl-cpu tl-cpu-holder">{holder}</span></span>}
      {queue.length > 0 ? (
        <>
          <span>waiting</span>
          <span className="tl-queue" aria-label={`waiting CPUs in order: ${queue.join(", ")}`}>
            {queue.slice(0, CHIPS_MAX).map((cpu) => <span key={cpu} className="tl-cpu">{cpu}</span>)}
            {hidden > 0 ? <span>+ {hidden}</span> : null}
          </span>
        </>
      ) : null}
      <span>depth <b>{queue.length}</b></span>
      <span>max <b>{lock.peak.depth}</b></span>
    </span>
  );
}
