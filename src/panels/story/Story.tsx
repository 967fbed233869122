// The scenario's story, from its README. Markdown is read by a library and made into elements here,
// one kind at a time: no HTML of the file ever reaches the page. Loaded on demand: the picture
// comes first.

import { Lexer, type Token, type Tokens } from "marked";
import { createContext, Fragment, useContext, useMemo, type ReactNode } from "react";
import { timeSigns } from "../../lib/format.ts";
import { storyPlaceOf } from "../../lib/site-place.ts";
import { STORIES } from "../../engine/gen/stories.ts";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { addressOfTrial, isCommand, readCommand, type Trial } from "../../links/read-command.ts";
import { whenReady } from "../../effects/runs/when-ready.ts";
import { isWithoutSimulator } from "../../state/select/shipped.ts";
import { captionOf, isAsWritten, lacksFigures, readyRuns } from "../../state/steps/resolve.ts";
import { stepsOf } from "../../scenario/step.ts";
import { followHere, useDispatch, usePage, useSelect, type Page } from "../page/page.ts";
import { Breakable } from "../widgets/Breakable.tsx";
import { Figures } from "../widgets/Figures.tsx";
import type { Part } from "../glossary/parts.ts";
import { termsOf } from "../glossary/story-terms.ts";
import { Parts } from "../glossary/Terms.tsx";
import { blankSearch } from "../sweep/form-words.ts";
import { lookAt, worstWake } from "../moments/wake-selection.ts";
import "./steps.css";

/** Opens the sweep's window. */
const OpenSweep = createContext<() => void>(() => undefined);

/** Texts of the story with terms of the glossary, in parts. */
const WithTerms = createContext<ReadonlyMap<Token, readonly Part[]>>(new Map());

export default function Story({ onSweep }: { readonly onSweep: () => void }): ReactNode {
  const story =
    useSelect((state) => (state.route === "own" ? "" : STORIES[state.entry.slug])) ?? "";
  const hasSteps = useSelect((state) => stepsOf(state.entry).length > 0);
  const blocks = useMemo(() => blocksOf(story), [story]);
  const terms = useMemo(() => termsOf(blocks), [blocks]);
  if (story.trim() === "" && !hasSteps) return undefined;
  return (
    <section className="panel story" aria-label="The story" data-testid="story">
      <StoryAsSteps />
      <OpenSweep value={onSweep}>
        <WithTerms value={terms}>
          {blocks.map((block, index) => (
            <Block key={index} token={block} />
          ))}
        </WithTerms>
      </OpenSweep>
    </section>
  );
}

/**
 * The story without its first heading: the page shows that heading, the question, at its top
 * already.
 */
function blocksOf(story: string): readonly Token[] {
  const blocks: readonly Token[] = Lexer.lex(story);
  return blocks[0]?.type === "heading" ? blocks.slice(1) : blocks;
}

/** The captions of the steps, each a way to its step. */
function StoryAsSteps(): ReactNode {
  const dispatch = useDispatch();
  const state = useSelect((each) => each);
  const steps = stepsOf(state.entry);
  if (steps.length === 0) return undefined;
  const without = isWithoutSimulator(state);
  // While a step's switches are flipped, that step decides whether the viewer changed anything
  // else; otherwise a step that flips nothing decides.
  const judge = steps.find((step, index) =>
    state.step.flipped === undefined ? step.set.length === 0 : index === state.step.index,
  );
  const turned = judge !== undefined && !isAsWritten(state, judge);
  return (
    <>
      {turned && (
        <p className="story-missing" data-testid="story-as-shipped">
          The figures here are those of the scenario{" "}
          {state.route === "own" ? "as written" : "as shipped"}. Your knobs differ.
        </p>
      )}
      <ol className="story-steps" aria-label="Steps" data-testid="story-steps">
        {steps.map((step, index) => (
          <li key={index} aria-current={index === state.step.index ? "step" : undefined}>
            {step.bet !== undefined && <p className="muted">Before you look: {step.bet}</p>}
            <button
              type="button"
              className="link-button"
              data-testid={`story-step-${index + 1}`}
              onClick={() => dispatch({ type: "step_opened", index })}
            >
              <Figures text={captionOf(state, step)} />
            </button>
            {lacksFigures(state, step) && (without || !isAsWritten(state, step)) && (
              <p className="muted" data-testid={`story-step-${index + 1}-unknown`}>
                {without
                  ? "Only a run knows the figures that are missing here."
                  : step.set.length > 0
                    ? "Open this step to see its figures."
                    : "Its figures stand with the knobs as shipped."}
              </p>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The library's type has an open end; these are the kinds it makes. */
type Known =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.List
  | Tokens.Table
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.Text
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Codespan
  | Tokens.Link;

function Block({ token }: { readonly token: Token }): ReactNode {
  const known = token as Known; // Whatever is not one of these falls to `default`.
  switch (known.type) {
    case "heading":
      return (
        <h3>
          <Inline tokens={known.tokens} />
        </h3>
      );
    case "paragraph":
      return (
        <p>
          <Inline tokens={known.tokens} />
        </p>
      );
    case "list":
      return <ListBlock list={known} />;
    case "table":
      return <TableBlock table={known} />;
    case "code":
      return (
        <pre className="mono">
          <Command text={known.text} />
        </pre>
      );
    case "blockquote":
      return (
        <blockquote>
          {known.tokens.map((inner, index) => (
            <Block key={index} token={inner} />
          ))}
        </blockquote>
      );
    case "text":
      return <Inline tokens={known.tokens ?? [known]} />;
    default:
      return undefined;
  }
}

function ListBlock({ list }: { readonly list: Tokens.List }): ReactNode {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.tokens.map((inner, at) => (
        <Block key={at} token={inner} />
      ))}
    </li>
  ));
  return list.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function TableBlock({ table }: { readonly table: Tokens.Table }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            <th key={index} scope="col">
              <Inline tokens={cell.tokens} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, index) => (
              <td key={index}>
                <Inline tokens={cell.tokens} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Inline({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{inline(token as Known)}</Fragment>);
}

function inline(token: Known): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "codespan":
      return (
        <code>
          <Prose token={token} plain={<Command text={token.text} />} />
        </code>
      );
    case "link":
      return <StoryLink link={token} />;
    default:
      return <Prose token={token} plain={<Figures text={timeSigns(unescaped(token.raw))} />} />;
  }
}

/** A text with its terms; `plain` is the one without. */
function Prose({ token, plain }: { readonly token: Token; readonly plain: ReactNode }): ReactNode {
  const parts = useContext(WithTerms).get(token);
  return parts === undefined ? (
    plain
  ) : (
    <Parts parts={parts.map((part) => ({ ...part, text: timeSigns(unescaped(part.text)) }))} />
  );
}

/**
 * A command that changes this scenario does in the page what it does in a terminal; any other text
 * is text.
 */
function Command({ text }: { readonly text: string }): ReactNode {
  const page = usePage();
  const entry = useSelect((state) => state.entry);
  const onSweep = useContext(OpenSweep);
  const read = useMemo(
    () => (isCommand(text, entry) ? readCommand(text, entry, page.catalogue.knobs) : undefined),
    [text, entry, page.catalogue.knobs],
  );
  if (read?.ok !== true) return <Breakable text={text} />;
  const { trial } = read;
  return (
    <a
      className="try"
      href={page.root + addressOfTrial(entry, trial)}
      title={trialWords(trial)}
      data-testid="try"
      data-try={text}
      onClick={(event) => followHere(event, () => tryIt(page, entry, trial, onSweep))}
    >
      <Breakable text={text} />
    </a>
  );
}

function trialWords({ verb, sweep }: Trial): string {
  if (sweep !== undefined) {
    const left =
      sweep.left.length === 0
        ? ""
        : ` The window moves two knobs: ${sweep.left.join(", ")} stays as it is.`;
    return `Fill in the sweep’s window: ${[sweep.path, sweep.secondPath].filter((path) => path !== "").join(" and ")}.${left}`;
  }
  return verb === "explain"
    ? "Select the worst wake-up with these knobs"
    : "Set exactly these knobs, and take others back. Ctrl+Z undoes it.";
}

function tryIt(
  { store }: Page,
  entry: ScenarioEntry,
  { knobs, verb, sweep }: Trial,
  onSweep: () => void,
): void {
  if (JSON.stringify(store.getState().knobs) !== JSON.stringify(knobs))
    store.dispatch({ type: "knobs_tried", knobs });
  if (sweep !== undefined) {
    const forms = { form: sweep, search: blankSearch(sweep) };
    store.dispatch({ type: "sweep_filled", entry, forms });
    onSweep();
  }
  if (verb !== "explain") return;
  const tried = store.getState().knobs;
  whenReady(
    store,
    (state) => readyRuns(state) !== undefined,
    ({ knobs: now }) => now === tried,
    () => {
      const wake = worstWake({ ...store.getState(), selection: undefined }, "a", 1);
      if (wake !== undefined) lookAt(store, "a", wake);
    },
  );
}

/**
 * To another place of the web, or to what the site has of the repository's file; anything else is
 * text.
 */
function StoryLink({ link }: { readonly link: Tokens.Link }): ReactNode {
  const { root } = usePage();
  const place = storyPlaceOf(
    useSelect((state) => state.entry.slug),
    link.href,
  );
  const words = <Inline tokens={link.tokens} />;
  if (place === undefined && !link.href.startsWith("https://")) return words;
  return place === undefined ? (
    <a href={link.href} rel="noreferrer">
      {words}
    </a>
  ) : (
    <a href={root + place} target="_blank" rel="noreferrer">
      {words}
    </a>
  );
}

/** A backslash before a mark only kept it from being one. */
function unescaped(raw: string): string {
  return raw.replaceAll(/\\([\\`*_{}[\]()#+\-.!|])/g, "$1");
}
