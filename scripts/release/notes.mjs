// `node scripts/release/notes.mjs --tag v0.2.0`: prints what the changelog says of this version, for
// the release page. Refuses a tag that is not the version of package.json and Cargo.toml, and a
// version that the changelog does not name. Without a tag the part may be missing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Explained, ROOT, isMain, main, version } from "../lib/run.mjs";

/**
 * The text below the heading of `version` in a changelog; undefined without such a heading.
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((each) => each.split(/[\s—]/, 1)[0] === version);
  return part?.slice(part.indexOf("\n")).trim();
}

/**
 * Why these are not of one release; undefined if they are.
 * @param {string} tag
 * @param {{ readonly package: string, readonly cargo: string | undefined }} versions
 */
export function mismatch(tag, versions) {
  if (versions.package !== versions.cargo)
    return `package.json says ${versions.package}, Cargo.toml ${versions.cargo ?? "nothing"}`;
  if (tag !== `v${versions.package}`)
    return `the tag is ${tag}, the version in package.json ${versions.package}`;
  return undefined;
}

if (isMain(import.meta.url)) {
  await main(
    ({ tag }) => {
      const read = (/** @type {string} */ file) => readFileSync(join(ROOT, file), "utf8");
      const cargo = /^version = "([^"]+)"$/m.exec(read("Cargo.toml"))?.[1];
      const notes = notesOf(read("CHANGELOG.md"), version());
      if (tag !== undefined) {
        const wrong = mismatch(tag, { package: version(), cargo });
        if (wrong !== undefined) throw new Explained(wrong);
        if (notes === undefined)
          throw new Explained(`CHANGELOG.md has no heading "## ${version()}"`);
      }
      console.log(notes ?? "Not released.");
    },
    { tag: "TAG" },
  );
}
