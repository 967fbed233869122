// One more run below A and B, on their time axis: folded, what all its CPUs do together; open,
// every lane. State comes in, events go out.

import type { ReactNode } from "react";
import type { TraceStore } from "../../model/index.ts";
import type { Drag, Place, Selection, Viewport } from "../../timeline/index.ts";
import { StripPicture } from "./StripPicture.tsx";
import "./strips.css";

export interface StripFigure {
  /** The metric's, and its value as integers go. */
  readonly path: string;
  readonly value: number;
  readonly text: string;
  readonly label: string;
  readonly of: string;
}

export interface StripRowProps {
  readonly place: Place;
  readonly letter: "c" | "d";
  readonly label: string;
  readonly open: boolean;
  readonly run: { readonly trace: TraceStore; readonly version: number } | undefined;
  /** Switches written to the running kernel: a line each. */
  readonly changes: readonly { readonly ns: number; readonly words: string }[];
  /** Ids of marks that the scenario never speaks of. */
  readonly asides: readonly string[];
  /** What is selected, as this run has it; undefined if it has none of it. */
  readonly selection: Selection | undefined;
  /** The selected wake-up of this run in words. */
  readonly selected: string;
  /** What is to be said beside the figures: "computing", why there is no run. */
  readonly status: string;
  /** The picture and the figures are of other knobs than now. */
  readonly stale: boolean;
  readonly figures: readonly StripFigure[];
  readonly viewport: Viewport;
  readonly domainNs: number;
  readonly playheadNs: number;
  readonly playing: boolean;
  readonly drag: Drag;
  readonly onViewport: (viewport: Viewport, phase: "move" | "end") => void;
  readonly onPlayhead: (ns: number) => void;
  /** Of this run, by its own number; undefined: nothing is to be selected any more. */
  readonly onSelect: (selection: Selection | undefined) => void;
  readonly onToggle: () => void;
  /** Undefined where there is nothing that could become a side. */
  readonly onPromote: (() => void) | undefined;
  readonly onRemove: () => void;
}

export function StripRow(props: StripRowProps): ReactNode {
  const { letter, label, open, run, status, stale, figures } = props;
  const name = letter.toUpperCase();
  return (
    <section
      className={stale ? "vstrip stale" : "vstrip"}
      aria-label={`${name}: ${label}`}
      data-testid={`strip-${letter}`}
      data-open={open}
    >
      <header className="vstrip-head">
        <Fold letter={letter} open={open} onToggle={props.onToggle} />
        <span className="tl-label" title={label}>
          {label}
        </span>
        <span className="vstrip-figures">
          {figures.map((figure) => (
            <span key={figure.path} title={`${figure.label}: ${figure.of}`}>
              <b
                data-testid={`strip-${letter}-${figure.path}`}
                data-value={stale ? undefined : figure.value}
              >
                {figure.text}
              </b>{" "}
              {figure.label}
            </span>
          ))}
        </span>
        <span
          className="vstrip-selected"
          title={props.selected}
          data-testid={`strip-${letter}-selected`}
        >
          {props.selected}
        </span>
        <span className="vstrip-status" data-testid={`strip-${letter}-status`}>
          {status}
        </span>
        <span className="visually-hidden" role="status" data-testid={`strip-${letter}-said`}>
          {stale || run === undefined
            ? ""
            : `${name}, ${label}: ${figures.map((figure) => `${figure.label} ${figure.text}`).join(", ")}`}
        </span>
        {props.onPromote === undefined ? null : (
          <button
            type="button"
            className="vstrip-act"
            title={`${name} becomes side B`}
            data-testid={`strip-${letter}-promote`}
            onClick={props.onPromote}
          >
            as B
          </button>
        )}
        <button
          type="button"
          className="vstrip-act"
          aria-label={`Remove ${name}`}
          title={`Remove ${name}`}
          data-testid={`strip-${letter}-remove`}
          onClick={props.onRemove}
        >
          ×
        </button>
      </header>
      {run === undefined ? (
        <div className={open ? "vstrip-room open" : "vstrip-room"} />
      ) : (
        <StripPicture {...props} run={run} />
      )}
    </section>
  );
}

function Fold({
  letter,
  open,
  onToggle,
}: Pick<StripRowProps, "letter" | "open" | "onToggle">): ReactNode {
  const name = letter.toUpperCase();
  return (
    <button
      type="button"
      className="vstrip-fold"
      aria-expanded={open}
      aria-label={`Lanes of ${name}`}
      title={open ? "Fold to what all CPUs do together" : "Open every lane"}
      data-testid={`strip-${letter}-fold`}
      onClick={onToggle}
    >
      <span className="tl-badge">{name}</span>
      <span className="vstrip-mark" aria-hidden="true">
        {open ? "▾" : "▸"}
      </span>
    </button>
  );
}
