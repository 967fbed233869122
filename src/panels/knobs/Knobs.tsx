// The scenario's controls, made from its knob list and the knobs' schemas: no knob has code of its
// own here. A knob in which A and B are compared has a control per side; any other has one for
// both, and can be split.

import { counted } from "../../lib/count.ts";
import { useState, type ReactNode } from "react";
import type { Knob, KnobValue, Origin } from "../../engine/gen/types.ts";
import { isPerSide, lookUp, type Where } from "../../scenario/knob-sets.ts";
import {
  findKnob,
  isCpuMax,
  KERNEL_KNOBS,
  keysOf,
  knobName,
  valueText,
  VERSION,
} from "../../scenario/knob-values.ts";
import { latestMeta } from "../../state/select/offers.ts";
import {
  differingKnobs,
  isLive,
  knobValue,
  liveValues,
  phaseOf,
  resolvedKnob,
  valueAt,
} from "../../state/select/selectors.ts";
import { otherSide, SIDES, type Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { stepInHistory } from "../history/step-in-history.ts";
import { Icon } from "../widgets/Icon.tsx";
import { atLeisure, optionally } from "../../lib/lazily.tsx";
import { KnobInput } from "./KnobInput.tsx";
import { HereSwitch, HereWords, KernelWords, KnobName, Offers, useRefused } from "./KnobNotes.tsx";
import { LaterTerms } from "../glossary/LaterTerms.tsx";
import { useKnobDocs } from "./knob-doc.ts";
import { restartWords, SEED } from "./restart-words.ts";
import { useDispatch, useKnob, usePage, useSelect } from "../page/page.ts";
import { WhichButton } from "./WhichButton.tsx";

const TryMark = optionally(() => atLeisure(() => import("./TryMark.tsx")));

/**
 * The scenario's own knobs, then which kernel it is, then those in which the sides differ; behind
 * "more knobs", all the rest.
 */
export function Knobs(): ReactNode {
  const [more, setMore] = useState(false);
  const [query, setQuery] = useState("");
  const { near, kernel, differs, rest } = useKnobPaths();
  const { catalogue } = usePage();
  const docs = useKnobDocs();
  const wanted = query.trim().toLowerCase();
  const named = (path: string): boolean => {
    const knob = findKnob(catalogue.knobs, path);
    return (
      wanted === "" ||
      `${path} ${knob === undefined ? "" : knobName(knob)} ${docs(path)?.doc ?? ""}`
        .toLowerCase()
        .includes(wanted)
    );
  };
  const rows = (paths: readonly string[]): ReactNode =>
    paths.filter(named).map((path) => <KnobCard key={path} path={path} />);
  return (
    <section className="knobs" aria-label="Knobs" data-testid="knobs">
      <div className="knob-actions">
        <input
          className="input knob-search"
          type="search"
          placeholder="Search knobs"
          aria-label="Search knobs"
          value={query}
          data-testid="knob-search"
          onChange={(event) => setQuery(event.target.value)}
        />
        <UndoButtons />
      </div>
      {rows(near)}
      <div className="knob-kernel" role="group" aria-label="Kernel" data-testid="knobs-kernel">
        {rows(kernel)}
      </div>
      <WhichButton />
      {differs.length > 0 && (
        <div className="knob-kernel" role="group" aria-label="Differs">
          <h3 className="knob-heading">differs</h3>
          {rows(differs)}
        </div>
      )}
      <button
        type="button"
        className="button quiet tiny knob-more"
        aria-expanded={more}
        data-testid="knobs-more"
        onClick={() => setMore(!more)}
      >
        {more ? "fewer knobs" : counted(rest.length, "more knob")}
      </button>
      {(more || wanted !== "") && (
        <div className="knob-rest" data-testid="knobs-rest">
          {groupsOf(rest.filter(named)).map((group) => (
            <div key={group} className="knob-group">
              <h3 className="knob-heading">{group === "" ? "run" : group}</h3>
              {rows(rest.filter((path) => groupOf(path) === group))}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

interface KnobPaths {
  readonly near: readonly string[];
  readonly kernel: readonly string[];
  readonly differs: readonly string[];
  readonly rest: readonly string[];
}

function useKnobPaths(): KnobPaths {
  const listed = useSelect((state) => state.entry.knobs);
  const { catalogue } = usePage();
  const ofA = useSelect((state) => state.sides.a.shown?.meta.knobs);
  const ofB = useSelect((state) => state.sides.b.shown?.meta.knobs);
  const resolved = ofA && new Set([...ofA, ...(ofB ?? [])].map((knob) => knob.path));
  const apart = useSelect((state) => differingKnobs(state).join("\n"));
  const applies = (path: string): boolean => resolved === undefined || resolved.has(path);
  const near = [...listed.filter((path) => path !== SEED), SEED];
  const kernel = KERNEL_KNOBS.filter((path) => !listed.includes(path) && applies(path));
  const placed = new Set([...near, ...kernel]);
  const differs = apart.split("\n").filter((path) => path !== "" && !placed.has(path));
  for (const path of differs) placed.add(path);
  // Groups' knobs are patterns in the catalogue; which there are, the run says.
  const groups = [...(resolved ?? [])].filter((path) => path.startsWith("cgroups."));
  const all = [
    ...catalogue.knobs.map((knob) => knob.path).filter((path) => !path.startsWith("cgroups.")),
    ...groups,
  ];
  return { near, kernel, differs, rest: all.filter((path) => !placed.has(path) && applies(path)) };
}

/** The part of the scenario file a knob lies in: `workload.cyclictest`. */
function groupOf(path: string): string {
  return keysOf(path).slice(0, -1).join(".");
}

function groupsOf(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map(groupOf))];
}

function UndoButtons(): ReactNode {
  const page = usePage();
  const canUndo = useSelect((state) => state.undo.past.length > 0);
  const canRedo = useSelect((state) => state.undo.future.length > 0);
  return (
    <>
      <button
        type="button"
        className="button round quiet"
        disabled={!canUndo}
        title="Undo the last change (Ctrl+Z)"
        aria-label="Undo"
        data-testid="undo"
        onClick={() => stepInHistory(page, "undone")}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="button round quiet"
        disabled={!canRedo}
        title="Redo (Ctrl+Shift+Z)"
        aria-label="Redo"
        data-testid="redo"
        onClick={() => stepInHistory(page, "redone")}
      >
        <Icon name="redo" />
      </button>
    </>
  );
}

const KnobChanges = optionally(() => import("./KnobChanges.tsx"));

/** A knob with its control, a control for each side where they differ. */
export function KnobCard({ path }: { readonly path: string }): ReactNode {
  const knob = useKnob(path);
  const first = useSelect(({ route, entry }) => route === "home" && entry.knobs[0] === path);
  const perSide = useSelect(
    (state) => isPerSide(state.entry, state.knobs, path) || state.split.includes(path),
  );
  const changed = useSelect((state) =>
    [state.knobs.both, state.knobs.a, state.knobs.b].some((set) => lookUp(set, path) !== undefined),
  );
  const dispatch = useDispatch();
  const docs = useKnobDocs();
  const [wantsHere, setHere] = useState(false);
  const live = useSelect((state) => SIDES.some((side) => isLive(state, side, path)));
  const canHere = useSelect((state) => state.playheadNs > 0) && live;
  const here = wantsHere && canHere;
  const restart = useSelect((state) => restartWords(state, path));
  const hasChanges = useSelect(
    ({ knobs, moved, metaBefore }) =>
      knobs.live.some((each) => each.path === path) ||
      (path === VERSION ? metaBefore !== undefined : moved.some((each) => each.path === path)),
  );
  if (knob === undefined) return undefined;
  return (
    <div
      className={`knob${perSide || isCpuMax(knob) ? " knob-tall" : ""}${changed ? " changed" : ""}`}
      data-testid={`knob-card-${path}`}
    >
      <div className="knob-head">
        <span className="knob-label" title={[path, docs(path)?.doc].filter(Boolean).join(": ")}>
          <KnobName knob={knob} path={path} /> <Marks path={path} />
        </span>
        {knob.type === "enum" && <Offers knob={knob} />}
        {first && <TryMark />}
        <span className="knob-buttons">
          {canHere && <HereSwitch knob={knob} on={here} onChange={setHere} />}
          {changed && (
            <button
              type="button"
              className="button tiny"
              title="Back to what the scenario says"
              aria-label={`Reset ${knobName(knob)}`}
              data-testid={`knob-${path}-reset`}
              onClick={() => dispatch({ type: "knob_reset", path })}
            >
              <Icon name="again" />
            </button>
          )}
          {path === SEED && <Reroll />}
          <SplitButton knob={knob} perSide={perSide} />
        </span>
      </div>
      <div className="knob-controls">
        {perSide ? (
          SIDES.map((side) => <Control key={side} knob={knob} where={side} here={here} />)
        ) : (
          <Control knob={knob} where="both" here={here} />
        )}
      </div>
      {here && <HereWords />}
      {changed && !live && <span className="knob-remark">{restart}</span>}
      {hasChanges && <KnobChanges knob={knob} />}
      {path === VERSION && <KernelWordsOfBoth />}
    </div>
  );
}

/** One chip where both sides have the same kernel. */
function KernelWordsOfBoth(): ReactNode {
  const [a, b] = [
    useSelect((state) => latestMeta(state, "a")?.kernel),
    useSelect((state) => latestMeta(state, "b")?.kernel),
  ];
  if (a === b) return <KernelWords side="a" />;
  return SIDES.map((side) => <KernelWords key={side} side={side} badge />);
}

function SplitButton({
  knob,
  perSide,
}: {
  readonly knob: Knob;
  readonly perSide: boolean;
}): ReactNode {
  const dispatch = useDispatch();
  const side = useRuling(knob.path, "both");
  const value = useSelect((state) => knobValue(state, side, knob.path)) ?? knob.default;
  if (perSide) {
    return (
      <button
        type="button"
        className="button tiny"
        title={`One value for both sides: ${side.toUpperCase()}’s`}
        aria-label={`One value of ${knobName(knob)} for both sides`}
        data-testid={`knob-${knob.path}-join`}
        onClick={() => dispatch({ type: "knob_joined", path: knob.path, value })}
      >
        <Icon name="join" />
      </button>
    );
  }
  return (
    <button
      type="button"
      className="button tiny"
      title="A value for each side"
      aria-label={`A value of ${knobName(knob)} for each side`}
      data-testid={`knob-${knob.path}-split`}
      onClick={() => dispatch({ type: "knob_split", path: knob.path })}
    >
      <Icon name="split" />
    </button>
  );
}

interface ControlProps {
  readonly knob: Knob;
  readonly where: Where;
  /** It acts from the playhead on, and shows what is in force there. */
  readonly here: boolean;
}

export function Control({ knob, where, here }: ControlProps): ReactNode {
  const { store } = usePage();
  const dispatch = useDispatch();
  const side = useRuling(knob.path, where);
  const known = useSelect((state) =>
    here ? valueAt(state, side, knob.path, state.playheadNs) : knobValue(state, side, knob.path),
  );
  const inert = useInert(side, knob.path);
  const why = inertWords(where, side, inert, useInert(otherSide(side), knob.path));
  const refused = useRefused(knob.path, where);
  const run = useSelect((state) => state.sides[side].shown);
  // What the version decides is not known before a run says it.
  const unknown = run === undefined && knob.follows_version === true && knob.type === "enum";
  const value = known ?? (unknown ? "" : knob.default);
  const change = (next: KnobValue, settled: boolean): void => {
    if (!here) dispatch({ type: "knob_set", where, path: knob.path, value: next, settled });
    else
      dispatch({
        type: "knob_live_set",
        change: {
          where,
          path: knob.path,
          value: next,
          atNs: Math.round(store.getState().playheadNs),
        },
      });
  };
  // A running kernel takes only some values of some switches: the modes of PREEMPT_DYNAMIC, and the
  // kernel's own rule of the wake-list.
  const live = useSelect((state) => liveValues(state, side, knob.path)) ?? [];
  const fixed =
    here && live.length > 0 ? (knob.choices ?? []).map((choice) => valueText(choice.value)) : [];
  const withheld = [
    ...refused.map((each) => each.value),
    ...fixed.filter((each) => !live.includes(each)),
  ];
  return (
    <div
      className={`control${inert === undefined ? "" : " inert"}`}
      data-knob={here ? undefined : knob.path}
      data-where={where}
    >
      {where !== "both" && <SideBadge side={where} />}
      <KnobInput
        knob={knob}
        value={value}
        name={where === "both" ? knobName(knob) : `${knobName(knob)}, side ${where.toUpperCase()}`}
        testId={where === "both" ? `knob-${knob.path}` : `knob-${knob.path}-${where}`}
        disabled={inert !== undefined}
        refused={withheld}
        within={phaseOf(run, knob.path)}
        onChange={change}
        onSettle={() => dispatch({ type: "knob_settled" })}
      />
      {why !== undefined && (
        <span className="inert-why">
          <LaterTerms text={why} quota={isCpuMax(knob)} />
        </span>
      )}
    </div>
  );
}

/**
 * `idle`: why the knob does nothing on the other side. A knob for both sides has a reason for
 * each.
 */
function inertWords(
  where: Where,
  side: Side,
  inert: string | undefined,
  idle: string | undefined,
): string | undefined {
  if (where !== "both" || inert === idle) return inert;
  const [here, there] = [side.toUpperCase(), otherSide(side).toUpperCase()];
  return `${inert === undefined ? `${here} only. ` : `${here}: ${inert}; `}${there}: ${idle ?? ""}`;
}

/** Why a knob does nothing in a side's run, where it does nothing. */
function useInert(side: Side, path: string): string | undefined {
  return useSelect((state) => resolvedKnob(state.sides[side].shown, path)?.inert);
}

/** The side whose value a control shows: of a knob for both, A, unless the knob acts on B alone. */
function useRuling(path: string, where: Where): Side {
  const a = useInert("a", path);
  const b = useInert("b", path);
  if (where !== "both") return where;
  return a !== undefined && b === undefined ? "b" : "a";
}

/** What is said of a value that was not read in the release, nor follows from commits. */
const UNSURE: Readonly<Partial<Record<Origin, readonly [mark: string, title: string]>>> = {
  carried: [
    "neighbour",
    "Taken from a release near this one: nobody looked whether a later change was taken in",
  ],
  recalled: ["recalled", "Nobody has read yet in which release this came"],
};

/** How well a value is known that the kernel's release decides. */
function Marks({ path }: { readonly path: string }): ReactNode {
  const origin = useSelect((state) => resolvedKnob(state.sides.a.shown, path)?.origin);
  const unsure = origin === undefined ? undefined : UNSURE[origin];
  if (unsure === undefined) return undefined;
  const [mark, title] = unsure;
  return (
    <span className="chip chip-assumed" title={title}>
      {mark}
    </span>
  );
}

function Reroll(): ReactNode {
  const dispatch = useDispatch();
  const seed = useSelect((state) => knobValue(state, "a", SEED));
  const next = typeof seed === "number" ? seed + 1 : 1;
  return (
    <button
      type="button"
      className="button tiny"
      title="The next seed, on both sides (Ctrl+Enter)"
      aria-label="Next seed on both sides"
      data-testid="reroll"
      onClick={() =>
        dispatch({ type: "knob_set", where: "both", path: SEED, value: next, settled: true })
      }
    >
      <Icon name="dice" />
    </button>
  );
}
