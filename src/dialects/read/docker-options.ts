// Which words of `docker run` are docker's own: its options end at the image, and what follows
// belongs to the program in the container. Which word is the image depends on which options take a
// value.

/** Options that take no value, of docker, podman and nerdctl. */
const FLAGS = new Set(
  [
    "detach disable-content-trust env-host help http-proxy init interactive no-healthcheck no-hostname no-hosts oom-kill-disable privileged",
    "publish-all quiet read-only read-only-tmpfs replace rm rmi rootfs sig-proxy tls-verify tty unsetenv-all use-api-socket passwd",
  ].flatMap((line) => line.split(" ")),
);
const SHORT_FLAGS = "diPqt";
/** Options that take one. */
const VALUED = new Set(
  [
    "add-host annotation arch attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-conf cgroup-parent cgroupns cgroups cidfile",
    "conmon-pidfile cpu-count cpu-percent cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems detach-keys",
    "device device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-opt dns-option dns-search domainname",
    "entrypoint env env-file env-merge expose gidmap gpus group-add group-entry health-cmd health-interval health-retries",
    "health-start-interval health-start-period health-timeout hostname hostuser image-volume io-maxbandwidth io-maxiops ip ip6 ipc isolation",
    "kernel-memory label label-file link link-local-ip log-driver log-opt mac-address memory memory-reservation memory-swap memory-swappiness",
    "mount name net net-alias network network-alias oom-score-adj os passwd-entry personality pid pidfile pids-limit platform pod",
    "pod-id-file preserve-fds publish pull rdt-class requires restart runtime sdnotify seccomp-policy secret security-opt shm-size",
    "shm-size-systemd stop-signal stop-timeout storage-opt subgidname subuidname sysctl systemd timeout tmpfs tz uidmap ulimit umask unsetenv",
    "user userns uts variant volume volume-driver volumes-from workdir",
  ].flatMap((line) => line.split(" ")),
);
const SHORT_VALUED: Readonly<Record<string, string>> = { c: "cpu-shares" };
const SHORT_VALUED_LETTERS = "acehlmpuvw";
/** Options of docker itself that take a value and may precede `run`. */
const GLOBAL =
  /^(?:-[cHl]|--(?:config|context|host|log-level|tlscacert|tlscert|tlskey|namespace|address|connection|url|root|runroot))$/;

export interface DockerWords {
  readonly command: "run" | "create" | "update";
  /** By long name, without the dashes; the last of each counts, as in docker. */
  readonly stated: ReadonlyMap<string, string>;
  readonly image: string | undefined;
  /** What the program in the container is called with. */
  readonly behind: readonly string[];
  /** Options of which it is not known whether the next word is their value: taken as if it were. */
  readonly unsure: readonly string[];
}

/** `words`: those behind the program's name. undefined where they start no container. */
export function dockerWords(words: readonly string[]): DockerWords | undefined {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += GLOBAL.test(words[at] ?? "") ? 2 : 1;
  if (words[at] === "container") at += 1;
  const command = words[at];
  if (command !== "run" && command !== "create" && command !== "update") return undefined;
  const taking: Taking = { words, at: at + 1, stated: new Map(), unsure: [] };
  const names: string[] = [];
  for (; taking.at < words.length; taking.at += 1) {
    const word = words[taking.at] ?? "";
    if (word.length > 1 && word.startsWith("-") && word !== "--") readOption(word, taking);
    // `update` takes options behind its containers too; of the others the first word that is no
    // option is the image.
    else if (command === "update") names.push(word);
    else break;
  }
  const rest = words.slice(taking.at + (words[taking.at] === "--" ? 1 : 0));
  const [image = names[0], ...behind] = rest;
  return { command, stated: taking.stated, image, behind, unsure: taking.unsure };
}

interface Taking {
  readonly words: readonly string[];
  at: number;
  readonly stated: Map<string, string>;
  readonly unsure: string[];
}

function readOption(word: string, taking: Taking): void {
  const next = (): string => taking.words[(taking.at += 1)] ?? "";
  const [, name, equals, value = ""] = /^--([^=]+)(=)?(.*)$/s.exec(word) ?? [];
  if (name === undefined) return readShort(word, next, taking);
  if (equals !== undefined) taking.stated.set(name, value);
  else if (VALUED.has(name)) taking.stated.set(name, next());
  else if (!FLAGS.has(name) && isPlain(taking)) {
    taking.unsure.push(word);
    taking.stated.set(name, next());
  }
}

/**
 * `-itc512`: letters up to the first that takes a value, which is the rest of the word or the next
 * one.
 */
function readShort(word: string, next: () => string, taking: Taking): void {
  for (let place = 1; place < word.length; place += 1) {
    const letter = word.charAt(place);
    if (SHORT_FLAGS.includes(letter)) continue;
    const rest = word.slice(place + 1).replace(/^=/, "");
    const isValued = SHORT_VALUED_LETTERS.includes(letter);
    if (!isValued && (rest !== "" || !isPlain(taking))) return;
    if (!isValued) taking.unsure.push(`-${letter}`);
    const value = rest === "" ? next() : rest;
    taking.stated.set(SHORT_VALUED[letter] ?? letter, value);
    return;
  }
}

/** Whether the next word may be a value: it is there and no option. */
function isPlain({ words, at }: Taking): boolean {
  const next = words[at + 1];
  return next !== undefined && !next.startsWith("-");
}
