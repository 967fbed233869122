// Tokens of sched_features, "RT_PUSH_IPI NO_TTWU_QUEUE": the file itself, or the commands that
// write one. NO_ before a name is off.

import type { RawSet } from "../../links/link-types.ts";
import { listed, refused, someOf, type Opens, type Reading } from "./understood.ts";

const LANGUAGE = "sched_features";

/** Names of kernel/sched/features.h, of any version. */
const NAMES = [
  "AFFINE_WAKEUPS ALT_PERIOD ARCH_CAPACITY ARCH_POWER ASYM_EFF_LOAD ASYM_GRAN ATTACH_AGE_LOAD BASE_SLICE CACHE_HOT_BUDDY DELAY_DEQUEUE DELAY_ZERO",
  "DOUBLE_TICK FAIR_SLEEPERS FORCE_SD_OVERLAP GENTLE_FAIR_SLEEPERS HRTICK HRTICK_DL LAST_BUDDY LATENCY_WARN LB_BIAS LB_MIN LB_SHARES_UPDATE",
  "NEXT_BUDDY NI_RANDOM NI_RATE NONTASK_CAPACITY NONTASK_POWER NORMALIZED_SLEEPER NUMA OWNER_SPIN PICK_BUDDY PLACE_DEADLINE_INITIAL PLACE_LAG",
  "PLACE_REL_DEADLINE PREEMPT_SHORT RT_PUSH_IPI RT_RUNTIME_SHARE RUN_TO_PARITY SIS_AVG_CPU SIS_CURRENT SIS_PROP SIS_UTIL START_DEBIT TTWU_QUEUE",
  "TTWU_QUEUE_DELAYED TTWU_QUEUE_ON_CPU UTIL_EST UTIL_EST_FASTUP WA_BIAS WA_IDLE WA_WEIGHT WAKEUP_OVERLAP WAKEUP_PREEMPT WAKEUP_PREEMPTION",
  "WARN_DOUBLE_CLOCK",
].flatMap((line) => line.split(" "));

/** A scenario in which a feature shows: how it is set there, beside what both sides have. */
interface Shown {
  readonly slug: string;
  readonly path: string;
  readonly on: string;
  readonly off: string;
  readonly both: RawSet;
}

const SHOWN: Readonly<Record<string, Shown>> = {
  RT_PUSH_IPI: { slug: "rt-pull-herd", path: "kernel.rt_push_ipi", on: "on", off: "off", both: [] },
  TTWU_QUEUE: {
    slug: "lazy-or-now",
    path: "kernel.ttwu_queue",
    on: "cross_llc_or_idle",
    off: "off",
    both: [["kernel.preempt", "full"]],
  },
  DELAY_DEQUEUE: {
    slug: "eevdf-slices",
    path: "kernel.delay_dequeue",
    on: "true",
    off: "false",
    both: [["kernel.fair", "eevdf"]],
  },
  NI_RANDOM: {
    slug: "beside-idle",
    path: "kernel.ni_random",
    on: "true",
    off: "false",
    both: [["kernel.load_balance", "true"]],
  },
  RT_RUNTIME_SHARE: {
    slug: "rt-throttling",
    path: "kernel.rt_throttle",
    on: "950_1000_share",
    off: "950_1000_noshare",
    both: [],
  },
};

interface Token {
  readonly name: string;
  readonly on: boolean;
}

export function readFeatures(text: string): Reading | undefined {
  const tokens = tokensIn(text);
  if (tokens === undefined) return undefined;
  const { known, strange } = tokens;
  if (known.length === 0)
    return refused(
      LANGUAGE,
      `${someOf(strange)}: no kernel has such a feature; expected tokens such as RT_PUSH_IPI or NO_TTWU_QUEUE.`,
    );
  const first = known.find(({ name }) => name in SHOWN);
  const [off, on] = [known.filter((each) => !each.on), known.filter((each) => each.on)];
  const words = (part: readonly Token[], is: string): readonly string[] =>
    part.length === 0
      ? []
      : [`${someOf(part.map(({ name }) => name))} ${part.length === 1 ? "is" : "are"} ${is}`];
  const rest = known.filter((each) => each !== first);
  const elsewhere = rest.filter(({ name }) => name in SHOWN).map(({ name }) => name);
  const without = rest.filter(({ name }) => !(name in SHOWN)).map(({ name }) => name);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `${listed([...words(on, "on"), ...words(off, "off")])}.`,
    follows: [],
    unknown: [
      first === undefined
        ? `Features that a scenario shows: ${listed(Object.keys(SHOWN))}.`
        : `A shipped scenario opens, with ${first.on ? "" : "NO_"}${first.name} on side A and the opposite on side B. Its kernel stays.`,
      ...(elsewhere.length === 0
        ? []
        : [`Left out, paste it alone to see it: ${listed(elsewhere)}.`]),
      ...(without.length === 0 ? [] : [`No switch here: ${someOf(without)}.`]),
      ...(strange.length === 0 ? [] : [`No kernel that is known here has ${someOf(strange)}.`]),
    ],
    opens: first === undefined ? undefined : opensOf(first),
    commands: known.slice(0, 3).map(({ name, on: is }) => ({
      line: `echo ${is ? "" : "NO_"}${name} | sudo tee /sys/kernel/debug/sched/features`,
      needs: "root",
    })),
  };
}

function opensOf({ name, on }: Token): Opens | undefined {
  const shown = SHOWN[name];
  if (shown === undefined) return undefined;
  const set = (is: boolean): RawSet => [...shown.both, [shown.path, is ? shown.on : shown.off]];
  return { kind: "preset", slug: shown.slug, a: set(on), b: set(!on) };
}

/** The tokens, the last of each name counts; undefined where the text is no such list. */
function tokensIn(
  text: string,
): { readonly known: readonly Token[]; readonly strange: readonly string[] } | undefined {
  const words = text
    .split(/[\s"'|]+/)
    .filter(
      (word) =>
        word !== "" &&
        !/^(?:[$#>]+|echo|sudo|tee|cat|-a|&&|;|=|(?:kernel\.|.*\/)?sched(?:_|\/)features[:=]?)$/.test(
          word,
        ),
    );
  if (
    words.length === 0 ||
    words.length > 200 ||
    !words.every((word) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(word))
  )
    return undefined;
  const split = (word: string): Token => ({
    name: word.replace(/^NO_/, ""),
    on: !word.startsWith("NO_"),
  });
  // NONTASK_CAPACITY begins with NON, not with NO_.
  const known = new Map(
    words
      .map(split)
      .flatMap((token) => (NAMES.includes(token.name) ? [[token.name, token] as const] : [])),
  );
  const strange = words.filter((word) => !NAMES.includes(split(word).name));
  const isFile = /sched(?:_|\/)features/.test(text);
  return known.size > 0 || isFile ? { known: [...known.values()], strange } : undefined;
}
