// The check of the site's links, on a site of three pages.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { brokenLinks } from "./site-links.mjs";

function brokenOf(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return brokenLinks(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SITE = {
  "index.html": '<a href="./model/">m</a> <a href="model/time/#ticks">t</a> <a href="#x=1">x</a>',
  "model/index.html": '<a href="../">up</a> <a href="https://host/x">out</a>',
  "model/time/index.html": '<h2 id="ticks">Ticks</h2> <a href="#ticks">t</a>',
};

test("a site whose links lead to its own files and anchors has no broken link", () => {
  const page = `${SITE["index.html"]}<script src="./app.js"></script>`;
  expect(brokenOf({ ...SITE, "index.html": page, "app.js": "" })).toEqual([]);
});

test.each([
  ["../times/", "is no file of the site"],
  ["../../../", "is no file of the site"],
  ["/model/", "is no file of the site"],
  ["../time/#clock", "has no such anchor in model/time/index.html"],
])("a link to %s is named with its page", (href, trouble) => {
  const page = `<a href="${href}">a</a> <h2 id="x=1">x</h2>`;
  const files = { ...SITE, "index.html": "", "model/rt/index.html": page };
  expect(brokenOf(files)).toEqual([`model/rt/index.html: ${href} ${trouble}`]);
});
