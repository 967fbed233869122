//! A pasted text as lines and pieces: prompts, fences and quotation marks of mails removed, each
//! line cut into commands where it is one.

use std::fmt;

use super::case::{Fate, Note};
use super::document::{self, Document};
use super::loops::unrolled;
use super::marks::{self, in_prose, is_command, unwrapped, without_marks, without_prompt};
use super::shell::{Command, Pipeline, pipelines};

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
        let mut plain = marks::plain(&lines);
        marks::undiffed(&mut plain);
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
    let (mut commands, mut commented) = self::commands(rest, room, 0);
    let is_known = |all: &[Pipeline]| all.first().is_some_and(|pipeline| is_command(&pipeline[0]));
    if !prompted
        && !is_known(&commands)
        && let Some(inside) = in_prose(text)
    {
        (commands, commented) = self::commands(&inside, room, 0);
    }
    if !prompted && !is_known(&commands) {
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
                let inside = self::commands(&text, room, depth + 1).0;
                commands.extend(inside.into_iter().map(run));
            }
            None => {
                let mut pipeline = pipeline;
                if let Some(words) = in_container(&pipeline[0].words) {
                    pipeline[0].words = words.to_vec();
                }
                commands.push(pipeline);
            }
        }
    }
    // It waits for the programs above.
    commands.retain(|pipeline| pipeline[0].words != ["wait"]);
    (commands, commented)
}

/// The text that `sh -c TEXT` or `ssh HOST TEXT` runs.
fn inner(pipeline: &Pipeline) -> Option<String> {
    let [only] = &pipeline[..] else { return None };
    match unwrapped(&only.words) {
        [shell, flag, text] if matches!(shell.as_str(), "sh" | "bash") && flag == "-c" => {
            Some(text.clone())
        }
        [ssh, rest @ ..] if ssh == "ssh" => {
            let mut at = 0;
            while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
                at += 1 + usize::from(word.ends_with(|letter| OF_SSH.contains(letter)));
            }
            Some(rest.get(at + 1..).filter(|words| !words.is_empty())?.join(" "))
        }
        _ => None,
    }
}

/// Options of ssh whose value is the next word.
const OF_SSH: &str = "BbcDEeFIiJLlmOopRSWw";

/// Programs that measure or load, behind `kubectl exec POD --` or `docker exec NAME`.
fn in_container(words: &[String]) -> Option<&[String]> {
    const PRINTING: &[&str] = &["cat", "head", "tail", "grep", "sh", "bash", "env", "time"];
    let words = unwrapped(words);
    let is_engine = ["kubectl", "oc", "docker", "podman", "nerdctl", "lxc", "incus"]
        .contains(&words.first()?.as_str());
    let at = words.iter().position(|word| word == "exec").filter(|at| is_engine && *at < 3)?;
    let rest = &words[at + 1..];
    let mut known = (0..rest.len()).filter(|at| {
        let command = Command { words: rest[*at..].to_vec(), ..Command::default() };
        !rest[*at].starts_with('-') && is_command(&command)
    });
    let first = known.next().filter(|at| !PRINTING.contains(&rest[*at].as_str()))?;
    Some(&rest[first..])
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
