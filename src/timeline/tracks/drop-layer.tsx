// Drops on their way between the tanks and the lanes, at the instant of the playhead. A drop falls
// or rises at the place of its event, so that it is where its mark is when it has arrived. Under
// reduced motion nothing travels: each is shown at its end, with its way as a line.

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ReactElement, RefObject } from "react";
import type { DropKind } from "./drops.ts";
import type { Placed, Places } from "./drop-places.ts";
import { placedDrops, sizeOf, withRoom, WORDS_GAP_PX } from "./drop-places.ts";
import { observeSize } from "../../lib/element-size.ts";
import type { LabelLayer } from "../draw/label-layer.ts";
import type { Plot } from "../plot/plot.ts";
import type { ShownTank } from "./tank.tsx";
import { useReducedMotion } from "../draw/use-size.ts";

interface LayerProps {
  readonly side: "a" | "b";
  readonly plot: Plot;
  readonly tanks: readonly ShownTank[];
  readonly playheadNs: number;
  /** The words of the lanes: those of drops give way to them. */
  readonly labels: LabelLayer;
}

export function DropLayer({ side, plot, tanks, playheadNs, labels }: LayerProps): ReactElement {
  const svg = useRef<SVGSVGElement>(null);
  const paths = tanks.map(({ path }) => path);
  const places = usePlaces(svg, paths.join("\n"));
  const still = useReducedMotion();
  const ns = Math.round(playheadNs);
  const drops = places === undefined ? [] : placedDrops(plot, paths, ns, places, still);
  useSyncExternalStore(labels.listen, labels.placings);
  const named = withRoom(drops, plot, places?.lanes ?? 0, labels);
  return (
    <svg ref={svg} className="tl-drops" aria-hidden="true" data-testid={`drops-${side}`}>
      {/* Drops with words come last, so that no drop lies on words. */}
      {[...drops]
        .sort((one, other) => Number(named.has(one)) - Number(named.has(other)))
        .map((each) => (
          <Flight
            key={`${each.drop.group} ${each.drop.kind} ${String(each.drop.cpu)} ${String(each.drop.atNs)}`}
            placed={each}
            named={named.has(each)}
            left={named.get(each) === true}
            fontPx={plot.theme.fontPx}
            still={still}
          />
        ))}
    </svg>
  );
}

/**
 * The layer lies over tanks and lanes, whose heights are the style sheet's: measured when they
 * change. `groups` are those with a tank.
 */
function usePlaces(svg: RefObject<SVGSVGElement | null>, groups: string): Places | undefined {
  const [places, setPlaces] = useState<Places>();
  useEffect(() => {
    const plots = svg.current?.parentElement;
    if (plots === null || plots === undefined) return undefined;
    const lanes = plots.querySelector(".tl-lanes");
    const measure = (): void => {
      const { top } = plots.getBoundingClientRect();
      const tanks = [...plots.querySelectorAll<HTMLElement>("[data-tank]")];
      const floors = Object.fromEntries(
        tanks.map((tank) => [
          tank.dataset["tank"] ?? "",
          tank.getBoundingClientRect().bottom - top,
        ]),
      );
      setPlaces({ floors, lanes: (lanes?.getBoundingClientRect().top ?? top) - top });
    };
    // The whole may stay as high as it was while a strip over the lanes comes and takes its height
    // from them.
    const ends = [plots, lanes?.parentElement].flatMap((node) =>
      node ? [observeSize(node, measure)] : [],
    );
    return () => ends.forEach((end) => end());
  }, [svg, groups]);
  return places;
}

interface FlightProps {
  readonly placed: Placed;
  readonly named: boolean;
  /** Words lie left of the drop. */
  readonly left: boolean;
  readonly still: boolean;
  readonly fontPx: number;
}

function Flight({
  placed: { drop, way, share, x, y, words },
  named,
  left,
  still,
  fontPx,
}: FlightProps): ReactElement {
  const { kind, group, cpu, atNs, amountNs, count } = drop;
  const size = sizeOf(amountNs, fontPx);
  const lost = kind === "expire" || kind === "lose";
  return (
    <g
      className={`tl-drop tl-drop-${kind}`}
      data-testid="drop"
      data-kind={kind}
      data-group={group}
      data-cpu={cpu}
      data-at={atNs}
      data-ns={amountNs}
      data-count={count}
      data-progress={share}
      data-from={way.from}
      data-to={way.to}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      opacity={lost ? 1 - 0.7 * share : undefined}
    >
      <line y1={way.from - y} y2={still ? way.to - y : 0} />
      <path d={shapeOf(kind, size)} />
      {lost && <line className="tl-drop-cross" x1={-size} y1={-size} x2={size} y2={size} />}
      {named && (
        <text
          x={(size + WORDS_GAP_PX) * (left ? -1 : 1)}
          dy="0.35em"
          fontSize={fontPx}
          textAnchor={left ? "end" : "start"}
        >
          {words}
        </text>
      )}
    </g>
  );
}

/** A drop with its tip where it comes from; a distribution's wears a bar. */
function shapeOf(kind: DropKind, size: number): string {
  const up = kind === "return" ? -1 : 1;
  const [tip, bottom, wide] = [-2 * size * up, size * up, 1.4 * size].map((px) => px.toFixed(1));
  const body = `M0 ${tip ?? ""}Q${wide ?? ""} 0 0 ${bottom ?? ""}Q-${wide ?? ""} 0 0 ${tip ?? ""}Z`;
  return kind === "give"
    ? `${body}M${(-size).toFixed(1)} ${(size + 2).toFixed(1)}h${(2 * size).toFixed(1)}v1.5h${(-2 * size).toFixed(1)}Z`
    : body;
}
