// Below the answer: the run beside the text, what is assumed, and what became of each line.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import type { Beside, FitObject, ReadLine, ReadObject } from "../../engine/paste-object.ts";
import { counted } from "../../lib/count.ts";
import type { Table } from "../../lib/csv.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { Sentences } from "./Sentences.tsx";

export function PasteDetails({ read }: { readonly read: ReadObject }): ReactNode {
  return (
    <div className="paste-details">
      {read.fit !== null && read.fit.program !== null && <FitPart fit={read.fit} />}
      <Sentences
        title="The text does not say; assumed"
        sentences={read.assumed}
        testId="paste-assumed"
      />
      <Lines lines={read.lines} />
    </div>
  );
}

function FitPart({ fit: { says, beside, runs } }: { readonly fit: FitObject }): ReactNode {
  return (
    <section aria-label="The program behind the counters" data-testid="paste-fit">
      <h3>The program behind the counters</h3>
      {says.map((sentence) => (
        <p key={sentence}>{plainText(sentence)}</p>
      ))}
      <table className="paste-settings">
        <thead>
          <tr>
            <th scope="col">by {counted(runs, "run")}</th>
            <th scope="col">the text</th>
            <th scope="col">the run</th>
          </tr>
        </thead>
        <tbody>
          {beside.map(({ figure, asked, got }) => (
            <tr key={figure}>
              <th scope="row">{figure}</th>
              <td>{asked}</td>
              <td>{got}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <TableFiles name="fit" table={() => fitTable(beside)} testId="paste-fit-table" />
    </section>
  );
}

function fitTable(beside: readonly Beside[]): Table {
  return {
    columns: ["figure", "asked", "got"],
    rows: beside.map(({ figure, asked, got }) => [figure, asked, got]),
  };
}

/** Lines that are shown at most. */
const LINES_MAX = 400;

/** Open where a line is not understood: nothing is skipped in silence. */
function Lines({ lines }: { readonly lines: readonly ReadLine[] }): ReactNode {
  const said = lines.filter(({ notes }) => notes.length > 0);
  const fates = said.flatMap(({ notes }) => notes.map(({ fate }) => fate));
  const strange = fates.filter((fate) => fate === "not understood").length;
  return (
    <details className="paste-lines" data-testid="paste-lines" open={strange > 0}>
      <summary>
        {counted(said.length, "line")} read
        {strange > 0 && `, ${strange} not understood`}
      </summary>
      <ol>
        {said.slice(0, LINES_MAX).map((line) => (
          <Line key={line.line} line={line} />
        ))}
      </ol>
      {said.length > LINES_MAX && (
        <p className="muted">{counted(said.length - LINES_MAX, "further line")}</p>
      )}
    </details>
  );
}

function Line({ line: { line, text, notes } }: { readonly line: ReadLine }): ReactNode {
  return (
    <li value={line}>
      <code>{plainText(text)}</code>
      {notes.map(({ fate, words }, at) => (
        <span key={at} className="paste-note" data-fate={fate}>
          <span className="chip">{fate}</span> {plainText(words)}
        </span>
      ))}
    </li>
  );
}
