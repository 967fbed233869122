// Which of a scenario's variants a side shows, what its run is called, and putting another one
// there. A variant is what it sets, and what the file says of the knobs that only its siblings set.
// The names of other turned knobs follow the variant's name.

import type { KnobValue, ScenarioEntry, Variant } from "../engine/gen/types.ts";
import { KNOBS } from "../engine/gen/knobs.ts";
import { statedSwitch } from "./viewer-scenario.ts";
import { otherSide, perSide, type PerSide, type Side } from "./sides.ts";
import {
  effectiveSet,
  lookUp,
  pruneKnob,
  setKnob,
  sideVariant,
  type KnobSet,
  type KnobSets,
} from "./knob-sets.ts";
import { findKnob, followsVersion, sameValue, valueWords, VERSION } from "./knob-values.ts";
import { pathName, settingWords } from "./path-words.ts";

/** Every knob that any variant sets, in the order of the file. */
function variantPaths(entry: ScenarioEntry): readonly string[] {
  return [...new Set(entry.variants.flatMap(({ set }) => Object.keys(set)))];
}

/** What a knob is where no variant sets it. */
export function baseValue(entry: ScenarioEntry, path: string): KnobValue | undefined {
  return statedSwitch(entry, path) ?? findKnob(KNOBS, path)?.default;
}

/**
 * The base value, as far as it is certain. Where the version decides and the file does not say, the
 * page knows the newest version's value only.
 */
function certainBase(entry: ScenarioEntry, path: string): KnobValue | undefined {
  return followsVersion(path) && !isNewest(entry)
    ? statedSwitch(entry, path)
    : baseValue(entry, path);
}

function isNewest(entry: ScenarioEntry): boolean {
  const version = statedSwitch(entry, VERSION);
  return version === undefined || sameValue(version, findKnob(KNOBS, VERSION)?.default);
}

/** The variants to choose from; a scenario without any has itself. */
export function variantsOf(entry: ScenarioEntry): readonly Variant[] {
  return entry.variants.length === 0 ? [{ name: "as written", set: {} }] : entry.variants;
}

/**
 * The variant whose knobs are in force on a side; undefined if one of them was turned away from
 * all.
 */
export function chosenVariant(
  entry: ScenarioEntry,
  sets: KnobSets,
  side: Side,
): Variant | undefined {
  const known = chosen.get(sets);
  if (known?.entry === entry) return known[side];
  const both = perSide((each) => variantOn(entry, sets, each));
  chosen.set(sets, { entry, ...both });
  return both[side];
}

/** Half of the page asks at every change of the state, which is seldom one of the knobs. */
const chosen = new WeakMap<
  KnobSets,
  PerSide<Variant | undefined> & { readonly entry: ScenarioEntry }
>();

function variantOn(entry: ScenarioEntry, sets: KnobSets, side: Side): Variant | undefined {
  const paths = variantPaths(entry);
  const own = effectiveSet(entry, sets, side);
  const first = sideVariant(entry, side);
  // The side's own variant first: two variants may come to the same.
  return [first, ...variantsOf(entry)].find(({ set }) =>
    paths.every((path) =>
      sameValue(
        lookUp(own, path) ?? certainBase(entry, path),
        set[path] ?? certainBase(entry, path),
      ),
    ),
  );
}

/**
 * The knobs of the variants as a side has them, where they are no variant, and the other knobs in
 * which it differs from the other side: "CPUs 80, RT_PUSH_IPI on". What differs between the sides
 * comes first: where there is little room the rest is cut. `but`: knobs that are not named.
 */
export function customWords(
  entry: ScenarioEntry,
  sets: KnobSets,
  side: Side,
  but: readonly string[] = [],
): string {
  const { set } = sideVariant(entry, side);
  const valueOn = (one: Side, path: string): KnobValue | undefined =>
    lookUp(effectiveSet(entry, sets, one), path) ?? certainBase(entry, path);
  const differs = (path: string): boolean =>
    !sameValue(valueOn(side, path), valueOn(otherSide(side), path));
  const paths = variantPaths(entry).filter((path) => !but.includes(path));
  const alike = paths.filter(
    (path) =>
      !differs(path) && !sameValue(valueOn(side, path), set[path] ?? certainBase(entry, path)),
  );
  return [...paths.filter(differs), ...alike]
    .map((path) => settingWords(path, valueOn(side, path) ?? ""))
    .join(", ");
}

/**
 * Another seed or length shows another stretch of the same machine: the variant's name stays as it
 * is.
 */
const PLAIN = ["seed", "duration"];
/** More words are counted where there is little room. */
const ROOM = 32;
const VALUE_MAX = 24;

/**
 * The name of a run whose knobs are `set`: `name`, then each knob that is neither what `tells` says
 * of the name nor what the file says. So "push by IPI" alone never names a run of another kernel:
 * "push by IPI, RT balancing passive_2624". Not `whole`: many are counted.
 */
export function nameWith(
  entry: ScenarioEntry,
  set: KnobSet,
  name: string,
  tells: Variant["set"],
  whole = false,
): string {
  const turned = set.filter(([path, value]) => {
    const told = tells[path];
    return (
      !PLAIN.includes(path) &&
      (told === undefined ? isTurned(entry, set, path, value) : !sameValue(told, value))
    );
  });
  const words = turned.map(
    ([path, value]) =>
      `${pathName(path)} ${valueWords(value).slice(0, whole ? undefined : VALUE_MAX)}`,
  );
  const all = [name, ...words].filter((part) => part !== "").join(", ");
  // Without a name one knob says more than how many there are.
  const short = name === "" ? (words[0] ?? "") : name;
  return whole || words.join(", ").length <= ROOM
    ? all
    : `${short}, ${words.length > 1 ? `${words.length} knobs ` : ""}changed`;
}

/**
 * Under another version the file's own value of what follows the version is not in force, so a
 * value that equals it was chosen as well.
 */
function isTurned(entry: ScenarioEntry, set: KnobSet, path: string, value: KnobValue): boolean {
  if (followsVersion(path) && lookUp(set, VERSION) !== undefined) return true;
  // What one operation takes depends on the machine, where the file does not say.
  const base = path.startsWith("machine.costs.")
    ? statedSwitch(entry, path)
    : certainBase(entry, path);
  return !sameValue(value, base);
}

/** How a side is named. */
interface Naming {
  /** Each of many knobs is named. */
  readonly whole?: boolean;
  /** Knobs that change nothing in this run: what they are set to names nothing. */
  readonly inert?: readonly string[];
}

/** The name of what runs on a side, without what was written to it in mid-run. */
export function sideName(
  entry: ScenarioEntry,
  sets: KnobSets,
  side: Side,
  { whole = false, inert = NONE }: Naming = {},
): string {
  const set = effectiveSet(entry, sets, side);
  const paths = variantPaths(entry);
  const tells = Object.fromEntries(set.filter(([path]) => paths.includes(path)));
  const custom = (but: readonly string[]): string => customWords(entry, sets, side, but);
  const name = chosenVariant(entry, sets, side)?.name ?? custom(NONE);
  const lost = lostKnobs(entry, set, inert);
  return nameWith(entry, set, lost.length > 0 ? custom(lost) : name, tells, whole);
}

/**
 * What people call the variant that a side has; undefined where no variant has such a name, and for
 * another kernel than the variant's: "before the 2015 fix" is true of the file's kernel only.
 */
export function calledOn(
  entry: ScenarioEntry,
  sets: KnobSets,
  side: Side,
  inert: readonly string[] = NONE,
): string | undefined {
  const set = effectiveSet(entry, sets, side);
  const otherKernel = turnedBeside(entry, set).some((path) => path.startsWith("kernel."));
  if (otherKernel || lostKnobs(entry, set, inert).length > 0) return undefined;
  return chosenVariant(entry, sets, side)?.called;
}

const NONE: readonly string[] = [];

/** Knobs in `set` that no variant sets and that differ from the file's. */
function turnedBeside(entry: ScenarioEntry, set: KnobSet): readonly string[] {
  const paths = variantPaths(entry);
  return set.flatMap(([path, value]) =>
    !PLAIN.includes(path) && !paths.includes(path) && isTurned(entry, set, path, value)
      ? [path]
      : [],
  );
}

/**
 * Knobs of the variants that are without effect beside what else was turned: "push by IPI" names no
 * run of a kernel that has no such bit. As shipped, a variant's name is what the file says.
 */
function lostKnobs(
  entry: ScenarioEntry,
  set: KnobSet,
  inert: readonly string[],
): readonly string[] {
  if (turnedBeside(entry, set).length === 0) return NONE;
  return variantPaths(entry).filter((path) => inert.includes(path));
}

/** Puts a variant on a side; knobs that no variant names stay as they are. */
export function withVariant(
  entry: ScenarioEntry,
  sets: KnobSets,
  side: Side,
  { set }: Variant,
): KnobSets {
  return variantPaths(entry).reduce((changed, path) => {
    const wanted = set[path] ?? baseValue(entry, path);
    if (
      wanted === undefined ||
      sameValue(lookUp(effectiveSet(entry, changed, side), path) ?? baseValue(entry, path), wanted)
    )
      return changed;
    return pruneKnob(entry, setKnob(changed, side, path, wanted), path, statedSwitch(entry, path));
  }, sets);
}
