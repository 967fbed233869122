// A link: the address of a comparison, written and read as docs/use/links.md says. It knows text
// only; what the text means for the page is decided in link-state.ts.

import { readFrame, writeFrame, type Items } from "./link-frame.ts";
import { readPayload, writePayload } from "./link-payload.ts";
import type {
  LinkContent,
  LinkProblem,
  LinkResult,
  LinkView,
  RawLive,
  RawSet,
} from "./link-types.ts";
import { LINK_VERSION, upgradeItems } from "./link-upgrade.ts";

const VIEW_KEYS = [
  "t",
  "p",
  "lay",
  "step",
  "sel",
  "area",
  "markers",
  "lanes",
  "lab",
  "open",
  "e",
  "was",
  "fp",
] as const;
type ViewKey = (typeof VIEW_KEYS)[number];

/** `at.a.1500us.kernel.rt_push_ipi`: from then on, on that side (k: on both), that knob. */
const LIVE_KEY = /^at\.([kab])\.(\d{1,15}(?:ns|us|ms|s))\.(.+)$/s;
/** More would be no person's doing, and every one cuts the run. */
const LIVE_MAX = 200;

const SWEEP = "sweep.";
/** "Which change did it?" is the command's `bisect`. */
const WHICH = "bisect.";
/** More knobs, metrics and variants than any window holds. */
const SWEEP_MAX = 64;
/**
 * Characters of one of a sweep's texts: 200 times with their units. Longer ones are kept in the
 * link and not looked at.
 */
export const SWEEP_TEXT_MAX = 4_000;
/** `strip.c`, `strip.d`: the variant of the third and the fourth run. D alone is C. */
const STRIPS = ["strip.c", "strip.d"] as const;

const WAS = "was.";
/**
 * `p7.90_o0.3`: CPUs kept on top, groups unfolded, whether there are groups, the order, the
 * counters, the ring of IPIs, who ran instead; each at most once in such a text as pages write.
 */
const LANES_PART =
  "(?:p\\d{1,4}(?:\\.\\d{1,4}){0,15}|o\\d{1,4}(?:\\.\\d{1,4}){0,63}|groups|flat|busy|late|counters|ring|instead)";
const LANES_FORM = new RegExp(`^${LANES_PART}(?:_${LANES_PART}){0,6}$`);
const FIGURES_FORM = /^(-|-?\d+)(_(-|-?\d+))?$/;
/**
 * The greatest number of headline metrics that a scenario has. More, or longer names, are no
 * figures: each is looked up in the report.
 */
const FIGURES_MAX = 8;
const METRIC_LENGTH_MAX = 300;

const VIEW_FORMS: Readonly<Record<ViewKey, RegExp>> = {
  t: /^\d+(\.\d+)?(ns|us|ms|s)-\d+(\.\d+)?(ns|us|ms|s)$/,
  p: /^\d+(\.\d+)?(ns|us|ms|s)$/,
  lay: /^[a-z]+(_[a-z]+)*$/,
  step: /^[1-6]$/,
  sel: /^.+\.[ws]\d{1,10}$/,
  area: /^\d+(\.\d+)?(ns|us|ms|s)-\d+(\.\d+)?(ns|us|ms|s)(_\d[\d.-]*)?$/,
  markers: /^(?=.{2})(\d+(\.\d+)?(ns|us|ms|s))?-(\d+(\.\d+)?(ns|us|ms|s))?$/,
  lanes: LANES_FORM,
  lab: /^1$/,
  open: /^(c|d|cd)$/,
  e: /^\d+\.\d+(\.\d+-[0-9a-f]{8})?$/,
  was: /^(-|\d+)(_(-|\d+))*$/,
  fp: /^[0-9a-f]{8}$/,
};

export interface Address {
  readonly path: "preset" | "lab";
  readonly slug: string | undefined;
  readonly fragment: string;
}

/**
 * An embed's or a talk's address names what the lab's does: `embed/quota-tree/` is `s/quota-tree/`,
 * `embed/lab/` is `lab/`.
 */
const FRAMED = /(^|\/)(?:embed|present)\/(?:(lab)(?=\/|$))?/;

/** Splits an address, a path or a bare fragment; undefined if it is nothing of ours. */
export function readAddress(text: string): Address | undefined {
  const trimmed = unwrapped(text);
  const hash = trimmed.indexOf("#");
  const before = hash < 0 ? trimmed : trimmed.slice(0, hash);
  const fragment = hash < 0 ? "" : trimmed.slice(hash + 1);
  const path = before
    .replace(/[?].*$/, "")
    .replace(FRAMED, (_, start: string, own: string | undefined) => `${start}${own ?? "s/"}`);
  const preset = /(?:^|\/)s\/([a-z0-9-]+)\/?(?:index\.html)?$/.exec(path);
  if (preset?.[1] !== undefined) return { path: "preset", slug: preset[1], fragment };
  if (/(?:^|\/)lab\/?(?:index\.html)?$/.test(path))
    return { path: "lab", slug: undefined, fragment };
  if (before === "" && fragment !== "") return { path: "lab", slug: undefined, fragment };
  if (hash < 0 && /^v=\d/.test(trimmed)) return { path: "lab", slug: undefined, fragment: trimmed };
  return undefined;
}

/**
 * Takes away the marks that a sentence puts around an address. Those behind a fragment stay: the
 * link's frame finds out whether they changed the link.
 */
function unwrapped(text: string): string {
  const bare = text.trim().replace(/^[<("'“‘[]+/, "");
  return bare.includes("#") ? bare : bare.replace(/[.,;:!?)\]>"'”’]+$/, "");
}

/** What the address means, or why it cannot be opened. */
export function readLink(text: string): LinkResult {
  const address = readAddress(text);
  if (address === undefined) return { ok: false, problem: { code: "not_a_link", slug: undefined } };
  return readFragment(address);
}

export function readFragment({ slug, fragment }: Pick<Address, "slug" | "fragment">): LinkResult {
  const refuse = (problem: Omit<LinkProblem, "slug">): LinkResult => ({
    ok: false,
    problem: { ...problem, slug },
  });
  if (fragment === "")
    return slug === undefined
      ? refuse({ code: "no_scenario" })
      : { ok: true, content: emptyContent(slug) };
  const frame = readFrame(fragment, LINK_VERSION);
  if (!frame.ok) return refuse(frame.problem);
  const items = upgradeItems(frame.items, frame.version);
  const keys = new Set(items.map(([key]) => key));
  if (keys.has("seed") && keys.has("k.seed"))
    return refuse({ code: "malformed", detail: "it states the seed twice" });
  const content = sortItems(slug, items);
  const payload = items.find(([key]) => key === "z")?.[1];
  if (slug !== undefined)
    return payload === undefined
      ? { ok: true, content }
      : refuse({ code: "malformed", detail: "it has a preset and a scenario of its own" });
  if (payload === undefined) return refuse({ code: "no_scenario" });
  const scenario = readPayload(payload);
  return scenario.ok
    ? { ok: true, content: { ...content, scenario: scenario.text } }
    : refuse({ code: "payload", detail: scenario.detail });
}

function emptyContent(slug: string | undefined): LinkContent {
  return { slug, scenario: undefined, both: [], a: [], b: [], view: {}, unknown: [] };
}

function sortItems(slug: string | undefined, items: Items): LinkContent {
  const sets: Record<"k" | "a" | "b", [string, string][]> = { k: [], a: [], b: [] };
  const view: { -readonly [Key in keyof LinkView]: LinkView[Key] } = {};
  const unknown: [string, string][] = [];
  const figures: [string, string][] = [];
  const live: RawLive[] = [];
  const sweep: [string, string][] = [];
  const which: [string, string][] = [];
  const strips = new Map<string, string>();
  let keeps = false;
  for (const [key, value] of items) {
    const knob = /^([kab])\.(.+)$/s.exec(key);
    const change = LIVE_KEY.exec(key);
    const viewKey = VIEW_KEYS.find((each) => each === key);
    if (key === "seed") sets.k.push(["seed", value]);
    else if (knob?.[2] !== undefined)
      // The pattern allows no other letter.
      sets[knob[1] as "k" | "a" | "b"].push([knob[2], value]);
    else if (change?.[3] !== undefined && live.length < LIVE_MAX)
      live.push({
        where: change[1] as RawLive["where"],
        at: change[2] ?? "",
        path: change[3],
        text: value,
      });
    else if (viewKey !== undefined && VIEW_FORMS[viewKey].test(value)) view[viewKey] = value;
    else if (STRIPS.some((each) => each === key)) strips.set(key, value);
    else if (key === "keep" && value === "stated") keeps = true;
    else if (isFigure(key, value) && figures.length < FIGURES_MAX)
      figures.push([key.slice(WAS.length), value]);
    else if (isAsked(SWEEP, key, value) && sweep.length < SWEEP_MAX)
      sweep.push([key.slice(SWEEP.length), value]);
    else if (isAsked(WHICH, key, value) && which.length < SWEEP_MAX)
      which.push([key.slice(WHICH.length), value]);
    else if (key !== "z") unknown.push([key, value]);
  }
  const more = {
    ...(live.length === 0 ? {} : { live }),
    ...(figures.length === 0 ? {} : { figures }),
    ...(sweep.length === 0 ? {} : { sweep }),
    ...(which.length === 0 ? {} : { which }),
    ...(strips.size === 0 ? {} : { strips: STRIPS.flatMap((key) => strips.get(key) ?? []) }),
    ...(keeps ? { keepsStated: true as const } : {}),
  };
  return { slug, scenario: undefined, both: sets.k, a: sets.a, b: sets.b, view, unknown, ...more };
}

function isFigure(key: string, value: string): boolean {
  return (
    key.startsWith(WAS) && key.length <= WAS.length + METRIC_LENGTH_MAX && FIGURES_FORM.test(value)
  );
}

function isAsked(prefix: string, key: string, value: string): boolean {
  return (
    key.startsWith(prefix) &&
    key.length <= prefix.length + METRIC_LENGTH_MAX &&
    value.length <= SWEEP_TEXT_MAX
  );
}

/**
 * The fragment, without `#`; "" when there is nothing to say; undefined when the scenario is too
 * big for a link.
 */
export function writeFragment(content: LinkContent): string | undefined {
  const payload = content.scenario === undefined ? undefined : writePayload(content.scenario);
  if (content.scenario !== undefined && payload === undefined) return undefined;
  const seed = content.both.filter(([path]) => path === "seed");
  const rest = content.both.filter(([path]) => path !== "seed");
  const prefixed = (prefix: string, set: RawSet): Items =>
    set.map(([path, value]) => [`${prefix}.${path}`, value] as const);
  const view = VIEW_KEYS.flatMap((key) =>
    content.view[key] === undefined ? [] : [[key, content.view[key]] as const],
  );
  const known: Items = [
    ...seed,
    ...prefixed("k", rest),
    ...prefixed("a", content.a),
    ...prefixed("b", content.b),
    ...(content.live ?? []).map(
      ({ where, at, path, text }) => [`at.${where}.${at}.${path}`, text] as const,
    ),
    ...(content.strips ?? []).map((name, index) => [STRIPS[index] ?? "", name] as const),
    ...view,
    ...prefixed("was", content.figures ?? []),
    ...prefixed("sweep", content.sweep ?? []),
    ...prefixed("bisect", content.which ?? []),
    ...(content.keepsStated === true ? [["keep", "stated"] as const] : []),
    ...(payload === undefined ? [] : [["z", payload] as const]),
  ];
  // An unreadable `was` that came with the link gives way to our own: the same key twice would make
  // the link malformed.
  const written = new Set(known.map(([key]) => key));
  const items: Items = [...known, ...content.unknown.filter(([key]) => !written.has(key))];
  return items.length === 0 ? "" : writeFrame(LINK_VERSION, items);
}

/** The address below the site's root: `s/rt-pull-herd/#v=…` or `lab/#v=…`. */
export function writeAddress(content: LinkContent): string | undefined {
  const fragment = writeFragment(content);
  if (fragment === undefined) return undefined;
  const path = content.slug === undefined ? "lab/" : `s/${content.slug}/`;
  return fragment === "" ? path : `${path}#${fragment}`;
}
