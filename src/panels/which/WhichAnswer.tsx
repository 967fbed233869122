// The answer: both releases' figures, the changes by their effect, what is not explained, and for
// each change what it is, where it comes from, how to take it back, and its runs as A and B.

import type { ReactNode } from "react";
import type { BisectObject, ChangeStep, RankedChange } from "../../engine/bisect-object.ts";
import { plainText } from "../../engine/plain.ts";
import { addressOf } from "../../effects/address/address-bar.ts";
import { download } from "../../lib/download.ts";
import { TableFiles } from "../numbers/TableFiles.tsx";
import { whichTable } from "./which-table.ts";
import { valueText } from "../../scenario/knob-values.ts";
import { metricName } from "../../state/figures/headline.ts";
import { NO_WHICH_WINDOW, type WhichAsked, type WhichFound } from "../../state/shape/which.ts";
import { knobsOf } from "../../state/which/open.ts";
import {
  changesWords,
  effectWords,
  largeChanges,
  memberWords,
  otherWords,
  shareWords,
  verdictWords,
} from "../../state/which/words.ts";
import { CopyButton } from "../widgets/CopyButton.tsx";
import { followHere, usePage, useSelect } from "../page/page.ts";

export function WhichAnswer(): ReactNode {
  const { asked, found, failed, running } = useSelect((state) => state.asking);
  const object = found?.object;
  const verdict = object === undefined || (running && !object.differs) ? "" : verdictWords(object);
  return (
    <>
      <p role="status" aria-live="polite" data-testid="which-verdict">
        <strong>{verdict}</strong>
        {object !== undefined &&
          !running &&
          !object.complete &&
          " Stopped: this is what came by then."}
      </p>
      {failed !== undefined && (
        <p className="field-error" role="alert" data-testid="which-failed">
          {plainText(failed)}
        </p>
      )}
      {asked !== undefined && found !== undefined && <Found asked={asked} found={found} />}
    </>
  );
}

interface FoundProps {
  readonly asked: WhichAsked;
  readonly found: WhichFound;
}

function Found({ asked, found }: FoundProps): ReactNode {
  const { object } = found;
  const large = largeChanges(object);
  return (
    <section className="sweep-results" aria-label="Answer" data-testid="which-answer">
      <Releases object={object} />
      {large.length > 0 && <Ranking object={object} large={large} />}
      <Left object={object} />
      <ol className="sweep-results" data-testid="which-changes">
        {large.map((ranked) => (
          <Change key={ranked.changes.join()} ranked={ranked} asked={asked} found={found} />
        ))}
      </ol>
      <details data-testid="which-others">
        <summary>Changes that are not in the table</summary>
        <div className="sweep-results">
          {otherWords(object).map((words) => (
            <p key={words}>{words}</p>
          ))}
        </div>
      </details>
      <div className="sweep-progress">
        <button
          type="button"
          className="button"
          data-testid="which-json"
          title="The schedscope.bisect/1 object, as the command prints it"
          onClick={() =>
            download(
              `${object.scenario}-which-change.json`,
              `${JSON.stringify(object, undefined, 2)}\n`,
              "application/json",
            )
          }
        >
          The whole answer (JSON)
        </button>
        <TableFiles name="which-change" table={() => whichTable(object)} testId="which-table" />
        <span className="muted">{object.runs} runs in all</span>
      </div>
    </section>
  );
}

/** The figure of both releases, and their difference. */
function Releases({ object }: { readonly object: BisectObject }): ReactNode {
  const { metric, figures, from, to, seeds } = object;
  const labels = useSelect((state) => state.entry.labels);
  const rows = [
    [from, effectWords(metric, figures.from.effect, false)],
    [to, effectWords(metric, figures.to.effect, false)],
    ["difference", effectWords(metric, figures.difference.effect)],
  ] as const;
  return (
    <div className="sweep-scroll">
      <table className="sweep-table" data-testid="which-releases">
        <caption className="muted">
          {metricName(metric, labels)}: means of {seeds.length} seeds, each with the interval that
          holds it in 95 of 100 experiments
        </caption>
        <tbody>
          {rows.map(([name, words]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RankingProps {
  readonly object: BisectObject;
  readonly large: readonly RankedChange[];
}

function Ranking({ object, large }: RankingProps): ReactNode {
  const { metric, from, to, differs } = object;
  return (
    <div className="sweep-scroll">
      <table className="sweep-table" data-testid="which-ranking">
        <thead>
          <tr>
            <th scope="col">change</th>
            <th scope="col">effect</th>
            {differs && <th scope="col">share</th>}
            <th scope="col">put into {from}</th>
            <th scope="col">left out of {to}</th>
          </tr>
        </thead>
        <tbody>
          {large.map((ranked) => (
            <tr key={ranked.changes.join()}>
              <th scope="row">{changesWords(ranked)}</th>
              <td>{effectWords(metric, ranked.effect)}</td>
              {differs && <td>{shareWords(ranked)}</td>}
              <td>{effectWords(metric, ranked.alone)}</td>
              <td>{effectWords(metric, ranked.without)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What is not explained, and what all changes do together. */
function Left({ object }: { readonly object: BisectObject }): ReactNode {
  const { metric, unexplained, together, from } = object;
  return (
    <>
      {unexplained !== null && (
        <p data-testid="which-unexplained">Not explained: {effectWords(metric, unexplained)}</p>
      )}
      {together !== null && (
        <p>
          All changes that can be stated, put into {from} together: {effectWords(metric, together)}
        </p>
      )}
    </>
  );
}

interface ChangeProps extends FoundProps {
  readonly ranked: RankedChange;
}

function Change({ ranked, asked, found }: ChangeProps): ReactNode {
  const tried = found.object.changes.filter(({ name }) => ranked.changes.includes(name));
  return (
    <li className="sweep-results" data-testid={`which-change-${ranked.changes.join("+")}`}>
      <strong>{changesWords(ranked)}</strong>
      {tried.map(({ name, values, steps }) =>
        steps === null ? (
          <p key={name}>
            {name}: {values.map(valueText).join(" → ")}
          </p>
        ) : (
          steps.map((step) => <Step key={step.source} step={step} />)
        ),
      )}
      {tried.length > 1 && (
        <ul>
          {tried.map((change) => (
            <li key={change.name}>{memberWords(found.object, change)}</li>
          ))}
        </ul>
      )}
      <div className="sweep-progress">
        <OpenPair {...{ ranked, asked, found }} where="from" />
        <OpenPair {...{ ranked, asked, found }} where="to" />
      </div>
    </li>
  );
}

/** What changed, when, by which commit, and what takes it back. */
function Step({ step }: { readonly step: ChangeStep }): ReactNode {
  const { release, stable = [], says, seen, source, back } = step;
  return (
    <>
      <p>
        <strong>{[release, ...stable].join(", ")}</strong>: {says}{" "}
        {seen !== "" && `You see: ${seen}`}
      </p>
      <p className="muted">
        <Source text={source} />
      </p>
      {back !== "" && (
        <div className="sweep-progress">
          Take it back: <code>{back}</code>
          <CopyButton text={back} label="Copy" testId="which-copy-remedy" />
        </div>
      )}
    </>
  );
}

/** Each commit is a link. */
function Source({ text }: { readonly text: string }): ReactNode {
  return text.split(/\b([0-9a-f]{12})\b/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={`https://git.kernel.org/linus/${part}`}>
        {part}
      </a>
    ),
  );
}

/** The release as it is and with the change, or without it: a link that opens both. */
function OpenPair({
  ranked,
  asked,
  found,
  where,
}: ChangeProps & { readonly where: "from" | "to" }): ReactNode {
  const { root, go } = usePage();
  const knobs = knobsOf(asked, found, ranked, where);
  const href = useSelect((state) =>
    knobs === undefined
      ? ""
      : addressOf(
          {
            ...state,
            knobs,
            which: NO_WHICH_WINDOW,
            viewport: undefined,
            selection: undefined,
            area: undefined,
            markers: {},
            strips: [],
            step: { ...state.step, index: undefined },
            expectation: undefined,
          },
          root,
        ),
  );
  if (knobs === undefined) return undefined;
  const { from, to } = found.object;
  return (
    <a
      className="button"
      href={href}
      data-testid={`which-open-${where}`}
      onClick={(event) => followHere(event, () => go(href))}
    >
      {where === "from"
        ? `Open as A and B: ${from}, and with it`
        : `Open as A and B: ${to} without it, and ${to}`}
    </a>
  );
}
