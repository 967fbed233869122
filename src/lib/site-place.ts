// Places on the site of files of the repository.

/**
 * Below the site's root: pages of docs/, of scenarios and of lessons; undefined where the site has
 * nothing for the file.
 */
export function sitePlaceOf(path: string): string | undefined {
  if (path.startsWith("docs/")) return `${docFolderOf(path)}/`;
  const [, scenario] = /^scenarios\/([\w-]+)\//.exec(`${path}/`) ?? [];
  const [, lesson] = /^lessons\/([\w-]+)\.json$/.exec(path) ?? [];
  if (scenario !== undefined) return `s/${scenario}/`;
  return lesson === undefined ? undefined : `learn/${lesson}/`;
}

/** Folders that addresses leave out, so that older links to `decisions/` keep their meaning. */
const ROOM = /^docs\/(?:(?:develop|records|use)\/)?/;

/** Files beside the chapters of the model: their addresses leave out `model/` too. */
const BESIDE_CHAPTERS = /^model\/(?=(?:claims|glossary|known-gaps|sources|versions)\.md$)/;

/** The place of a file of docs/, without its closing slash. */
export function docFolderOf(path: string): string {
  return path
    .replace(ROOM, "")
    .replace(BESIDE_CHAPTERS, "")
    .replace(/(README)?\.md$/, "")
    .replace(/\/$/, "");
}

/** The target of a relative link in a scenario's story, below the site's root, with its anchor. */
export function storyPlaceOf(slug: string, href: string): string | undefined {
  if (/^([a-z]+:|\/)/i.test(href)) return undefined;
  const { pathname, hash } = new URL(href, `https://repository/scenarios/${slug}/`);
  const place = sitePlaceOf(pathname.slice(1));
  return place === undefined ? undefined : place + hash;
}
