// One side's heading: which side, what it changed, and the lock lane in words at the playhead. Its height never changes: a heading that
// grows and shrinks while the playhead moves would make the lanes jump.

import type { ReactElement } from "react";
import type { LockMoment, LockTrack, TraceStore } from "../../model/index.ts";

/** More chips than this never fit a line. */
const CHIPS_MAX = 60;
const NOBODY: LockMoment = { holder: undefined, queue: [] };

interface HeadProps {
  readonly id: "a" | "b";
  readonly label: string;
  readonly trace: TraceStore;
  readonly lock: LockTrack | undefined;
  /** Whether there is a queue to speak of on either side. */
  readonly withQueue: boolean;
  readonly playheadNs: number;
}

export function SideHead({ id, label, trace, lock, withQueue, playheadNs }: HeadProps): ReactElement {
  const moment = lock === undefined || playheadNs > trace.endNs ? NOBODY : lock.at(playheadNs);
  return (
    <>
      <div className="tl-head">
        <span className={`tl-badge tl-badge-${id}`}>{id.toUpperCase()}</span>
        <span className="tl-label">{label}</span>
        {lock === undefined ? (
          <span className="tl-lock">no CPU has waited for a lock</span>
        ) : (
          <span className="tl-lock" data-testid={`lock-words-${id}`}>
            <span>{trace.lockName(lock.id)} lock</span>
            <span>
              depth <b>{moment.queue.length}</b>
            </span>
            <span>
              max <b>{lock.peak.depth}</b>
            </span>
          </span>
        )}
      </div>
      {withQueue ? <QueueLine moment={moment} /> : null}
    </>
  );
}

function QueueLine({ moment }: { readonly moment: LockMoment }): ReactElement {
  const { holder, queue } = moment;
  return (
    <div className="tl-queue" aria-label={queueWords(moment)} role="img">
      {holder === undefined ? (
        <span>{queue.length === 0 ? "lock free at the playhead" : "being handed over to"}</span>
      ) : (
        <>
          <span>held by CPU</span>
          <span className="tl-cpu tl-cpu-holder">{holder}</span>
          {queue.length > 0 ? <span>waiting</span> : null}
        </>
      )}
      {queue.slice(0, CHIPS_MAX).map((cpu) => (
        <span key={cpu} className="tl-cpu">
          {cpu}
        </span>
      ))}
    </div>
  );
}

function queueWords({ holder, queue }: LockMoment): string {
  const held = holder === undefined ? "lock free" : `lock held by CPU ${holder}`;
  return queue.length === 0 ? held : `${held}, waiting in order: CPU ${queue.join(", ")}`;
}
