// What the lessons are called, for lists of them: the rest of a lesson comes when it is opened.

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly minutes: number;
}

const TITLES = import.meta.glob<string>("../../../lessons/*.json", { import: "title", eager: true });
const MINUTES = import.meta.glob<number>("../../../lessons/*.json", { import: "minutes", eager: true });

/** All lessons, by their files' names. */
export const LESSONS: readonly Listed[] = Object.entries(TITLES).map(([path, title]) => ({
  id: path.replace(/^.*\/|\.json$/g, ""),
  title,
  minutes: MINUTES[path] ?? 0,
}));
