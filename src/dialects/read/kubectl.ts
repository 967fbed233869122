// Which line of kubectl sets a container's limit: of an object with a Pod template `kubectl set
// resources`, of a Pod its resize. Without -c kubectl changes every container of the Pod.
import type { RealCommand } from "../write/real-command.ts";
import { quoted } from "./understood.ts";

/** The object that a container belongs to, as far as the text says it. */
export interface Owner {
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

export const NOBODY: Owner = { kind: undefined, name: undefined, namespace: undefined };

/** Kinds whose Pod template `kubectl set resources` changes, with their short names. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  deployment: ["deployments", "deploy"],
  statefulset: ["statefulsets", "sts"],
  daemonset: ["daemonsets", "ds"],
  replicaset: ["replicasets", "rs"],
  replicationcontroller: ["replicationcontrollers", "rc"],
  cronjob: ["cronjobs", "cj"],
};
const PODS = ["pod", "pods", "po"];
/** A name from the text that a command may contain. */
const SAFE = /^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/;

/** `container`: undefined for every one of the Pod. None where no line of kubectl sets it. */
export function kubectlLines(
  owner: Owner,
  container: string | undefined,
  millis: number,
  init: "ends" | "sidecar" | undefined,
): readonly RealCommand[] {
  const kind = kindOf(owner);
  // An init container that ends cannot be resized.
  if (kind === undefined || (kind === "pod" && init === "ends")) return [];
  const [name, which] = [
    safe(owner.name, "NAME"),
    container === undefined ? undefined : safe(container, "CONTAINER"),
  ];
  const kubectl =
    owner.namespace === undefined ? "kubectl" : `kubectl -n ${safe(owner.namespace, "NAMESPACE")}`;
  const chosen = which === undefined ? "" : ` -c ${which}`;
  const patch = JSON.stringify({
    spec: {
      [init === undefined ? "containers" : "initContainers"]: [
        { name: which ?? "CONTAINER", resources: { limits: { cpu: `${millis}m` } } },
      ],
    },
  });
  const line =
    kind === "pod"
      ? `${kubectl} patch pod ${name} --subresource resize --patch '${patch}'`
      : `${kubectl} set resources ${kind}/${name}${chosen} --limits=cpu=${millis}m`;
  return [{ line, needs: undefined }];
}

/** Why there is no line of kubectl, or what the line needs. */
export function kubectlWords(owner: Owner): readonly string[] {
  const kind = kindOf(owner);
  if (kind === undefined)
    return [
      `kubectl set resources does not change an object of kind ${quoted(owner.kind ?? "")}: change the limit in its file.`,
    ];
  return kind === "pod"
    ? [
        "The limit of a running Pod can be changed from Kubernetes 1.33 on; before, the Pod has to be made anew.",
      ]
    : [];
}

/** The kind as kubectl names it; undefined where kubectl does not change it. */
function kindOf({ kind }: Owner): string | undefined {
  const lower = kind?.toLowerCase();
  if (lower === undefined) return "KIND";
  if (PODS.includes(lower)) return "pod";
  return Object.keys(KINDS).find((each) => each === lower || KINDS[each]?.includes(lower) === true);
}

function safe(name: string | undefined, otherwise: string): string {
  return name !== undefined && SAFE.test(name) ? name : otherwise;
}

/** Options of `kubectl set resources` and `kubectl run` whose value is the next word. */
const VALUED =
  /^(?:-[cnlfo]|--(?:containers|namespace|selector|filename|limits|requests|context|cluster|user|kubeconfig|server|output|image|env|labels|port|restart))$/;

/**
 * What a command line of kubectl is about: `set resources deployment/web` or `deployment web`, `run
 * web`, and its container.
 */
export function targetIn(words: readonly string[]): {
  readonly owner: Owner;
  readonly container: string | undefined;
} {
  const bare: string[] = [];
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, option = "", value = ""] = /^(-\w|--[\w-]+)=(.*)$/.exec(word) ?? [];
    if (option !== "") values.set(option, value);
    else if (VALUED.test(word)) values.set(word, words[(at += 1)] ?? "");
    else if (!word.startsWith("-")) bare.push(word);
  }
  const [kind, name] = objectOf(bare);
  const namespace = values.get("-n") ?? values.get("--namespace");
  // `kubectl run` calls the only container as it calls the Pod.
  const container = bare[0] === "run" ? name : (values.get("-c") ?? values.get("--containers"));
  return { owner: { kind, name, namespace }, container: container === "*" ? undefined : container };
}

/** Kind and name; neither of a command that says none. */
function objectOf([verb, ...others]: readonly string[]): readonly (string | undefined)[] {
  if (verb === "run") return ["pod", others[0]];
  const [object = "", name] = verb === "set" && others[0] === "resources" ? others.slice(1) : [];
  if (object === "") return [];
  return object.includes("/") ? object.split("/") : [object, name];
}
