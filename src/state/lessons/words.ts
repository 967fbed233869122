// Words of a lesson that name something in its picture: `[[cpu:3|CPU 3]]`, `[[task:shell|the
// shell]]`, `[[lock:deepest|the lock]]`, `[[group:app|the service]]`. The names are those of a
// step's focus; `[[at:kick|a busy CPU]]` has the name of a step's moment.

/** A word that names CPUs, a task, a lock, a group or an instant of the picture. */
export interface NamedWord {
  readonly kind: "cpu" | "task" | "lock" | "group" | "at";
  readonly name: string;
  /** What the reader sees. */
  readonly words: string;
}

const FORM = /\[\[(cpu|task|lock|group|at):([^|[\]]+)\|([^|[\]]+)\]\]/g;

/** A text in order: what is only said, and what names something. */
export function partsOf(text: string): readonly (string | NamedWord)[] {
  const parts: (string | NamedWord)[] = [];
  let end = 0;
  for (const found of text.matchAll(FORM)) {
    const [whole, kind = "", name = "", words = ""] = found;
    parts.push(text.slice(end, found.index), { kind: kind as NamedWord["kind"], name, words });
    end = found.index + whole.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

/** The text as it is printed. */
export function plainWords(text: string): string {
  return text.replaceAll(FORM, "$3");
}
