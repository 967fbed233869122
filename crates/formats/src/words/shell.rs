//! Commands of a line, as a shell cuts it: quotes, backslashes, `;`, `&`, `|`, redirections and
//! comments. Nothing is expanded.

/// One command of a pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments, quotes removed.
    pub words: Vec<String>,
    /// The files that `>` and `>>` write.
    pub into: Vec<String>,
}

/// Commands joined by `|`; at least one.
pub type Pipeline = Vec<Command>;

/// The pipelines of a line, and whether a comment follows them.
pub fn pipelines(line: &str) -> (Vec<Pipeline>, bool) {
    let mut cut = Cut::default();
    let mut depth = 0_u32;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\'' => cut.word().extend(signs.by_ref().take_while(|next| *next != '\'')),
            '"' => cut.quoted(&mut signs),
            '\\' => cut.word().extend(signs.next()),
            '#' if cut.word.is_none() => {
                cut.end_pipeline();
                return (cut.pipelines, true);
            }
            ';' | '&' => cut.end_pipeline(),
            // A shell inside the shell; `$(` begins within a word.
            '(' if cut.word.is_none() => depth += 1,
            ')' if depth > 0 => {
                depth -= 1;
                cut.end_pipeline();
            }
            '|' => {
                // `||` ends a pipeline, as `&&` does.
                if signs.next_if_eq(&'|').is_some() {
                    cut.end_pipeline()
                } else {
                    cut.end_command()
                }
            }
            '>' | '<' => {
                cut.end_stream();
                while signs.next_if(|next| matches!(next, '>' | '&')).is_some() {}
                cut.target = Some(sign == '>');
            }
            _ if sign.is_whitespace() => cut.end_word(),
            _ => cut.word().push(sign),
        }
    }
    cut.end_pipeline();
    (cut.pipelines, false)
}

#[derive(Default)]
struct Cut {
    pipelines: Vec<Pipeline>,
    pipeline: Pipeline,
    command: Command,
    word: Option<String>,
    /// The next word is a file: one that is written.
    target: Option<bool>,
}

impl Cut {
    fn word(&mut self) -> &mut String {
        self.word.get_or_insert_default()
    }

    fn quoted(&mut self, signs: &mut impl Iterator<Item = char>) {
        let word = self.word();
        while let Some(sign) = signs.next() {
            match sign {
                '"' => return,
                '\\' => word.extend(signs.next()),
                _ => word.push(sign),
            }
        }
    }

    /// `2>` names a stream, not an argument.
    fn end_stream(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.chars().all(|sign| sign.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.target.take() {
            Some(true) => self.command.into.push(word),
            Some(false) => {}
            None => self.command.words.push(word),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        if self.command != Command::default() {
            self.pipeline.push(std::mem::take(&mut self.command));
        }
    }

    fn end_pipeline(&mut self) {
        self.end_command();
        if !self.pipeline.is_empty() {
            self.pipelines.push(std::mem::take(&mut self.pipeline));
        }
    }
}

/// Programs that begin a command without a prompt before it, sorted. Other words begin a line of
/// text.
pub(super) const PROGRAMS: &[&str] = &[
    "cat",
    "cd",
    "cgcreate",
    "cgexec",
    "cgset",
    "chrt",
    "crictl",
    "cyclictest",
    "date",
    "dmesg",
    "doas",
    "docker",
    "echo",
    "env",
    "fibtest",
    "getconf",
    "grep",
    "grubby",
    "hackbench",
    "head",
    "helm",
    "hostnamectl",
    "hwlatdetect",
    "hwnoise",
    "incus",
    "ionice",
    "iperf3",
    "journalctl",
    "kernelstub",
    "kubectl",
    "lscpu",
    "lxc",
    "make",
    "mkdir",
    "nerdctl",
    "netperf",
    "nice",
    "nohup",
    "nproc",
    "numactl",
    "oc",
    "osnoise",
    "pct",
    "perf",
    "pi_stress",
    "podman",
    "printf",
    "ps",
    "qm",
    "rpm-ostree",
    "rt-app",
    "rt-migrate-test",
    "rteval",
    "rtla",
    "schbench",
    "sleep",
    "ssh",
    "stress",
    "stress-ng",
    "sudo",
    "sysbench",
    "sysctl",
    "systemctl",
    "systemd-nspawn",
    "systemd-run",
    "tail",
    "taskset",
    "time",
    "timeout",
    "timerlat",
    "trace-cmd",
    "uname",
    "zcat",
    "zgrep",
];
