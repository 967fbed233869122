// What became of each group's run time, on both sides: used of entitled, the books as tanks and as
// numbers that add up, cpu.stat and cpu.pressure below them. Only runs with groups under a quota have it, so it is
// loaded when the first of them is.

import { useState, type ReactNode } from "react";
import type { GroupInfo, GroupMetrics } from "../../engine/gen/types.ts";
import { counted } from "../../lib/count.ts";
import { fixed, formatCount, formatNs, instantText } from "../../lib/format.ts";
import { basisPointsText } from "../../lib/percent.ts";
import type { Limit } from "../../model/index.ts";
import { describeTank } from "../../model/words/describe-quota.ts";
import {
  booksOf,
  cpuStat,
  usedShare,
  type BookEntry,
  type Books,
} from "../../state/figures/quota-books.ts";
import { SIDES, type Side } from "../../scenario/sides.ts";
import type { State } from "../../state/shape/state.ts";
import type { Run } from "../../state/shape/run.ts";
import { Chip } from "../widgets/Chip.tsx";
import { SideBadge } from "../widgets/SideBadge.tsx";
import Terms from "../glossary/Terms.tsx";
import { useSelect } from "../page/page.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { fileName, quotaTable } from "../numbers/tables.ts";
import { GroupFiles } from "./GroupFiles.tsx";
import { Throttles } from "./Throttles.tsx";
import "./quota.css";

type StatVersion = 1 | 2;

/** More groups than this are a list of lines; the first is open. */
const FOLDED_FROM = 3;

export default function Quota({ onSweep }: { readonly onSweep: () => void }): ReactNode {
  const sides = useSelect((state) => state.sides);
  const [version, setVersion] = useState<StatVersion>(2);
  const paths = new Set(
    SIDES.flatMap((side) => limitedGroups(sides[side].shown).map(({ path }) => path)),
  );
  if (paths.size === 0) return undefined;
  return (
    <section className="panel quota" aria-label="Quota" data-testid="quota">
      <header className="panel-head">
        <h2>Where did the quota go?</h2>
        <UnitSwitch version={version} onChange={setVersion} />
      </header>
      {[...paths].map((path, index) => (
        <Group
          key={path}
          path={path}
          folded={paths.size > FOLDED_FROM}
          first={index === 0}
          version={version}
          onSweep={onSweep}
        />
      ))}
    </section>
  );
}

interface GroupProps {
  readonly path: string;
  /** Shown as one line until it is opened. */
  readonly folded: boolean;
  readonly first: boolean;
  readonly version: StatVersion;
  readonly onSweep: () => void;
}

function Group({ path, folded, first, version, onSweep }: GroupProps): ReactNode {
  const sides = useSelect((state) => state.sides);
  const [opened, setOpened] = useState(first);
  const body = (
    <>
      <div className="quota-sides">
        {SIDES.map((side) => (
          <GroupSide
            key={side}
            side={side}
            run={sides[side].shown}
            path={path}
            version={version}
            onSweep={onSweep}
          />
        ))}
      </div>
      <GroupFiles path={path} version={version} />
    </>
  );
  if (!folded)
    return (
      <section className="quota-group" aria-label={`Group ${path}`} data-testid={`quota-${path}`}>
        <h3>{path}</h3>
        {body}
      </section>
    );
  return (
    <details
      className="quota-fold"
      open={opened}
      data-testid={`quota-${path}`}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>
        <strong>{path}</strong>
        {SIDES.map((side) => (
          <span key={side} className="quota-line">
            <SideBadge side={side} /> {lineOf(sides[side].shown, path)}
          </span>
        ))}
      </summary>
      {opened && body}
    </details>
  );
}

/** One side of a group in a few words. */
function lineOf(run: Run | undefined, path: string): string {
  const group = run?.report?.metrics.groups?.[path];
  const share = group === undefined ? undefined : usedShare(group.usage_ns, group.entitled_ns);
  if (group === undefined || share === undefined) return "no limit, or the run is not done yet";
  return `${fixed(share, 100, 1)} % of its limit used, throttled in ${formatCount(group.nr_throttled)} of ${counted(group.nr_periods, "period")}`;
}

/** Groups that had a quota when the run began, or were given one. */
function limitedGroups(run: Run | undefined): readonly GroupInfo[] {
  return run?.trace.quota.limited.map(({ info }) => info) ?? [];
}

function UnitSwitch({
  version,
  onChange,
}: {
  readonly version: StatVersion;
  readonly onChange: (version: StatVersion) => void;
}): ReactNode {
  return (
    <div
      className="segmented"
      role="radiogroup"
      aria-label="cpu.stat as cgroup"
      data-testid="quota-units"
    >
      {([2, 1] as const).map((each) => (
        <label
          key={each}
          className="segment"
          title={
            each === 2 ? "cgroup v2: times in microseconds" : "cgroup v1: times in nanoseconds"
          }
        >
          <input
            type="radio"
            name="quota-units"
            checked={version === each}
            data-testid={`quota-units-v${each}`}
            onChange={() => onChange(each)}
          />
          <span>cgroup v{each}</span>
        </label>
      ))}
    </div>
  );
}

interface GroupSideProps {
  readonly side: Side;
  readonly run: Run | undefined;
  readonly path: string;
  readonly version: StatVersion;
  readonly onSweep: () => void;
}

function GroupSide({ side, run, path, version, onSweep }: GroupSideProps): ReactNode {
  const info = limitedGroups(run).find((group) => group.path === path);
  const group = run?.report?.metrics.groups?.[path];
  const track = run?.trace.quota.limited.find((each) => each.info.path === path);
  if (run === undefined || info === undefined || track === undefined)
    return (
      <div className="quota-side">
        <SideBadge side={side} /> <span className="muted">no limit on this side</span>
      </div>
    );
  return (
    <div className="quota-side" data-testid={`quota-${path}-${side}`}>
      <Used side={side} run={run} info={info} group={group} />
      <AtPlayhead side={side} path={path} />
      {group !== undefined && (
        <>
          <Throttles side={side} run={run} track={track} group={group} onSweep={onSweep} />
          <Ledger side={side} path={path} books={booksOf(group)} />
          <Stat group={group} info={info} />
          <TableFiles
            name={`quota-${fileName(path)}-${side}`}
            table={() => quotaTable(booksOf(group), cpuStat(group, version), version)}
            testId={`quota-${path}-${side}`}
          />
        </>
      )}
    </div>
  );
}

function limitWords({ quotaNs, periodNs }: Limit): string {
  return quotaNs === undefined
    ? "no limit"
    : `${formatNs(quotaNs, 2)} of every ${formatNs(periodNs, 2)}`;
}

/** When refills come, and φ: where they lie between two ticks decides who finds the pool empty. */
function phaseWords({ phase_ns, tick_gap_ns }: GroupInfo): string {
  if (phase_ns === undefined) return "";
  const gap =
    tick_gap_ns === undefined ? "" : `, φ = ${formatNs(tick_gap_ns, 2)} before CPU 0’s next tick`;
  return `First refill at ${formatNs(phase_ns, 2)}${gap}.`;
}

function quotaWords({ burst_ns }: GroupInfo, limits: readonly Limit[]): string {
  const burst = burst_ns === 0 ? "" : `, burst ${formatNs(burst_ns, 2)}`;
  const [first, ...written] = limits;
  const start = first?.quotaNs === undefined ? "no limit at the start" : limitWords(first) + burst;
  return [
    start,
    ...written.map((limit) => `${limitWords(limit)} from ${instantText(limit.fromNs)} on`),
  ].join(", ");
}

/**
 * The time used, as a share of what the limit allows in the run's time. This one number
 * distinguishes a starved group from a group that had its share.
 */
function Used({
  side,
  run,
  info,
  group,
}: {
  readonly side: Side;
  readonly run: Run;
  readonly info: GroupInfo;
  readonly group: GroupMetrics | undefined;
}): ReactNode {
  const track = run.trace.quota.limited.find((each) => each.info.path === info.path);
  const usedNs = group?.usage_ns ?? track?.usedAt(run.simulatedNs) ?? 0;
  const entitledNs = group?.entitled_ns ?? track?.entitledAt(run.simulatedNs) ?? 0;
  const poolNs = info.quota_ns ?? 0;
  const share = usedShare(usedNs, entitledNs);
  return (
    <div className={`big side-${side}${group === undefined ? " stale" : ""}`}>
      <SideBadge side={side} />
      <div>
        <output
          className="big-number quota-used"
          aria-live="off"
          data-testid={`quota-used-${info.path}-${side}`}
          data-value={share}
        >
          {share === undefined ? "–" : fixed(share, 100, 1)}
          {share !== undefined && <span className="big-unit">% of its limit</span>}
        </output>
        <p className="quota-words">
          <strong>{formatNs(usedNs, 2)}</strong> used; the limit allows {formatNs(entitledNs, 2)}{" "}
          {group === undefined ? "so far" : "in the time of the run"}
          {poolNs > 0 && `, and the pool held ${formatNs(poolNs, 2)} more at the start`}.
        </p>
        <p className="muted quota-words">
          {quotaWords(info, track?.limits ?? [])} <Chip whose="model">simulated</Chip>
        </p>
        <p className="muted quota-words" data-testid={`quota-phase-${info.path}-${side}`}>
          {phaseWords(info)}
        </p>
      </div>
    </div>
  );
}

/** A part of its own: it alone follows the playhead. */
function AtPlayhead({ side, path }: { readonly side: Side; readonly path: string }): ReactNode {
  const words = useSelect((state) => playheadWords(state, side, path));
  if (words === undefined) return undefined;
  return (
    <p className="muted quota-words" data-testid={`quota-now-${path}-${side}`}>
      {words}
    </p>
  );
}

function playheadWords(state: State, side: Side, path: string): string | undefined {
  const run = state.sides[side].shown;
  const ns = Math.round(state.playheadNs);
  const track = run?.trace.quota.limited.find((each) => each.info.path === path);
  if (run === undefined || track === undefined || ns > run.simulatedNs) return undefined;
  const share = usedShare(track.usedAt(ns), track.entitledAt(ns));
  const used =
    share === undefined || ns === 0 ? [] : [`${fixed(share, 100, 1)} % of its limit used so far`];
  const [pool = "", ...rest] = describeTank(run.trace, track, ns);
  return `At the playhead: ${[...used, pool.replace(`${path}: `, ""), ...rest].join(", ")}.`;
}

const LEDGER =
  "Where the run time came from and went to by the end of the run, in ns. Granted is the full pool at the start and the refills. While the group sleeps, its period timer stops: no refill comes, and the kernel counts no period.";

function Ledger({
  side,
  path,
  books,
}: {
  readonly side: Side;
  readonly path: string;
  readonly books: Books;
}): ReactNode {
  const balanced = books.cameNs === books.wentNs;
  return (
    <div
      className="quota-books"
      data-testid={`quota-books-${path}-${side}`}
      data-balanced={balanced}
    >
      <p className="muted quota-words">
        <Terms text={LEDGER} />
      </p>
      <Account heading="came in" entries={books.came} total={books.cameNs} />
      <Account heading="went to" entries={books.went} total={books.wentNs} />
      <p className="quota-words" data-testid={`quota-sum-${path}-${side}`}>
        {formatCount(books.cameNs)} {balanced ? "=" : "≠"} {formatCount(books.wentNs)}{" "}
        <span className="muted">
          {balanced ? "the sums are equal" : "the sums differ: a fault of the simulator"}
        </span>
      </p>
    </div>
  );
}

function Account({
  heading,
  entries,
  total,
}: {
  readonly heading: string;
  readonly entries: readonly BookEntry[];
  readonly total: number;
}): ReactNode {
  return (
    <div className="quota-account">
      <div className="quota-tank" aria-hidden="true">
        {entries.map(({ kind, basisPoints }) => (
          <span
            key={kind}
            className={`quota-part quota-${kind}`}
            style={{ flexGrow: basisPoints }}
          />
        ))}
      </div>
      <table className="quota-table" aria-label={`Run time that ${heading}`}>
        <tbody>
          {entries.map(({ kind, words, ns, basisPoints }) => (
            <tr key={kind} className={kind === "double" ? "quota-wrong" : undefined}>
              <th scope="row">
                <span className={`quota-key quota-${kind}`} aria-hidden="true" />{" "}
                <Terms text={words} />
              </th>
              <td className="number">{formatCount(ns)}</td>
              <td className="number muted">{basisPointsText(basisPoints)} %</td>
            </tr>
          ))}
          <tr className="quota-total">
            <th scope="row">{heading}</th>
            <td className="number">{formatCount(total)}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Stat({
  group,
  info,
}: {
  readonly group: GroupMetrics;
  readonly info: GroupInfo;
}): ReactNode {
  const most = group.max_period_usage_ns;
  const over = info.quota_ns === undefined ? undefined : most - info.quota_ns;
  return (
    <div className="quota-stat">
      <p className="quota-words">
        {group.nr_periods === 0 ? (
          "No period was counted. "
        ) : (
          <>
            Most used in one period: <strong>{formatNs(most, 2)}</strong>
            {over !== undefined && over > 0 && (
              <span className="muted">, {formatNs(over, 2)} beyond the quota</span>
            )}
            {". "}
          </>
        )}
        The group’s lock was taken <strong>{formatCount(group.lock_acquisitions)}</strong> times.
      </p>
    </div>
  );
}
