// The notes under a knob's control: the instant from which the knob acts, and the values that the
// version does not offer.

import { useId, useMemo, useState, type ReactNode } from "react";
import type { Knob, Origin, RunMeta, Unavailable } from "../../engine/gen/types.ts";
import { instantText } from "../../lib/format.ts";
import type { Where } from "../../scenario/knob-sets.ts";
import { knobName, valueWords } from "../../scenario/knob-values.ts";
import { kernelText, pathName } from "../../scenario/path-words.ts";
import { latestMeta, reasonsOf, refusedChoices } from "../../state/select/offers.ts";
import { knobValue } from "../../state/select/selectors.ts";
import type { Side } from "../../scenario/sides.ts";
import { SideBadge } from "../widgets/SideBadge.tsx";
import { LaterTerms } from "../glossary/LaterTerms.tsx";
import { Icon } from "../widgets/Icon.tsx";
import { optionally } from "../../lib/lazily.tsx";
import { useSelect } from "../page/page.ts";

export function useRefused(path: string, where: Where): readonly Unavailable[] {
  const a = useSelect((state) => latestMeta(state, "a"));
  const b = useSelect((state) => latestMeta(state, "b"));
  return useMemo(
    () => refusedChoices(where === "both" ? [a, b] : [where === "a" ? a : b], path),
    [a, b, where, path],
  );
}

const KnobDoc = optionally(() => import("./KnobDoc.tsx"));

/**
 * The knob's name, which opens what the knob means. `path`: the knob's own, where the knob is one
 * of a pattern.
 */
export function KnobName({
  knob,
  path,
}: {
  readonly knob: Knob;
  readonly path: string;
}): ReactNode {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="knob-name"
        popoverTarget={id}
        data-testid={`knob-${path}-name`}
      >
        {knobName(knob).replaceAll("_", "\u200B_")}
        <span className="visually-hidden">: what it means</span>
      </button>
      <div
        id={id}
        popover="auto"
        className="knob-reasons"
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {open && <KnobDoc path={path} testId={`knob-${path}-doc`} />}
      </div>
    </>
  );
}

/**
 * Whether the control acts on the run from its start, or on the running kernel from the playhead
 * on.
 */
export function HereSwitch({
  knob,
  on,
  onChange,
}: {
  readonly knob: Knob;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}): ReactNode {
  return (
    <label className="knob-here" title="Change it from the playhead on, in the running kernel">
      <input
        type="checkbox"
        checked={on}
        aria-label={`Change ${knobName(knob)} from the playhead on`}
        data-testid={`knob-${knob.path}-here`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <Icon name="here" />
    </label>
  );
}

/** From when on the control acts while the switch is on. */
export function HereWords(): ReactNode {
  const playhead = useSelect((state) => state.playheadNs);
  return <span className="knob-remark">from the playhead on ({instantText(playhead)})</span>;
}

/** What the chosen version does not offer, and why. */
export function Offers({ knob }: { readonly knob: Knob }): ReactNode {
  const id = useId();
  const refused = useRefused(knob.path, "both");
  const versionA = useSelect((state) => knobValue(state, "a", "kernel.version"));
  const versionB = useSelect((state) => knobValue(state, "b", "kernel.version"));
  const reasons = reasonsOf(refused);
  if (reasons.length === 0) return undefined;
  const versions = [...new Set([versionA, versionB])]
    .map((version) => valueWords(version ?? ""))
    .join(" or ");
  return (
    <>
      <button
        type="button"
        className="button tiny knob-offers"
        popoverTarget={id}
        title={reasons[0]?.why}
      >
        {(knob.choices?.length ?? 0) - refused.length}&thinsp;/&thinsp;{knob.choices?.length}
        <span className="visually-hidden"> choices of {knobName(knob)}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className="knob-reasons"
        data-testid={`knob-${knob.path}-unavailable`}
      >
        <p>
          {versions} offers {(knob.choices?.length ?? 0) - refused.length} of {knob.choices?.length}
          :
        </p>
        <ul>
          {reasons.map(({ why, values }) => (
            <li key={why}>
              <code>{values.join(", ")}</code>: <LaterTerms text={why} quota={false} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/**
 * Which kernel a side has, where not all of it is of its version: "6.12 with CFS bandwidth 4.19".
 */
export function KernelWords({
  side,
  badge,
}: {
  readonly side: Side;
  readonly badge?: true;
}): ReactNode {
  const meta = useSelect((state) => latestMeta(state, side));
  if (meta === undefined) return undefined;
  return (
    <>
      <OwnKernel meta={meta} side={side} badge={badge} />
      <KernelKnown meta={meta} side={side} />
    </>
  );
}

interface KernelProps {
  readonly meta: RunMeta;
  readonly side: Side;
  readonly badge?: true | undefined;
}

/** How many switches that follow the release were not read in it. */
function KernelKnown({ meta, side }: KernelProps): ReactNode {
  const count = (origin: Origin): number =>
    meta.knobs.filter((knob) => knob.origin === origin).length;
  const [read, recalled, carried] = [count("known"), count("recalled"), count("carried")];
  if (recalled + carried === 0) return undefined;
  const parts = [
    ...(recalled > 0 ? [`${recalled} recalled`] : []),
    ...(carried > 0 ? [`${carried} of a neighbour`] : []),
  ];
  return (
    <span
      className="chip kernel-known"
      title={`${read} switches that follow the release are read in its source or follow from commits; the others are marked at their knobs`}
      data-testid={`kernel-known-${side}`}
    >
      {parts.join(", ")}
    </span>
  );
}

function OwnKernel({ meta, side, badge }: KernelProps): ReactNode {
  if (meta.own_switches.length === 0) return undefined;
  const words = kernelText(meta);
  const instead = meta.own_switches
    .map(
      ({ path, of_version }) =>
        `${pathName(path)} of the version would be ${valueWords(of_version)}`,
    )
    .join("; ");
  return (
    <span
      className="chip chip-assumed kernel-words"
      title={`${words}: ${instead}`}
      data-testid={`kernel-words-${side}`}
    >
      {badge === true && <SideBadge side={side} />} {words}
    </span>
  );
}
