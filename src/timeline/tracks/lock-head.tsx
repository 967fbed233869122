// One side's heading: which side, what it changed, and the lock lane in words at the playhead. Its
// height never changes: a heading that grows and shrinks while the playhead moves would make the
// lanes jump.

import type { CSSProperties, ReactElement, ReactNode } from "react";
import type { LockMoment, LockTrack, TraceStore } from "../../model/index.ts";
import type { TimelineTheme } from "../plot/timeline-theme.ts";
import type { TrackTools } from "./track-tools.ts";
import { userLockWords } from "../../model/locks/user-locks.ts";
import { lockWords } from "../../model/locks/lock-words.ts";

const NOBODY: LockMoment = { holder: undefined, queue: [] };

interface HeadProps {
  readonly id: "a" | "b";
  readonly label: string;
  readonly whole?: string;
  /** Width of the side, CSS px. */
  readonly width: number;
  readonly theme: Pick<TimelineTheme, "fontPx">;
  /** What lies under the lanes. */
  readonly ghost?: { readonly words: string } | undefined;
  readonly trace: TraceStore;
  readonly lock: LockTrack | undefined;
  /** Whether the picture is about locks: else its waiters are not looked up. */
  readonly withLock: boolean;
  /** Whether either side has a queue that is deep enough for words. */
  readonly withQueue: boolean;
  readonly playheadNs: number;
  /** While the run is computed, a wait may still come. */
  readonly running: boolean;
  readonly tools: TrackTools | undefined;
  /** How many rows a sheet has of all. */
  readonly cut: ReactNode;
}

export function SideHead({
  id,
  label,
  whole = label,
  width,
  theme,
  ghost,
  cut,
  trace,
  lock,
  withLock,
  withQueue,
  playheadNs,
  running,
  tools,
}: HeadProps): ReactElement {
  // What follows the depth on its line must not move when the depth gets another digit.
  const digits = { "--tl-digits": String(lock?.peak.depth ?? 0).length } as CSSProperties;
  const moment = lock === undefined || playheadNs > trace.endNs ? NOBODY : lock.at(playheadNs);
  return (
    <>
      <div className="tl-head">
        <span className={`tl-badge tl-badge-${id}`}>{id.toUpperCase()}</span>
        <span className="tl-label" title={whole}>
          {hasRoom(whole, width, theme) ? whole : label}
        </span>
        {ghost === undefined ? null : (
          <span className="tl-ghost" data-testid={`ghost-words-${id}`}>
            {ghost.words}
          </span>
        )}
        {cut}
        {lock === undefined ? (
          <span className="tl-lock" data-testid={`user-lock-${id}`}>
            {noLockWords({ trace, withLock, playheadNs, running })}
          </span>
        ) : (
          <span className="tl-lock" style={digits} data-testid={`lock-words-${id}`}>
            <span>{lockWords(trace.lockName(lock.id))}</span>
            <span>
              depth <b>{moment.queue.length}</b>
            </span>
            <span>
              max <b>{lock.peak.depth}</b>
            </span>
          </span>
        )}
      </div>
      {withQueue ? <Queue tools={tools} moment={lock && moment} cpus={trace.lanes.length} /> : null}
    </>
  );
}

/** Share of the line that its name may take; and a bold letter's width, in sizes of the text. */
const NAME_SHARE = 0.6;
const LETTER_EM = 0.62;

/** Whether the line has room for a name with each of its knobs: else the knobs are counted. */
export function hasRoom(
  name: string,
  width: number,
  { fontPx }: Pick<TimelineTheme, "fontPx">,
): boolean {
  return name.length * LETTER_EM * (fontPx + 1) <= width * NAME_SHARE;
}

interface QueueProps {
  readonly tools: TrackTools | undefined;
  readonly moment: LockMoment | undefined;
  readonly cpus: number;
}

/**
 * A side without a lock to speak of keeps the line's height, empty, as does one whose chips have
 * not come.
 */
function Queue({ tools, moment, cpus }: QueueProps): ReactElement {
  return tools === undefined || moment === undefined ? (
    <div className="tl-queue" />
  ) : (
    <tools.QueueLine moment={moment} cpus={cpus} />
  );
}

/**
 * Words for a side on which no CPU waits for a kernel lock; empty before an instant is computed.
 */
function noLockWords({
  trace,
  withLock,
  playheadNs,
  running,
}: Pick<HeadProps, "trace" | "withLock" | "playheadNs" | "running">): string {
  if (trace.endNs === 0 || (running && playheadNs > trace.endNs)) return "";
  return (
    userLockWords(trace, Math.min(playheadNs, trace.endNs)) ??
    (withLock ? noWaitWords(running) : "")
  );
}

/** Words for a run in which no CPU has waited for a kernel lock. */
export function noWaitWords(running: boolean): string {
  return `no CPU has waited for a kernel lock${running ? " so far" : ""}`;
}
