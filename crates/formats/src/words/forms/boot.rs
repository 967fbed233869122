//! The kernel's command line: /proc/cmdline, a boot loader's file, or single words of it.

use serde_json::{Value, json};

use super::uname;
use crate::words::case::{Case, Fate, ISOLATED, Note};
use crate::words::cpus::CpuList;
use crate::words::form::Form;
use crate::words::{marks::unwrapped, paste::Piece};

pub(super) const FORM: Form = Form {
    name: "boot",
    title: "a kernel command line",
    example: "isolcpus=2-7 nohz_full=2-7 rcu_nocbs=2-7 irqaffinity=0-1 preempt=full skew_tick=1",
    read,
};

const WORDS_MAX: usize = 300;

/// Lists of CPUs: the kernel's word, what it is for, and the knob.
const LISTS: &[(&str, &str)] = &[
    ("isolcpus", ISOLATED),
    ("nohz_full", "kernel.nohz_full"),
    ("rcu_nocbs", "workload.rcu.nocbs"),
    ("irqaffinity", "workload.device_irq.cpus"),
];

/// Words without an effect on what is simulated, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("processor.max_cstate", "idle CPUs sleep in C1 or poll here, never deeper"),
    ("intel_idle.max_cstate", "idle CPUs sleep in C1 or poll here, never deeper"),
    ("rcu_nocb_poll", "callback threads are woken here, they do not poll"),
    ("threadirqs", "interrupt threads are not simulated"),
    ("nosoftlockup", "the watchdog is not simulated"),
    ("nowatchdog", "the watchdog is not simulated"),
    ("nmi_watchdog", "the watchdog is not simulated"),
    ("tsc", "the clock is exact here"),
    ("clocksource", "the clock is exact here"),
    ("mitigations", "costs are those of a preset"),
];

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    if let Some(pipeline) = piece.pipeline() {
        let words = unwrapped(&pipeline[0].words);
        if words.first().is_some_and(|name| SETTING.contains(&name.as_str())) {
            return line(&set_by(&words[1..]), case);
        }
        let prints = words.first().is_some_and(|name| name == "cat")
            && words.iter().any(|word| word.ends_with("/proc/cmdline"));
        return prints.then(|| Note::left_out("prints what the next line says"));
    }
    match piece.document() {
        Some(document) => manifest(document.value(), case),
        None => line(piece.text()?, case),
    }
}

/// A MachineConfig's kernelArguments, and a PerformanceProfile of OpenShift.
fn manifest(value: &Value, case: &mut Case) -> Option<Note> {
    let spec = value.get("spec").unwrap_or(value);
    let words = |key: &str| {
        let items = spec.get(key)?.as_array()?.iter().filter_map(Value::as_str);
        Some(items.collect::<Vec<_>>().join(" "))
    };
    if value.get("kind").is_some_and(|kind| kind == "PerformanceProfile") {
        let isolated = spec.get("cpu").and_then(|cpu| cpu.get("isolated"))?.as_str()?;
        let more = words("additionalKernelArgs").unwrap_or_default();
        if spec.get("realTimeKernel").and_then(|rt| rt.get("enabled")) == Some(&json!(true)) {
            case.set("kernel.preempt", json!("rt"), Some(json!("full")), "realTimeKernel");
        }
        // The profile of tuned behind it isolates from managed interrupts, not from balancing.
        return line(&format!("nohz_full={isolated} rcu_nocbs={isolated} {more}"), case);
    }
    line(&words("kernelArguments")?, case)
}

/// Commands that change a boot loader's file.
const SETTING: &[&str] = &["grubby", "kernelstub", "rpm-ostree"];

/// The kernel's words in such a command: `--args="nohz_full=2-7"`, `-a "nohz_full=2-7"`,
/// `--append=nohz_full=2-7`.
fn set_by(words: &[String]) -> String {
    let begin = |word: &str| {
        ["--args=", "--append=", "--append-if-missing=", "--add-options=", "--replace="]
            .iter()
            .find_map(|flag| word.strip_prefix(flag).map(str::to_owned))
    };
    let is_flag = |word: &str| {
        matches!(word, "--args" | "--append" | "--append-if-missing" | "-a" | "--add-options")
    };
    let next = words.windows(2).filter(|pair| is_flag(&pair[0])).map(|pair| pair[1].clone());
    let all: Vec<String> = words.iter().filter_map(|word| begin(word)).chain(next).collect();
    all.join(" ")
}

/// None where it is no line of the kernel's words.
fn line(text: &str, case: &mut Case) -> Option<Note> {
    let words = words_of(text).into_iter().map(behind_name);
    // The words behind -- are init's.
    let mut words: Vec<&str> = words.take_while(|word| *word != "--").collect();
    words.truncate(WORDS_MAX);
    // Prose has no words with a sign of equality, or few of them.
    let stated = words.iter().filter(|word| word.contains('=')).count();
    if !words.iter().any(|word| word.contains('=') && is_known(word))
        || 2 * stated < words.len() / 2
    {
        return None;
    }
    let mut said = Said::default();
    // A boot loader names the kernel's file: `linux /vmlinuz-6.12-amd64 root=…`.
    if let ["linux" | "linuxefi" | "kernel" | "LINUX" | "KERNEL", image, ..] = words[..] {
        said.image(image, case);
        words.drain(..2);
    }
    for word in words {
        said.word(word, case);
    }
    Some(said.note())
}

/// The kernel's words of a line: a boot loader's name for them and quotes removed.
fn words_of(text: &str) -> Vec<&str> {
    const BEFORE: &[&str] = &[
        "GRUB_CMDLINE_LINUX_DEFAULT=",
        "GRUB_CMDLINE_LINUX=",
        "Kernel command line:",
        "Command line:",
        "options ",
        "append ",
    ];
    let behind = BEFORE.iter().find_map(|name| text.split_once(name)).map(|(_, rest)| rest);
    let is_end = |sign: char| sign.is_whitespace() || ['"', '\'', '`'].contains(&sign);
    behind.unwrap_or(text).split(is_end).filter(|word| !word.is_empty()).collect()
}

fn is_known(word: &str) -> bool {
    let key = key_of(word);
    LISTS.iter().any(|(name, _)| *name == key)
        || ["preempt", "idle", "skew_tick", "BOOT_IMAGE", "nr_cpus", "maxcpus"]
            .contains(&key.as_str())
}

/// The kernel's word behind a name that a boot loader gives the line: `extraargs=isolcpus=3`.
fn behind_name(word: &str) -> &str {
    match word.split_once('=') {
        Some((_, rest)) if !is_known(word) && rest.contains('=') && is_known(rest) => rest,
        _ => word,
    }
}

/// The kernel takes - for _ in names.
fn key_of(word: &str) -> String {
    word.split('=').next().unwrap_or_default().replace('-', "_")
}

#[derive(Default)]
struct Said {
    used: Vec<String>,
    without: Vec<String>,
    wrong: Vec<String>,
    strange: Vec<String>,
}

impl Said {
    fn word(&mut self, word: &str, case: &mut Case) {
        let key = key_of(word);
        let value = word.split_once('=').map_or("", |(_, value)| value);
        if let Some((_, of)) = LISTS.iter().find(|(name, _)| *name == key) {
            return self.list(&key, of, value, case);
        }
        match (key.as_str(), value) {
            ("preempt", _) if uname::is_rt(case) => self.without.push(format!(
                "{word} (a kernel with PREEMPT_RT has no choice of a model before 6.13, and stays \
                 rt after it)"
            )),
            ("preempt", "none" | "voluntary" | "full" | "lazy") => {
                let against = uname::against(value);
                self.set(word, case, "kernel.preempt", json!(value), json!(against));
            }
            ("idle", "poll" | "halt") => {
                case.says.push(match value {
                    "poll" => "With idle=poll idle CPUs never sleep: they watch a flag in memory, \
                               and a wake-up needs no IPI."
                        .to_owned(),
                    _ => "With idle=halt idle CPUs halt, and a wake-up from another CPU takes an \
                          IPI."
                        .to_owned(),
                });
                self.set(word, case, "machine.idle", json!(value), json!("mwait"));
            }
            ("skew_tick", "1" | "0") => {
                let on = value == "1";
                self.set(word, case, "kernel.tick_skew", json!(on), json!(!on));
            }
            ("nr_cpus" | "maxcpus", _) => match value.parse() {
                Ok(cpus @ 1..=crate::words::cpus::CPUS_MAX) => {
                    case.cpus = Some(cpus);
                    self.used.push(word.to_owned());
                }
                _ => self.wrong.push(format!("{word}: expected a number of CPUs")),
            },
            ("BOOT_IMAGE", image) => self.image(image, case),
            ("idle", _) => {
                self.wrong
                    .push(format!("{word}: there is no such value here; expected poll or halt"));
            }
            ("preempt", _) => self.wrong.push(format!(
                "{word}: there is no such model; expected none, voluntary, full or lazy"
            )),
            ("skew_tick", _) => {
                self.wrong.push(format!("{word}: no such value is known here"));
            }
            _ => match WITHOUT.iter().find(|(name, _)| *name == key) {
                Some((_, why)) => self.without.push(format!("{word} ({why})")),
                None => self.strange.push(word.to_owned()),
            },
        }
    }

    fn set(
        &mut self,
        word: &str,
        case: &mut Case,
        path: &'static str,
        value: serde_json::Value,
        against: serde_json::Value,
    ) {
        case.set(path, value, Some(against), word);
        self.used.push(word.to_owned());
    }

    fn list(&mut self, key: &str, of: &'static str, value: &str, case: &mut Case) {
        // isolcpus=domain,managed_irq,2-7: words come before the list.
        let begin = value.find(|sign: char| sign.is_ascii_digit() || sign == 'N').unwrap_or(0);
        let (flags, list) = if key == "isolcpus" { value.split_at(begin) } else { ("", value) };
        let flags: Vec<&str> = flags.split(',').filter(|flag| !flag.is_empty()).collect();
        let Some(cpus) = CpuList::read(list) else {
            return self.wrong.push(format!("{key}={value}: no list of CPUs from 0 to 1023"));
        };
        if flags.contains(&"nohz") {
            case.list("kernel.nohz_full", cpus.clone());
            self.used.push(format!("nohz of isolcpus is nohz_full={list}"));
        }
        // Without flags the list is taken out of the scheduler's domains; with flags only where
        // they say so.
        if flags.is_empty() || flags.contains(&"domain") {
            case.list(of, cpus);
            self.used.push(format!("{key}={list}"));
        } else if !flags.contains(&"nohz") {
            let why = "without domain the scheduler still balances these CPUs";
            self.without.push(format!("{key}={value} ({why})"));
        }
    }

    /// `/boot/vmlinuz-6.12.48+deb13-rt-amd64`: the release, and `-rt` in it.
    fn image(&mut self, image: &str, case: &mut Case) {
        let release = image.rsplit("vmlinuz-").next().unwrap_or_default();
        if image.contains("vmlinuz-") && uname::release_said(release, case).is_some() {
            self.used.push(format!("kernel {release}"));
        }
        self.used.extend(uname::rt_by_name(release, case));
    }

    fn note(self) -> Note {
        let part = |items: Vec<String>, words: &str| {
            (!items.is_empty()).then(|| format!("{words}{}", items.join(", ")))
        };
        let fate = if self.used.is_empty() { Fate::LeftOut } else { Fate::Used };
        let parts = [
            part(self.used, ""),
            part(self.wrong, "wrong: "),
            part(self.without, "no effect here: "),
            part(self.strange, "not known here: "),
        ];
        Note::new(fate, parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}
