// Drops on their way between the tanks and the lanes, at the instant of the playhead. A drop falls or rises at the place of its event, so
// that it is where its mark is when it has arrived. Under reduced motion nothing travels: each is shown at its end, with its way as a line.

import { useEffect, useRef, useState } from "react";
import type { ReactElement, RefObject } from "react";
import { formatNs } from "../../lib/format.ts";
import { dropsAt } from "./drops.ts";
import type { Drop, DropKind } from "./drops.ts";
import type { Plot } from "../draw/plot.ts";
import { barTop, xOf } from "../draw/plot.ts";
import type { ShownTank } from "./tank.tsx";
import { useReducedMotion } from "../draw/use-size.ts";

interface LayerProps {
  readonly side: "a" | "b";
  readonly plot: Plot;
  readonly tanks: readonly ShownTank[];
  readonly playheadNs: number;
}

export function DropLayer({ side, plot, tanks, playheadNs }: LayerProps): ReactElement {
  const svg = useRef<SVGSVGElement>(null);
  const paths = tanks.map(({ path }) => path);
  const places = usePlaces(svg, paths.join("\n"));
  const still = useReducedMotion();
  const ns = Math.round(playheadNs);
  const drops =
    places === undefined ? [] : dropsAt(plot.trace, paths, ns, plot.viewport).flatMap((drop) => placed(drop, plot, places, still));
  const named = withRoom(drops, plot.theme.fontPx);
  return (
    <svg ref={svg} className="tl-drops" aria-hidden="true" data-testid={`drops-${side}`}>
      {drops.map((each) => (
        <Flight
          key={`${each.drop.group} ${each.drop.kind} ${String(each.drop.cpu)} ${String(each.drop.atNs)}`}
          placed={each}
          named={named.has(each)}
          left={each.x > plot.width * 0.7}
          fontPx={plot.theme.fontPx}
          still={still}
        />
      ))}
    </svg>
  );
}

/** A drop where it is now, CSS px in the layer. */
interface Placed {
  readonly drop: Drop;
  readonly way: Way;
  readonly share: number;
  readonly x: number;
  readonly y: number;
  readonly words: string | undefined;
}

function placed(drop: Drop, plot: Plot, places: Places, still: boolean): Placed[] {
  const x = xOf(plot, drop.atNs);
  if (x < plot.gutter || x > plot.width) return [];
  const way = wayOf(drop, plot, places);
  const share = still ? 1 : drop.progress;
  return [{ drop, way, share, x, y: way.from + (way.to - way.from) * share, words: wordsOf(drop) }];
}

/** Whose words fit above each other: findings before the rest, then those that hold most. */
function withRoom(drops: readonly Placed[], fontPx: number): ReadonlySet<Placed> {
  const weight = ({ drop }: Placed): number => (drop.kind === "double" ? Infinity : drop.amountNs);
  const named: Placed[] = [];
  for (const each of [...drops].sort((one, other) => weight(other) - weight(one) || other.y - one.y)) {
    if (each.words !== undefined && named.every(({ y }) => Math.abs(y - each.y) >= fontPx * 1.3)) named.push(each);
  }
  return new Set(named);
}

/** Where things lie in the layer, CSS px from its top. */
interface Places {
  /** By group: the floor of its tank. */
  readonly floors: Readonly<Record<string, number>>;
  readonly lanes: number;
}

/** The layer lies over tanks and lanes, whose heights are the style sheet's: measured when they change. `groups` are those with a tank. */
function usePlaces(svg: RefObject<SVGSVGElement | null>, groups: string): Places | undefined {
  const [places, setPlaces] = useState<Places>();
  useEffect(() => {
    const plots = svg.current?.parentElement;
    if (plots === null || plots === undefined) return undefined;
    const lanes = plots.querySelector(".tl-lanes");
    const observer = new ResizeObserver(() => {
      const { top } = plots.getBoundingClientRect();
      const tanks = [...plots.querySelectorAll<HTMLElement>("[data-tank]")];
      const floors = Object.fromEntries(tanks.map((tank) => [tank.dataset["tank"] ?? "", tank.getBoundingClientRect().bottom - top]));
      setPlaces({ floors, lanes: (lanes?.getBoundingClientRect().top ?? top) - top });
    });
    observer.observe(plots);
    // The whole may stay as high as it was while a strip over the lanes comes and takes its height from them.
    if (lanes?.parentElement) observer.observe(lanes.parentElement);
    return () => observer.disconnect();
  }, [svg, groups]);
  return places;
}

interface Way {
  readonly from: number;
  readonly to: number;
}

/** How far a lost drop sinks, CSS px. */
const LOST_PX = 26;

function wayOf({ kind, group, cpu }: Drop, plot: Plot, { floors, lanes }: Places): Way {
  const row = plot.rows.rowOfCpu[cpu] ?? plot.rows.stripOfCpu?.[cpu];
  // A lane that is scrolled out of sight is above or below the picture.
  const inLanes = row === undefined ? 0 : Math.max(0, Math.min(plot.height, barTop(plot, row)));
  const cpuY = lanes + inLanes;
  const poolY = floors[group] ?? lanes;
  switch (kind) {
    case "return":
      return { from: cpuY, to: poolY };
    case "expire":
      return { from: poolY - LOST_PX, to: poolY };
    case "lose":
      return { from: cpuY, to: cpuY + LOST_PX };
    default:
      return { from: poolY, to: cpuY };
  }
}

interface FlightProps {
  readonly placed: Placed;
  readonly named: boolean;
  /** Words stand left of the drop: there is no room on the right. */
  readonly left: boolean;
  readonly still: boolean;
  readonly fontPx: number;
}

/** A drop is as large as the root of what it holds; a slice of 5 ms is of middle size. */
function sizeOf(amountNs: number, fontPx: number): number {
  return Math.max(2.5, Math.min(7, 4.5 * Math.sqrt(amountNs / 5_000_000))) * (fontPx / 11);
}

function Flight({ placed: { drop, way, share, x, y, words }, named, left, still, fontPx }: FlightProps): ReactElement {
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
        <text x={left ? -size - 4 : size + 4} dy="0.35em" fontSize={fontPx} textAnchor={left ? "end" : "start"}>
          {words}
        </text>
      )}
    </g>
  );
}

function wordsOf({ kind, amountNs, count }: Drop): string | undefined {
  const many = count > 1 ? `${String(count)}×, ` : "";
  if (kind === "double") return `finding: ${many}${formatNs(amountNs, 2)} spent twice`;
  return count > 1 ? `${many}${formatNs(amountNs, 2)}` : undefined;
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
