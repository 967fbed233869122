// What a pasted text says, and the answers to what people ask of it: which limit, and what does it
// instead. Each figure of an answer is one of a run, which opens as B beside the text as A.

import type { ReactNode } from "react";
import { plainText } from "../../engine/plain.ts";
import type {
  AnswerObject,
  FitObject,
  ReadObject,
  SettingRow,
  Settings,
  TextForm,
} from "../../engine/paste-object.ts";
import { counted } from "../../lib/count.ts";
import { formatNs } from "../../lib/format.ts";
import type { Found } from "../../effects/paste/inquire.ts";
import { ownEntry } from "../../scenario/viewer-scenario.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { Chip } from "../widgets/Chip.tsx";
import { openingOf, type Opening } from "./open-understood.ts";
import { Sentences } from "./Sentences.tsx";
import { settingsTable } from "./settings-table.ts";
import { useForms, type Inquiry } from "./use-inquiry.ts";

interface AnswerProps {
  readonly inquiry: Inquiry;
  /** Takes an example into the field. */
  readonly onTry: (text: string) => void;
  readonly onOpen: (opening: Opening) => void;
}

export function PasteAnswer({ inquiry, onTry, onOpen }: AnswerProps): ReactNode {
  return (
    <div
      className="paste-answer"
      role="status"
      data-testid="paste-answer"
      data-kind={inquiry.kind}
      aria-busy={!inquiry.isCurrent}
      data-stage={inquiry.kind === "understood" ? inquiry.found.stage : undefined}
    >
      <AnswerPart inquiry={inquiry} onTry={onTry} onOpen={onOpen} />
    </div>
  );
}

function AnswerPart({ inquiry, onTry, onOpen }: AnswerProps): ReactNode {
  switch (inquiry.kind) {
    case "empty":
      return <Forms onTry={onTry} />;
    case "reading":
      return <p className="muted">Reading …</p>;
    case "refused":
      return (
        <p className="strip strip-error" data-testid="paste-wrong">
          {plainText(inquiry.why)}
        </p>
      );
    case "unknown":
      return (
        <>
          <p data-testid="paste-unknown">No line of the text is known. These forms are:</p>
          <Forms onTry={onTry} />
        </>
      );
    case "understood":
      return <Understood found={inquiry.found} onOpen={onOpen} />;
  }
}

function Understood({
  found: { stage, read, answer, runs, problem },
  onOpen,
}: {
  readonly found: Found;
  readonly onOpen: (opening: Opening) => void;
}): ReactNode {
  const openSet = (set: Settings): void => {
    const opening = openingOf(read);
    if (opening !== undefined) onOpen({ ...opening, set });
  };
  return (
    <>
      {read.fit !== null && stage !== "fitting" && <Limits fit={read.fit} />}
      {stage !== "over" && (
        <p className="paste-running" data-testid="paste-running">
          <progress aria-hidden /> Run {runs + 1}:{" "}
          {stage === "fitting" ? "which program counts the same" : "what the settings come to"}
        </p>
      )}
      {problem !== "" && (
        <p className="field-error" role="alert" data-testid="paste-problem">
          {plainText(problem)}
        </p>
      )}
      {answer !== undefined && stage === "over" && <Answers answer={answer} onOpen={openSet} />}
      <Sentences title="This cannot be" sentences={read.doubts} testId="paste-doubts" wrong />
      <Sentences title="This is missing" sentences={read.asks} testId="paste-asks" />
      <Sentences title="The text says" sentences={read.says} testId="paste-says" />
      {!read.is_throttled && (
        <Sentences title="Taken over" sentences={takenOver(read)} testId="paste-used" />
      )}
      <Opens scenario={read.scenario_text} />
    </>
  );
}

/** What the lines say that the scenario has, but for what is said as a sentence. */
function takenOver({ lines, says }: ReadObject): readonly string[] {
  const used = lines.flatMap(({ notes }) => notes.filter(({ fate }) => fate === "used"));
  const words = [...new Set(used.map((note) => note.words))];
  return words
    .filter((each) => !says.some((sentence) => sentence.includes(each)))
    .slice(0, USED_MAX);
}

/** Sentences that are shown at most; the lines have all. */
const USED_MAX = 8;

/** What is set side by side. */
function Opens({ scenario }: { readonly scenario: string | null }): ReactNode {
  const names = scenario === null ? [] : ownEntry(scenario).variants.map(({ name }) => name);
  if (names.length < 2) return undefined;
  return (
    <p className="muted" data-testid="paste-opens">
      Opens as A “{plainText(names[0] ?? "")}” beside B “{plainText(names[1] ?? "")}”
      {names.length > 2 && `, and ${counted(names.length - 2, "further one")}`}.
    </p>
  );
}

/** The first sentence is the answer. */
function Limits({ fit: { limits, program } }: { readonly fit: FitObject }): ReactNode {
  if (program === null || limits.length === 0) return undefined;
  return (
    <section className="paste-limits" aria-label="Which limit?" data-testid="paste-limits">
      <h3>
        Which limit? <Chip whose="model" />
      </h3>
      {limits.map((sentence, at) =>
        at === 0 ? (
          <p key={sentence}>
            <strong>{plainText(sentence)}</strong>
          </p>
        ) : (
          <p key={sentence}>{plainText(sentence)}</p>
        ),
      )}
    </section>
  );
}

interface AnswersProps {
  readonly answer: AnswerObject;
  /** Opens a run as B. */
  readonly onOpen: (set: Settings) => void;
}

/** The limits are said above already. */
const SAID_ABOVE = "Which limit?";

function Answers({ answer, onOpen }: AnswersProps): ReactNode {
  const said = answer.answers.filter(({ question }) => question !== SAID_ABOVE);
  return (
    <>
      <SettingsTable answer={answer} onOpen={onOpen} />
      <dl className="paste-said" data-testid="paste-said">
        {said.map(({ question, answer: words, set }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>
              {plainText(words)} {set !== null && <OpenRun set={set} onOpen={onOpen} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function SettingsTable({ answer, onOpen }: AnswersProps): ReactNode {
  const { now, rows, programs } = answer;
  const of = (row: SettingRow, name: string): ReactNode => (
    <Setting key={name} name={name} row={row} programs={programs} onOpen={onOpen} />
  );
  return (
    <section aria-label="What keeps it, the cheapest first">
      <h3>What keeps it, the cheapest first</h3>
      <div className="paste-scroll">
        <table className="paste-settings" data-testid="paste-settings">
          <thead>
            <tr>
              <th scope="col">limit</th>
              <th scope="col">period</th>
              <th scope="col">burst</th>
              <th scope="col">threads</th>
              <th scope="col">longest burst</th>
              <th scope="col">worst</th>
              <th scope="col">keeps it</th>
              <th scope="col">
                <span className="visually-hidden">its run</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {of(now, "now")}
            {rows.map((row, at) => of(row, `row ${at + 1}`))}
          </tbody>
        </table>
      </div>
      <p className="muted">
        The longest burst is that of a run of the program below, the worst that of all programs that
        count the same.{" "}
        <TableFiles name="settings" table={() => settingsTable(answer)} testId="paste-table" />
      </p>
    </section>
  );
}

interface SettingProps {
  readonly name: string;
  readonly row: SettingRow;
  readonly programs: number;
  readonly onOpen: (set: Settings) => void;
}

function Setting({ name, row, programs, onOpen }: SettingProps): ReactNode {
  const { run, most } = row.longest_us;
  const isNow = name === "now";
  return (
    <tr className={isNow ? "paste-now" : undefined}>
      {row.words.map((word, at) => (
        <td key={at}>{at === 0 && isNow ? `${word} (now)` : word}</td>
      ))}
      <td>{run === null ? "" : formatNs(run * 1_000)}</td>
      <td>{formatNs(most * 1_000)}</td>
      <td>
        {row.keeps} of {programs}
      </td>
      <td>{!isNow && row.set !== null && <OpenRun set={row.set} onOpen={onOpen} />}</td>
    </tr>
  );
}

function OpenRun({
  set,
  onOpen,
}: {
  readonly set: Settings;
  readonly onOpen: (set: Settings) => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="button tiny"
      title="Opens this run as B, the text as A"
      data-testid="paste-open-run"
      onClick={() => onOpen(set)}
    >
      Open
    </button>
  );
}

function Forms({ onTry }: { readonly onTry: (text: string) => void }): ReactNode {
  const forms = useForms();
  if (typeof forms === "string")
    return (
      <p className="strip strip-error" data-testid="paste-wrong">
        {plainText(forms)}
      </p>
    );
  return (
    <ul className="paste-forms" aria-label="Known forms">
      {forms.map((form, index) => (
        <FormButton key={form.title} form={form} index={index} onTry={onTry} />
      ))}
    </ul>
  );
}

function FormButton({
  form: { title, example },
  index,
  onTry,
}: {
  readonly form: TextForm;
  readonly index: number;
  readonly onTry: (text: string) => void;
}): ReactNode {
  return (
    <li>
      <button
        type="button"
        className="button quiet paste-form"
        data-testid={`paste-form-${index}`}
        onClick={() => onTry(example)}
      >
        <span>{title}</span>
        <code>{example.split("\n").join(" ⏎ ")}</code>
      </button>
    </li>
  );
}
