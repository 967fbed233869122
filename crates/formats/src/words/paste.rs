//! A pasted text as lines and pieces: prompts, fences and quotation marks of mails removed, each
//! line cut into commands where it is one.

use std::fmt;

use super::case::{Fate, Note};
use super::document::{self, Document};
use super::loops::unrolled;
use super::shell::{Command, PROGRAMS, Pipeline, pipelines};

/// Longest text that is read, bytes.
pub const BYTES_MAX: usize = 1 << 20;
/// Most lines that are read.
pub const LINES_MAX: usize = 20_000;

/// A text that is too long: how long it is, and how long it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLong {
    /// So many bytes; at most [`BYTES_MAX`] are read.
    Bytes(usize),
    /// So many lines; at most [`LINES_MAX`] are read.
    Lines(usize),
}

impl fmt::Display for TooLong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => {
                write!(out, "the text has {bytes} bytes; at most {BYTES_MAX} are read")
            }
            Self::Lines(lines) => {
                write!(out, "the text has {lines} lines; at most {LINES_MAX} are read")
            }
        }
    }
}

/// A text cut into pieces.
#[derive(Clone, Debug)]
pub struct Paste {
    lines: Vec<String>,
    pieces: Vec<Piece>,
    /// The first line of each that a backslash continues, and how many they are.
    joined: Vec<(usize, usize)>,
}

/// A part of a line that a form reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A pipeline of commands.
    Commands {
        /// Index of the line.
        line: usize,
        /// The commands.
        pipeline: Pipeline,
    },
    /// A line that is no command.
    Text {
        /// Index of the line.
        line: usize,
        /// The line, trimmed.
        text: String,
    },
    /// Lines that are JSON or YAML.
    Document(Document),
    /// Such lines that cannot be read.
    Broken {
        /// Index of the first line.
        line: usize,
        /// How many lines it has.
        lines: usize,
        /// Why.
        why: String,
        /// The lines.
        text: String,
    },
    /// What carries nothing: a prompt, a fence, a comment.
    Passed {
        /// Index of the line.
        line: usize,
        /// What it is: `a comment`.
        what: &'static str,
    },
}

impl Paste {
    /// Cuts `text`.
    ///
    /// # Errors
    /// It has more than [`BYTES_MAX`] bytes or [`LINES_MAX`] lines.
    pub fn new(text: &str) -> Result<Self, TooLong> {
        if text.len() > BYTES_MAX {
            return Err(TooLong::Bytes(text.len()));
        }
        let lines: Vec<String> =
            text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
        if lines.len() > LINES_MAX {
            return Err(TooLong::Lines(lines.len()));
        }
        let plain: Vec<String> = lines.iter().map(|line| plain(&without_colours(line))).collect();
        let mut pieces = Vec::new();
        let mut joined = Vec::new();
        let mut room = BYTES_MAX;
        let mut at = 0;
        while at < plain.len() {
            let first = at;
            match document::at(&plain, at) {
                Some(Ok(found)) => {
                    at += found.lines;
                    pieces.extend(found.each().map(Piece::Document));
                    continue;
                }
                Some(Err((lines, why))) => {
                    at += lines;
                    let text = plain[first..at].join("\n");
                    pieces.push(Piece::Broken { line: first, lines, why, text });
                    continue;
                }
                None => {}
            }
            let mut line = plain[at].trim().to_owned();
            // A backslash at a line's end: the command goes on in the next one.
            while line.ends_with('\\') && at + 1 < plain.len() {
                at += 1;
                line.pop();
                line.push_str(plain[at].trim());
            }
            at += 1;
            if lines[first..at].iter().all(|line| line.trim().is_empty()) {
                continue;
            }
            cut(first, &line, &mut room, &mut pieces);
            joined.push((first, at - first));
        }
        joined.retain(|(_, count)| *count > 1);
        Ok(Self { lines, pieces, joined })
    }

    /// Lines that belong together: the first of each block, and how many they are.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pieces.iter().filter_map(Piece::block).chain(self.joined.iter().copied())
    }

    /// The lines as pasted.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The pieces, in the text's order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

/// A line without the marks that mails put before it, with its indentation.
fn plain(line: &str) -> String {
    let line = line.replace('\u{a0}', " ");
    let mut line = line.trim_end();
    while let Some(rest) = line.trim_start().strip_prefix('>') {
        line = rest.strip_prefix(' ').unwrap_or(rest);
    }
    line.to_owned()
}

/// A line without what steers a terminal: `ESC [ 32 m`, `ESC ] 0 ; title BEL`, other controls.
fn without_colours(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match (sign, signs.peek()) {
            ('\u{1b}', Some('[')) => {
                signs.next();
                signs.by_ref().find(|next| ('@'..='~').contains(next));
            }
            ('\u{1b}', Some(']')) => {
                signs.by_ref().find(|next| matches!(next, '\u{7}' | '\\'));
            }
            ('\u{1b}', Some('(')) => drop((signs.next(), signs.next())),
            ('\t', _) => text.push(sign),
            _ if sign.is_control() => {}
            _ => text.push(sign),
        }
    }
    text
}

/// A line of prose without the marks of its list, its code and its table: `* nr_periods: 600`,
/// `` - `nr_periods 600` ``, `| nr_periods | 600 |`.
fn without_marks(text: &str) -> String {
    let text =
        ["- ", "* ", "• ", "+ "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    let text = text.replace('`', "").replace("**", "");
    let row = text.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    match row {
        Some(row) => row.split('|').map(str::trim).collect::<Vec<_>>().join(" "),
        None => text.trim().to_owned(),
    }
}

fn cut(line: usize, text: &str, room: &mut usize, pieces: &mut Vec<Piece>) {
    if text.chars().all(|sign| matches!(sign, '\\' | '>') || sign.is_whitespace()) {
        return pieces.push(Piece::Passed { line, what: "marks without words" });
    }
    if text.starts_with("```") || text.starts_with("~~~") {
        return pieces.push(Piece::Passed { line, what: "a fence" });
    }
    if text.starts_with("{{") && text.ends_with("}}") {
        return pieces.push(Piece::Passed { line, what: "a line of a template" });
    }
    if text.starts_with('|') && text.chars().all(|sign| "|-: ".contains(sign)) {
        return pieces.push(Piece::Passed { line, what: "a line of a table" });
    }
    if text.starts_with("[sudo] password for ") {
        return pieces.push(Piece::Passed { line, what: "a prompt" });
    }
    let (prompted, rest) = without_prompt(text);
    if prompted && rest.is_empty() {
        return pieces.push(Piece::Passed { line, what: "a prompt" });
    }
    let (commands, commented) = commands(rest, room, 0);
    if !prompted && !commands.first().is_some_and(|pipeline| is_command(&pipeline[0])) {
        // `systemctl cat` names each file so.
        let names_file = text.starts_with("# /") && !text[2..].contains(' ');
        let is_text = names_file || is_printed(text) || is_build(text);
        return pieces.push(if text.starts_with('#') && !is_text {
            Piece::Passed { line, what: "a comment" }
        } else {
            Piece::Text { line, text: without_marks(text) }
        });
    }
    let is_silent = commands.is_empty();
    pieces.extend(commands.into_iter().map(|pipeline| Piece::Commands { line, pipeline }));
    if commented {
        pieces.push(Piece::Passed { line, what: "a comment" });
    } else if is_silent {
        pieces.push(Piece::Passed { line, what: "no program" });
    }
}

/// Deepest nesting of shells that is read.
const SHELLS_MAX: usize = 4;

/// The commands of a line, and whether a comment follows them. Loops are written out, and a shell
/// that runs a text is the commands of that text. `room`: bytes that loops may become.
fn commands(line: &str, room: &mut usize, depth: usize) -> (Vec<Pipeline>, bool) {
    let (all, commented) = match unrolled(line, room) {
        Some(rounds) => pipelines(&rounds),
        None => pipelines(line),
    };
    let mut commands = Vec::new();
    for pipeline in all {
        match inner(&pipeline).filter(|_| depth < SHELLS_MAX) {
            Some(text) => {
                let inside = self::commands(text, room, depth + 1).0;
                commands.extend(inside.into_iter().map(run));
            }
            None => commands.push(pipeline),
        }
    }
    // It waits for the programs above.
    commands.retain(|pipeline| pipeline[0].words != ["wait"]);
    (commands, commented)
}

/// The text that `sh -c TEXT` runs.
fn inner(pipeline: &Pipeline) -> Option<&str> {
    let [only] = &pipeline[..] else { return None };
    match unwrapped(&only.words) {
        [shell, flag, text] if matches!(shell.as_str(), "sh" | "bash") && flag == "-c" => {
            Some(text)
        }
        _ => None,
    }
}

/// A command of a shell, which may become it.
fn run(mut pipeline: Pipeline) -> Pipeline {
    if pipeline[0].words.len() > 1 && pipeline[0].words[0] == "exec" {
        pipeline[0].words.remove(0);
    }
    pipeline
}

/// Lines that tools print with `#` before them, and that say something.
fn is_printed(text: &str) -> bool {
    const BEGIN: &[&str] = &[
        "# Total:",
        "# Min Latencies:",
        "# Avg Latencies:",
        "# Max Latencies:",
        "# RTLA ",
        "## CPU ",
    ];
    BEGIN.iter().any(|begin| text.starts_with(begin))
}

/// What `uname -v` prints: `#1 SMP PREEMPT_DYNAMIC …`.
fn is_build(text: &str) -> bool {
    let rest = text.trim_start_matches('#').trim_start_matches(|sign: char| sign.is_ascii_digit());
    text.starts_with('#') && (rest.starts_with(" SMP") || rest.starts_with(" PREEMPT"))
}

/// The line behind a prompt such as `user@host:~$`, `[root@host ~]#` or `$`; `#` is one only before
/// a command that is known.
fn without_prompt(text: &str) -> (bool, &str) {
    // Prompts of other shells: `➜  ~ `, `PS C:\Users\me> `, `host% `.
    let other = text.split_once("> ").filter(|(before, _)| before.starts_with("PS "));
    let other = other.or_else(|| text.split_once("➜ ")).or_else(|| text.split_once("% "));
    let other = other.or_else(|| text.split_once("❯ "));
    if let Some((_, rest)) = other.filter(|(before, _)| before.len() < 60) {
        let words = rest.trim_start();
        let behind = [words, words.split_once(' ').map_or("", |(_, rest)| rest)];
        let is_typed =
            |rest: &&str| pipelines(rest).0.first().is_some_and(|first| is_command(&first[0]));
        if let Some(rest) = behind.into_iter().find(is_typed) {
            return (true, rest);
        }
    }
    let Some(at) = text.find(['$', '#']) else { return (false, text) };
    let (before, rest) = (&text[..at], &text[at + 1..]);
    let is_root = text[at..].starts_with('#');
    let is_end = rest.is_empty() || rest.starts_with(' ');
    let rest = rest.trim_start();
    let named = before.trim();
    let is_name = !named.is_empty()
        && named.contains('@')
        && (named.starts_with('[') == named.ends_with(']'))
        && !named.contains(['=', '"', '\'', '|', ';']);
    // A folder or a name before a command that is known: `/sys/fs/cgroup # cat cpu.max`.
    let is_folder = named.starts_with(['/', '~']) && !named.contains(' ');
    let is_bare = (named.is_empty() || is_folder)
        && (!is_root || pipelines(rest).0.first().is_some_and(|first| is_command(&first[0])));
    if is_end && (is_name || is_bare) { (true, rest) } else { (false, text) }
}

/// Whether the first word is a program that people type: one that a form reads, or one that prints
/// what a form reads.
fn is_command(command: &Command) -> bool {
    let Some(first) = command.words.first() else { return false };
    let name = first.rsplit('/').next().unwrap_or(first);
    // People make many things without jobs.
    let is_prose = name == "make" && !command.words.iter().any(|word| word.starts_with("-j"));
    !is_prose && PROGRAMS.binary_search(&name).is_ok()
}

impl Piece {
    /// Index of the line that it begins in.
    pub fn line(&self) -> usize {
        match self {
            Self::Commands { line, .. }
            | Self::Text { line, .. }
            | Self::Broken { line, .. }
            | Self::Passed { line, .. } => *line,
            Self::Document(document) => document.line,
        }
    }

    /// The first of its lines and how many they are, where it is a block of lines.
    fn block(&self) -> Option<(usize, usize)> {
        match self {
            Self::Document(Document { line, lines, .. }) | Self::Broken { line, lines, .. } => {
                Some((*line, *lines))
            }
            _ => None,
        }
    }

    /// The document, where it is one.
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Document(document) => Some(document),
            _ => None,
        }
    }

    /// The line, where it is no command.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The commands.
    pub fn pipeline(&self) -> Option<&[Command]> {
        match self {
            Self::Commands { pipeline, .. } => Some(pipeline),
            _ => None,
        }
    }

    /// What is written to which file: `echo VALUE > FILE`, `echo VALUE | sudo tee FILE`.
    pub fn written(&self) -> Option<(String, &str)> {
        let pipeline = self.pipeline()?;
        let first = unwrapped(&pipeline[0].words);
        if !matches!(first.first().map(String::as_str), Some("echo" | "printf")) {
            return None;
        }
        let value = first[1..].iter().filter(|word| !word.starts_with("-n")).cloned();
        let value = value.collect::<Vec<_>>().join(" ");
        let tee = pipeline.get(1).map(|next| unwrapped(&next.words)).filter(|words| {
            words.first().is_some_and(|name| name == "tee" || name.ends_with("/tee"))
        });
        let file = match tee {
            Some(words) => words[1..].iter().find(|word| !word.starts_with('-')),
            None => pipeline[0].into.first(),
        }?;
        Some((value, file))
    }

    /// The note of a piece that no form knows.
    pub(super) fn without_form(&self) -> Note {
        match self {
            Self::Passed { what, .. } => Note::new(Fate::Passed, *what),
            Self::Broken { why, .. } => Note::new(Fate::NotUnderstood, why),
            Self::Document(document) => {
                let what = document.language;
                Note::new(
                    Fate::NotUnderstood,
                    format!("{what} in which no form here knows a limit"),
                )
            }
            Self::Text { .. } => Note::new(Fate::NotUnderstood, "no form that is read here"),
            Self::Commands { pipeline, .. } => {
                let name = unwrapped(&pipeline[0].words).first().cloned().unwrap_or_default();
                Note::new(Fate::NotUnderstood, format!("no reader here knows the command {name}"))
            }
        }
    }
}

/// The words behind `sudo` and variables that are set for one command.
pub fn unwrapped(words: &[String]) -> &[String] {
    let is_before = |word: &String| {
        word == "sudo" || word.contains('=') && !word.starts_with('-') && !word.contains('/')
    };
    let begin = words.iter().take_while(|word| is_before(word)).count();
    &words[begin..]
}
