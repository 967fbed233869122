// The scenarios, each by the question it answers, and a search among them.

import {
  Fragment,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { TILES } from "virtual:pictures";
import type { ScenarioEntry } from "../../engine/gen/types.ts";
import { optionally } from "../../lib/lazily.tsx";
import { searchedScenarios, type Searched } from "./find-scenarios.ts";
import { findSymptoms } from "./find-symptoms.ts";
import { readTextFile } from "./text-file.ts";
import { SymptomField } from "./SymptomField.tsx";
import { isArrow, tileBeside } from "./tile-keys.ts";
import { HEADINGS, inOrder } from "./tile-order.ts";
import { Icon } from "../widgets/Icon.tsx";
import { listAsked } from "./list-asked.ts";
import { followHere, usePage, useSelect } from "../page/page.ts";
import { askPaste } from "../paste/ask-paste.ts";
import { TOPICS } from "./picker-words.ts";
import { counted } from "../../lib/count.ts";
import { LESSONS, type Listed } from "../../state/lessons/all.ts";
import { isDone, keptProgress } from "../../effects/storage/lesson-progress.ts";
import { findLessons } from "./find-lessons.ts";
import { findTerms } from "./find-terms.ts";
import { notSimulated } from "./tool-words.ts";
import { sideWords, tilePair, tileTags } from "./tile-words.ts";
import "./picker.css";

const ReadText = optionally(() => import("./ReadText.tsx"));

const LEAD =
  "A machine with many CPUs doing what Linux does, event by event. Pick a question, change one " +
  "kernel knob, see which task was late and why.";

/** What was typed last is there again when the list opens anew. */
let kept = "";

function useQuery(): readonly [query: string, setQuery: (query: string) => void] {
  const [query, setQuery] = useState(kept);
  useEffect(() => void (kept = query), [query]);
  return [query, setQuery];
}

/** The scenarios with their texts; the stories come with the first letter typed. */
function useSearched(wanted: boolean): readonly Searched<ScenarioEntry>[] {
  const { scenarios, knobs } = usePage().catalogue;
  const [stories, setStories] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => {
    if (wanted)
      void import("../../engine/gen/stories.ts").then(({ STORIES }) => setStories(STORIES));
  }, [wanted]);
  return useMemo(() => searchedScenarios(scenarios, knobs, stories), [scenarios, knobs, stories]);
}

/** Reads a file into the field, or says why it does not. */
function useFile(onText: (text: string) => void): {
  readonly problem: string;
  readonly take: (file: Blob) => void;
} {
  const [problem, setProblem] = useState("");
  const take = (file: Blob): void =>
    void readTextFile(file).then((text) => {
      setProblem(text.ok ? "" : text.problem);
      if (text.ok) onText(text.text);
    });
  return { problem, take };
}

interface PickerProps {
  /** On a phone the list lies over everything: it has a button that closes it. */
  readonly onClose: () => void;
  readonly onPicked: () => void;
}

export default function Picker({ onClose, onPicked }: PickerProps): ReactNode {
  const { root, go } = usePage();
  const [query, setQuery] = useQuery();
  const { problem, take } = useFile(setQuery);
  const searched = useSearched(query !== "");
  // Read behind the typing: a long text takes a moment.
  const read = useDeferredValue(query);
  const { entries, how } = useMemo(() => findSymptoms(searched, read), [searched, read]);
  const field = useRef<HTMLTextAreaElement>(null);
  const openRead = useRef<() => void>(undefined);
  const open = (path: string): void => {
    onPicked();
    go(path);
    // The next key is for the picture that was asked for, not for the button that opened the list.
    document.getElementById("results")?.focus({ preventScroll: true });
  };
  const enter = (box: boolean): void => {
    // What was typed in this very moment counts, not what is shown of it yet.
    const [first] = findSymptoms(searched, query).entries;
    if (box) openRead.current?.();
    else if (query.trim() !== "" && first !== undefined) open(`${root}s/${first.slug}/`);
  };
  return (
    <div
      className="picker"
      data-testid="picker"
      onKeyDown={(event) => goAmongTiles(event, field.current)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        take(file ?? new Blob([event.dataTransfer.getData("text/plain")]));
      }}
    >
      <CloseButton onClose={onClose} />
      <div className="picker-head">
        <SymptomField
          text={query}
          field={field}
          problem={problem}
          onText={setQuery}
          onFile={take}
          onEnter={enter}
        />
        <p className="lead">{LEAD}</p>
      </div>
      {read.trim() !== "" && <ReadText text={read} onOpen={onPicked} enter={openRead} />}
      {/* What is found is in the order of how well it fits. */}
      {how === "all" ? (
        HEADINGS.map((heading) => (
          <Tiles
            key={heading}
            heading={heading}
            entries={inOrder(heading, entries)}
            onOpen={open}
          />
        ))
      ) : (
        <Tiles
          heading={how === "near" ? "Nothing known fits that. Nearest" : "Questions about this"}
          entries={entries}
          onOpen={open}
        />
      )}
      {how === "none" && <NothingFound query={read} onTopic={setQuery} />}
      <OwnTiles onPicked={onPicked} onOpen={open} />
      <Terms query={read} />
      <Lessons query={read} />
    </div>
  );
}

function CloseButton({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <button
      type="button"
      className="button round picker-close"
      aria-label="Close the list of questions"
      title="Close (Esc)"
      data-testid="picker-close"
      onClick={onClose}
    >
      <Icon name="close" />
    </button>
  );
}

/** Down from the end of the field to the first tile, among tiles, and up from the first row back. */
function goAmongTiles(event: KeyboardEvent, field: HTMLTextAreaElement | null): void {
  const { key, target, currentTarget } = event;
  if (!isArrow(key) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const tiles = [...currentTarget.querySelectorAll<HTMLElement>(".tile")];
  const at = tiles.findIndex((tile) => tile === target);
  const atEnd = field !== null && target === field && field.selectionStart === field.value.length;
  if (at < 0 && !(atEnd && key === "ArrowDown")) return;
  event.preventDefault();
  const boxes = tiles.map((tile) => tile.getBoundingClientRect());
  const to = at < 0 ? 0 : tileBeside(boxes, at, key);
  const next = to === undefined ? undefined : tiles[to];
  if (next !== undefined) next.focus();
  else if (key === "ArrowUp") field?.focus();
}

interface TilesProps {
  readonly heading: string;
  readonly entries: readonly ScenarioEntry[];
  readonly onOpen: (path: string) => void;
}

/** The scenarios that answer one kind of question. */
function Tiles({ heading, entries, onOpen }: TilesProps): ReactNode {
  const { catalogue, root } = usePage();
  const current = useSelect((state) => (state.route === "own" ? undefined : state.entry.slug));
  if (entries.length === 0) return undefined;
  return (
    <section className="picker-group">
      <h2>{heading}</h2>
      <ul className={areAllDrawn(entries) ? "tiles" : "tiles some-drawn"}>
        {entries.map((entry) => (
          <li key={entry.slug}>
            <a
              className={`tile${entry.slug === current ? " current" : ""}`}
              href={`${root}s/${entry.slug}/`}
              aria-current={entry.slug === current ? "page" : undefined}
              data-testid={`tile-${entry.slug}`}
              onClick={(event) => followHere(event, () => onOpen(`${root}s/${entry.slug}/`))}
            >
              <TilePicture slug={entry.slug} />
              <strong>{entry.title}</strong>
              <Pair entry={entry} />
              <span className="tile-sides">{sideWords(entry)}</span>
              <span className="tile-tags">{tileTags(entry, catalogue.knobs)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether all or none of the tiles have a picture. */
function areAllDrawn(entries: readonly ScenarioEntry[]): boolean {
  return new Set(entries.map(({ slug }) => TILES[slug] !== undefined)).size === 1;
}

/** The number that answers the question, A then B; its room is there before it is known. */
function Pair({ entry }: { readonly entry: ScenarioEntry }): ReactNode {
  const runs = useSelect(({ figures }) => figures?.[entry.slug]);
  const pair = tilePair(entry, runs);
  return (
    <span className="tile-pair" data-testid={`tile-pair-${entry.slug}`}>
      {pair?.figures} <span className="tile-of">{pair?.of}</span>
    </span>
  );
}

/** Dots of a tile's picture; it is shown at the tile's width. */
const TILE = { width: 640, height: 288 };

/** The scenario's opening view, A over B, as it was drawn when the site was built. */
function TilePicture({ slug }: { readonly slug: string }): ReactNode {
  const { root } = usePage();
  const ink = useSelect((state) => (state.theme === "dark" ? "dark" : "light"));
  const alt = TILES[slug];
  if (alt === undefined) return undefined;
  return (
    <img
      className="tile-picture"
      src={`${root}pictures/tile-${slug}-${ink}.png`}
      {...TILE}
      alt={alt}
      loading="lazy"
      decoding="async"
    />
  );
}

/** What one brings along. */
function OwnTiles({
  onPicked,
  onOpen,
}: {
  readonly onPicked: () => void;
  readonly onOpen: (path: string) => void;
}): ReactNode {
  const { root } = usePage();
  const own = useSelect((state) => state.route === "own");
  return (
    <section className="picker-group">
      <h2>My own machine</h2>
      <ul className="tiles">
        <li>
          <a
            className={`tile tile-own${own ? " current" : ""}`}
            href={`${root}lab/`}
            data-testid="tile-lab"
            onClick={(event) => followHere(event, () => onOpen(`${root}lab/`))}
          >
            <strong>What would my machine do?</strong>
            <span className="tile-tags">write or paste a scenario of your own</span>
          </a>
        </li>
        <li>
          <button
            type="button"
            className="tile tile-own tile-button"
            data-testid="tile-paste"
            onClick={() => {
              onPicked();
              askPaste();
            }}
          >
            <strong>Paste what you have</strong>
            <span className="tile-tags">
              cpu.max, cpu.stat, a Pod, docker run, cyclictest, rt-app …
            </span>
          </button>
        </li>
      </ul>
    </section>
  );
}

/** Lessons are pages of their own: a scene after the other, with bets and puzzles. */
function Lessons({ query }: { readonly query: string }): ReactNode {
  const { catalogue } = usePage();
  const found = findLessons(LESSONS, catalogue.knobs, query);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (listAsked()) section.current?.scrollIntoView();
  }, []);
  if (found.length === 0) return undefined;
  return (
    <section className="picker-group" ref={section}>
      <h2>Lessons</h2>
      <ul className="tiles">
        {found.map((lesson) => (
          <li key={lesson.id}>
            <LessonTile lesson={lesson} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LessonTile({ lesson }: { readonly lesson: Listed }): ReactNode {
  const { root } = usePage();
  const { id, title, minutes, scenes } = lesson;
  const progress = keptProgress(root, () => window.localStorage, id, lesson);
  const done = progress !== undefined && isDone(progress, scenes);
  return (
    <a
      className="tile"
      href={`${root}learn/${id}/`}
      data-testid={`lesson-${id}`}
      data-progress={done ? "done" : progress === undefined ? "new" : "begun"}
    >
      <strong>{title}</strong>
      <span className="tile-tags">{[`${minutes} minutes`, ...lessonTags(lesson)].join(" · ")}</span>
      {progress !== undefined && (
        <span className="tile-progress">
          <progress
            value={done ? scenes.length : progress.farthest + 1}
            max={scenes.length}
            aria-hidden
          />
          {done ? "Done" : `${progress.farthest + 1} of ${scenes.length} scenes seen`}
        </span>
      )}
    </a>
  );
}

/** What a lesson asks of its reader. */
function lessonTags({ scenes }: Listed): readonly string[] {
  const bets = scenes.filter(({ bet }) => bet !== undefined).length;
  const puzzles = scenes.filter(({ puzzle }) => puzzle !== undefined).length;
  return [
    ...(bets === 0 ? [] : [counted(bets, "bet")]),
    ...(puzzles === 0 ? [] : [counted(puzzles, "puzzle")]),
  ];
}

/** The glossary's words in the query. */
function Terms({ query }: { readonly query: string }): ReactNode {
  const { root } = usePage();
  const terms = findTerms(query);
  if (terms.length === 0) return undefined;
  return (
    <p className="empty" data-testid="picker-terms">
      In the glossary:{" "}
      {terms.map(({ name, anchor }, index) => (
        <Fragment key={anchor}>
          {index > 0 && ", "}
          <a href={`${root}glossary/#${anchor}`}>{name}</a>
        </Fragment>
      ))}
    </p>
  );
}

function NothingFound({
  query,
  onTopic,
}: {
  readonly query: string;
  readonly onTopic: (topic: string) => void;
}): ReactNode {
  const missing = notSimulated(query.split(/\s+/));
  return (
    <p className="empty">
      {missing.length > 0 && `${missing.join(", ")}: not simulated here. `}No scenario speaks of “
      {query}”. Try one of:{" "}
      {TOPICS.map((topic) => (
        <Fragment key={topic}>
          <button
            type="button"
            className="button tiny"
            data-testid={`picker-topic-${topic}`}
            onClick={() => onTopic(topic)}
          >
            {topic}
          </button>{" "}
        </Fragment>
      ))}
    </p>
  );
}
