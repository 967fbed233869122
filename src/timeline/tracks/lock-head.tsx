// One side's heading: which side, what it changed, and the lock lane in words at the playhead. Its height never changes: a heading that
// grows and shrinks while the playhead moves would make the lanes jump.

import type { CSSProperties, ReactElement } from "react";
import type { LockMoment, LockTrack, TraceStore } from "../../model/index.ts";
import { userLockWords } from "../../model/user-locks.ts";

/** More chips than this never fit a line. */
const CHIPS_MAX = 60;
const NOBODY: LockMoment = { holder: undefined, queue: [] };

interface HeadProps {
  readonly id: "a" | "b";
  readonly label: string;
  /** What lies under the lanes. */
  readonly ghost?: { readonly words: string } | undefined;
  readonly trace: TraceStore;
  readonly lock: LockTrack | undefined;
  /** Whether the picture is about locks: else nobody asks who has waited for one. */
  readonly withLock: boolean;
  /** Whether there is a queue to speak of on either side. */
  readonly withQueue: boolean;
  readonly playheadNs: number;
  /** While it runs, what is not there yet may still come. */
  readonly running: boolean;
}

export function SideHead({ id, label, ghost, trace, lock, withLock, withQueue, playheadNs, running }: HeadProps): ReactElement {
  // What follows the depth on its line must not move when the depth gets another digit.
  const digits = { "--tl-digits": String(lock?.peak.depth ?? 0).length } as CSSProperties;
  const moment = lock === undefined || playheadNs > trace.endNs ? NOBODY : lock.at(playheadNs);
  return (
    <>
      <div className="tl-head">
        <span className={`tl-badge tl-badge-${id}`}>{id.toUpperCase()}</span>
        <span className="tl-label">{label}</span>
        {ghost === undefined ? null : (
          <span className="tl-ghost" data-testid={`ghost-words-${id}`}>
            {ghost.words}
          </span>
        )}
        {lock === undefined ? (
          <span className="tl-lock" data-testid={`user-lock-${id}`}>
            {noLockWords({ trace, withLock, playheadNs, running })}
          </span>
        ) : (
          <span className="tl-lock" style={digits} data-testid={`lock-words-${id}`}>
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
      {withQueue ? <QueueLine moment={lock === undefined ? undefined : moment} cpus={trace.lanes.length} /> : null}
    </>
  );
}

/** Of a side without a kernel lock to speak of; nothing of an instant that is not computed yet. */
function noLockWords({ trace, withLock, playheadNs, running }: Pick<HeadProps, "trace" | "withLock" | "playheadNs" | "running">): string {
  if (trace.endNs === 0 || (running && playheadNs > trace.endNs)) return "";
  return userLockWords(trace, Math.min(playheadNs, trace.endNs)) ?? (withLock ? noWaitWords(running) : "");
}

/** Of a run in which no CPU has waited for a kernel lock. */
export function noWaitWords(running: boolean): string {
  return `no CPU has waited for a kernel lock${running ? " so far" : ""}`;
}

/**
 * Chips keep their places while the queue changes: the words before them stay the same, and every chip is as wide as the largest number.
 * A side without a lock to speak of keeps the line's height, empty.
 */
function QueueLine({ moment, cpus }: { readonly moment: LockMoment | undefined; readonly cpus: number }): ReactElement {
  if (moment === undefined) return <div className="tl-queue" />;
  const { holder, queue } = moment;
  const style = { "--tl-digits": String(cpus - 1).length } as CSSProperties;
  return (
    <div className="tl-queue" aria-label={queueWords(moment)} role="img" style={style}>
      <span>held by CPU</span>
      <span className="tl-cpu tl-cpu-holder">{holder ?? "–"}</span>
      <span>waiting</span>
      {queue.slice(0, CHIPS_MAX).map((cpu) => (
        <span key={cpu} className="tl-cpu">
          {cpu}
        </span>
      ))}
    </div>
  );
}

function queueWords({ holder, queue }: LockMoment): string {
  const free = queue.length === 0 ? "lock free" : "lock being handed over";
  const held = holder === undefined ? free : `lock held by CPU ${holder}`;
  return queue.length === 0 ? held : `${held}, waiting in order: CPU ${queue.join(", ")}`;
}
