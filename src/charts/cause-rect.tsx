// How a cause of latency looks: a colour from the style sheet and a texture, so that hue is never
// the only cue.

import type { ReactNode } from "react";
import { CAUSES } from "../engine/gen/catalogue.ts";

export type Texture = "solid" | "hatch" | "back-hatch" | "dots" | "cross" | "lines";

/**
 * Timer slack is no cause of the engine's, but a part of one: `SLACK` of model/causes/slack.ts
 * comes after them all.
 */
type CauseName = (typeof CAUSES)[number]["name"] | typeof SLACK_NAME;
const SLACK_NAME = "timer_slack";

/** One for every cause of the catalogue: a new one does not compile without. */
const TEXTURES: { readonly [name in CauseName]: Texture } = {
  irq_delay: "solid",
  idle_exit: "dots",
  irq: "lines",
  softirq: "solid",
  nonpreemptible: "cross",
  lazy_wait: "dots",
  rq_lock_spin: "hatch",
  ipi: "back-hatch",
  higher_prio: "solid",
  same_class: "lines",
  throttled: "hatch",
  rt_throttled: "back-hatch",
  switch: "solid",
  return_to_user: "dots",
  smi: "cross",
  steal: "hatch",
  timer_slack: "hatch",
};

function known(cause: number): CauseName | undefined {
  return cause === CAUSES.length ? SLACK_NAME : CAUSES[cause]?.name;
}

export function causeName(cause: number): string {
  return known(cause) ?? `cause ${cause}`;
}

/**
 * Where the name alone says too little: from 6.12 on it is the fair server that keeps RT tasks
 * waiting.
 */
const WORDS: Readonly<Record<string, string>> = {
  rt_throttled: "rt throttled, or fair server’s turn",
  smi: "SMI",
  steal: "stolen by the host",
};

/** Cause names in words: `rq_lock_spin` -> `rq lock spin`. */
export function causeWords(cause: number): string {
  const name = causeName(cause);
  return WORDS[name] ?? name.replaceAll("_", " ");
}

export function causeClass(cause: number): string {
  return `cause-${causeName(cause)}`;
}

/** Overlays of the textures; `id` keeps several charts of one document apart. */
export function TextureDefs({ id }: { readonly id: string }): ReactNode {
  return (
    <defs>
      <pattern
        id={`${id}-hatch`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect className="texture" width="1.5" height="5" />
      </pattern>
      <pattern
        id={`${id}-back-hatch`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <rect className="texture" width="1.5" height="5" />
      </pattern>
      <pattern id={`${id}-dots`} width="4" height="4" patternUnits="userSpaceOnUse">
        <rect className="texture" width="1.5" height="1.5" />
      </pattern>
      <pattern id={`${id}-lines`} width="4" height="4" patternUnits="userSpaceOnUse">
        <rect className="texture" width="4" height="1.2" />
      </pattern>
      <pattern id={`${id}-cross`} width="6" height="6" patternUnits="userSpaceOnUse">
        <path className="texture-line" d="M0 0L6 6M6 0L0 6" />
      </pattern>
    </defs>
  );
}

interface CauseRectProps {
  readonly defs: string;
  readonly cause: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function CauseRect({ defs, cause, ...box }: CauseRectProps): ReactNode {
  const name = known(cause);
  const texture = name === undefined ? "solid" : TEXTURES[name];
  return (
    <>
      <rect className={causeClass(cause)} {...box} />
      {texture !== "solid" && <rect fill={`url(#${defs}-${texture})`} {...box} />}
    </>
  );
}

/** The swatch of a legend. */
export function CauseSwatch({
  cause,
  defs,
}: {
  readonly cause: number;
  readonly defs: string;
}): ReactNode {
  return (
    <svg className="swatch" width="14" height="14" aria-hidden="true">
      <TextureDefs id={defs} />
      <CauseRect defs={defs} cause={cause} x={0} y={0} width={14} height={14} />
    </svg>
  );
}
