// Which groups have a tank in the picture, where there are more groups than fit: page by page, or
// by name. Plain buttons and a list: they work by mouse, finger and keyboard alike, and both sides
// turn their pages together.

import type { ReactElement } from "react";

/** Tanks in the picture at once: on a laptop, both sides keep room for their lanes. */
export const TANKS_MAX = 3;

/** The first group shown when `first` is asked for, of `most` at once: the last page is full. */
export function firstShown(first: number, groups: number, most: number): number {
  return Math.max(0, Math.min(first, groups - most));
}

interface PagerProps {
  /** Paths of all groups with a quota on any side. */
  readonly paths: readonly string[];
  readonly first: number;
  /** Tanks in the picture at once, at most. */
  readonly most: number;
  readonly onFirst: (first: number) => void;
}

export function TankPager({ paths, first, most, onFirst }: PagerProps): ReactElement | null {
  if (paths.length <= most) return null;
  const last = Math.min(first + most, paths.length);
  return (
    <div
      className="tl-groups"
      role="group"
      aria-label="Groups with a tank in the picture"
      data-testid="tank-pager"
    >
      <button
        type="button"
        aria-label="Groups before"
        disabled={first === 0}
        data-testid="tanks-back"
        onClick={() => onFirst(first - most)}
      >
        ‹
      </button>
      <output aria-live="polite" data-testid="tanks-shown">
        {last > first + 1 ? `tanks ${first + 1}–${last}` : `tank ${last}`} of {paths.length} groups
      </output>
      <button
        type="button"
        aria-label="Groups after"
        disabled={last === paths.length}
        data-testid="tanks-on"
        onClick={() => onFirst(first + most)}
      >
        ›
      </button>
      <label>
        go to{" "}
        <select
          value={paths[first]}
          data-testid="tanks-choose"
          onChange={(event) => onFirst(paths.indexOf(event.target.value))}
        >
          {paths.map((path) => (
            <option key={path}>{path}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
