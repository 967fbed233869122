// One format of the list: a line that opens, and below it what the format is and what is written.

import { useId, type ReactNode } from "react";
import { FORMAT_DOCS } from "../../../engine/gen/format-docs.ts";
import { FORMATS } from "../../../engine/gen/formats.ts";
import type { RunFormat } from "../../../engine/gen/run-formats.ts";
import { usePage, useSelect } from "../../page/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import type { Saving, Work } from "../../widgets/use-saving.ts";
import { makeRun, saveRun, type MadeRun } from "./make-run.ts";
import { OpenInPerfetto } from "./OpenInPerfetto.tsx";
import { fittedTo, ranSides, sidesFor, type RunChoice, type Sides } from "./run-choice.ts";

interface ItemProps {
  readonly format: RunFormat;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly choice: RunChoice;
  readonly onChoice: (choice: RunChoice) => void;
  readonly saving: Saving;
}

/** The formats that Perfetto's page is given. */
const PERFETTO_OPENS: readonly string[] = ["perfetto", "ftrace"];

export function RunFormatItem(props: ItemProps): ReactNode {
  const { format, isOpen, onOpen } = props;
  const { title, extension } = FORMATS[format.name];
  const bodyId = useId();
  return (
    <li>
      <button
        type="button"
        className="run-format"
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        data-testid={`run-format-${format.name}`}
        onClick={() => onOpen(!isOpen)}
      >
        <strong>{title}</strong>
        <span className="muted run-purpose">{purposeOf(format)}</span>
        <code>.{extension}</code>
        <Icon name="down" />
      </button>
      {isOpen && (
        <div id={bodyId} className="run-body">
          <Facts format={format} />
          <Choices {...props} />
        </div>
      )}
    </li>
  );
}

function purposeOf({ name, opensIn }: RunFormat): string {
  return opensIn === undefined ? FORMAT_DOCS[name].carries : `for ${opensIn}`;
}

function Facts({ format: { name } }: Pick<ItemProps, "format">): ReactNode {
  const { carries, loses } = FORMAT_DOCS[name];
  return (
    <dl className="run-facts">
      <dt>Carries</dt>
      <dd>{carries}</dd>
      <dt>Loses</dt>
      <dd>{loses}</dd>
    </dl>
  );
}

const SIDE_WORDS: Readonly<Record<Sides, string>> = {
  both: "A and B in one file",
  a: "A",
  b: "B",
};

/** What of the runs is written, and where it goes. */
function Choices({ format, choice, onChoice, saving }: ItemProps): ReactNode {
  const { store } = usePage();
  // A text, so that a run on its way draws nothing here.
  const ran = useSelect((state) => ranSides(state).join("")).split("") as readonly ("a" | "b")[];
  const fitted = fittedTo(format, ran, choice);
  if (fitted === undefined) return undefined;
  const make = (work: Work): Promise<MadeRun> => makeRun(format, fitted, store.getState(), work);
  return (
    <div className="picture-choices">
      <label>
        Run{" "}
        <select
          className="select"
          value={fitted.sides}
          data-testid="run-sides"
          onChange={(event) => onChoice({ ...choice, sides: event.target.value as Sides })}
        >
          {sidesFor(format, ran).map((sides) => (
            <option key={sides} value={sides}>
              {SIDE_WORDS[sides]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Span{" "}
        <select
          className="select"
          value={fitted.whole ? "whole" : "view"}
          disabled={!format.takesWindow}
          data-testid="run-span"
          onChange={(event) => onChoice({ ...choice, whole: event.target.value === "whole" })}
        >
          {format.takesWindow && <option value="view">what is in view</option>}
          <option value="whole">the whole run</option>
        </select>
      </label>
      <button
        type="button"
        className="button primary-button"
        disabled={saving.busy}
        data-testid="run-save"
        onClick={() => saving.start(async (work) => saveRun(await make(work)))}
      >
        Save
      </button>
      {PERFETTO_OPENS.includes(format.name) && <OpenInPerfetto saving={saving} make={make} />}
    </div>
  );
}
