//! Which words of `docker run` are docker's own: its options end at the image, and what follows
//! belongs to the program in the container. Which word is the image depends on which options take a
//! value.

/// Options that take no value, of docker, podman and nerdctl.
const FLAGS: &str = "\
    detach disable-content-trust env-host help http-proxy init interactive no-healthcheck \
    no-hostname no-hosts oom-kill-disable passwd privileged publish-all quiet read-only \
    read-only-tmpfs replace rm rmi rootfs sig-proxy tls-verify tty unsetenv-all \
    use-api-socket";
const SHORT_FLAGS: &str = "diPqt";
/// Options that take one.
const VALUED: &str = "\
    add-host annotation arch attach blkio-weight blkio-weight-device cap-add cap-drop \
    cgroup-conf cgroup-parent cgroupns cgroups cidfile conmon-pidfile cpu-count cpu-percent \
    cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus \
    cpuset-mems detach-keys device device-cgroup-rule device-read-bps device-read-iops \
    device-write-bps device-write-iops dns dns-opt dns-option dns-search domainname \
    entrypoint env env-file env-merge expose gidmap gpus group-add group-entry health-cmd \
    health-interval health-retries health-start-interval health-start-period health-timeout \
    hostname hostuser image-volume io-maxbandwidth io-maxiops ip ip6 ipc isolation \
    kernel-memory label label-file limit-cpu limit-memory limit-pids link link-local-ip \
    log-driver log-opt mac-address memory \
    memory-reservation memory-swap memory-swappiness mount name net net-alias network \
    network-alias oom-score-adj os passwd-entry personality pid pidfile pids-limit platform \
    pod pod-id-file preserve-fds publish pull rdt-class replicas requires reserve-cpu \
    reserve-memory restart runtime sdnotify \
    seccomp-policy secret security-opt shm-size shm-size-systemd stop-signal stop-timeout \
    storage-opt subgidname subuidname sysctl systemd timeout tmpfs tz uidmap ulimit umask \
    unsetenv user userns uts variant volume volume-driver volumes-from workdir";
const SHORT_VALUED: &str = "acehlmpuvw";
/// Options of the tool itself that take a value and may precede `run`.
const GLOBAL: &str = "\
    -c -H -l --config --context --host --log-level --tlscacert --tlscert --tlskey \
    --namespace --address --connection --url --root --runroot";

/// The words of a command that starts or changes a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Options<'w> {
    /// `run`, `create` or `update`.
    pub(super) command: &'w str,
    /// By long name, without the dashes.
    stated: Vec<(&'w str, &'w str)>,
    pub(super) image: Option<&'w str>,
    /// What the program in the container is called with.
    pub(super) behind: &'w [String],
    /// Options of which it is not known whether the next word is their value: taken as if it were.
    pub(super) unsure: Vec<&'w str>,
}

impl<'w> Options<'w> {
    /// `words`: those behind the program's name. None where they start no container.
    pub(super) fn of(words: &'w [String]) -> Option<Self> {
        let mut at = 0;
        while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
            at += if has(GLOBAL, word) { 2 } else { 1 };
        }
        if words.get(at).is_some_and(|word| matches!(word.as_str(), "container" | "service")) {
            at += 1;
        }
        let command = words.get(at)?;
        // A build has no limit unless it states one, and runs no container of the text's.
        let is_build = command == "build" && words.iter().any(|word| word.starts_with("--cpu-"));
        if !matches!(command.as_str(), "run" | "create" | "update") && !is_build {
            return None;
        }
        let mut all = Self { command, ..Self::default() };
        let mut names = Vec::new();
        at += 1;
        while let Some(word) = words.get(at) {
            if word.len() > 1 && word.starts_with('-') && word != "--" {
                let takes = all.option(word, words.get(at + 1));
                at += usize::from(takes);
            } else if command == "update" {
                // `update` takes options behind its containers too; otherwise the first word that
                // is no option is the image.
                names.push(word.as_str());
            } else {
                break;
            }
            at += 1;
        }
        if words.get(at).is_some_and(|word| word == "--") {
            at += 1;
        }
        let rest = words.get(at..).unwrap_or_default();
        all.image = rest.first().map(String::as_str).or(names.first().copied());
        all.behind = rest.get(1..).unwrap_or_default();
        Some(all)
    }

    /// The last value of an option, as docker takes it.
    pub(super) fn value(&self, name: &str) -> Option<&'w str> {
        let mut all = self.stated.iter().rev();
        all.find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// Names of all options that have a value.
    pub(super) fn names(&self) -> impl Iterator<Item = &'w str> {
        self.stated.iter().map(|(name, _)| *name)
    }

    /// What the container is called.
    pub(super) fn name(&self) -> Option<&'w str> {
        let names_container = self.command == "update";
        self.value("name").or(self.image.filter(|_| names_container))
    }

    /// Reads an option; whether the next word is its value.
    fn option(&mut self, word: &'w str, next: Option<&'w String>) -> bool {
        let Some(name) = word.strip_prefix("--") else { return self.letters(word, next) };
        if let Some((name, value)) = name.split_once('=') {
            self.stated.push((name, value));
            return false;
        }
        if has(VALUED, name) {
            self.stated.push((name, next.map_or("", String::as_str)));
            return true;
        }
        let Some(next) = plain(next).filter(|_| !has(FLAGS, name)) else { return false };
        self.unsure.push(word);
        self.stated.push((name, next));
        true
    }

    /// `-itc512`: letters up to the first that takes a value, which is the rest of the word or the
    /// next one.
    fn letters(&mut self, word: &'w str, next: Option<&'w String>) -> bool {
        for (at, letter) in word.char_indices().skip(1) {
            if SHORT_FLAGS.contains(letter) {
                continue;
            }
            let rest = &word[at + letter.len_utf8()..];
            let rest = rest.strip_prefix('=').unwrap_or(rest);
            let is_valued = SHORT_VALUED.contains(letter);
            if !is_valued && (!rest.is_empty() || plain(next).is_none()) {
                return false;
            }
            if !is_valued {
                self.unsure.push(word);
            }
            let value = if rest.is_empty() { next.map_or("", String::as_str) } else { rest };
            let name = if letter == 'c' { "cpu-shares" } else { &word[at..at + letter.len_utf8()] };
            self.stated.push((name, value));
            return rest.is_empty();
        }
        false
    }
}

/// The next word, if it may be a value: it is there and no option.
fn plain(next: Option<&String>) -> Option<&str> {
    next.map(String::as_str).filter(|next| !next.starts_with('-'))
}

fn has(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}
