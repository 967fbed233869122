// A Compose file, or a service of one: `deploy.resources.limits.cpus`, or the service's own
// `cpus:`, or `cpu_quota:` with `cpu_period:`. A service is what `docker run` starts; reservations
// only say where a service is placed.

import {
  assumedWith,
  cpuMaxCommand,
  followsOf,
  limitScenario,
  limitWords,
  PERIOD_US,
  withoutLimit,
  wrongLimit,
  type Limit,
} from "./quota-scenario.ts";
import { dockerCommand, sharesWords, weightOfShares } from "./docker.ts";
import { listed, quoted, refused, someOf, type Reading } from "./understood.ts";
import { documentsIn } from "./yaml-text.ts";

const LANGUAGE = "Compose file";
/** Services of a file that are looked at. */
const SERVICES_MAX = 1_000;

type Json = Readonly<Record<string, unknown>>;

/** A service's CPU keys as written. */
interface Service {
  readonly name: string;
  readonly cpus: string | undefined;
  readonly quota: string | undefined;
  readonly period: string | undefined;
  readonly shares: string | undefined;
  /** CPU keys that say something else. */
  readonly others: readonly string[];
}

export function readCompose(text: string): Reading | undefined {
  if (
    !/\b(?:cpus|cpu_quota|services|deploy)["']?\s*:/.test(text) ||
    text.trimStart().startsWith("{")
  )
    return undefined;
  const services = servicesIn(text);
  if (services === undefined) return undefined;
  const service = services.find(({ cpus, quota }) => isLimit(cpus) || isLimit(quota));
  if (service === undefined)
    return withoutLimit(
      LANGUAGE,
      "No service has cpus: or cpu_quota:, so none has a CPU limit and none is ever throttled.",
      services.slice(0, 1).flatMap((each) => leftOut(each, undefined)),
      [],
    );
  const limit = limitOf(service);
  if (typeof limit === "string") return refused(LANGUAGE, limit);
  const wrong = wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const rest = services.filter((each) => each !== service).map(({ name }) => quoted(name));
  const others =
    rest.length === 0
      ? []
      : [
          `Only the first service with a limit is simulated, ${quoted(service.name)}; left out: ${someOf(rest)}.`,
        ];
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The service ${quoted(service.name)} may use ${limitWords(limit)}: cpu.max “${limit.quotaUs} ${limit.periodUs}”.`,
    follows: followsOf(limit),
    unknown: [...others, ...leftOut(service, limit), ...assumedWith(limit)],
    opens: limitScenario(
      "service",
      limit,
      `a Compose file with a limit of ${limit.quotaUs} us in every ${limit.periodUs} us`,
    ),
    commands: [dockerCommand(limit), cpuMaxCommand(limit)],
  };
}

/** docker takes 0 as no limit, and a quota of -1 too. */
function isLimit(value: string | undefined): boolean {
  return value !== undefined && value !== "-1" && Number(value) !== 0;
}

/** What a service's keys say beside the limit, a sentence each. */
function leftOut({ shares, others }: Service, limit: Limit | undefined): readonly string[] {
  return [
    ...(shares === undefined
      ? []
      : [`cpu_shares: ${quoted(shares)} ${sharesWords(limit?.weight)}`]),
    ...(others.length === 0
      ? []
      : [`Left out: ${listed(others)}. The threads may run on every CPU.`]),
  ];
}

/** Services of the file, or the one that was cut out of it; undefined where the text is neither. */
function servicesIn(text: string): readonly Service[] | undefined {
  for (const document of documentsIn(text) ?? []) {
    const root = objectOf(document);
    // A manifest of Kubernetes has the same words inside.
    if ("kind" in root || "apiVersion" in root) continue;
    if ("services" in root) {
      const services = Object.entries(objectOf(root["services"])).slice(0, SERVICES_MAX);
      return services.map(([name, service]) => serviceOf(name, objectOf(service)));
    }
    const alone = serviceOf("service", root);
    if ("deploy" in root || alone.cpus !== undefined || alone.quota !== undefined) return [alone];
    // One service with its name above it.
    const [only, ...more] = Object.entries(root);
    const named =
      only === undefined || more.length > 0 ? undefined : serviceOf(only[0], objectOf(only[1]));
    if (named !== undefined && (named.cpus !== undefined || named.quota !== undefined))
      return [named];
  }
  return undefined;
}

/** CPU keys that are not read. */
const OTHERS = /^(?:cpuset|cpu_(?!quota$|period$|shares$)\w+)$/;

function serviceOf(name: string, service: Json): Service {
  // `resources:` cut out of `deploy:`, or `limits:` out of both.
  const deploy = "deploy" in service ? objectOf(service["deploy"]) : service;
  const resources = "resources" in deploy ? objectOf(deploy["resources"]) : deploy;
  return {
    name,
    cpus: scalar(objectOf(resources["limits"])["cpus"]) ?? scalar(service["cpus"]),
    quota: scalar(service["cpu_quota"]),
    period: scalar(service["cpu_period"]),
    shares: scalar(service["cpu_shares"]),
    others: [
      ...Object.keys(service).filter((key) => OTHERS.test(key)),
      ...(objectOf(resources["reservations"])["cpus"] === undefined ? [] : ["reservations.cpus"]),
    ].map((key) => `${key}:`),
  };
}

/** A sentence where docker would refuse it. */
function limitOf({ cpus, quota = "", period, shares }: Service): Limit | string {
  const weight = weightOfShares(shares);
  if (isLimit(cpus) && cpus !== undefined) {
    const number = /^(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})$/.test(cpus) ? Number(cpus) : 0;
    if (number <= 0) return `cpus is ${quoted(cpus)}; expected a number of CPUs such as 1.5.`;
    return { quotaUs: Math.round(number * PERIOD_US), periodUs: PERIOD_US, burstUs: 0, weight };
  }
  const [quotaUs, periodUs] = [usOf(quota), period === undefined ? PERIOD_US : usOf(period)];
  if (quotaUs === undefined)
    return `cpu_quota is ${quoted(quota)}; expected microseconds such as 150000, or a time such as 150ms.`;
  if (periodUs === undefined)
    return `cpu_period is ${quoted(period ?? "")}; expected microseconds such as 100000, or a time such as 100ms.`;
  return { quotaUs, periodUs, burstUs: 0, weight };
}

/** Compose takes both as microseconds and as times. */
function usOf(text: string): number | undefined {
  const [, number = "", unit = "us"] = /^(\d{1,12}(?:\.\d{1,3})?)(us|ms|s)?$/.exec(text) ?? [];
  return number === ""
    ? undefined
    : Math.round(Number(number) * ({ us: 1, ms: 1_000, s: 1_000_000 }[unit] ?? 1));
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

function scalar(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
