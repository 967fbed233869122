// A Compose file, or a service of one: `deploy.resources.limits.cpus`, or the service's own `cpus:`, or `cpu_quota:` with `cpu_period:`. A service
// is what `docker run` starts; reservations only say where a service is placed.

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
} from "./quota.ts";
import { quoted, refused, someOf, type Reading } from "./understood.ts";
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
}

export function readCompose(text: string): Reading | undefined {
  if (!/\b(?:cpus|cpu_quota|services|deploy)["']?\s*:/.test(text) || text.trimStart().startsWith("{")) return undefined;
  const services = servicesIn(text);
  if (services === undefined) return undefined;
  const limited = services.filter(({ cpus, quota }) => cpus !== undefined || (quota !== undefined && quota !== "-1" && quota !== "0"));
  const [service] = limited;
  if (service === undefined)
    return withoutLimit(LANGUAGE, "No service has cpus: or cpu_quota:, so none has a CPU limit and none is ever throttled.", [], []);
  const limit = limitOf(service);
  if (typeof limit === "string") return refused(LANGUAGE, limit);
  const wrong = wrongLimit(limit);
  if (wrong !== undefined) return refused(LANGUAGE, wrong);
  const rest = services.filter((each) => each !== service).map(({ name }) => quoted(name));
  const others =
    rest.length === 0 ? [] : [`Only the first service with a limit is simulated, ${quoted(service.name)}; left out: ${someOf(rest)}.`];
  return {
    kind: "understood",
    language: LANGUAGE,
    what: `The service ${quoted(service.name)} may use ${limitWords(limit)}: cpu.max “${limit.quotaUs} ${limit.periodUs}”.`,
    follows: followsOf(limit),
    unknown: [...others, ...assumedWith(limit)],
    opens: limitScenario("service", limit, `a Compose file with a limit of ${limit.quotaUs} us in every ${limit.periodUs} us`),
    commands: [
      { line: `docker run --cpu-quota=${limit.quotaUs} --cpu-period=${limit.periodUs} IMAGE`, needs: "root" },
      cpuMaxCommand(limit),
    ],
  };
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
    const named = only === undefined || more.length > 0 ? undefined : serviceOf(only[0], objectOf(only[1]));
    if (named !== undefined && (named.cpus !== undefined || named.quota !== undefined)) return [named];
  }
  return undefined;
}

function serviceOf(name: string, service: Json): Service {
  // `resources:` cut out of `deploy:`, or `limits:` out of both.
  const deploy = "deploy" in service ? objectOf(service["deploy"]) : service;
  const resources = "resources" in deploy ? objectOf(deploy["resources"]) : deploy;
  return {
    name,
    cpus: scalar(objectOf(resources["limits"])["cpus"]) ?? scalar(service["cpus"]),
    quota: scalar(service["cpu_quota"]),
    period: scalar(service["cpu_period"]),
  };
}

/** A sentence where docker would refuse it. */
function limitOf({ cpus, quota = "", period }: Service): Limit | string {
  if (cpus !== undefined) {
    const number = /^(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})$/.test(cpus) ? Number(cpus) : 0;
    if (number <= 0) return `cpus is ${quoted(cpus)}; expected a number of CPUs such as 1.5.`;
    return { quotaUs: Math.round(number * PERIOD_US), periodUs: PERIOD_US, burstUs: 0, weight: undefined };
  }
  const [quotaUs, periodUs] = [usOf(quota), period === undefined ? PERIOD_US : usOf(period)];
  if (quotaUs === undefined) return `cpu_quota is ${quoted(quota)}; expected microseconds such as 150000, or a time such as 150ms.`;
  if (periodUs === undefined)
    return `cpu_period is ${quoted(period ?? "")}; expected microseconds such as 100000, or a time such as 100ms.`;
  return { quotaUs, periodUs, burstUs: 0, weight: undefined };
}

/** Compose takes both as microseconds and as times. */
function usOf(text: string): number | undefined {
  const [, number = "", unit = "us"] = /^(\d{1,12}(?:\.\d{1,3})?)(us|ms|s)?$/.exec(text) ?? [];
  return number === "" ? undefined : Math.round(Number(number) * ({ us: 1, ms: 1_000, s: 1_000_000 }[unit] ?? 1));
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function scalar(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
