// The `resources:` block of a container, alone or inside a Pod, a Deployment or anything else that
// has containers; YAML, or JSON as kubectl prints it; a line of it, as people write it in a
// sentence, or `kubectl set resources`. Units as in Kubernetes: "250m" is a quarter of a CPU, and
// the finest step is 1m.

import {
  assumedWith,
  cpuMaxCommand,
  cpuWords,
  followsOf,
  inWords,
  LEAST_US,
  limitScenario,
  limitWords,
  PERIOD_US,
  withoutLimit as noLimit,
  wrongLimit,
  type Limit,
} from "./quota-scenario.ts";
import { quoted, refused, someOf, type Reading } from "./understood.ts";
import type { RealCommand } from "../write/real-command.ts";
import { kubectlLines, kubectlWords, NOBODY, targetIn, type Owner } from "./kubectl.ts";
import { wordsAfter } from "./shell-words.ts";
import { documentsIn } from "./yaml-text.ts";

const LANGUAGE = "Kubernetes resources";
/** Values of a text that are looked at; more is no Pod. */
const VALUES_MAX = 5_000;
const DEPTH_MAX = 40;

/** A container's part of the block, as written. */
interface Container {
  readonly name: string;
  readonly limit: string | undefined;
  readonly request: string | undefined;
  /**
   * A container of initContainers: one that ends before the others start, or, always restarted,
   * runs beside them.
   */
  readonly init?: "ends" | "sidecar" | undefined;
  /** What the limit is of, where it is of no single container. */
  readonly whole?: "pod" | "range" | "each" | undefined;
  /** The limit of its Pod, which all containers share. */
  readonly podLimit?: string | undefined;
  readonly owner: Owner;
}

export function readPod(text: string): Reading | undefined {
  if (/(?:^|\n)\s*["']?kind["']?\s*:\s*["']?ResourceQuota\b/.test(text))
    return refused(
      LANGUAGE,
      "A ResourceQuota bounds what all containers of a namespace state together, and sets no cpu.max. Paste a container's resources: block.",
    );
  const short = shortForm(text);
  if (short === undefined && !/\b(?:limits|requests)["']?\s*:/i.test(text)) return undefined;
  const found = short === undefined ? containersIn(text) : [short];
  if (found === undefined)
    return refused(
      LANGUAGE,
      "The text has limits: or requests:, but it is not valid YAML. Paste the whole resources: block with its indentation.",
    );
  const [container] = limitedOf(found);
  if (container?.limit === undefined) return withoutLimit(found);
  const millis = milliCpus(container.limit);
  if (millis === undefined)
    return refused(
      LANGUAGE,
      `limits.cpu is ${quoted(container.limit)}; expected CPUs such as 2, 0.5 or 500m.`,
    );
  const requested = container.request === undefined ? undefined : milliCpus(container.request);
  const limit = limitOf(millis, requested);
  if (requested !== undefined && requested > millis)
    return refused(
      LANGUAGE,
      `Kubernetes refuses a request above the limit: requests.cpu is ${quoted(container.request ?? "")}, limits.cpu ${quoted(container.limit)}.`,
    );
  const wrong = wrongLimit(limit) ?? aboveItsPod(container, millis);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `${subjectOf(container)} may use ${limitWords(limit)}: cpu.max “${limit.quotaUs} ${limit.periodUs}”${weightWords(limit, requested)}.`,
    follows: followsOf(limit),
    unknown: [
      ...(BARE.test(text)
        ? ["Whether the line is of limits or of requests; taken as the limit."]
        : []),
      ...remarks(millis, limit, requested),
      ...others(found, container),
      ...(container.whole === "pod" || container.whole === "range"
        ? []
        : kubectlWords(container.owner)),
      ...assumedWith(limit),
    ],
    opens: limitScenario("pod", limit, `limits.cpu ${millis}m`),
    commands: [...linesFor(container, millis), cpuMaxCommand(limit)],
  };
}

function subjectOf({ init, whole }: Container): string {
  if (whole === "pod") return "All containers of the Pod together";
  return whole === "each" ? "Each container" : `The ${init === "ends" ? "init " : ""}container`;
}

/** No line of kubectl sets a Pod's own limit, or what a LimitRange gives. */
function linesFor({ name, init, whole, owner }: Container, millis: number): readonly RealCommand[] {
  if (whole === "pod" || whole === "range") return [];
  return kubectlLines(
    owner,
    whole === "each" ? undefined : name === NAMELESS ? "CONTAINER" : name,
    millis,
    init,
  );
}

function aboveItsPod(
  { name, limit = "", podLimit }: Container,
  millis: number,
): string | undefined {
  const most = milliCpus(podLimit ?? "");
  return most === undefined || millis <= most
    ? undefined
    : `Kubernetes refuses a container's limit above its Pod's: limits.cpu of ${quoted(name)} is ${quoted(limit)}, of the Pod ${quoted(podLimit ?? "")}.`;
}

function withoutLimit(found: readonly Container[]): Reading | undefined {
  const requests = found.flatMap(({ request }) => (request === undefined ? [] : [request]));
  const [request] = requests;
  if (request === undefined)
    return refused(
      LANGUAGE,
      "No container has limits.cpu or requests.cpu: the text sets no CPU time. Add limits.cpu, such as 500m.",
    );
  const millis = milliCpus(request);
  if (millis === undefined)
    return refused(
      LANGUAGE,
      `requests.cpu is ${quoted(request)}; expected CPUs such as 2, 0.5 or 500m.`,
    );
  return noLimit(
    LANGUAGE,
    `The container requests ${cpuWords(millis / 1_000)} and has no CPU limit: cpu.weight ${weightOf(millis)} and cpu.max “max”. It is never throttled.`,
    ["A request counts only where groups compete for a CPU."],
    [],
  );
}

/**
 * The containers that have a limit: containers first, then Pods, then init containers. A Pod's work
 * is in its containers.
 */
function limitedOf(found: readonly Container[]): readonly Container[] {
  const rank = ({ init, whole }: Container): number =>
    init !== undefined ? 2 : whole === "pod" ? 1 : 0;
  // Kubernetes takes 0 as no limit.
  const isLimit = (limit: string | undefined): boolean =>
    limit !== undefined && !/^\s*0*\.?0+[num]?\s*$/.test(limit);
  return found.filter(({ limit }) => isLimit(limit)).sort((one, other) => rank(one) - rank(other));
}

/** A line of the block alone. */
const BARE = /^\s*["']?cpu["']?\s*[:=]\s*["']?[\d.]+[numk]?["']?,?\s*$/;
/** "limits.cpu: 500m", as jsonpath and `kubectl explain` name it. */
const DOTTED = /^\s*(?:resources\.)?(limits|requests)\.cpu\s*[:=]\s*["']?([^\s"',]+)["']?\s*$/;

/** A container of one line, of lines with their paths, or of kubectl's options. */
function shortForm(text: string): Container | undefined {
  const name = NAMELESS;
  if (BARE.test(text))
    return { name, limit: /[\d.]+[numk]?/.exec(text)?.[0], request: undefined, owner: NOBODY };
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const dotted = lines.map((line) => DOTTED.exec(line));
  const words = dotted.every((line) => line !== null)
    ? undefined
    : wordsAfter(text, /^(?:.*\/)?(?:kubectl|oc)$/);
  const stated = (key: string): string | undefined =>
    words === undefined
      ? dotted.find((line) => line?.[1] === key)?.[2]
      : cpuOption(words, `--${key}`);
  const [limit, request] = [stated("limits"), stated("requests")];
  if (limit === undefined && request === undefined) return undefined;
  if (words === undefined) return { name, limit, request, owner: NOBODY };
  const { owner, container } = targetIn(words);
  return {
    name: container ?? name,
    limit,
    request,
    owner,
    whole: container === undefined ? "each" : undefined,
  };
}

/** "500m" of --limits=memory=1Gi,cpu=500m. */
function cpuOption(words: readonly string[], option: string): string | undefined {
  const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
  const list = words[at] === option ? words[at + 1] : words[at]?.slice(option.length + 1);
  return /(?:^|,)cpu=([^,]*)/.exec(at < 0 ? "" : (list ?? ""))?.[1];
}

/** The first container's limit, for texts that hold more. */
export function limitOfPod(text: string): Limit | undefined {
  if (!/\blimits["']?\s*:/i.test(text)) return undefined;
  const [container] = limitedOf(containersIn(text) ?? []);
  const millis = milliCpus(container?.limit ?? "");
  return millis === undefined ? undefined : limitOf(millis, milliCpus(container?.request ?? ""));
}

/** The limit that the kubelet writes: quota = millicores x period / 1000, at least 1 ms. */
function limitOf(millis: number, requested: number | undefined): Limit {
  const quotaUs = Math.max(LEAST_US, Math.floor((millis * PERIOD_US) / 1_000));
  return { quotaUs, periodUs: PERIOD_US, burstUs: 0, weight: weightOf(requested ?? millis) };
}

/**
 * cpu.shares of cgroup v1 (1024 a CPU, at least 2) as a weight of v2, by the rule that runtimes
 * used until 2025.
 */
function weightOf(millis: number): number {
  const shares = Math.min(262_144, Math.max(2, Math.floor((millis * 1_024) / 1_000)));
  return 1 + Math.floor(((shares - 2) * 9_999) / 262_142);
}

function weightWords({ weight }: Limit, requested: number | undefined): string {
  return requested === undefined ? "" : `, and its request sets cpu.weight ${weight ?? 100}`;
}

function remarks(
  millis: number,
  { quotaUs }: Limit,
  requested: number | undefined,
): readonly string[] {
  const least =
    quotaUs === LEAST_US && millis < 10
      ? ["A quota below 1 ms is not possible: the kubelet raises it to 1 ms."]
      : [];
  const runtime =
    requested === undefined
      ? []
      : [
          "The cpu.weight of a request depends on the container runtime: newer runtimes use another formula.",
        ];
  return [
    ...least,
    `The period is the kubelet's default, ${inWords(PERIOD_US)}; cpuCFSQuotaPeriod may change it.`,
    ...runtime,
  ];
}

function others(found: readonly Container[], taken: Container): readonly string[] {
  const rest = found.filter((each) => each !== taken && each.whole !== "pod");
  const names = someOf(
    rest.map(
      ({ name, init }) => `${init === undefined ? "" : "the init container "}${quoted(name)}`,
    ),
  );
  const pod = taken.whole === "pod" ? undefined : milliCpus(taken.podLimit ?? "");
  return [
    ...(taken.whole === "pod"
      ? [
          "The limit is the Pod's own: its containers share it. kubectl set resources does not change it.",
        ]
      : []),
    ...(taken.whole === "each"
      ? ["Without -c the command sets the limit of every container of the Pod, each its own."]
      : []),
    ...(pod === undefined
      ? []
      : [
          `The Pod has a limit of its own, ${cpuWords(pod / 1_000)} for all its containers together: it is left out.`,
        ]),
    ...(taken.init === "ends"
      ? [
          `${quoted(taken.name)} ends before the other containers start, and none of those states a CPU limit.`,
        ]
      : []),
    ...(taken.whole === "range"
      ? [
          "A LimitRange gives its default to containers that state no limit; those that state one keep theirs.",
        ]
      : []),
    ...(rest.length === 0 || taken.whole === "pod"
      ? []
      : [
          `Only the first container with a limit is simulated, ${quoted(taken.name)}; left out: ${names}.`,
        ]),
  ];
}

/** Thousandths of a CPU, rounded up as Kubernetes does; undefined where it is no quantity. */
function milliCpus(text: string): number | undefined {
  const [, number = "", unit = ""] =
    /^\s*(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(n|u|m|k|)\s*$/.exec(text) ?? [];
  if (number === "") return undefined;
  const thousandths = { n: 1e-6, u: 1e-3, m: 1, k: 1e6, "": 1e3 }[unit] ?? 1;
  // The binary product of "0.29" and 1000 lies just above 290.
  const millis = Math.ceil(Math.round(Number(number) * thousandths * 1e6) / 1e6);
  return millis > 0 ? millis : undefined;
}

/**
 * Every object that has `resources`, or is such a block itself; undefined where the text is no
 * YAML.
 */
function containersIn(text: string): readonly Container[] | undefined {
  // `kubectl describe` writes both words with capitals.
  // The patch of `kubectl patch`.
  const whole = /\b(?:kubectl|oc)\s[^\n{]*\bpatch\b/.test(text)
    ? text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)
    : text;
  const documents = documentsIn(
    whole.replaceAll(/^(\s*)(?:Limits|Requests):/gm, (head) => head.toLowerCase()),
  );
  if (documents === undefined) return undefined;
  const walk: Walk = { found: [], values: VALUES_MAX };
  for (const document of documents)
    look(document, { name: "", depth: 0, isInit: false, podLimit: undefined, owner: NOBODY }, walk);
  return walk.found;
}

interface Walk {
  readonly found: Container[];
  /** Values that may still be looked at. */
  values: number;
}

interface Place {
  readonly name: string;
  readonly depth: number;
  /** Inside initContainers. */
  readonly isInit: boolean;
  readonly podLimit: string | undefined;
  readonly owner: Owner;
}

function look(value: unknown, place: Place, walk: Walk): void {
  walk.values -= 1;
  if (typeof value !== "object" || value === null || place.depth > DEPTH_MAX || walk.values < 0)
    return;
  const object = value as Readonly<Record<string, unknown>>;
  const name = typeof object["name"] === "string" ? object["name"] : place.name;
  const owner = ownerOf(object) ?? place.owner;
  const isPod = "containers" in object;
  let { podLimit } = place;
  const block =
    place.depth === 0 && ("limits" in object || "requests" in object)
      ? object
      : object["resources"];
  if (typeof block === "object" && block !== null && ("limits" in block || "requests" in block)) {
    const { limits, requests } = block as {
      readonly limits?: unknown;
      readonly requests?: unknown;
    };
    const init = !place.isInit
      ? undefined
      : object["restartPolicy"] === "Always"
        ? "sidecar"
        : "ends";
    const found = { limit: cpuIn(limits), request: cpuIn(requests), owner };
    if (isPod) walk.found.push({ ...found, name: "the Pod", whole: "pod" });
    else walk.found.push({ ...found, name: name === "" ? NAMELESS : name, init, podLimit });
    if (isPod) podLimit = found.limit;
    if (block === object) return;
  }
  if (typeof object["default"] === "object" && "type" in object) {
    const [limit, request] = [cpuIn(object["default"]), cpuIn(object["defaultRequest"])];
    walk.found.push({ name: "the LimitRange's default", limit, request, whole: "range", owner });
    return;
  }
  for (const [key, inner] of Object.entries(object)) {
    const isInit = place.isInit || key === "initContainers";
    if (key !== "resources")
      look(inner, { name, depth: place.depth + 1, isInit, podLimit, owner }, walk);
  }
}

/** An object of Kubernetes: kind and metadata. */
function ownerOf(object: Readonly<Record<string, unknown>>): Owner | undefined {
  const { kind, metadata } = object;
  if (typeof kind !== "string") return undefined;
  const { name, namespace } = (metadata ?? {}) as {
    readonly name?: unknown;
    readonly namespace?: unknown;
  };
  const text = (value: unknown): string | undefined =>
    typeof value === "string" ? value : undefined;
  return { kind, name: text(name), namespace: text(namespace) };
}

/** A container whose name the text does not say. */
const NAMELESS = "container";

function cpuIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("cpu" in value)) return undefined;
  const { cpu } = value;
  // A template's {{ … }} is a value that only the template's program knows.
  if (typeof cpu === "object" && cpu !== null) return "{{ … }}";
  return typeof cpu === "string" || typeof cpu === "number" ? String(cpu) : undefined;
}
