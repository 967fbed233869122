// Times in words. Knows units only, and one spelling of each: ns, µs, ms, s. Files, links, commands
// and texts for other tools write `us`, and make it themselves.

const UNITS = [
  { ns: 1e9, short: "s", long: "second" },
  { ns: 1e6, short: "ms", long: "millisecond" },
  { ns: 1e3, short: "µs", long: "microsecond" },
  { ns: 1, short: "ns", long: "nanosecond" },
] as const;

const LAST_UNIT = UNITS[3];

/** The unit of a duration with `digits` decimals: a thousand of a unit is one of the next. */
export function unitOf(ns: number, digits = Infinity): (typeof UNITS)[number] {
  return UNITS.find((unit) => Math.abs(ns) >= unit.ns * (1 - 0.0005 / 10 ** digits)) ?? LAST_UNIT;
}

/**
 * `value / unit` with `digits` decimals, halves away from zero: `fixed(6645, 1000, 2)` -> `"6.65"`.
 * It is exact for integers, where the quotient itself is a binary fraction just below the half, and
 * toFixed() alone would round it down.
 */
export function fixed(value: number, unit: number, digits: number): string {
  const scale = 10 ** digits;
  return ((Math.sign(value) * Math.round((Math.abs(value) * scale) / unit)) / scale).toFixed(
    digits,
  );
}

/** At most `digits` decimals, without the zeros that say nothing. */
function trimmed(value: number, unit: number, digits: number): string {
  const text = fixed(value, unit, digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * `341200` -> `"341.2 µs"`. A duration, at most `digits` decimals of its own unit. A pixel lies
 * between nanoseconds: no time of a run does.
 */
export function formatNs(ns: number, digits = 1): string {
  const whole = Math.round(ns);
  const unit = unitOf(whole, digits);
  return `${trimmed(whole, unit.ns, digits)} ${unit.short}`;
}

/** `341200` -> `"341.2 microseconds"`: for screen readers, which read "µs" each in its own way. */
export function speakNs(ns: number, digits = 1): string {
  const whole = Math.round(ns);
  const unit = unitOf(whole, digits);
  const figure = trimmed(whole, unit.ns, digits);
  return `${figure} ${unit.long}${figure === "1" ? "" : "s"}`;
}

/**
 * `4992000` -> `"4.99 ms"`: a duration of the run in three figures; more would claim what is not
 * can read. `say`: for screen readers.
 */
export function threeFigures(ns: number, say = formatNs): string {
  const whole = ns / unitOf(ns).ns;
  return say(ns, ns < 1e3 || whole >= 100 ? 0 : whole >= 10 ? 1 : 2);
}

/**
 * Digits behind the point that an error leaves: it keeps one, two if it begins with 1 or 2. Below 0
 * for tens. The error is above 0.
 */
export function digitsOf(error: number): number {
  const two = 1 - Math.floor(Math.log10(error));
  return Math.round(error * 10 ** two) < 30 ? two : two - 1;
}

/** A number with so many digits behind the point; -2 for hundreds. */
export function withDigits(value: number, digits: number): string {
  return digits > 0
    ? fixed(value, 1, digits)
    : formatCount(Math.round(value * 10 ** digits) * 10 ** -digits);
}

/**
 * Labels for instants that lie `stepNs` apart: one unit for all of them, just enough decimals to
 * keep neighbours different.
 */
export function instantFormat(endNs: number, stepNs: number): (ns: number) => string {
  const unit = unitOf(Math.max(Math.abs(endNs), 1));
  const digits = Math.max(0, Math.ceil(-Math.log10(Math.max(stepNs, 1) / unit.ns) - 1e-9));
  return (ns) => `${fixed(ns, unit.ns, digits)} ${unit.short}`;
}

/**
 * `1051900000` -> `"1.052 s"`: an instant at which something was written, with four figures, which
 * is a twentieth of a per cent of any run that it lies in. All places that name it name it so: the
 * same instant with other digits would be read as another one.
 */
export function instantText(ns: number): string {
  const whole = Math.floor(Math.abs(ns) / unitOf(ns).ns);
  return formatNs(ns, Math.max(0, 4 - String(whole).length));
}

/** A clock shows no less than this, ns: what follows is noise. */
const CLOCK_STEP_NS = 10;

/**
 * An instant in the unit of an axis that ends at `endNs` (in its own where there is no axis yet),
 * with as many digits whatever it is, so that they keep their place while it plays:
 * `clockText(72259510, 80e6)` -> `"72.25951 ms"`.
 */
export function clockText(ns: number, endNs: number): string {
  const unit = unitOf(Math.max(Math.abs(endNs > 1 ? endNs : ns), 1));
  const digits = Math.max(0, Math.round(Math.log10(unit.ns / CLOCK_STEP_NS)));
  const [whole = "0", part] = fixed(ns, unit.ns, digits).split(".");
  return `${formatCount(Number(whole))}${part === undefined ? "" : `.${part}`} ${unit.short}`;
}

const GROUPS = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0, useGrouping: true });

/**
 * `1234567` -> `"1 234 567"` with narrow spaces at which no line ends, and which no locale reads as
 * a decimal mark.
 */
export function formatCount(count: number): string {
  return GROUPS.format(count).replaceAll(",", "\u202f");
}

/**
 * `5us`, `50 us`, `4ms`, `1.5s`; not `slice_us`, `under_100us`, `slice_us=500us`, `10ms=`, and not
 * the `1990s`.
 */
const TIME = /(?<![\w.=])(?!(?:19|20)\d\ds\b)(\d+(?:\.\d+)?)(\s?)(ns|us|µs|ms|s)\b(?!=)/g;
/** `in us`, `, us`, `ns, us, ms`. */
const MICRO = /(?<=\b(?:a|in|whole) |[,(] ?)us(?=[\s,.;:)]|$)/g;

/**
 * One spelling of a time in all that the page says and shows in its fields: a space before the
 * unit, one sign for a microsecond; they take `us` as well, and no space. Files, links and commands
 * have `50us` alone: they are never passed through here.
 */
export function timeSigns(text: string): string {
  const spaced = text.replaceAll(
    TIME,
    (_, number: string, space: string, unit: string) =>
      number + (space || " ") + unit.replace("us", "µs"),
  );
  return spaced.replaceAll(MICRO, "µs");
}
