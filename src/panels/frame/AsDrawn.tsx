// Replaces the picture where no simulator can run: shows the stage as it was drawn with the site,
// and says which run that picture shows.

import type { ReactNode } from "react";
import { TILES } from "virtual:pictures";
import { FIRST_SLUG } from "../../links/place.ts";
import { usePage, useSelect } from "../page/page.ts";
import "./as-drawn.css";

const OF =
  "the scenario’s first two variants at its first step, with the figures of the shipped runs";

/** The picture has the room that the words below it leave. */
const FILLS = {
  display: "flex",
  flexDirection: "column",
  placeSelf: "stretch",
  textAlign: "center",
  container: "as-drawn / size",
} as const;
const WHOLE = { flex: 1, width: "100%", minHeight: 0, objectFit: "contain" } as const;

export default function AsDrawn(): ReactNode {
  const { root } = usePage();
  const slug = useSelect((state) => (state.route === "own" ? "" : state.entry.slug));
  const ink = useSelect((state) => (state.theme === "dark" ? "dark" : "light"));
  const alt = TILES[slug];
  const needs = (
    <a href={`${root}known-gaps/`} data-testid="as-drawn-needs">
      What the page needs
    </a>
  );
  // For the front page the site has a drawing of the stage; for any other scenario, its preview.
  const file = slug === FIRST_SLUG ? `stage-${slug}-${ink}.svg` : `s-${slug}.png`;
  if (alt === undefined)
    return <p data-testid="as-drawn">There is no drawn picture of this scenario. {needs}.</p>;
  return (
    <figure className="as-drawn" style={FILLS} data-testid="as-drawn">
      <img src={`${root}pictures/${file}`} alt={alt} title={OF} style={WHOLE} />
      <figcaption>
        This picture was drawn with the site<span>: {OF}</span>. {needs}.
      </figcaption>
    </figure>
  );
}
