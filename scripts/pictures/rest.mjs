// What `npm start` does beside the served page: it draws the pictures of the other scenarios, at
// the lowest priority, and lays the site with them over the served one. `--only a,b` draws those
// alone.

import { constants, setPriority } from "node:os";
import { addPictures } from "../build.mjs";
import { main, say } from "../lib/run.mjs";

await main(
  async ({ only }) => {
    setPriority(constants.priority.PRIORITY_LOW);
    const added = await addPictures({ slugs: only?.split(",") });
    if (added > 0)
      say("the list of questions has all its pictures now: reload the page to see them");
  },
  { only: "SLUG,SLUG" },
);
