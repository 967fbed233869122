//! A command line of `cyclictest` (rt-tests 0.83 to 2.1), read as getopt reads it: short options in
//! one word, values with or without a space.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::command::{Wrapped, wrapped};
use crate::words::amounts::written_ns;
use crate::words::case::{Case, Note};
use crate::words::cpus::{CPUS_MAX, CpuList, written};
use crate::words::form::Form;
use crate::words::paste::Piece;

pub(super) const FORM: Form = Form {
    name: "cyclictest",
    title: "cyclictest",
    example: "cyclictest -S -m -p 95 -i 200 -D 10m",
    read,
};

/// Options without a value, as in the tool's getopt strings; `e` is --latency.
const PLAIN: &str = "mnqNMrRsSuvxwWCEfBIPQU";
const VALUED: &str = "bcdDeFhHijlopTyO";
/// The value may be left out.
const MAYBE: &str = "aAt";
/// Options that change what is printed or how it is measured, not what runs.
const PRINTING: &str = "mnqNMuvhHjFRoc";
/// Options that the scenario has.
const TAKEN: &str = "abdDeilpStUyA";
const LONG: &[(&str, char)] = &[
    ("affinity", 'a'),
    ("aligned", 'A'),
    ("breaktrace", 'b'),
    ("clock", 'c'),
    ("distance", 'd'),
    ("duration", 'D'),
    ("fifo", 'F'),
    ("histfile", 'j'),
    ("histofall", 'H'),
    ("histogram", 'h'),
    ("interval", 'i'),
    ("json", 'j'),
    ("latency", 'e'),
    ("loops", 'l'),
    ("mlockall", 'm'),
    ("nanosleep", 'n'),
    ("nsecs", 'N'),
    ("numa", 'U'),
    ("oscope", 'o'),
    ("policy", 'y'),
    ("priority", 'p'),
    ("prio", 'p'),
    ("quiet", 'q'),
    ("refresh_on_max", 'M'),
    ("relative", 'r'),
    ("resolution", 'R'),
    ("smp", 'S'),
    ("system", 's'),
    ("threads", 't'),
    ("unbuffered", 'u'),
    ("verbose", 'v'),
];
/// Up to this interval a body with the usual extra time, 3 us, does not fit into a round, us.
const LEAST_INTERVAL_US: u64 = 4;
/// A run is worth so many rounds of the shortest interval, within these bounds, us.
const ROUNDS: u64 = 5_000;
const RUN_US: std::ops::RangeInclusive<u64> = 200_000..=10_000_000;

fn read(piece: &Piece, case: &mut Case) -> Option<Note> {
    let Wrapped { words, cpus, left, .. } = wrapped(&piece.pipeline()?[0].words);
    let (program, words) = words.split_first()?;
    if program.rsplit('/').next() != Some("cyclictest") {
        return None;
    }
    Some(match started(words, cpus, case) {
        Ok(mut said) => {
            said.extend(left);
            Note::used(said.join("; "))
        }
        Err(wrong) => Note::left_out(wrong),
    })
}

/// Starts cyclictest with the words behind its name; what is said of it, or why not.
pub(super) fn started(
    words: &[String],
    cpus: Option<CpuList>,
    case: &mut Case,
) -> Result<Vec<String>, String> {
    let options = Options::of(words);
    // getopt reads -smp as -s -m -p, so that the next word is the priority.
    if let Some(word) = words.iter().find(|word| **word == "-smp") {
        return Err(format!(
            "{word} is -s -m -p with the next word as priority, not --smp: write -S -m -p 80"
        ));
    }
    let asked = Asked::of(&options)?;
    case.start("cyclictest", asked.value(), asked.run_us())?;
    for cpus in [&asked.affinity, &cpus].into_iter().flatten() {
        case.list("programs", cpus.clone());
    }
    let mut said = vec![asked.words()];
    if !options.strange.is_empty() {
        said.push(format!("not simulated: {}", options.strange.join(", ")));
    }
    case.says.push(asked.words());
    Ok(said)
}

#[derive(Default)]
struct Options {
    /// By the short letter; empty for no value. The last counts.
    values: BTreeMap<char, String>,
    spread: bool,
    secaligned: bool,
    strange: Vec<String>,
}

impl Options {
    fn of(words: &[String]) -> Self {
        let mut all = Self::default();
        let mut words = words.iter().map(String::as_str).peekable();
        // The tool takes the next word as the value of -a and -t only if it begins with a digit,
        // or with the ! that excludes CPUs.
        let is_value =
            |word: &&str| word.starts_with(|sign: char| sign.is_ascii_digit() || sign == '!');
        while let Some(word) = words.next() {
            if let Some(name) = word.strip_prefix("--") {
                let (name, stated) =
                    name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
                let name = name.replace('-', "_");
                let letter = letter_of(&name);
                match letter {
                    _ if name == "priospread" => all.spread = true,
                    _ if name == "secaligned" => all.secaligned = true,
                    Some(letter) => {
                        let value = match stated {
                            Some(value) => Some(value),
                            None if VALUED.contains(letter) => words.next(),
                            None if MAYBE.contains(letter) => words.next_if(is_value),
                            None => None,
                        };
                        all.values.insert(letter, value.unwrap_or_default().to_owned());
                    }
                    None => all.strange.push(word.to_owned()),
                }
            } else if word.len() > 1 && word.starts_with('-') {
                let mut next = |letter: char| {
                    if VALUED.contains(letter) { words.next() } else { words.next_if(is_value) }
                };
                all.short(&word[1..], &mut next);
            } else {
                all.strange.push(word.to_owned());
            }
        }
        let unread = all
            .values
            .keys()
            .filter(|letter| !TAKEN.contains(**letter) && !PRINTING.contains(**letter));
        let unread: Vec<String> = unread.map(|letter| format!("-{letter}")).collect();
        all.strange.extend(unread);
        all
    }

    /// `Smp95`: letters up to the first that takes a value, which is the rest of the word.
    fn short<'w>(&mut self, word: &'w str, next: &mut dyn FnMut(char) -> Option<&'w str>) {
        for (at, letter) in word.char_indices() {
            let rest = &word[at + letter.len_utf8()..];
            if VALUED.contains(letter) || MAYBE.contains(letter) {
                let value = if rest.is_empty() { next(letter).unwrap_or_default() } else { rest };
                self.values.insert(letter, value.to_owned());
                return;
            }
            if !PLAIN.contains(letter) {
                return self.strange.push(format!("-{letter}"));
            }
            self.values.insert(letter, String::new());
        }
    }

    fn has(&self, letter: char) -> bool {
        self.values.contains_key(&letter)
    }

    /// A number from `least` to `most`, or `otherwise` where the line has none.
    fn number(&self, letter: char, otherwise: u64, least: u64, most: u64) -> Result<u64, String> {
        let Some(text) = self.values.get(&letter) else { return Ok(otherwise) };
        if text.is_empty() && MAYBE.contains(letter) {
            return Ok(otherwise);
        }
        let name = if letter == 'e' { "--latency".to_owned() } else { format!("-{letter}") };
        let digits = text.len() <= 12 && text.bytes().all(|sign| sign.is_ascii_digit());
        text.parse().ok().filter(|value| digits && (least..=most).contains(value)).ok_or_else(
            || format!("{name} is {text:?}; expected a whole number from {least} to {most}"),
        )
    }

    fn has_histogram(&self) -> bool {
        let size = |letter: char| self.values.get(&letter).map_or("0", String::as_str);
        ['h', 'H'].iter().any(|letter| size(*letter).parse::<u64>().is_ok_and(|size| size > 0))
    }
}

/// The letter of a long option, which may be any beginning that one alone has.
fn letter_of(name: &str) -> Option<char> {
    let exact = LONG.iter().find(|(long, _)| *long == name).map(|(_, letter)| *letter);
    let begun = LONG.iter().filter(|(long, _)| !name.is_empty() && long.starts_with(name));
    let mut letters: Vec<char> = begun.map(|(_, letter)| *letter).collect();
    letters.dedup();
    exact.or(match letters[..] {
        [only] => Some(only),
        _ => None,
    })
}

/// What the line asks for, with the tool's own defaults.
#[derive(Debug)]
struct Asked {
    /// None: one for each CPU.
    threads: Option<u64>,
    affinity: Option<CpuList>,
    pinned: bool,
    interval_us: u64,
    distance_us: u64,
    priority: u64,
    policy: &'static str,
    spread: bool,
    loops: u64,
    duration_us: Option<u64>,
    break_us: u64,
    aligned_us: Option<u64>,
    latency_us: u64,
}

impl Asked {
    fn of(options: &Options) -> Result<Self, String> {
        if options.has('S') && options.has('U') {
            return Err("the tool refuses -S and --numa together".to_owned());
        }
        // With -S and --numa the tool ignores -a and -t.
        let each = options.has('S') || options.has('U');
        let affinity = match options.values.get(&'a') {
            Some(text) if !each && !text.is_empty() => Some(
                CpuList::read(text)
                    .ok_or_else(|| format!("-a is {text:?}; expected CPUs such as 0-3,8"))?,
            ),
            _ => None,
        };
        let threads = match options.values.get(&'t').map(String::as_str) {
            _ if each => None,
            Some("") => affinity.as_ref().map(|cpus| cpus.on(CPUS_MAX).len() as u64),
            _ => Some(options.number('t', 1, 1, u64::from(CPUS_MAX))?),
        };
        let (priority, policy) = policy(options, threads)?;
        let aligned = if options.has('A') {
            Some(options.number('A', 0, 0, 1_000_000)?)
        } else {
            options.secaligned.then_some(0)
        };
        Ok(Self {
            threads,
            affinity,
            pinned: each || options.has('a'),
            interval_us: options.number('i', 1_000, 1, 1_000_000)?,
            // With a histogram all threads share one interval, whatever -d says.
            distance_us: match options.has_histogram() {
                true => 0,
                false => options.number('d', 500, 0, 1_000_000)?,
            },
            priority,
            policy,
            spread: options.spread,
            loops: options.number('l', 0, 0, u64::from(u32::MAX))?,
            duration_us: options.values.get(&'D').map(|text| duration(text)).transpose()?,
            break_us: options.number('b', 0, 0, 1_000_000)?,
            aligned_us: aligned,
            latency_us: options.number('e', 0, 0, 2_000_000_000)?,
        })
    }

    fn run_us(&self) -> u64 {
        let by_loops = if self.loops == 0 { u64::MAX } else { (self.loops + 2) * self.interval_us };
        let wanted = by_loops
            .min(self.duration_us.unwrap_or(u64::MAX))
            .min(ROUNDS.saturating_mul(self.interval_us));
        wanted.clamp(*RUN_US.start(), *RUN_US.end())
    }

    fn words(&self) -> String {
        let who = match self.threads {
            None => "one thread for each CPU".to_owned(),
            Some(1) => "one thread".to_owned(),
            Some(threads) => format!("{threads} threads"),
        };
        let class = match (self.policy, self.priority) {
            ("auto", 0) if !self.spread => "SCHED_OTHER".to_owned(),
            ("auto" | "fifo", priority) => format!("SCHED_FIFO {priority}"),
            ("rr", priority) => format!("SCHED_RR {priority}"),
            _ => "SCHED_IDLE".to_owned(),
        };
        format!("cyclictest runs {who} of {class}, every {} us", self.interval_us)
    }

    fn value(&self) -> Value {
        let mut value = Map::new();
        let mut put = |key: &str, is: Value| value.insert(key.to_owned(), is);
        put("threads", self.threads.map_or_else(|| json!("all"), Value::from));
        put("interval", json!(format!("{}us", self.interval_us)));
        put("distance", json!(format!("{}us", self.distance_us)));
        put("priority", json!(self.priority));
        put("pinned", json!(self.pinned));
        let body_ns = (self.interval_us * 250).min(7_000);
        let body_ns = if body_ns < 1_000 { body_ns } else { body_ns / 1_000 * 1_000 };
        put("body", json!(written_ns(body_ns)));
        if self.interval_us <= LEAST_INTERVAL_US {
            put("phase_window", json!(written_ns(self.interval_us * 500)));
        }
        if self.policy != "auto" {
            put("policy", json!(self.policy));
        }
        if self.spread {
            put("priospread", json!(true));
        }
        if let Some(cpus) = &self.affinity {
            put("affinity", json!(written(&cpus.on(cpus.least_cpus()))));
        }
        if let Some(us) = self.aligned_us {
            put("aligned", json!(format!("{us}us")));
        }
        for (key, number) in
            [("loops", self.loops), ("breaktrace", self.break_us), ("latency", self.latency_us)]
        {
            if number > 0 {
                put(key, json!(number));
            }
        }
        Value::Object(value)
    }
}

/// Priority and policy. A real-time policy without a priority, or `-p 0`, takes threads + 1, as the
/// tool does.
fn policy(options: &Options, threads: Option<u64>) -> Result<(u64, &'static str), String> {
    let priority = options.number('p', 0, 0, 99)?;
    let policy = match options.values.get(&'y').map(|text| text.to_lowercase()).as_deref() {
        None | Some("other" | "normal") => "auto",
        Some("fifo") => "fifo",
        Some("rr") => "rr",
        Some("idle") => "idle",
        Some(text) => {
            return Err(format!("--policy is {text:?}; expected fifo, rr, other or idle"));
        }
    };
    match (policy, priority, threads) {
        // A priority that is stated, though 0, makes the policy real-time.
        ("auto", 0, Some(threads)) if options.has('p') => Ok((threads + 1, "fifo")),
        _ => Ok((priority, policy)),
    }
}

/// -D: seconds, or with m, h or d behind; us.
fn duration(text: &str) -> Result<u64, String> {
    let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    let seconds = match &text[end..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => 0,
    };
    let number: u64 = text[..end].parse().ok().filter(|_| end <= 9).unwrap_or(0);
    match number * seconds {
        0 => Err(format!("-D is {text:?}; expected a time such as 60 or 1h")),
        seconds => Ok(seconds.saturating_mul(1_000_000)),
    }
}
