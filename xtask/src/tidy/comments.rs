//! Plain English in comments: openings without a subject, and words that hide the verb or the noun
//! that is meant; and fences that would hide sentences from this lint. `cargo xtask tidy
//! --comments FOLDER...` lists the findings of some folders alone.

mod paragraphs;

use paragraphs::{Paragraph, paragraphs, stray_fences};
use std::collections::BTreeMap;

/// Openings of a paragraph, and the advice. Each leaves out the noun that the comment describes.
const OPENINGS: [(&str, &str); 5] = [
    ("The same", THE_SAME),
    ("Of", OF),
    ("Whoever", WHOEVER),
    ("As", "start with the noun or the verb: \"The value in column `b` of …\""),
    ("Its", "name the owner: \"The run queue's …\""),
];
/// Openings of any sentence.
const SENTENCES: [(&str, &str); 4] =
    [("The same", THE_SAME), ("Whoever", WHOEVER), ("As above", AS_ABOVE), ("Of", OF)];
const OF: &str = "start with the noun: \"The lock of …\", \"A task of …\"";
const THE_SAME: &str = "name the thing and what it shares: \"`dequeue` also …\"";
const WHOEVER: &str = "name who acts: the task, the CPU, the caller";
const AS_ABOVE: &str = "repeat the reason in a few words, or leave the comment out";
/// Openings with "As" that have a subject and a verb of their own.
const CLAUSES: [&str; 2] = ["As soon as", "As long as"];

/// Words, and the advice.
const WORDS: [(&[&str], &str); 3] = [
    (&["stand", "stands", "standing", "stood"], "write is, lies, waits, means or stays"),
    (
        &["tell", "tells", "told", "telling"],
        "write says, reports, returns, shows, sends, distinguishes or depends on",
    ),
    (&["nobody", "somebody", "no one"], "name who: no task, some CPU, no caller"),
];
/// Names that contain one of the words.
const NAMES: [(&str, &str); 2] = [
    (
        "stand-in",
        "a program of rt-app in place of one that this machine lacks (crates/formats/src/real)",
    ),
    ("no one-", "a compound such as one-way"),
];

/// The last line of a report.
const COMMAND: &str = "cargo xtask tidy --comments FOLDER... lists the comments of a folder alone";

/// All findings.
pub fn judge(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut findings = findings(files.iter());
    if !findings.is_empty() {
        findings.push(COMMAND.to_owned());
    }
    findings
}

/// All findings below these folders; without folders, below the root.
pub fn judge_folders(files: &BTreeMap<String, String>, folders: &[&str]) -> Vec<String> {
    let asked =
        |path: &str| folders.is_empty() || folders.iter().any(|folder| path.starts_with(folder));
    findings(files.iter().filter(|(path, _)| asked(path)))
}

fn findings<'f>(files: impl Iterator<Item = (&'f String, &'f String)>) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in files.filter(|(path, _)| is_judged(path)) {
        let fences = stray_fences(path, text);
        findings.extend(fences.into_iter().map(|(line, rule)| format!("{path}:{line}: {rule}")));
        for paragraph in paragraphs(path, text) {
            findings.extend(faults(&paragraph).into_iter().map(|fault| {
                let Fault { line, word, sentence, advice } = fault;
                format!("{path}:{line}: \"{word}\" in \"{sentence}\": {advice}")
            }));
        }
    }
    findings
}

/// Whether a person wrote this file in a language whose comments the lint can read.
fn is_judged(path: &str) -> bool {
    let endings = [".rs", ".ts", ".tsx", ".mjs", ".js", ".css"];
    endings.iter().any(|ending| path.ends_with(ending)) && !path.contains("/gen/")
}

struct Fault {
    line: usize,
    word: &'static str,
    sentence: String,
    advice: &'static str,
}

fn faults(paragraph: &Paragraph) -> Vec<Fault> {
    let lines: Vec<&str> = paragraph.lines.iter().map(|(_, line)| line.as_str()).collect();
    let text = lines.join(" ");
    let bare = without_quotes(&text);
    let mut faults = Vec::new();
    let mut start = 0;
    for sentence in sentences(&bare) {
        let mut found = |at: usize, word, advice| {
            let sentence = text[start..start + sentence.len()].trim().to_owned();
            faults.push(Fault { line: line_of(paragraph, start + at), word, sentence, advice });
        };
        let begins = sentence.len() - sentence.trim_start().len();
        let openings: &[_] = if start == 0 { &OPENINGS } else { &SENTENCES };
        let opening = openings.iter().find(|(words, _)| opens(sentence, words));
        if let Some((words, advice)) = opening {
            found(begins, *words, *advice);
        }
        for (words, advice) in WORDS {
            for word in words {
                for at in places(sentence, word) {
                    found(at, *word, advice);
                }
            }
        }
        start += sentence.len();
    }
    faults
}

/// The number of the line that has the character at `at` of a paragraph's joined lines.
fn line_of(paragraph: &Paragraph, at: usize) -> usize {
    let mut end = 0;
    let line = paragraph.lines.iter().find(|(_, line)| {
        end += line.len() + 1;
        at < end
    });
    line.or(paragraph.lines.last()).map_or(0, |(number, _)| *number)
}

/// The text with everything in backticks or quotes blank, so that every place stays where it was.
fn without_quotes(text: &str) -> String {
    let mut closing = None;
    let mut bare = String::with_capacity(text.len());
    for (at, next) in text.char_indices() {
        let closes = match next {
            '`' => Some('`'),
            '"' => Some('"'),
            '“' => Some('”'),
            _ => None,
        };
        let blank = match (closing, closes) {
            (Some(mark), _) => {
                closing = (next != mark).then_some(mark);
                true
            }
            (None, Some(mark)) => {
                closing = text[at + next.len_utf8()..].contains(mark).then_some(mark);
                true
            }
            (None, None) => false,
        };
        bare.extend(std::iter::repeat_n('\'', if blank { next.len_utf8() } else { 0 }));
        bare.extend((!blank).then_some(next));
    }
    bare
}

/// Sentences, each with the space behind it. A full stop ends one before a space and a capital or
/// a quote.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices([' ']) {
        let ended = text[..at].ends_with(['.', '?', '!', ';', ':']);
        let next = text[at..].trim_start().chars().next();
        if ended && at > start && next.is_some_and(|next| next.is_uppercase() || next == '\'') {
            sentences.push(&text[start..at]);
            start = at;
        }
    }
    sentences.push(&text[start..]);
    sentences
}

fn opens(sentence: &str, words: &str) -> bool {
    let sentence = sentence.trim_start();
    sentence.strip_prefix(words).is_some_and(|rest| !rest.starts_with(is_of_name))
        && !CLAUSES.iter().any(|clause| sentence.starts_with(clause))
}

/// The places of a word in a sentence, in any case; a part of a name or an address is no word.
fn places(sentence: &str, word: &str) -> Vec<usize> {
    let lower = sentence.to_ascii_lowercase();
    let alone = |at: usize| {
        let (before, after) = (&lower[..at], &lower[at + word.len()..]);
        let address = before.rsplit(' ').next().is_some_and(|start| start.contains("://"));
        let name = NAMES.iter().any(|(name, _)| lower[at..].starts_with(name));
        let within = before.ends_with(is_of_name) || after.starts_with(is_of_name);
        !(within || after.starts_with('(') || address || name)
    };
    lower.match_indices(word).map(|(at, _)| at).filter(|at| alone(*at)).collect()
}

/// A character that makes a word part of a name.
fn is_of_name(next: char) -> bool {
    next.is_alphanumeric() || next == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(comment: &str) -> Vec<(usize, &'static str)> {
        let found = paragraphs("a.rs", comment);
        found.iter().flat_map(faults).map(|fault| (fault.line, fault.word)).collect()
    }

    #[test]
    fn an_opening_without_a_subject_is_found() {
        for (comment, word) in [
            ("/// The same for RT.", "The same"),
            ("/// Of the lock.", "Of"),
            ("/// Whoever waits.", "Whoever"),
            ("/// As `a` has it.", "As"),
            ("/// Its owner.", "Its"),
            ("// - Its owner.", "Its"),
        ] {
            assert_eq!(found(comment), [(1, word)], "{comment}");
        }
        for comment in ["// Often late.", "// Asks.", "// Off.", "// As soon as it is free."] {
            assert_eq!(found(comment), [], "{comment}");
        }
    }

    #[test]
    fn a_later_sentence_may_open_with_its_but_not_with_the_same() {
        assert_eq!(found("/// The task waits. Its lock is held."), []);
        assert_eq!(found("/// The task\n/// waits. The same holds."), [(2, "The same")]);
        assert_eq!(found("/// `a` waits. Whoever\n/// holds."), [(1, "Whoever")]);
    }

    #[test]
    fn a_word_in_place_of_the_verb_or_the_noun_is_found_with_its_line() {
        assert_eq!(found("// The row\n// stands here."), [(2, "stands")]);
        assert_eq!(found("/* Nobody told\n * it. */"), [(1, "told"), (1, "nobody")]);
        assert_eq!(found("// No one waits."), [(1, "no one")]);
    }

    #[test]
    fn names_and_quotes_pass() {
        for comment in [
            "// understand, standalone, outstanding, storyteller",
            "// tell_cpu_to_push, tell() and `rto_tell`",
            "// `we tell it` and \"nobody\" and “they stood”",
            "// https://host/tell/stand",
            "// A stand-in, and no one-way street.",
        ] {
            assert_eq!(found(comment), [], "{comment}");
        }
        assert_eq!(found("// A \" alone, and told."), [(1, "told")]);
    }

    #[test]
    fn the_message_has_the_place_the_sentence_and_the_advice() {
        let text = "const a = 1;\n// First. The row stands. Last.\n".to_owned();
        let files = BTreeMap::from([("a.ts".to_owned(), text.clone()), ("a.md".to_owned(), text)]);
        let stands =
            "a.ts:2: \"stands\" in \"The row stands.\": write is, lies, waits, means or stays";
        assert_eq!(judge(&files), [stands, COMMAND]);
    }

    #[test]
    fn a_folder_that_is_asked_for_is_judged_alone() {
        let text = "// As is.".to_owned();
        let paths = ["src/a/x.ts", "src/b/y.ts", "src/engine/gen/a.ts"];
        let files = BTreeMap::from(paths.map(|path| (path.to_owned(), text.clone())));
        assert_eq!(judge_folders(&files, &["src/a/"]).len(), 1);
        assert_eq!(judge_folders(&files, &[]).len(), 2);
    }
}
