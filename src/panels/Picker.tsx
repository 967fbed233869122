// The scenarios, each by the question it answers; the search also finds switches and tool words in their files.

import { useEffect, useState, type ReactNode } from "react";
import type { Knob, ScenarioEntry } from "../engine/gen/types.ts";
import { findKnob } from "../state/knobs/knob-values.ts";
import { followHere, usePage, useSelect } from "./page.ts";

/** Scenarios that contain every word of the query, in their question, their file, their story or their knobs' names; else the nearest. */
export function findScenarios(
  scenarios: readonly ScenarioEntry[],
  knobs: readonly Knob[],
  query: string,
  stories: Readonly<Record<string, string>>,
): readonly ScenarioEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const texts = scenarios.map((entry) => {
    const labels = entry.knobs.map((path) => knobs.find((knob) => knob.path === path)?.label ?? path);
    return { entry, text: [entry.title, entry.slug, entry.source, stories[entry.slug], entry.text, ...labels].join("\n").toLowerCase() };
  });
  const having = (word: string): number => texts.filter(({ text }) => text.includes(word)).length;
  const all = texts.filter(({ text }) => words.every((word) => text.includes(word)));
  if (all.length > 0 || words.length < 2) return all.map(({ entry }) => entry);
  // A question in one's own words: what speaks of most of it comes first. A word that many scenarios have tells little.
  const told = words.filter((word) => word.length > 3 && having(word) <= scenarios.length / 2);
  const score = (text: string): number => told.reduce((sum, word) => sum + (text.includes(word) ? 1 / having(word) : 0), 0);
  return texts
    .map(({ entry, text }) => ({ entry, score: score(text) }))
    .filter((each) => each.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, NEAREST_MAX)
    .map(({ entry }) => entry);
}

/** Scenarios shown for a query of which none has every word. */
const NEAREST_MAX = 8;

/** The stories come with the first letter typed. */
function useStories(wanted: boolean): Readonly<Record<string, string>> {
  const [stories, setStories] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => {
    if (wanted) void import("../engine/gen/stories.ts").then(({ STORIES }) => setStories(STORIES));
  }, [wanted]);
  return stories;
}

export default function Picker({ lead, onPicked }: { readonly lead?: string; readonly onPicked: () => void }): ReactNode {
  const { catalogue, root, go } = usePage();
  const [query, setQuery] = useState("");
  const current = useSelect((state) => (state.route === "own" ? undefined : state.entry.slug));
  const found = findScenarios(catalogue.scenarios, catalogue.knobs, query, useStories(query !== ""));
  const open = (path: string): void => {
    onPicked();
    go(path);
  };
  return (
    <div className="picker" data-testid="picker">
      <div className="picker-head">
        {lead !== undefined && <p className="lead">{lead}</p>}
        <input
          className="input picker-search"
          type="search"
          placeholder="Search questions, switches, tools"
          aria-label="Search scenarios"
          value={query}
          data-testid="picker-search"
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <ul className="tiles">
        {found.map((entry) => (
          <li key={entry.slug}>
            <a
              className={`tile${entry.slug === current ? " current" : ""}`}
              href={`${root}s/${entry.slug}/`}
              aria-current={entry.slug === current ? "page" : undefined}
              data-testid={`tile-${entry.slug}`}
              onClick={(event) => followHere(event, () => open(`${root}s/${entry.slug}/`))}
            >
              <strong>{entry.title}</strong>
              <span className="tile-tags">{tileTags(entry, catalogue.knobs)}</span>
            </a>
          </li>
        ))}
        <li>
          <a
            className={`tile tile-own${current === undefined ? " current" : ""}`}
            href={`${root}lab/`}
            data-testid="tile-lab"
            onClick={(event) => followHere(event, () => open(`${root}lab/`))}
          >
            <strong>What would my machine do?</strong>
            <span className="tile-tags">write or paste a scenario of your own</span>
          </a>
        </li>
      </ul>
      {found.length === 0 && <p className="empty">No scenario speaks of “{query}”.</p>}
    </div>
  );
}

/** What is compared, by which switch. */
function tileTags(entry: ScenarioEntry, knobs: readonly Knob[]): string {
  const [a, b] = entry.variants;
  const path = entry.knobs[0];
  const label = path === undefined ? "" : (findKnob(knobs, path)?.label ?? path);
  return [...(a === undefined || b === undefined ? [] : [`${a.name} against ${b.name}`]), label].join(" · ");
}
