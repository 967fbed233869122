// The formats of other tools that a run can be saved in: groups by purpose, one format open at a
// time with what it carries, what it loses, and what is written.

import { useState, type ReactNode } from "react";
import type { FormatName } from "../../../engine/gen/formats.ts";
import { RUN_FORMATS, type RunContent } from "../../../engine/gen/run-formats.ts";
import type { Saving } from "../../widgets/use-saving.ts";
import type { RunChoice } from "./run-choice.ts";
import { RunFormatItem } from "./RunFormatItem.tsx";
import "./run-files.css";

/** What a person wants such a file for. */
const GROUPS: Readonly<Record<RunContent, string>> = {
  trace: "Traces, to open in a viewer",
  printout: "What a tool or the kernel prints",
  workload: "The tasks, to play on a real machine",
};

export function RunFiles({ saving }: { readonly saving: Saving }): ReactNode {
  const [open, setOpen] = useState<FormatName | undefined>(RUN_FORMATS[0]?.name);
  // One choice for all formats: a person who saves one after the other means the same part.
  const [choice, setChoice] = useState<RunChoice>({ sides: undefined, whole: false });
  return Object.entries(GROUPS).map(([what, title]) => {
    const formats = RUN_FORMATS.filter((format) => format.what === what);
    if (formats.length === 0) return undefined;
    return (
      <section key={what} aria-label={title}>
        <h3 className="run-group">{title}</h3>
        <ul className="run-formats">
          {formats.map((format) => (
            <RunFormatItem
              key={format.name}
              format={format}
              isOpen={open === format.name}
              onOpen={(isOpen) => setOpen(isOpen ? format.name : undefined)}
              choice={choice}
              onChoice={setChoice}
              saving={saving}
            />
          ))}
        </ul>
      </section>
    );
  });
}
