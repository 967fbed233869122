// The frames around the stage: the lab, an embed in a host page, a talk. Below the frame's own
// folder the address is that of the lab: `present/quota-tree/#…` shows what `s/quota-tree/#…` says.
// A page keeps the frame it was opened with.
/** `lecture`: a lesson as a talk. */
export type FrameName = "lab" | "embed" | "present" | "learn" | "lecture";

/**
 * A lesson goes from scenario to scenario: its address names the lesson, `learn/<id>/`. A name in
 * another case has no page, but its nearest has.
 */
const LESSON = /^learn\/([\w-]+)(?:\/|$)/;

/**
 * The folders below the site's root, and what the lab calls the same: `s/<slug>/`, or `lab/` for a
 * scenario of one's own.
 */
const FRAMED = /^(embed|present)\/([\w-]+)(?:\/|$)/;
/**
 * A framed address whose name is followed by nothing else: any other path is no place of the frame,
 * and stays as it was typed.
 */
const FRAMED_PLACE = /^(?:embed|present)\/([a-z0-9-]+)(?=\/?(?:index\.html)?$)/;
const IN_LAB = /^(?:s\/([a-z0-9-]+)|(lab))(?=\/)/;

/** Which frame a path asks for. `root`: path of the site with its closing slash. */
export function frameOf(pathname: string, root: string): FrameName {
  const name = FRAMED.exec(below(pathname, root))?.[1];
  if (lessonOf(pathname, root) !== undefined) return "learn";
  return name === "embed" || name === "present" ? name : "lab";
}

/** The id of the lesson at a path. */
export function lessonOf(pathname: string, root: string): string | undefined {
  return LESSON.exec(below(pathname, root))?.[1];
}

/** The lab's path of the same thing. */
export function labPath(pathname: string, root: string): string {
  const inside = below(pathname, root).replace(FRAMED_PLACE, (_, slug: string) =>
    slug === "lab" ? "lab" : `s/${slug}`,
  );
  return inside === below(pathname, root) ? pathname : root + inside;
}

/** An address of the lab in a frame; what is no scenario's address stays as it is. */
export function inFrame(address: string, root: string, frame: FrameName): string {
  if (frame === "lab") return address;
  return (
    root +
    below(address, root).replace(
      IN_LAB,
      (_, slug: string | undefined) => `${frame}/${slug ?? "lab"}`,
    )
  );
}

function below(path: string, root: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path;
}
