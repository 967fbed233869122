// One more run below A and B, on their time axis: folded, what all its CPUs do together; open,
// every lane. State comes in, events go out.

import type { ReactNode } from "react";
import { StripPicture } from "./StripPicture.tsx";
import type { StripRowProps } from "./strip-props.ts";
import "./run-strips.css";

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
        <Acts {...props} />
      </header>
      {run === undefined ? (
        <div className={open ? "vstrip-room open" : "vstrip-room"} />
      ) : (
        <StripPicture {...props} run={run} />
      )}
    </section>
  );
}

/** Makes the run side B, or takes it away. */
function Acts({
  letter,
  onPromote,
  onRemove,
}: Pick<StripRowProps, "letter" | "onPromote" | "onRemove">): ReactNode {
  const name = letter.toUpperCase();
  return (
    <>
      {onPromote === undefined ? null : (
        <button
          type="button"
          className="vstrip-act"
          title={`${name} becomes side B`}
          data-testid={`strip-${letter}-promote`}
          onClick={onPromote}
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
        onClick={onRemove}
      >
        ×
      </button>
    </>
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
